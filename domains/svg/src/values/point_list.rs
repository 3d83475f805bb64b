//! Lists of points.

use std::fmt;

use fcp::prelude::*;

use crate::syntax::points::Points;

/// Points without a fault, as spelled; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointList(Box<str>);

impl fmt::Display for PointList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for PointList {
    const SPEC: ValueSpec = ValueSpec::new("POINTS", "\"0,0 10,5 10,20\"");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match Points::checked(text) {
            Ok(points) if points.vertices().is_empty() => {
                Err(ValueError::sentence("points: has no point"))
            }
            Ok(_) => Ok(Self(text.into())),
            Err(fault) => {
                let read = Points::parse(text);
                let end = read.vertices().last().map(|last| last.y.end);
                let sound = end.and_then(|end| text.get(..end));
                Err(ValueError::sentence(format!("points: {fault}")).maybe_fix(sound))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_pairs() {
        assert_eq!(
            PointList::parse("0,0 10 5").unwrap().to_string(),
            "0,0 10 5"
        );
        for (text, fix) in [
            ("0,0 10,5 7", Some("0,0 10,5")),
            ("0,0 ten", Some("0,0")),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(
                PointList::parse(text).unwrap_err().fix.as_deref(),
                fix,
                "{text}"
            );
        }
    }
}
