//! The first save of a new document, with which later saves are compared.

use std::sync::Arc;

use super::account::{Base, Opened, Reached, inside, values};
use super::document::Document;
use crate::account::{Pieces, Touched};
use crate::domain::Domain;

/// The name of the state that the first save of a new document wrote.
pub(super) const FIRST_SAVE: &str = "first-save";

impl<M: Domain> Document<M> {
    /// Keeps the first file of a new document for later comparison, and names its state.
    pub(super) fn keep_first_save(&mut self, path: &str, pieces: Pieces, format: &'static str) {
        if self.opened.is_some() {
            return;
        }
        let len = pieces.file().len();
        self.opened = Some(Opened {
            base: Base::Written {
                pieces: Arc::new(pieces.into_base()),
                lost: None,
                original: None,
            },
            state: self.log.state_id(),
            reached: Reached::Saved,
            parts: values(&self.model),
            dropped: Touched::default(),
            format,
            path: path.to_owned(),
            len,
        });
        self.log.mark(FIRST_SAVE);
    }

    /// Must be called before the log clears undone entries. If the first save is among their states, it stays known
    /// which rows have changed since.
    pub(super) fn leave_undone(&mut self) {
        let present = self.log.state_id();
        if let Some(opened) = &mut self.opened
            && opened.state > present
        {
            let undone = self.log.undone();
            let undone = undone.take_while(|entry| entry.serial <= opened.state);
            let events = undone.flat_map(|entry| &entry.event.events);
            for (row, fate) in events.filter_map(M::row_of) {
                opened
                    .dropped
                    .event(row, fate, &|row| inside(&self.model, row));
            }
            opened.state = present;
            opened.reached = Reached::Replaced;
        }
    }
}
