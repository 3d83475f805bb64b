//! The limit of an answer: the longest that is sent.

use serde::Serialize;

use super::{Exceeded, Trouble};
use crate::endpoint::{Config, REPLY_LIMIT};
use crate::work;

/// The default limit of an answer, in bytes.
pub(super) const DEFAULT_REPLY: usize = 4 << 20;

/// The longest answer of a call, in bytes. A tool that changes something checks before it does
/// whether its answer can be sent.
#[must_use]
pub fn reply_limit(config: &Config) -> usize {
    let kib = config.flags.number(&REPLY_LIMIT);
    kib.and_then(|kib| usize::try_from(kib).ok())
        .map_or(DEFAULT_REPLY, |kib| kib.saturating_mul(1024))
}

/// Checks before a change whether the call still has steps for it, and whether its answer can be
/// sent.
///
/// # Errors
/// The answer has more bytes than the limit, or nobody waits for it.
pub fn check_answer(answer: &impl Serialize, limit: usize) -> Result<(), Trouble> {
    work::spend(0)?;
    let actual = serde_json::to_string(answer).map_or(0, |text| text.len());
    match actual <= limit {
        true => Ok(()),
        false => Err(Trouble::Limit(Exceeded::Reply {
            limit,
            actual,
            shorter: "nothing was changed; send it in parts",
        })),
    }
}
