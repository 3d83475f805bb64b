//! `@velocity`

use fcp::prelude::*;

use crate::model::{Note, Song};
use crate::values::{Several, Velocity};

/// Notes of a velocity: numbers or dynamics.
#[fcp_selector(alias = "vel")]
pub fn velocity(song: &Song, velocities: Several<Velocity>) -> Pick<'_> {
    Pick::test(move |row| {
        let note = song.row_as::<Note>(row);
        note.is_some_and(|note| velocities.contains(&note.velocity))
    })
}
