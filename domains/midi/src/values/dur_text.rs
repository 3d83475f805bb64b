//! Parses lengths.

use fcp::value::{ValueError, fold, nearest_word};

use super::dur::{LETTERS, TUPLETS, Term};
use super::frac::Frac;
use super::limits::{BAR, SECOND, TICK, grouped};

/// Words for note values, from the whole to the 64th, in the form of `fold`.
const WORDS: [&str; 7] = [
    "whole",
    "half",
    "quarter",
    "eighth",
    "sixteenth",
    "thirtysecond",
    "sixtyfourth",
];

/// Other names of note values, for suggestions.
const FOREIGN: [(&str, &str); 8] = [
    ("semibreve", "w"),
    ("minim", "h"),
    ("crotchet", "q"),
    ("quaver", "e"),
    ("semiquaver", "s"),
    ("demisemiquaver", "t"),
    ("breve", "2/1"),
    ("triplet", "e3"),
];

/// The longest valid length or position, in bytes.
pub(super) const LONGEST: usize = 1024;

/// Parses terms with their signs; the first must have a sign if `signed`, else must not.
pub(super) fn read_signed(text: &str, signed: bool) -> Result<Vec<(bool, Term)>, ValueError> {
    if text.len() > LONGEST {
        return Err(ValueError::new(format!(
            "is over {LONGEST} bytes, too long for a length"
        )));
    }
    let mut terms = Vec::new();
    let mut rest = text;
    loop {
        let first = terms.is_empty() && !signed;
        let (back, body) = match rest.strip_prefix('-') {
            Some(body) if !first => (true, body),
            _ if first => (false, rest),
            _ => (false, rest.strip_prefix('+').unwrap_or(rest)),
        };
        match longest_term(body) {
            Ok((term, after)) => {
                terms.push((back, term));
                rest = after;
            }
            Err((error, written)) => {
                let start = text.len() - body.len();
                let end = start + written.len();
                // A zero term can be left out. Alone it is a forgotten length, or no offset at all.
                if is_nothing(written) && (signed || end - start < text.len()) {
                    let error = ValueError::sentence(error.about(written));
                    let before = text[..start].strip_suffix(['+', '-']).unwrap_or("");
                    let behind = &text[end..];
                    let behind = match before.is_empty() && !signed {
                        true => behind.trim_start_matches('+'),
                        false => behind,
                    };
                    return Err(error.fix(format!("{before}{behind}")));
                }
                let whole = |fix| format!("{}{fix}{}", &text[..start], &text[end..]);
                return Err(if start == 0 && end == text.len() {
                    *error
                } else {
                    ValueError::sentence(error.about(written)).maybe_fix(error.fix.map(whole))
                });
            }
        }
        if rest.is_empty() {
            return Ok(terms);
        }
    }
}

/// Whether a term is zero, in any unit.
fn is_nothing(term: &str) -> bool {
    let number = term.strip_prefix("ticks:").unwrap_or(term);
    let digits = number.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.contains('0') && digits.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// The longest term that a text begins with, up to a sign or the end, and the rest from the sign
/// on.
///
/// A word may contain hyphens (`dotted-quarter-note`), so up to three are skipped.
fn longest_term(text: &str) -> Result<(Term, &str), (Box<ValueError>, &str)> {
    let mut ends: Vec<usize> = text
        .match_indices(['+', '-'])
        .map(|(at, _)| at)
        .take(4)
        .collect();
    if ends.len() < 4 {
        ends.push(text.len());
    }
    let plus = text.find('+').unwrap_or(text.len());
    let words = ends.iter().rev().filter(|end| **end <= plus);
    for end in words {
        if let Ok(Some(term)) = known(&text[..*end].to_lowercase()) {
            return Ok((term, &text[*end..]));
        }
    }
    let written = &text[..ends.first().copied().unwrap_or(text.len())];
    match read_term(written) {
        Ok(term) => Ok((term, &text[written.len()..])),
        // An error shows the whole misspelled word: `doted-quarter`, not `doted`.
        Err(error) if error.fix.is_none() && written.len() < plus => {
            let written = &text[..plus];
            let error = read_term(written).err().unwrap_or(error);
            Err((Box::new(error), written))
        }
        Err(error) => Err((Box::new(error), written)),
    }
}

/// Parses one part of a length.
pub(super) fn read_term(text: &str) -> Result<Term, ValueError> {
    if text.is_empty() {
        return Err(ValueError::new("is not a length"));
    }
    if text.len() > LONGEST {
        return Err(ValueError::new("is not a length"));
    }
    let word = text.to_lowercase();
    known(&word)?.ok_or_else(|| ValueError::new("is not a length").maybe_fix(guess(&word)))
}

/// Parses one part of a length in lower case; `None` if it has no known form.
fn known(word: &str) -> Result<Option<Term>, ValueError> {
    if let Some(count) = word.strip_prefix("ticks:") {
        return ticks(count, true).map(Some);
    }
    if let Some(count) = word.strip_prefix("tick:") {
        return Err(ValueError::new("is a position, ticks:N is a length")
            .maybe_fix(ticks(count, true).ok().map(|term| term.to_string())));
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        return ticks(word, false).map(Some);
    }
    if let Some((num, den)) = word.split_once('/') {
        return fraction(num, den).map(Some);
    }
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &word[..word.len() - rest.len()];
    if number.is_empty() {
        Ok(note(word))
    } else {
        counted(number, rest)
    }
}

fn ticks(digits: &str, sure: bool) -> Result<Term, ValueError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ValueError::new("is not a number of ticks"));
    }
    match digits.parse() {
        Ok(0) => Err(nothing()),
        Ok(count) if count <= TICK => Ok(Term::Ticks { count, sure }),
        _ => {
            let sure = if sure { "ticks:" } else { "" };
            let problem = format!("is longer than {} ticks", grouped(TICK));
            Err(ValueError::new(problem).fix(format!("{sure}{TICK}")))
        }
    }
}

