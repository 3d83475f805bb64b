//! Path data.

use std::fmt;

use fcp::prelude::*;

use crate::path::Path;

/// Path data without a fault, as spelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathData(Box<str>);

impl fmt::Display for PathData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The maximum number of segments before a fault that a repair may drop too.
const LOOKED_AT: usize = 3;

impl FcpValue for PathData {
    const SPEC: ValueSpec = ValueSpec::new("PATH", "\"M10 10 h20 v20 z\", all of SVG's path data");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match Path::checked(text) {
            Ok(_) => Ok(Self(text.into())),
            Err(fault) => {
                // The part before the fault is drawn.
                let sound = text.get(..fault.at).map(str::trim_end).unwrap_or_default();
                // The faulty segment may begin before the fault.
                let letters = sound.match_indices(|c: char| c.is_ascii_alphabetic());
                let ends = letters.map(|(at, _)| at).rev().take(LOOKED_AT);
                let cuts = std::iter::once(sound.len()).chain(ends);
                let cuts = cuts.filter_map(|end| sound.get(..end).map(str::trim_end));
                let begun = (!text.trim().is_empty()).then(|| format!("M0,0 {text}"));
                let fix = cuts
                    .map(str::to_owned)
                    .chain(begun)
                    .find(|cut| Path::checked(cut.as_str()).is_ok());
                Err(ValueError::sentence(fault.to_string()).maybe_fix(fix))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_data_is_read_to_the_end() {
        assert_eq!(PathData::parse("M0,0h5").unwrap().to_string(), "M0,0h5");
        for (text, fix) in [
            ("M0,0 L5,5 bogus", Some("M0,0 L5,5")),
            ("L5,5", Some("M0,0 L5,5")),
            ("M0 0 L5", Some("M0 0")),
            ("M0 0 L5 x", Some("M0 0")),
            ("", None),
        ] {
            assert_eq!(
                PathData::parse(text).unwrap_err().fix.as_deref(),
                fix,
                "{text}"
            );
        }
    }
}
