//! Written spans of time.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, repaired};

use super::dur_text::LONGEST;
use super::pos::{Base, Place, Pos};

/// A span from one position to the end of another: `5-8`, `5.3..6+e`, `5`, `Chorus`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    from: Pos,
    to: Option<Pos>,
    /// The text, if a hyphen in it may be part of a single name.
    whole: Option<String>,
}

impl Span {
    /// Its start.
    #[must_use]
    pub fn from(&self) -> &Pos {
        &self.from
    }

    /// Its end: the start, if only one position was written.
    #[must_use]
    pub fn to(&self) -> &Pos {
        self.to.as_ref().unwrap_or(&self.from)
    }

    /// The span with one or both ends replaced, for a repair.
    #[must_use]
    pub fn with(&self, from: Option<&str>, to: Option<&str>) -> Option<String> {
        if self.to.is_none() {
            return from.or(to).map(str::to_owned);
        }
        let end = |text: Option<&str>, own: &Pos| match text {
            Some(text) => Pos::parse(text).ok(),
            None => Some(own.clone()),
        };
        let span = Self {
            from: end(from, &self.from)?,
            to: Some(end(to, self.to())?),
            whole: None,
        };
        Some(span.to_string())
    }

    /// Whether a prefix of a name does not match.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        self.from.is_strict()
    }

    /// The whole text that may be a single name (`Pre-Chorus`), to be tried before its parts.
    #[must_use]
    pub fn whole_name(&self) -> Option<&str> {
        match &self.to {
            Some(_) => self.whole.as_deref(),
            None => self.from.whole_name(),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = self.from.to_string();
        let Some(to) = &self.to else {
            return f.write_str(&from);
        };
        let to = to.to_string();
        let signs = |end: &str| end.contains(['+', '-']) || end.contains("..");
        let between = if signs(&from) || signs(&to) {
            ".."
        } else {
            "-"
        };
        write!(f, "{from}{between}{to}")
    }
}

impl FcpValue for Span {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["tick", "ticks"],
        ..ValueSpec::new("SPAN", "5, 5..8, 5.1-8.4, 5.3..6+e, Chorus")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }

    fn strictly(self) -> Self {
        Self {
            from: self.from.strictly(),
            to: self.to.map(Pos::strictly),
            ..self
        }
    }
}

/// Other separators in common use.
const SIGNS: [&str; 4] = ["...", "--", "–", "—"];

impl Span {
    fn read(text: &str) -> Result<Self, ValueError> {
        if text.len() > 2 * LONGEST {
            return Err(ValueError::new("is too long for a span"));
        }
        // `2,3` is not a beat of a bar here. The repair must not add bars that were not named.
        let bars: Option<Vec<u32>> = text.split(',').map(|bar| bar.trim().parse().ok()).collect();
        if let Some(bars) = bars.filter(|bars| bars.len() > 1) {
            let next = bars
                .windows(2)
                .all(|pair| pair[0].checked_add(1) == Some(pair[1]));
            let fix = bars.first().zip(bars.last()).filter(|_| next);
            let error = ValueError::new("is a list, not a span like 5-8");
            return Err(error.maybe_fix(fix.map(|(from, to)| format!("{from}-{to}"))));
        }
        // Separators in common use elsewhere.
        if let Some(sign) = SIGNS.into_iter().find(|sign| text.contains(sign)) {
            let fix = text.replacen(sign, if sign == "..." { ".." } else { "-" }, 1);
            let once = !SIGNS.iter().any(|sign| fix.contains(sign));
            let reads = once && Self::read(&fix).is_ok();
            let error = ValueError::new("is not clear, write .. between the ends");
            return Err(error.maybe_fix(reads.then_some(fix)));
        }
        if let Some((from, to)) = text.split_once("..") {
            return between(text, from, to, "..");
        }
        let mut hyphens = text.match_indices('-').map(|(at, _)| at);
        let Some(first) = hyphens.next() else {
            return Ok(Self {
                from: Pos::parse(text)?,
                to: None,
                whole: None,
            });
        };
        if hyphens.next().is_none() && !text.contains('+') {
            return between(text, &text[..first], &text[first + 1..], "-");
        }
        Err(ValueError::new("is not clear, write .. between the ends").maybe_fix(clearer(text)))
    }
}

