//! Named places in the sequence.

use std::fmt;

use super::{Entry, EventLog, Item, newest_first};
use crate::diag::Diagnostic;
use crate::value::nearest_word;

/// The place of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The cursor when it was made, including dropped places.
    pub(super) position: usize,
    /// The number of entries before it, including dropped ones.
    pub(super) ordinal: usize,
    /// Whether there is a sentinel at `position`.
    pub(super) sentinel: bool,
}

/// A checkpoint as [`EventLog::checkpoints`] lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its place relative to the cursor.
    pub place: Place,
}

/// The place of a checkpoint relative to the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This many entries back; 0 is the present state.
    Back(usize),
    /// This many undone entries ahead.
    Ahead(usize),
    /// In the part that was dropped to save memory.
    Dropped,
}

/// The entries between a checkpoint and the cursor, oldest first.
#[derive(Debug)]
pub enum Since<'a, E> {
    /// The checkpoint is behind the cursor: these were done since.
    Done(Vec<&'a Entry<E>>),
    /// The checkpoint is ahead of the cursor: these were undone since.
    Undone(Vec<&'a Entry<E>>),
}

/// The reason why a checkpoint cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// No checkpoint has this name.
    Unknown {
        /// The name asked for.
        name: String,
        /// The most similar name, if there is one.
        nearest: Option<String>,
    },
    /// It is in the part that was dropped to save memory.
    Dropped {
        /// The name asked for.
        name: String,
    },
    /// It is at the present state, or ahead of it.
    NothingToUndo {
        /// The name asked for.
        name: String,
    },
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, .. } => write!(f, "checkpoint {name:?} not found"),
            Self::Dropped { name } => write!(
                f,
                "checkpoint {name:?} is out of reach: the log dropped its oldest entries"
            ),
            Self::NothingToUndo { name } => write!(f, "nothing to undo since checkpoint {name:?}"),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<CheckpointError> for Diagnostic {
    fn from(error: CheckpointError) -> Self {
        Self::new(error.to_string())
    }
}

impl<E> EventLog<E> {
    /// Names the present state and puts a sentinel after it, which clears the redo tail. A name
    /// used again moves here.
    pub fn checkpoint(&mut self, name: &str) {
        self.cut();
        self.set_mark(name, true);
        self.push(Item::Sentinel(name.to_owned()));
        self.saves.pushed();
        self.spill();
    }

    /// Names the present state as [`checkpoint`](Self::checkpoint) does, but without changing the
    /// sequence and the redo tail. For automatic checkpoints, such as those of `save`. The name
    /// lasts until its state is cleared.
    pub fn mark(&mut self, name: &str) {
        self.set_mark(name, false);
    }

    /// Goes back to a checkpoint; returns the undone entries, newest first. Its sentinel is then
    /// ahead: the checkpoint can be used until the redo tail is cleared. On an error nothing moves.
    pub fn undo_to(&mut self, name: &str) -> Result<Vec<&Entry<E>>, CheckpointError> {
        let mark = self.find(name)?;
        if mark.ordinal >= self.ordinal() {
            return Err(CheckpointError::NothingToUndo {
                name: name.to_owned(),
            });
        }
        let places = self
            .position()
            .saturating_sub(mark.position)
            .min(self.past.len());
        self.step_back(places);
        Ok(newest_first(&self.ahead.items, places))
    }

    /// The entries done, or undone, since a checkpoint. Never returns
    /// [`CheckpointError::NothingToUndo`].
    pub fn since(&self, name: &str) -> Result<Since<'_, E>, CheckpointError> {
        let mark = self.find(name)?;
        let here = self.ordinal();
        Ok(if mark.ordinal <= here {
            Since::Done(self.recent(here - mark.ordinal))
        } else {
            Since::Undone(self.undone().take(mark.ordinal - here).collect())
        })
    }

    /// The entries done, or undone, since the state with this [id](Self::state_id); `None` if the
    /// log has dropped it or an op has replaced it.
    #[must_use]
    pub fn since_state(&self, id: u64) -> Option<Since<'_, E>> {
        if self.state_id() == id {
            return Some(Since::Done(Vec::new()));
        }
        let back = self.applied().rev().take_while(|entry| entry.serial != id);
        let back = back.count();
        if id == self.floor || self.applied().rev().nth(back).is_some() {
            return Some(Since::Done(self.recent(back)));
        }
        let ahead = self.undone().position(|entry| entry.serial == id)?;
        Some(Since::Undone(self.undone().take(ahead + 1).collect()))
    }

    /// The checkpoints, oldest place first.
    #[must_use]
    pub fn checkpoints(&self) -> Vec<Checkpoint<'_>> {
        let here = self.ordinal();
        let mut marks: Vec<_> = self.checkpoints.iter().collect();
        marks.sort_by_key(|(_, mark)| (mark.ordinal, mark.position));
        let place = |mark: &Mark| {
            if mark.ordinal < self.dropped_entries {
                Place::Dropped
            } else if mark.ordinal <= here {
                Place::Back(here - mark.ordinal)
            } else {
                Place::Ahead(mark.ordinal - here)
            }
        };
        marks
            .into_iter()
            .map(|(name, mark)| Checkpoint {
                name,
                place: place(mark),
            })
            .collect()
    }

    fn find(&self, name: &str) -> Result<Mark, CheckpointError> {
        match self.checkpoints.get(name) {
            None => Err(CheckpointError::Unknown {
                name: name.to_owned(),
                nearest: nearest_word(name, self.checkpoints.keys().map(String::as_str))
                    .map(str::to_owned),
            }),
            Some(mark) if mark.ordinal < self.dropped_entries => Err(CheckpointError::Dropped {
                name: name.to_owned(),
            }),
            Some(mark) => Ok(*mark),
        }
    }

    fn set_mark(&mut self, name: &str, sentinel: bool) {
        let mark = Mark {
            position: self.position(),
            ordinal: self.ordinal(),
            sentinel,
        };
        let before = self.checkpoints.insert(name.to_owned(), mark);
        self.saves.named(name, before);
    }
}
