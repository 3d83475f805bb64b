//! Font sizes of elements.

use fcp::value::{FcpValue, Length, LengthUnit};

use crate::model::NodeId;

use super::Styles;

/// The renderer's default font size, in user units.
pub(super) const MEDIUM: f64 = 12.0;

/// The default font size of viewers, in user units.
pub(super) const VIEWER_MEDIUM: f64 = 16.0;

/// The step between two named sizes.
const STEP: f64 = 1.2;

impl Styles<'_> {
    /// An element's font size, in user units. `em`, `ex`, `%` and keywords are relative to the
    /// parent's size.
    #[must_use]
    pub fn font_size(&self, id: NodeId) -> f64 {
        let mut sizes = self.sizes.borrow_mut();
        let (mut own, mut way) = (MEDIUM, Vec::new());
        for id in self.outward(id) {
            if let Some(known) = sizes.get(&id) {
                own = *known;
                break;
            }
            way.push(id);
        }
        for id in way.into_iter().rev() {
            if let Some(specified) = self.resolved(id, "font-size") {
                own = size(&specified.value, own);
            }
            sizes.insert(id, own);
        }
        own
    }
}

/// The steps of a named size from the medium one.
fn named(text: &str) -> Option<i32> {
    let sizes = [
        "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large",
    ];
    let at = sizes.iter().position(|name| *name == text)?;
    i32::try_from(at).ok().map(|at| at - 3)
}

/// The size for a value in viewers, inside a text of size `around`. Unlike in the renderer, a named
/// size does not depend on that.
pub(super) fn viewer_size(text: &str, around: f64) -> f64 {
    match named(text.trim()) {
        Some(steps) => VIEWER_MEDIUM * STEP.powi(steps),
        None => size(text, around),
    }
}

/// The size for a value, inside a text of size `around`.
pub(super) fn size(text: &str, around: f64) -> f64 {
    let text = text.trim();
    let steps = match text {
        "inherit" => 0,
        "smaller" => -1,
        "larger" => 1,
        _ => {
            if let Some(steps) = named(text) {
                return around * STEP.powi(steps);
            }
            let Ok(length) = Length::parse(text) else {
                return around;
            };
            let number = length.number();
            return match length.unit() {
                LengthUnit::Em => number * around,
                LengthUnit::Ex => number * around / 2.0,
                LengthUnit::Percent => number * around / 100.0,
                unit => number * unit.pixels().unwrap_or(1.0),
            };
        }
    };
    around * STEP.powi(steps)
}
