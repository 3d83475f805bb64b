//! The timing of an animation.

use fcp::model::Level;
use fcp::prelude::*;
use fcp::value::Time;

use crate::model::Drawing;
use crate::syntax::number::{Precision, spell_given};
use crate::values::{Begin, Ease, RepeatCount};

/// When an animation runs, and how evenly.
#[derive(FcpParams)]
pub struct Timing {
    /// The length of one run.
    #[fcp(alias = "dur")]
    pub duration: Spanned<Time>,
    /// The number of runs; once if left out.
    pub repeat: Option<RepeatCount>,
    /// When it begins; at once if left out.
    pub begin: Option<Spanned<Begin>>,
    /// The last value stays when it is over.
    #[fcp(default = Switch(false))]
    pub freeze: Switch,
    /// Its easing; evenly if left out.
    pub ease: Option<Ease>,
}

impl Timing {
    /// Checks that the duration is above zero, and that the element it waits for exists.
    ///
    /// # Errors
    /// If one of these is not so.
    pub fn sound(&self, drawing: &Drawing) -> Result<()> {
        let seconds = self.duration.get().seconds();
        if seconds.is_some_and(|seconds| seconds <= 0.0) {
            let error = ValueError::new("is not above 0").fix("1s");
            return Err(self.duration.wrong(error));
        }
        let Some(begin) = &self.begin else {
            return Ok(());
        };
        let Some(awaited) = begin.get().id() else {
            return Ok(());
        };
        if drawing.nodes.called(awaited, Level::Exact).is_empty() {
            let message = format!("begin: waits for {awaited}, which is missing");
            return Err(begin.wrong(ValueError::sentence(message).fix("0s")));
        }
        Ok(())
    }

    /// The attributes of an animation with this number of values; `moves` is for motion along a
    /// path, which has constant speed by default.
    #[must_use]
    pub fn attrs(&self, values: usize, moves: bool) -> Vec<(&'static str, String)> {
        let mut attrs = vec![("dur", self.duration.get().to_string())];
        if let Some(begin) = &self.begin {
            attrs.push(("begin", begin.get().to_string()));
        }
        if let Some(repeat) = &self.repeat {
            attrs.push(("repeatCount", repeat.to_string()));
        }
        if self.freeze.0 {
            attrs.push(("fill", "freeze".to_owned()));
        }
        let steps = u32::try_from(values.saturating_sub(1)).unwrap_or(1).max(1);
        match self.ease {
            Some(Ease::Discrete) => attrs.push(("calcMode", "discrete".to_owned())),
            Some(Ease::Linear) if moves => attrs.push(("calcMode", "linear".to_owned())),
            Some(ease) => {
                if let Some(spline) = ease.spline() {
                    let at = |step: u32| {
                        let share = f64::from(step) / f64::from(steps);
                        spell_given(Precision::decimals(4).round(share))
                    };
                    let times: Vec<String> = (0..=steps).map(at).collect();
                    let splines: Vec<&str> = (0..steps).map(|_| spline).collect();
                    attrs.push(("calcMode", "spline".to_owned()));
                    if moves {
                        attrs.push(("keyPoints", times.join(";")));
                    }
                    attrs.push(("keyTimes", times.join(";")));
                    attrs.push(("keySplines", splines.join(";")));
                }
            }
            None => {}
        }
        attrs
    }

    /// The duration and repetitions: `2s repeat:indefinite`.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut description = self.duration.get().to_string();
        if let Some(repeat) = &self.repeat {
            description.push_str(&format!(" repeat:{repeat}"));
        }
        if let Some(begin) = &self.begin {
            description.push_str(&format!(" begin:{}", begin.get()));
        }
        if self.freeze.0 {
            description.push_str(" freeze:on");
        }
        description
    }
}