fn nothing() -> ValueError {
    ValueError::new("lasts no time, a length is above 0")
}

/// A fraction of a whole note: `3/16`.
fn fraction(num: &str, den: &str) -> Result<Term, ValueError> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| digits)
    };
    let (Some(num), Some(den)) = (number(num), number(den)) else {
        return Err(ValueError::new("is not a part of a whole note, as 3/16 is"));
    };
    if num == 0 {
        return Err(nothing());
    }
    if num > BAR {
        return Err(ValueError::new(format!(
            "is too long, a part of a whole note has at most {} above the line",
            grouped(BAR)
        )));
    }
    if !(1..=1024).contains(&den) || !smooth(den) {
        // Sums of such fractions stay exact, since they share a denominator that fits.
        let near = (1..=1024)
            .filter(|n| smooth(*n))
            .min_by_key(|n| n.abs_diff(den));
        return Err(
            ValueError::new("needs a denominator up to 1024, a product of 2, 3, 5 and 7")
                .maybe_fix(near.map(|near| format!("{num}/{near}"))),
        );
    }
    let part = Frac::new(num.into(), den.into());
    part.map(Term::Note)
        .ok_or_else(|| ValueError::new("is too long"))
}

/// Whether 2, 3, 5 and 7 are its only prime factors.
fn smooth(mut number: u32) -> bool {
    for prime in [2, 3, 5, 7] {
        while number > 0 && number.is_multiple_of(prime) {
            number /= prime;
        }
    }
    number == 1
}

/// A number with a unit: `2b`, `1bar`, `0.5s`, `8th`, `8n.`, `8t`.
fn counted(number: &str, unit: &str) -> Result<Option<Term>, ValueError> {
    let name = unit.trim_end_matches('.');
    let dots = unit.len() - name.len();
    if let Some(part) = number.parse().ok().and_then(denominator) {
        let plain = matches!(
            name,
            "n" | "th" | "nd" | "nt" | "t" | "note" | "thnote" | "th-note"
        );
        let triplet = matches!(name, "t" | "nt");
        if plain {
            return Ok(dotted(part, dots, if triplet { (3, 2) } else { (1, 1) }));
        }
    }
    if dots > 0 {
        return Ok(None);
    }
    type Counted = fn(Frac) -> Term;
    let (limit, places, term): (u32, usize, Counted) = match name {
        "b" | "beat" | "beats" => (BAR, 3, Term::Beats),
        "bar" | "bars" | "measure" | "measures" => (BAR, 3, Term::Bars),
        "s" | "sec" | "secs" | "second" | "seconds" => (SECOND, 6, Term::Seconds),
        "ms" => (999_999_999, 3, |ms| {
            Term::Seconds(ms.over(Frac::whole(1000)).unwrap_or(ms))
        }),
        "ticks" | "tick" => return ticks(number, true).map(Some),
        _ => return Ok(None),
    };
    let whole = number.split('.').next().unwrap_or(number);
    if whole.trim_start_matches('0').len() > 10 {
        return Err(beyond(limit, name));
    }
    let Some(count) = Frac::decimal(number, places) else {
        let rounded = number.parse::<f64>().ok();
        let fix = rounded.map(|n| format!("{n:.places$}"));
        let fix =
            fix.map(|fix| format!("{}{unit}", fix.trim_end_matches('0').trim_end_matches('.')));
        return Err(
            ValueError::new(format!("has more than {places} digits after the point"))
                .maybe_fix(fix.filter(|fix| matches!(known(fix), Ok(Some(_))))),
        );
    };
    if count == Frac::ZERO {
        return Err(nothing());
    }
    if count > Frac::whole(limit.into()) {
        return Err(beyond(limit, name));
    }
    Ok(Some(term(count)))
}

fn beyond(limit: u32, unit: &str) -> ValueError {
    ValueError::new(format!("is longer than {}{unit}", grouped(limit)))
        .fix(format!("{limit}{unit}"))
}

/// A whole note divided by a power of two up to 64.
fn denominator(number: u32) -> Option<Frac> {
    let power = number.is_power_of_two() && number <= 64;
    Frac::new(1, number.into()).filter(|_| power)
}

