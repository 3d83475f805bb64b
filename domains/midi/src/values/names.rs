//! Several names.

use std::fmt;

use fcp::value::{FcpValue, Name, ValueError, ValueSpec};

/// The most names.
const MOST: usize = 128;

/// Names separated by commas, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// Number of names.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The name at an index, from 0.
    #[must_use]
    pub fn nth(&self, ix: usize) -> Option<&str> {
        self.0.get(ix).map(String::as_str)
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

impl FcpValue for Names {
    const SPEC: ValueSpec = ValueSpec {
        free: true,
        ..ValueSpec::new("NAMES", "names with commas between them")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        // A text that is not a name is not a list of names either.
        Name::parse(text)?;
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        if names.len() > MOST {
            return Err(ValueError::new("holds more than 128 names"));
        }
        let twice = |ix: usize| names[..ix].contains(&names[ix]);
        if names.iter().any(String::is_empty) || (0..names.len()).any(twice) {
            return Err(ValueError::new(
                "is not a list of different names: Melody,Chords",
            ));
        }
        Ok(Self(names))
    }
}
