//! Replies about what bars leave behind, replace and set at seams.

use fcp::prelude::*;

use crate::edit::bars::whole_bars;
use crate::model::{Chunk, Song};

/// Something that was set at a seam: the tick, and the setting as replies show it.
pub type Carried = (u64, String);

/// The rows that set up the song at its start, and so do not go with bars that begin there.
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

/// `; kept at 1.1: 1 tempo, 2 cc`: those of the rows that set up a song that are still at the start, or nothing.
#[must_use]
pub fn kept(song: &Song, chunk: Id<Chunk>, set_up: &[Row]) -> String {
    // One that goes on elsewhere has its row there.
    let stays = |row: &Row| song.starts(*row).is_some_and(|(_, tick)| tick == 0);
    let rows = set_up.iter().copied().filter(stays);
    let label = format!("kept at {}", song.shown(chunk, 0));
    clause(&label, &song.counted(rows))
}

/// `; replaced at 1.1: 1 tempo`: a part of a reply, or nothing if it names nothing.
#[must_use]
pub fn clause(label: &str, told: &str) -> String {
    match told {
        "" => String::new(),
        told => format!("; {label}: {told}"),
    }
}

/// `; carried: tempo 96, volume 80 on Keys; at 9.1: tempo 120`, or nothing: all that was set at seams. A place is
/// named if it is not the one that the reply is about.
#[must_use]
pub fn told(song: &Song, chunk: Id<Chunk>, at: u64, carried: &[Carried]) -> String {
    let mut places: Vec<(u64, Vec<&str>)> = Vec::new();
    for (tick, told) in carried {
        match places.iter_mut().find(|(own, _)| own == tick) {
            Some((_, all)) => all.push(told),
            None => places.push((*tick, vec![told])),
        }
    }
    places.sort_by_key(|(tick, _)| (*tick != at, *tick));
    let told = places.into_iter().map(|(tick, all)| match tick == at {
        true => format!("; carried: {}", all.join(", ")),
        false => format!(
            "; carried at {}: {}",
            song.shown(chunk, tick),
            all.join(", ")
        ),
    });
    told.collect()
}
