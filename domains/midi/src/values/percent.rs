//! A share of what there is.

use fcp::value::ValueError;

/// The greatest share, in percent.
const MOST: u16 = 1_000;

/// Reads the digits before a `%`.
///
/// # Errors
/// It is not 1 to 1000.
pub fn part(digits: &str) -> Result<u16, ValueError> {
    let read = digits.parse().ok().filter(|n| (1..=MOST).contains(n));
    read.ok_or_else(|| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_zero = digits.bytes().all(|byte| byte == b'0');
        let near = if is_zero { "1%" } else { "1000%" };
        ValueError::new("is not 1% to 1000%").maybe_fix(is_number.then(|| near.to_owned()))
    })
}
