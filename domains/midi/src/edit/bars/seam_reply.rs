//! Replies about rows that bars leave in place, replace, or set at seams.

use fcp::prelude::*;

use crate::edit::bars::whole_bars;
use crate::model::{Chunk, Song};

/// A setting written at a seam: its tick, and its description in replies.
pub type Carried = (u64, String);

/// The rows that set up the song at its start; they stay when bars that begin there move.
#[must_use]
pub fn set_up(song: &Song, chunks: &[Id<Chunk>], from: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for chunk in chunks.iter().filter(|_| from == 0) {
        song.starting(*chunk, 0, 1, &mut rows);
    }
    let rows = rows.into_iter().map(|(_, row)| row);
    let rows = rows.filter(|row| !whole_bars::STARTS.contains(&row.part()));
    rows.filter(|row| !song.names_track(*row)).collect()
}

/// `; kept at 1.1: 1 tempo, 2 cc`: the rows of `set_up` that are still at the start; empty if there
/// are none.
#[must_use]
pub fn kept(song: &Song, chunk: Id<Chunk>, set_up: &[Row]) -> String {
    // A row that moved elsewhere is not counted.
    let stays = |row: &Row| song.starts(*row).is_some_and(|(_, tick)| tick == 0);
    let rows = set_up.iter().copied().filter(stays);
    let label = format!("kept at {}", song.shown(chunk, 0));
    clause(&label, &song.counted(rows))
}

/// `; replaced at 1.1: 1 tempo`: a part of a reply; empty if there is nothing to report.
#[must_use]
pub fn clause(label: &str, text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("; {label}: {text}"),
    }
}

/// `; carried: tempo 96, volume 80 on Keys; carried at 9.1: tempo 120`: all settings written at
/// seams; empty if there are none. A place is named only if it differs from `at`.
#[must_use]
pub fn describe(song: &Song, chunk: Id<Chunk>, at: u64, carried: &[Carried]) -> String {
    let mut places: Vec<(u64, Vec<&str>)> = Vec::new();
    for (tick, text) in carried {
        match places.iter_mut().find(|(own, _)| own == tick) {
            Some((_, all)) => all.push(text),
            None => places.push((*tick, vec![text])),
        }
    }
    places.sort_by_key(|(tick, _)| (*tick != at, *tick));
    let clauses = places.into_iter().map(|(tick, all)| match tick == at {
        true => format!("; carried: {}", all.join(", ")),
        false => format!(
            "; carried at {}: {}",
            song.shown(chunk, tick),
            all.join(", ")
        ),
    });
    clauses.collect()
}
