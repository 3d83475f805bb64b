//! Start times of animations.

use std::fmt;

use fcp::prelude::*;
use fcp::value::Time;

use crate::syntax::id::is_legal;

/// A time, or an event of an element with an optional delay, as spelled: `2s`, `dot.click`,
/// `spin.end+1s` (SVG Animations 2, section 3.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begin(Box<str>);

impl Begin {
    /// The id of the element with the event.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        event(&self.0).map(|(id, _)| id)
    }
}

impl fmt::Display for Begin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The id and the event in a text, if it refers to one.
fn event(text: &str) -> Option<(&str, &str)> {
    let (name, delay) = text.split_once('+').unwrap_or((text, "0s"));
    let (id, event) = name.rsplit_once('.')?;
    let known = !event.is_empty() && event.bytes().all(|byte| byte.is_ascii_alphabetic());
    (known && is_legal(id) && Time::parse(delay).is_ok()).then_some((id, event))
}

impl FcpValue for Begin {
    const SPEC: ValueSpec = ValueSpec::new("BEGIN", "1s, dot.click, spin.end+1s");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if event(text).is_some() {
            return Ok(Self(text.into()));
        }
        let error = match Time::parse(text) {
            Ok(_) => return Ok(Self(text.into())),
            Err(error) => error,
        };
        Err(ValueError::new("is not a time or event").maybe_fix(error.fix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animation_begins_at_a_time_or_event() {
        for (text, id) in [
            ("1.5s", None),
            ("indefinite", None),
            ("dot.click", Some("dot")),
            ("a.b.end+500ms", Some("a.b")),
        ] {
            let begin = Begin::parse(text).unwrap();
            assert_eq!((begin.id(), begin.to_string().as_str()), (id, text));
        }
        for (text, fix) in [
            ("2sec", Some("2s")),
            ("dot.", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(
                Begin::parse(text).unwrap_err().fix.as_deref(),
                fix,
                "{text}"
            );
        }
    }
}
