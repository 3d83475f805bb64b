//! Factors of a scale.

use std::fmt;

use fcp::prelude::*;
use fcp::value::Decimal;
use kurbo::Vec2;

/// One factor for both axes, or one for each, as they were spelled: `2`, `2,0.5`. Neither is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    x: Decimal,
    y: Option<Decimal>,
}

impl Factors {
    /// The factors along x and y.
    #[must_use]
    pub fn vec(&self) -> Vec2 {
        let x = self.x.get();
        Vec2::new(x, self.y.as_ref().map_or(x, Decimal::get))
    }
}

impl fmt::Display for Factors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.x.fmt(f)?;
        match &self.y {
            Some(y) => write!(f, ",{y}"),
            None => Ok(()),
        }
    }
}

impl FcpValue for Factors {
    const SPEC: ValueSpec = ValueSpec::new("K", "a factor, or KX,KY: 2, 0.5, -1,1");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let number = |text: &str| {
            let wrong = |error: ValueError| ValueError::new("is not a factor").maybe_fix(error.fix);
            Decimal::parse(text).map_err(wrong)
        };
        let factors = match text.split_once(',') {
            Some((x, y)) => {
                let (x, y) = (number(x), number(y));
                // One repair for both factors.
                match (x, y) {
                    (Ok(x), Ok(y)) => Self { x, y: Some(y) },
                    (x, y) => {
                        let fixed = |one: Result<Decimal, ValueError>| match one {
                            Ok(one) => Some(one.to_string()),
                            Err(error) => error.fix,
                        };
                        let fix = fixed(x).zip(fixed(y)).map(|(x, y)| format!("{x},{y}"));
                        return Err(ValueError::new("is not a factor").maybe_fix(fix));
                    }
                }
            }
            None => Self {
                x: number(text)?,
                y: None,
            },
        };
        let by = factors.vec();
        if by.x == 0.0 || by.y == 0.0 {
            return Err(ValueError::new("is 0: nothing would be left").fix("0.5"));
        }
        Ok(factors)
    }
}
