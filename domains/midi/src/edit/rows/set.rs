//! Rows that set something on a channel, and the replies about them.

use std::fmt;

use fcp::prelude::*;

use crate::model::channel_state::{Setting, set};
use crate::model::{Song, row_of};

/// Sets a row and describes the change: `CC volume 90 -> 80 on Keys at 1.1`.
pub fn reply<T: Setting>(song: &mut Song, row: T, what: impl fmt::Display) -> Reply
where
    Song: HasTable<T>,
{
    let (chunk, at) = (row.chunk(), row.start().0);
    let ((track, ..), value) = (row.sets(), row.value());
    let (id, before) = set(song, row);
    let (on, place) = (song.name_of_track(track), song.shown(chunk, at));
    match before.map(|before| before.value()) {
        None => created!("{}", song.describe(row_of(id))),
        Some(before) if before == value => {
            unchanged!("{what} is {value} on {on} at {place} already")
        }
        Some(before) => changed!("{what} {before} -> {value} on {on} at {place}"),
    }
}
