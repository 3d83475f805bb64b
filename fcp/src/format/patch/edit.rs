//! Replaces exact text.

use super::{Reason, Reject};

/// The most lines that a reject lists.
const PLACES: usize = 5;

/// Replaces `old`, which must occur `count` times, or at least once if that is `None`.
///
/// # Errors
/// It occurs another number of times.
pub fn replace(
    content: &[u8],
    old: &[u8],
    new: &[u8],
    count: Option<u64>,
) -> Result<Vec<u8>, Reject> {
    let places: Vec<usize> = memchr::memmem::find_iter(content, old).collect();
    let lines = || {
        let line = |at: &usize| memchr::memchr_iter(b'\n', &content[..*at]).count() + 1;
        Some(places.iter().take(PLACES).map(line).collect())
    };
    if places.is_empty() {
        return Err(Reject::of(0, Reason::NotFound));
    }
    if count.is_some_and(|count| count != places.len() as u64) {
        return Err(Reject {
            found_at_lines: lines(),
            ..Reject::of(0, Reason::Ambiguous)
        });
    }
    let (mut out, mut from) = (Vec::with_capacity(content.len()), 0);
    for at in places {
        out.extend_from_slice(&content[from..at]);
        out.extend_from_slice(new);
        from = at + old.len();
    }
    out.extend_from_slice(&content[from..]);
    Ok(out)
}
