//! Classes of an element.

use std::fmt;

use fcp::prelude::*;

use crate::syntax::id::{is_legal, mended};

/// A change of an element's classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Classes {
    /// Exactly these classes.
    Are(Vec<Box<str>>),
    /// One more class.
    More(Box<str>),
    /// One class less.
    Less(Box<str>),
}

impl Classes {
    /// The new attribute, for the attribute `old`; `None` if no class is left.
    #[must_use]
    pub fn of(&self, old: &str) -> Option<String> {
        let had = |class: &str| old.split_ascii_whitespace().any(|own| own == class);
        let new = match self {
            Self::Are(classes) => classes.join(" "),
            Self::More(class) if had(class) => old.to_owned(),
            Self::More(class) if old.trim().is_empty() => class.to_string(),
            Self::More(class) => format!("{} {class}", old.trim_end()),
            Self::Less(class) if !had(class) => old.to_owned(),
            Self::Less(class) => {
                let kept = old.split_ascii_whitespace().filter(|own| *own != &**class);
                kept.collect::<Vec<_>>().join(" ")
            }
        };
        (!new.is_empty()).then_some(new)
    }
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Are(classes) => f.write_str(&classes.join(",")),
            Self::More(class) => write!(f, "+{class}"),
            Self::Less(class) => write!(f, "-{class}"),
        }
    }
}

impl FcpValue for Classes {
    const SPEC: ValueSpec = ValueSpec {
        free: true,
        ..ValueSpec::new("CLASSES", "hot, or hot,big; +hot adds, -hot removes")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        let (sign, names) = match text.chars().next() {
            Some(sign @ ('+' | '-')) => (sign, text.get(1..).unwrap_or_default()),
            _ => (' ', text),
        };
        let parts = names.split([',', ' ']).filter(|part| !part.is_empty());
        let parts: Vec<Box<str>> = parts.map(Into::into).collect();
        let sign_text = sign.to_string();
        let fixed = |fix: Option<String>| fix.map(|fix| format!("{}{fix}", sign_text.trim()));
        if let Some(wrong) = parts.iter().find(|part| !is_legal(part)) {
            let error = ValueError::sentence(format!("\"{wrong}\" is not a class"));
            return Err(error.maybe_fix(fixed(mended(wrong))));
        }
        match (sign, parts.as_slice()) {
            ('+', [class]) => Ok(Self::More(class.clone())),
            ('-', [class]) => Ok(Self::Less(class.clone())),
            (' ', [_, ..]) => Ok(Self::Are(parts)),
            (_, []) => Err(ValueError::sentence("a class needs a name")),
            (_, [first, ..]) => {
                let error = ValueError::sentence("add or remove one class at a time");
                Err(error.maybe_fix(fixed(Some(first.to_string()))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_and_go() {
        for (text, old, new) in [
            ("hot", "cold", Some("hot")),
            ("hot,big", "", Some("hot big")),
            ("+hot", "", Some("hot")),
            ("+hot", "a  b", Some("a  b hot")),
            ("+hot", "a hot", Some("a hot")),
            ("-hot", "a hot b", Some("a b")),
            ("-hot", "hot", None),
            ("-hot", "a  b", Some("a  b")),
        ] {
            let classes = Classes::parse(text).unwrap();
            assert_eq!(classes.of(old).as_deref(), new, "{text} of {old}");
            assert_eq!(Classes::parse(&classes.to_string()), Ok(classes));
        }
        for (text, fix) in [
            ("2x", Some("_2x")),
            ("+a,b", Some("+a")),
            ("", None),
            ("+", None),
        ] {
            assert_eq!(
                Classes::parse(text).unwrap_err().fix.as_deref(),
                fix,
                "{text}"
            );
        }
    }
}
