//! Replaces exact text.

use super::{Reason, Reject};

/// The most lines that a reject lists.
const PLACES: usize = 5;

/// The reason why a text is not replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreplaced {
    /// It occurs another number of times.
    Reject(Reject),
    /// The result would have this many bytes.
    TooLong(u64),
}

/// Replaces `old`, which must occur `count` times, or at least once if that is `None`. The result
/// has at `most` this many bytes.
///
/// # Errors
/// It occurs another number of times, where places that overlap count each, or the result is too
/// long.
pub fn replace(
    content: &[u8],
    old: &[u8],
    new: &[u8],
    count: Option<u64>,
    most: usize,
) -> Result<Vec<u8>, Unreplaced> {
    let places = || memchr::memmem::find_iter(content, old);
    let times = places().count();
    if times == 0 {
        return Err(Unreplaced::Reject(Reject::of(0, Reason::NotFound)));
    }
    let overlaps = || {
        let after = |at: usize| &content[at + 1..content.len().min(at + 2 * old.len() - 1)];
        places().any(|at| memchr::memmem::find(after(at), old).is_some())
    };
    if count.is_some_and(|count| count != times as u64 || overlaps()) {
        let next = |from: usize| Some(from + memchr::memmem::find(content.get(from..)?, old)?);
        let all = std::iter::successors(next(0), |at| next(at + 1));
        let line = |at: usize| memchr::memchr_iter(b'\n', &content[..at]).count() + 1;
        return Err(Unreplaced::Reject(Reject {
            found_at_lines: Some(all.take(PLACES).map(line).collect()),
            ..Reject::of(0, Reason::Ambiguous)
        }));
    }
    let kept = content.len() - times * old.len();
    let size = kept.saturating_add(times.saturating_mul(new.len()));
    if size > most {
        return Err(Unreplaced::TooLong(size as u64));
    }
    let (mut out, mut from) = (Vec::with_capacity(size), 0);
    for at in places() {
        out.extend_from_slice(&content[from..at]);
        out.extend_from_slice(new);
        from = at + old.len();
    }
    out.extend_from_slice(&content[from..]);
    Ok(out)
}
