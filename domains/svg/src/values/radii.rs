//! The radii of an arc.

use std::fmt;

use fcp::prelude::*;
use fcp::value::Decimal;
use kurbo::Vec2;

/// One radius for both axes, or one for each, as they were spelled: `20`, `30,10`. Each is above 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Radii {
    x: Decimal,
    y: Option<Decimal>,
}

impl Radii {
    /// The radii along x and y.
    #[must_use]
    pub fn vec(&self) -> Vec2 {
        let x = self.x.get();
        Vec2::new(x, self.y.as_ref().map_or(x, Decimal::get))
    }
}

impl fmt::Display for Radii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.x.fmt(f)?;
        match &self.y {
            Some(y) => write!(f, ",{y}"),
            None => Ok(()),
        }
    }
}

impl FcpValue for Radii {
    const SPEC: ValueSpec = ValueSpec::new("R", "a radius, or RX,RY: 20, 30,10");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let wrong = |_| ValueError::new("is not a radius").fix("10");
        let (x, y) = match text.split_once(',') {
            Some((x, y)) => (x, Some(Decimal::parse(y).map_err(wrong)?)),
            None => (text, None),
        };
        let radii = Self {
            x: Decimal::parse(x).map_err(wrong)?,
            y,
        };
        let each = radii.vec();
        if each.x <= 0.0 || each.y <= 0.0 {
            return Err(ValueError::new("is not above 0").fix("10"));
        }
        Ok(radii)
    }
}
