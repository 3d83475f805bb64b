//! Repairs that are valid themselves.

use super::ValueError;

/// Reads a text. If it is wrong, makes sure that its repair is valid.
///
/// Up to eight faults of a text are repaired in turn; a repair that never becomes valid is not
/// offered.
///
/// # Errors
/// The text is wrong.
pub fn repaired<T>(
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