fn between(text: &str, from: &str, to: &str, sign: &str) -> Result<Span, ValueError> {
    let (start, end) = (from.trim(), to.trim());
    let about = |error: ValueError, part: &str, whole: &dyn Fn(&str) -> String| {
        let fix = error.fix.as_deref().map(whole);
        ValueError::sentence(error.about(part)).maybe_fix(fix)
    };
    let from = Pos::parse(start)
        .map_err(|error| about(error, start, &|fix| format!("{fix}{sign}{end}")))?;
    let to =
        Pos::parse(end).map_err(|error| about(error, end, &|fix| format!("{start}{sign}{fix}")))?;
    if reversed(&from, &to) {
        let fix = format!("{end}{sign}{start}");
        let problem = format!("{text} is reversed");
        return Err(ValueError::sentence(problem).fix(fix));
    }
    let to = Some(to);
    let mut span = Span {
        from,
        to,
        whole: None,
    };
    let shown = span.to_string();
    // A name at the start of the span may continue after the hyphen.
    if matches!(span.from.base, Base::Named { marker: false, .. }) && !shown.contains("..") {
        span.whole = Some(shown);
    }
    Ok(span)
}

/// Whether two positions are in the wrong order, as far as is known without a song.
fn reversed(from: &Pos, to: &Pos) -> bool {
    if from.shift.is_some() || to.shift.is_some() {
        return false;
    }
    match (&from.base, &to.base) {
        (Base::Place(from), Base::Place(to)) => {
            let key = |place: &Place, open| {
                let beat = place.beat.unwrap_or(open);
                (place.bar, beat, place.ticks.unwrap_or(open))
            };
            key(from, 0) > key(to, u32::MAX)
        }
        (Base::Tick(from), Base::Tick(to)) => from > to,
        (Base::Seconds(from), Base::Seconds(to)) => from > to,
        _ => false,
    }
}

/// The text with `..` at the most probable separator.
fn clearer(text: &str) -> Option<String> {
    if text.len() > 128 {
        return None;
    }
    let numeric = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let cuts = || text.match_indices('-').map(|(at, _)| at).take(16);
    let cut = |at: usize| (&text[..at], &text[at + 1..]);
    let parses = |at: &usize| {
        let (from, to) = cut(*at);
        Pos::parse(from).is_ok() && Pos::parse(to).is_ok()
    };
    let alike = |at: &usize| {
        let (from, to) = cut(*at);
        numeric(from) == numeric(to)
    };
    let at = cuts()
        .filter(alike)
        .find(parses)
        .or_else(|| cuts().find(parses))?;
    let (from, to) = cut(at);
    let fix = format!("{from}..{to}");
    Span::parse(&fix).is_ok().then_some(fix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_back() {
        for text in [
            "5",
            "5-8",
            "5.3-6.1.120",
            "5..8+e",
            "5-e..8",
            "Chorus",
            "Intro-Chorus",
            "12.5s-14s",
            "tick:5-tick:9",
            "end",
            "1:02.5-1:10",
            "1-end",
            "5-5.2",
        ] {
            let span = Span::parse(text).unwrap();
            assert_eq!(span.to_string(), text);
            assert_eq!(Span::parse(&span.to_string()), Ok(span));
        }
        let span = Span::parse("5..8").unwrap();
        assert_eq!(span.to_string(), "5-8");
        assert_eq!(span.to(), &Pos::bar(8).unwrap());
        assert_eq!(
            Span::parse("Pre-Chorus").unwrap().whole_name(),
            Some("Pre-Chorus")
        );
        assert_eq!(Span::parse("Chorus").unwrap().whole_name(), Some("Chorus"));
        assert_eq!(Span::parse("5-8").unwrap().whole_name(), None);
    }

    #[test]
    fn invalid_spans_are_repaired() {
        let table = [
            ("8-5", Some("5-8")),
            ("5.3-5.2", Some("5.2-5.3")),
            ("tick:9..tick:5", Some("tick:5..tick:9")),
            ("5-8-e", Some("5..8-e")),
            ("5+e-8", Some("5+e..8")),
            ("0-4", Some("1-4")),
            ("1-4.0", Some("1-4.1")),
            ("", None),
            ("-", None),
            ("..", None),
            ("5-99999999999", None),
            ("3--4", Some("3-4")),
            ("3...4", Some("3..4")),
            ("3–4", Some("3-4")),
            ("3---4", None),
            ("2,3", Some("2-3")),
            ("2, 3,4", Some("2-4")),
            ("2,4", None),
            ("3,2", None),
        ];
        for (text, wanted) in table {
            let error = Span::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), wanted, "{text}");
        }
    }
}
