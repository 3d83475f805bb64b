//! Banks of programs.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::number::within;

/// A bank: its coarse number, and its fine one if given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bank {
    /// Controller 0.
    pub coarse: u8,
    /// Controller 32.
    pub fine: Option<u8>,
}

impl fmt::Display for Bank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.coarse.fmt(f)?;
        self.fine.map_or(Ok(()), |fine| write!(f, ".{fine}"))
    }
}

impl FcpValue for Bank {
    const SPEC: ValueSpec = ValueSpec::new("BANK", "0-127, or coarse.fine: 8, 0.3");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let wrong = || ValueError::new("is not a bank: 0-127, or two such numbers, 0.3");
        let (coarse, fine) = match text.split_once('.') {
            Some((coarse, fine)) => (coarse, Some(fine)),
            None => (text, None),
        };
        let read = |part: &str| within(part, 0, 127).ok_or_else(wrong)?;
        let coarse = read(coarse).map_err(|mut error| {
            error.fix = error.fix.map(|near| match fine {
                Some(fine) => format!("{near}.{fine}"),
                None => near,
            });
            error
        })?;
        let fine = fine.map(read).transpose().map_err(|mut error| {
            error.fix = error.fix.map(|near| format!("{coarse}.{near}"));
            error
        })?;
        Ok(Self { coarse, fine })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_are_read_and_shown() {
        for text in ["0", "127", "0.3", "8.127"] {
            assert_eq!(Bank::parse(text).unwrap().to_string(), text);
        }
        let fix = |text: &str| Bank::parse(text).unwrap_err().fix;
        assert_eq!(fix("128").as_deref(), Some("127"));
        assert_eq!(fix("128.3").as_deref(), Some("127.3"));
        assert_eq!(fix("1.128").as_deref(), Some("1.127"));
        assert_eq!(fix("x"), None);
        assert_eq!(fix("1."), None);
    }
}
