//! Parses positions.

use fcp::value::{FcpValue, ValueError};

use super::dur::{Shift, Term};
use super::dur_text::{LONGEST, read_signed};
use super::frac::Frac;
use super::limits::{BAR, SECOND, TICK, grouped};
use super::number::rounded;
use super::pos::{Base, Place, Pos};

/// Parses a position. A repair may need another repair.
pub(super) fn read(text: &str) -> Result<Pos, ValueError> {
    if text.len() > LONGEST {
        return Err(ValueError::new(format!(
            "is over {LONGEST} bytes, too long for a position"
        )));
    }
    if text.starts_with(['+', '-']) {
        return from_cursor(text);
    }
    let first = text.chars().next();
    let Some(first) = first.filter(|_| !text.trim().is_empty()) else {
        return Err(ValueError::new("is not a position"));
    };
    let tick = text.strip_prefix("tick:");
    if tick.is_none() && !first.is_ascii_digit() && first != '.' {
        return named(text);
    }
    // A name cannot begin with a digit, so the first sign begins the offset.
    let from = text.len() - tick.unwrap_or(text).len();
    let sign = text[from..].find(['+', '-']).map(|at| at + from);
    let sign = sign.filter(|at| *at > from);
    let (start, way) = text.split_at(sign.unwrap_or(text.len()));
    let base = match tick {
        Some(_) => tick_base(&start[from..]),
        None => numbered(start),
    };
    let whole = |fix| format!("{fix}{way}");
    let base = base.map_err(|mut error| {
        if way.is_empty() {
            return error;
        }
        let fix = error.fix.take().map(whole);
        ValueError::sentence(error.about(start)).maybe_fix(fix)
    })?;
    Ok(Pos {
        base,
        shift: shift(start, way)?,
    })
}

/// Parses the offset after a base; errors show the whole position.
fn shift(start: &str, way: &str) -> Result<Option<Shift>, ValueError> {
    if way.is_empty() {
        return Ok(None);
    }
    read_signed(way, true).map(Shift::of).map_err(|error| {
        let fix = error.fix.as_ref().map(|fix| format!("{start}{fix}"));
        let fix = fix.filter(|fix| !fix.is_empty());
        ValueError::sentence(error.about(way)).maybe_fix(fix)
    })
}

fn from_cursor(text: &str) -> Result<Pos, ValueError> {
    if text == "+" {
        return Ok(Pos {
            base: Base::Cursor,
            shift: None,
        });
    }
    match shift("", text) {
        Ok(shift) => Ok(Pos {
            base: Base::Cursor,
            shift,
        }),
        Err(error) => {
            let rest = &text[1..];
            let place = rest.starts_with(|c: char| c.is_ascii_digit());
            let fix = if place { Pos::parse(rest).ok() } else { None };
            Err(match fix {
                Some(fix) if error.fix.is_none() => error.fix(fix.to_string()),
                _ => error,
            })
        }
    }
}

fn tick_base(digits: &str) -> Result<Base, ValueError> {
    let wrong = |problem: String| ValueError::sentence(problem);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        let size = digits.strip_prefix('-').unwrap_or(digits);
        let near = rounded(size).map(|near| match size.len() < digits.len() {
            true => "tick:0".to_owned(),
            false => format!("tick:{near}"),
        });
        return Err(wrong(format!(
            "a tick is a whole number from 0 to {}",
            grouped(TICK)
        ))
        .maybe_fix(near));
    }
    match digits.parse() {
        Ok(tick) if tick <= TICK => Ok(Base::Tick(tick)),
        _ => Err(wrong(format!("tick:{} is the last", grouped(TICK)))),
    }
}

/// A base that begins with a digit: bars or seconds.
fn numbered(text: &str) -> Result<Base, ValueError> {
    let time = text.strip_suffix(['s', 'S']);
    if let Some(seconds) = time.and_then(|time| Frac::decimal(time, 6)) {
        return seconds_base(seconds);
    }
    if let Some((minutes, seconds)) = text.split_once(':') {
        return minutes_base(minutes, seconds);
    }
    place(text).map(Base::Place).map_err(|error| {
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        if letters > 1 {
            let seconds = text.trim_end_matches(char::is_alphabetic).trim_end();
            let unit = text.ends_with("sec") || text.ends_with("seconds");
            return ValueError::new("is not a position").fix(if unit {
                format!("{seconds}s")
            } else {
                format!("marker:{text}")
            });
        }
        error
    })
}

fn seconds_base(seconds: Frac) -> Result<Base, ValueError> {
    if seconds > Frac::whole(SECOND.into()) {
        let last = grouped(SECOND);
        return Err(ValueError::new(format!(
            "is past second {last}, the last one"
        )));
    }
    Ok(Base::Seconds(seconds))
}

