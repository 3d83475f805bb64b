//! `@velocity`

use fcp::prelude::*;

use crate::model::{Note, Song, part};
use crate::values::{Several, Velocity};

/// Notes of a velocity: numbers or dynamics.
#[fcp_selector(alias = "vel")]
pub fn velocity(song: &Song, velocities: Several<Velocity>) -> Pick<'_> {
    Pick::test(move |row| {
        let note = (row.part() == part::<Note>())
            .then(|| song.notes.get(row.of()))
            .flatten();
        note.is_some_and(|note| velocities.contains(&note.velocity))
    })
}
