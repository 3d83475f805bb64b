//! Savepoints: the data for restoring the log exactly as it was.

use super::{Ahead, EventLog, Mark};

/// A state of the log that can be restored. End it with [`EventLog::rollback`] or
/// [`EventLog::release`]; until then the log keeps all data for the way back, and drops nothing.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "an open savepoint keeps everything since; roll it back or release it"]
pub struct Savepoint {
    id: u64,
}

/// The open savepoints and, newest last, every change made since the oldest of them.
#[derive(Debug)]
pub(super) struct Saves<E> {
    open: Vec<Save>,
    trail: Vec<Change<E>>,
    next: u64,
}

#[derive(Debug)]
struct Save {
    id: u64,
    trail: usize,
    serial: u64,
    batch: u64,
}

/// A change, as the data that undoes it.
#[derive(Debug)]
enum Change<E> {
    Pushed,
    Cut(Ahead<E>),
    Named { name: String, before: Option<Mark> },
    MovedBack(usize),
    MovedForward(usize),
}

impl<E> Default for Saves<E> {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            trail: Vec::new(),
            next: 0,
        }
    }
}

impl<E> Saves<E> {
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub(super) fn pushed(&mut self) {
        self.record(Change::Pushed);
    }

    pub(super) fn cut(&mut self, ahead: Ahead<E>) {
        self.record(Change::Cut(ahead));
    }

    pub(super) fn named(&mut self, name: &str, before: Option<Mark>) {
        if self.is_open() {
            let name = name.to_owned();
            self.record(Change::Named { name, before });
        }
    }

    pub(super) fn moved_back(&mut self, places: usize) {
        self.record(Change::MovedBack(places));
    }

    pub(super) fn moved_forward(&mut self, places: usize) {
        self.record(Change::MovedForward(places));
    }

    fn record(&mut self, change: Change<E>) {
        if self.is_open() {
            self.trail.push(change);
        }
    }

    /// Ends the savepoint and those opened inside it.
    fn end(&mut self, savepoint: &Savepoint) -> Option<Save> {
        let at = self.open.iter().position(|save| save.id == savepoint.id)?;
        self.open.drain(at..).next()
    }
}

impl<E> EventLog<E> {
    /// Opens a savepoint. They nest.
    pub fn savepoint(&mut self) -> Savepoint {
        let id = self.saves.next;
        self.saves.next += 1;
        self.saves.open.push(Save {
            id,
            trail: self.saves.trail.len(),
            serial: self.next_serial,
            batch: self.batch,
        });
        Savepoint { id }
    }

    /// Restores the state at the savepoint: entries, cursor, redo tail, checkpoints, serials,
    /// batches. The cost depends on the changes since. Savepoints opened since end with it; one
    /// that has already ended does nothing.
    pub fn rollback(&mut self, savepoint: Savepoint) {
        let Some(save) = self.saves.end(&savepoint) else {
            return;
        };
        let changes = self.saves.trail.split_off(save.trail);
        // While changes are reversed, none may be recorded, though outer savepoints are open.
        let open = std::mem::take(&mut self.saves.open);
        for change in changes.into_iter().rev() {
            match change {
                Change::Pushed => {
                    self.pop();
                }
                Change::Cut(ahead) => self.ahead = ahead,
                Change::Named {
                    name,
                    before: Some(mark),
                } => {
                    self.checkpoints.insert(name, mark);
                }
                Change::Named { name, before: None } => {
                    self.checkpoints.remove(&name);
                }
                Change::MovedBack(places) => self.step_forward(places),
                Change::MovedForward(places) => self.step_back(places),
            }
        }
        self.saves.open = open;
        self.next_serial = save.serial;
        self.batch = save.batch;
    }

    /// Keeps the changes since the savepoint. The data for a rollback is dropped with the outermost
    /// one.
    pub fn release(&mut self, savepoint: Savepoint) {
        if self.saves.end(&savepoint).is_some() && !self.saves.is_open() {
            self.saves.trail.clear();
            self.spill();
        }
    }
}
