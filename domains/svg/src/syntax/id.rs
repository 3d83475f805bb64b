//! Ids: a letter or `_`, then letters, digits, `_`, `-`, `.`.

use std::collections::HashMap;
use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

/// The longest id an op makes, in bytes.
const LONGEST: usize = 1024;

/// An id that an op may set. A file may contain others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId(Box<str>);

impl ElementId {
    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ElementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for ElementId {
    const SPEC: ValueSpec = ValueSpec {
        names: true,
        ..ValueSpec::new("ID", "a letter or _, then letters, digits, _ - .")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        if is_legal(text) {
            return Ok(Self(text.into()));
        }
        if text.is_empty() {
            return Err(ValueError::sentence("an id cannot be empty"));
        }
        if text.len() > LONGEST {
            return Err(ValueError::sentence(format!(
                "an id has at most {LONGEST} bytes"
            )));
        }
        let cut: String = text.chars().take(60).collect();
        let problem = match text.chars().find(|c| !is_inside(*c)) {
            Some(c) if c.is_whitespace() => "has a space".to_owned(),
            Some(c) if c.is_control() => "has a control character".to_owned(),
            Some(c) => format!("has a {c}"),
            None => "begins without a letter".to_owned(),
        };
        Err(ValueError::sentence(format!("id \"{cut}\" {problem}")).maybe_fix(mended(text)))
    }
}

fn is_first(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Whether an op may set a text as an id.
#[must_use]
pub fn is_legal(text: &str) -> bool {
    text.len() <= LONGEST && text.starts_with(is_first) && text.chars().all(is_inside)
}

/// The nearest legal id: `a b` becomes `a-b`, `2nd` becomes `_2nd`. `None` if it has no letter or
/// digit.
#[must_use]
pub fn mended(text: &str) -> Option<String> {
    let mut id = String::new();
    for c in text.chars() {
        if is_inside(c) {
            id.push(c);
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
        if id.len() >= LONGEST - 8 {
            break;
        }
    }
    let id = id.trim_start_matches(['-', '.']).trim_end_matches('-');
    if !id.contains(char::is_alphanumeric) {
        return None;
    }
    Some(if id.starts_with(is_first) {
        id.to_owned()
    } else {
        format!("_{id}")
    })
}

/// The first of `BASE-2`, `BASE-3`, … that is not taken, or a later one if many are.
///
/// A base that ends in `-N` counts on from there: `spark-2` is followed by `spark-3`.
pub fn next_free(base: &str, taken: impl Fn(&str) -> bool) -> String {
    Numbering::default().next_free(base, taken)
}

/// The next numbers of ids. A series of new ids does not try taken ids again.
#[derive(Debug, Default)]
pub struct Numbering(HashMap<String, u64>);

impl Numbering {
    /// Like [`next_free`], continuing after the last number.
    pub fn next_free(&mut self, base: &str, taken: impl Fn(&str) -> bool) -> String {
        let (stem, least) = stem(base);
        let number = self.0.entry(stem.to_owned()).or_insert(least);
        let id = |number: u64| format!("{stem}-{number}");
        *number = fcp::model::next_free((*number).max(least), |number| taken(&id(number)));
        id(*number)
    }
}

/// The base without its number, and that number.
fn stem(base: &str) -> (&str, u64) {
    let counted = base.rsplit_once('-').and_then(|(stem, number)| {
        let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number
            .parse::<u32>()
            .ok()
            .filter(|_| plain && !stem.is_empty())?;
        Some((stem, number))
    });
    counted.map_or((base, 1), |(stem, number)| (stem, u64::from(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_ids_are_repaired() {
        for (text, wrong, fix) in [
            ("a b", "id \"a b\" has a space", Some("a-b")),
            ("2nd", "id \"2nd\" begins without a letter", Some("_2nd")),
            ("a#b", "id \"a#b\" has a #", Some("a-b")),
            (" (a) ", "id \" (a) \" has a space", Some("a")),
            ("-a", "id \"-a\" begins without a letter", Some("a")),
            ("##", "id \"##\" has a #", None),
            ("", "an id cannot be empty", None),
        ] {
            let error = ElementId::parse(text).unwrap_err();
            assert_eq!(
                (error.about(text).as_str(), error.fix.as_deref()),
                (wrong, fix)
            );
            assert!(fix.is_none_or(is_legal));
        }
        for text in ["a", "_", "my_circle", "a.b-c", "größe"] {
            assert_eq!(ElementId::parse(text).unwrap().as_str(), text);
        }
        assert!(ElementId::parse(&"a".repeat(2000)).is_err());
    }

    #[test]
    fn the_next_free_number_is_taken() {
        let taken = |id: &str| ["spark-2", "spark-3", "q-10"].contains(&id);
        assert_eq!(next_free("spark", taken), "spark-4");
        assert_eq!(next_free("spark-2", taken), "spark-4");
        assert_eq!(next_free("sun", taken), "sun-2");
        assert_eq!(next_free("q-9", taken), "q-11");
        assert_eq!(next_free("a-b", taken), "a-b-2");
    }
}
