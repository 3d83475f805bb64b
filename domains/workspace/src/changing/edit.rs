//! Replacements in files, one after another.

use fcp::format::patch::{Reason, Reject, Unreplaced, replace};
use fcp::tool::Most;
use fcp::work;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::changing::plan::Found;
use crate::reply::{self, Answer};

/// The bytes that are searched in the time of a step.
const BYTES_A_STEP: usize = 64;

/// The required number of occurrences.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Count {
    /// So often.
    Times(#[schemars(range(min = 1))] u64),
    /// As often as it does.
    Every(Every),
}

/// `all`
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Every {
    /// As often as it does.
    All,
}

/// A replacement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EditArgument {
    /// The file.
    pub path: String,
    /// The text to replace; an empty one makes the file.
    pub old: String,
    /// The text in its place.
    pub new: String,
    /// Number of occurrences, or all; 1 if left out.
    pub count: Option<Count>,
}

/// The state of a file between edits.
pub struct Working {
    pub before: Option<Vec<u8>>,
    pub now: Option<Vec<u8>>,
    pub closed: Option<Reason>,
    pub edits: usize,
    pub rejects: Vec<Reject>,
}

impl Working {
    /// The file as it is. `blocked` is the reason why one that is missing cannot be created.
    pub fn of(found: Found, blocked: Option<Reason>) -> Self {
        let (before, closed) = match found {
            Found::File(content) => (Some(content), None),
            Found::Missing => (None, blocked),
            Found::Link => (None, Some(Reason::UnsupportedMode)),
            Found::Closed => (None, Some(Reason::PermissionDenied)),
        };
        Self {
            now: before.clone(),
            before,
            closed,
            edits: 0,
            rejects: Vec::new(),
        }
    }

    /// Makes an edit. A result of more than `most` bytes is an error.
    pub fn edit(&mut self, index: usize, edit: &EditArgument, most: Most) -> Answer<()> {
        let (old, new) = (
            reply::bytes(&edit.old, &format!("/edits/{index}/old"))?,
            reply::bytes(&edit.new, &format!("/edits/{index}/new"))?,
        );
        let done = match (&self.now, self.closed) {
            (_, Some(Reason::AlreadyExists)) if !old.is_empty() => {
                Err(Reject::of(index, Reason::NotFound))
            }
            (_, Some(reason)) => Err(Reject::of(index, reason)),
            (Some(_), None) if old.is_empty() => Err(Reject::of(index, Reason::AlreadyExists)),
            (None, None) if old.is_empty() => Ok(new),
            (None, None) => Err(Reject::of(index, Reason::NotFound)),
            (Some(now), None) => {
                let count = match &edit.count {
                    None => Some(1),
                    Some(Count::Times(times)) => Some(*times),
                    Some(Count::Every(Every::All)) => None,
                };
                // The text is searched twice.
                work::spend(2 * now.len() / BYTES_A_STEP)?;
                match replace(now, &old, &new, count, most.size()) {
                    Ok(now) => Ok(now),
                    Err(Unreplaced::Reject(reject)) => Err(Reject { index, ..reject }),
                    Err(Unreplaced::TooLong(actual)) => {
                        return Err(most.over(&edit.path, actual).into());
                    }
                }
            }
        };
        match done {
            Ok(now) => {
                self.now = Some(now);
                self.edits += 1;
            }
            Err(reject) => self.rejects.push(reject),
        }
        Ok(())
    }
}