fn dotted(part: Frac, dots: usize, (count, time): (i128, i128)) -> Option<Term> {
    let (num, den) = [(1, 1), (3, 2), (7, 4)].get(dots).copied()?;
    let part = part.times(Frac::new(num * time, den * count)?)?;
    Some(Term::Note(part))
}

/// A note value in letters or words.
fn note(word: &str) -> Option<Term> {
    let body = word.trim_end_matches('.');
    let dots = word.len() - body.len();
    let mut letters = body.chars();
    if let Some(place) = letters.next().and_then(letter) {
        let tuplet = letters.next();
        let ratio = TUPLETS.iter().find(|(sign, ..)| Some(*sign) == tuplet);
        match ratio {
            None if tuplet.is_none() => return dotted(place, dots, (1, 1)),
            Some((_, count, time)) if letters.next().is_none() => {
                return dotted(place, dots, (*count, *time));
            }
            _ => {}
        }
    }
    if word.starts_with(['-', '_']) || body.ends_with(['-', '_']) {
        return None;
    }
    let mut name = fold(body);
    if name == "bar" || name == "beat" {
        let count = Frac::whole(1);
        let bar = name == "bar" && dots == 0;
        return match (bar, dots) {
            (true, _) => Some(Term::Bars(count)),
            (false, 0) => Some(Term::Beats(count)),
            _ => None,
        };
    }
    let mut more = 0;
    let mut ratio = (1, 1);
    for (prefix, extra, tuplet) in [
        ("doubledotted", 2, (1, 1)),
        ("dotted", 1, (1, 1)),
        ("triplet", 0, (3, 2)),
    ] {
        if let Some(rest) = name.strip_prefix(prefix) {
            (name, more, ratio) = (rest.to_owned(), extra, tuplet);
            break;
        }
    }
    let name = name.strip_suffix("note").unwrap_or(&name);
    let name = match name.strip_suffix("triplet") {
        Some(name) if ratio == (1, 1) => {
            ratio = (3, 2);
            name
        }
        _ => name,
    };
    let place = WORDS.iter().position(|word| *word == name);
    let part = match place {
        Some(place) => Frac::new(1, 1 << place),
        None => ordinal(name).or_else(|| {
            name.chars()
                .next()
                .and_then(letter)
                .filter(|_| name.len() == 1)
        }),
    };
    dotted(part?, dots + more, ratio)
}

/// `8th`, `16th`, `32nd`, `64th`.
fn ordinal(name: &str) -> Option<Frac> {
    let number = name
        .strip_suffix("th")
        .or_else(|| name.strip_suffix("nd"))?;
    number.parse().ok().and_then(denominator)
}

fn letter(letter: char) -> Option<Frac> {
    let place = LETTERS.iter().position(|known| *known == letter)?;
    Frac::new(1, 1 << place)
}

/// The length that an invalid word probably means.
fn guess(word: &str) -> Option<String> {
    let reads = |fix: &String| matches!(known(fix), Ok(Some(_)));
    let known = FOREIGN.iter().find(|(name, _)| *name == fold(word));
    if let Some((_, fix)) = known {
        return Some((*fix).to_owned());
    }
    if word.len() > 64 {
        return None;
    }
    let mut letters = word.chars();
    let first = letters.next().filter(|first| letter(*first).is_some());
    if let Some(first) = first {
        let rest = letters.as_str();
        // A sextuplet (six in the time of four) equals a triplet (three in the time of two).
        let meant = match rest {
            "6" | "t" => Some(format!("{first}3")),
            "2" | "4" | "8" => Some(first.to_string()),
            "d" => Some(format!("{first}.")),
            _ if rest.starts_with("..") => Some(format!("{first}..")),
            // `q.5` does not mean a quintuplet.
            _ if rest.starts_with('.') && !rest.ends_with('3') => None,
            _ => {
                let digits: String = rest.chars().filter(|c| *c != '.').collect();
                let dots: String = rest.chars().filter(|c| *c == '.').collect();
                Some(format!("{first}{digits}{dots}"))
            }
        };
        if let Some(meant) = meant.filter(|meant| meant != word).filter(reads) {
            return Some(meant);
        }
    }
    let plain = word.trim_end_matches('.');
    let dots = &word[plain.len()..];
    const PREFIXES: [(&str, &str); 4] = [
        ("", ""),
        ("dotted", "dotted-"),
        ("doubledotted", "double-dotted-"),
        ("triplet", "triplet-"),
    ];
    let near = PREFIXES
        .iter()
        .flat_map(|(_, prefix)| WORDS[..5].iter().map(move |name| format!("{prefix}{name}")));
    let spelled: Vec<String> = near.collect();
    let units = ["8th", "16th", "32nd", "64th", "1bar", "2b"];
    let words = spelled.iter().map(String::as_str).chain(units);
    let near = nearest_word(plain, words)?;
    Some(format!("{near}{dots}")).filter(reads)
}
