//! Curves from one value to another.

use fcp::prelude::*;

/// The shape of a change from one value to another.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// By the same amount in each step.
    #[fcp(alias = "linear")]
    Lin,
    /// Slowly at first.
    #[fcp(alias = "exponential")]
    Exp,
    /// Slowly at last.
    #[fcp(alias = "logarithmic")]
    Log,
    /// Slowly at both ends.
    #[fcp(alias = "ease")]
    Sine,
}

impl Curve {
    /// The progress of the value at a share of the time, both from 0 to 1.
    #[must_use]
    pub fn at(self, time: f64) -> f64 {
        match self {
            Self::Lin => time,
            Self::Exp => time * time,
            Self::Log => time * (2.0 - time),
            Self::Sine => (1.0 - (time * std::f64::consts::PI).cos()) / 2.0,
        }
    }

    /// The value after `done` of `whole` ticks.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "ticks of a file have 28 bits")]
    pub fn between(self, from: f64, to: f64, done: u64, whole: u64) -> f64 {
        if whole == 0 {
            return to;
        }
        from + (to - from) * self.at(done as f64 / whole as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_slow_at_its_own_end() {
        let halfway = [
            (Curve::Lin, 0.25, 0.5),
            (Curve::Exp, 0.0625, 0.25),
            (Curve::Log, 0.4375, 0.75),
            (Curve::Sine, 0.146_446_609_407, 0.5),
        ];
        for (curve, quarter, half) in halfway {
            assert!((curve.at(0.25) - quarter).abs() < 1e-9, "{curve}");
            assert!((curve.at(0.5) - half).abs() < 1e-9, "{curve}");
        }
    }

    #[test]
    fn every_curve_goes_all_the_way_and_never_back() {
        for curve in [Curve::Lin, Curve::Exp, Curve::Log, Curve::Sine] {
            assert!(curve.at(0.0).abs() < 1e-9 && (curve.at(1.0) - 1.0).abs() < 1e-9);
            let way: Vec<f64> = (0..=100).map(|n| curve.at(f64::from(n) / 100.0)).collect();
            assert!(way.is_sorted(), "{curve}");
            assert_eq!(Curve::parse(&curve.to_string()), Ok(curve));
        }
    }
}