/// Minutes and two digits of seconds: `1:02.5`.
fn minutes_base(minutes: &str, seconds: &str) -> Result<Base, ValueError> {
    let wrong = || ValueError::new("is not minutes and seconds like 1:02.5");
    let place = format!("{minutes}.{seconds}");
    let (Some(count), Some(rest)) = (Frac::decimal(minutes, 0), Frac::decimal(seconds, 6)) else {
        return Err(wrong());
    };
    let digits = seconds.split('.').next().map_or(0, str::len);
    let whole = count.times(Frac::whole(60)).and_then(|sum| sum.plus(rest));
    let Some(whole) = whole.filter(|_| digits == 2) else {
        return Err(wrong().maybe_fix(Pos::parse(&place).ok().map(|pos| pos.to_string())));
    };
    let base = seconds_base(whole)?;
    if rest >= Frac::whole(60) {
        return Err(wrong().fix(base.to_string()));
    }
    Ok(base)
}

/// Parses a bar, a beat and ticks.
fn place(text: &str) -> Result<Place, ValueError> {
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = text.split('.').collect();
    let good = parts.iter().take_while(|part| digits(part)).count();
    if good < parts.len() || good > 3 {
        // Drop trailing non-digits and extra parts, but no part with a meaning.
        let bare = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let fix = match good > 3 {
            true => Some(parts[..3].join(".")),
            false => Some(bare.to_owned()).filter(|bare| bare.len() < text.len()),
        };
        let fix = fix.and_then(|fix| place(&fix).ok().map(|place| place.to_string()));
        return Err(ValueError::new("is not a position like 5.3 or 5.3.240").maybe_fix(fix));
    }
    // A number too large for 32 bits is past every limit.
    let number = |ix: usize| parts.get(ix).map(|part| part.parse().unwrap_or(u32::MAX));
    let (bar, beat, ticks) = (number(0).unwrap_or_default(), number(1), number(2));
    if bar > BAR {
        let last = grouped(BAR);
        return Err(ValueError::new(format!("is past bar {last}, the last one")));
    }
    if beat.is_some_and(|beat| beat > 255) {
        return Err(ValueError::new("is past beat 255, the most in a bar"));
    }
    if ticks.is_some_and(|ticks| ticks > TICK) {
        let last = grouped(TICK);
        return Err(ValueError::new(format!(
            "is past tick {last}, the last one"
        )));
    }
    if bar == 0 || beat == Some(0) {
        let what = if bar == 0 { "bars" } else { "beats" };
        let fix = Place {
            bar: bar.max(1),
            beat: beat.map(|beat| beat.max(1)),
            ticks,
        };
        return Err(ValueError::new(format!("has a 0, {what} count from 1")).fix(fix.to_string()));
    }
    Ok(Place { bar, beat, ticks })
}

/// A base that begins with a letter, and its offset.
fn named(text: &str) -> Result<Pos, ValueError> {
    let (base, way) = split_way(text);
    let word = match base {
        "end" => Some(Base::End),
        "next" => Some(Base::Next),
        _ => None,
    };
    if let Some(base) = word {
        let shift = Shift::of(way);
        return Ok(Pos { base, shift });
    }
    if let Some(tick) = text.strip_prefix("ticks:") {
        let fix = format!("tick:{tick}");
        return Err(ValueError::new("is a length, tick:N is a position")
            .maybe_fix(Pos::parse(&fix).ok().map(|_| fix)));
    }
    if text.chars().any(char::is_control) {
        return Err(ValueError::new("has a control character, and names cannot"));
    }
    let marker = text.starts_with("marker:");
    let whole = text.strip_prefix("marker:").unwrap_or(text);
    let base = base.strip_prefix("marker:").unwrap_or(base);
    if whole.trim().is_empty() {
        return Err(ValueError::sentence("marker: needs a name"));
    }
    let inside = base
        .rsplit_once(':')
        .filter(|(name, tail)| !name.is_empty() && tail.starts_with(|c: char| c.is_ascii_digit()));
    let (name, place) = match inside {
        Some((name, tail)) => {
            let end = &text[text.len() - (whole.len() - base.len())..];
            let prefix = &text[..text.len() - whole.len()];
            let inner = place(tail).map_err(|mut error| {
                let fix = error.fix.take();
                error.maybe_fix(fix.map(|fix| format!("{prefix}{name}:{fix}{end}")))
            })?;
            (name, Some(inner))
        }
        None => (base, None),
    };
    Ok(Pos {
        base: Base::Named {
            name: name.to_owned(),
            place,
            marker,
            whole: whole.to_owned(),
            strict: false,
        },
        shift: Shift::of(way),
    })
}

/// Splits a text at the first sign that begins a valid offset.
fn split_way(text: &str) -> (&str, Vec<(bool, Term)>) {
    // No offset has more parts than this, but a name may have any number of hyphens.
    let signs: Vec<usize> = text.match_indices(['+', '-']).map(|(at, _)| at).collect();
    let few = signs.len().saturating_sub(16);
    for at in signs.into_iter().skip(few).filter(|at| *at > 0) {
        if let Ok(way) = read_signed(&text[at..], true) {
            return (&text[..at], way);
        }
    }
    (text, Vec::new())
}
