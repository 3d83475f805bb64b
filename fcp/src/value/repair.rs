//! Repairs that hold.

use super::ValueError;

/// Reads a text, and sees to it that the repair of a wrong one reads as well.
///
/// A text that is wrong in several places is repaired in one after the other, up to eight; a repair that never reads
/// is not offered.
pub(super) fn repaired<T>(
    text: &str,
    read: impl Fn(&str) -> Result<T, ValueError>,
) -> Result<T, ValueError> {
    read(text).map_err(|mut error| {
        let mut fix = error.fix.take();
        for _ in 0..8 {
            let Some(text) = fix else { break };
            match read(&text) {
                Ok(_) => return error.fix(text),
                Err(next) => fix = next.fix,
            }
        }
        error
    })
}
