//! Replaces exact text.

use super::{Reason, Reject};

/// The most lines that a reject lists.
const PLACES: usize = 5;

/// Replaces `old`, which must occur `count` times, or at least once if that is `None`. A result of
/// more than `most` bytes is left unfinished.
///
/// # Errors
/// It occurs another number of times.
pub fn replace(
    content: &[u8],
    old: &[u8],
    new: &[u8],
    count: Option<u64>,
    most: usize,
) -> Result<Vec<u8>, Reject> {
    let places = || memchr::memmem::find_iter(content, old);
    let times = places().count();
    if times == 0 {
        return Err(Reject::of(0, Reason::NotFound));
    }
    if count.is_some_and(|count| count != times as u64) {
        let line = |at: usize| memchr::memchr_iter(b'\n', &content[..at]).count() + 1;
        return Err(Reject {
            found_at_lines: Some(places().take(PLACES).map(line).collect()),
            ..Reject::of(0, Reason::Ambiguous)
        });
    }
    let (mut out, mut from) = (Vec::with_capacity(content.len()), 0);
    for at in places() {
        out.extend_from_slice(&content[from..at]);
        out.extend_from_slice(new);
        from = at + old.len();
        if out.len() > most {
            break;
        }
    }
    out.extend_from_slice(&content[from..]);
    Ok(out)
}
