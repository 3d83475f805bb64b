//! The settings that are written at a tick, and what gives way to them at the start of a song.

use std::collections::{BTreeSet, HashSet};

use fcp::prelude::*;

use super::banked;
use super::chase::{Gone, StateEvent, StateKey, parameters, rows};
use crate::model::{Chunk, Song, row_of};

/// The settings written at a tick.
#[derive(Clone, Debug, Default)]
pub struct Coming {
    keys: BTreeSet<StateKey>,
    /// Halves of banks that are first selected after a program of the tick.
    late: BTreeSet<StateKey>,
}

impl Coming {
    /// Whether a setting is written.
    pub(super) fn sets(&self, what: &StateKey) -> bool {
        self.keys.contains(what)
    }

    /// Whether a half of a bank is selected before the first program.
    pub(super) fn is_early(&self, what: &StateKey) -> bool {
        self.sets(what) && !self.late.contains(what)
    }

    /// These settings and others.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.keys.extend(&other.keys);
        self.late.extend(&other.late);
        self
    }
}

/// Removes rows at the start of a song whose settings are in `coming`, which takes effect instead.
/// Rows in `kept` stay.
///
/// # Errors
/// A chunk is damaged.
pub fn give_way(
    song: &mut Song,
    chunks: &[Id<Chunk>],
    coming: &Coming,
    kept: &HashSet<Row>,
) -> Result<Gone> {
    let mut gone = giving_way(song, chunks, coming);
    gone.retain(|row| !kept.contains(row));
    let summary = song.counted(gone.iter().copied());
    let mut all = Gone {
        summary,
        ..Gone::default()
    };
    gone.iter().for_each(|row| all.note(song, *row));
    for row in gone {
        song.remove_row(row)?;
    }
    Ok(all)
}

/// The rows at the start of a song whose settings are in `coming`.
#[must_use]
pub fn giving_way(song: &Song, chunks: &[Id<Chunk>], coming: &Coming) -> Vec<Row> {
    let mut gone = rows(song, chunks, 0, 1);
    let what = |row: &Row| StateEvent::of(song, *row).map(|(what, _)| what);
    let whats: BTreeSet<StateKey> = gone.iter().filter_map(what).collect();
    gone.retain(|row| what(row).is_some_and(|what| banked::gives_way(&what, &whats, coming)));
    for (what, group) in parameters(song, chunks, 0) {
        if coming.sets(&what) {
            let rows = group.rows.iter();
            gone.extend(rows.map(|id| row_of(*id)));
        }
    }
    gone
}

/// The settings written at a tick.
#[must_use]
pub fn set_at(song: &Song, chunks: &[Id<Chunk>], tick: u64) -> Coming {
    let mut coming = Coming::default();
    for row in rows(song, chunks, tick, tick + 1) {
        let Some((what, _)) = StateEvent::of(song, row) else {
            continue;
        };
        let is_late = banked::program_of(&what).is_some_and(|program| coming.sets(&program));
        if coming.keys.insert(what) && is_late {
            coming.late.insert(what);
        }
    }
    for (what, group) in parameters(song, chunks, tick) {
        if group.site.at == tick {
            coming.keys.insert(what);
        }
    }
    coming
}
