//! The tables that SQL reads and writes, one per file: the rows of a song, with their positions.
//! Edits that verbs share with tables are in `edit`.

mod adding;
mod bars;
mod events;
mod functions;
mod notes;
mod placed;
mod setting_events;
mod setting_notes;
mod tempo_seconds;
mod tracks;

pub use events::content;
pub use functions::functions;
pub use placed::settle;

/// The columns that change the tick of a row.
const PLACING: &[&str] = &["tick", "pos", "bar", "beat", "sub", "off_beat", "seconds"];

/// Columns whose meaning follows from others: a moved note keeps its length and not its end, a new
/// track has its own channel, and a row comes last at another tick or in another track.
pub const FOLLOWS: &[(&str, &[&str])] = &[
    ("ch", &["track"]),
    ("off_beat", &["tick", "pos", "bar", "beat", "sub"]),
    ("end", PLACING),
    ("end_seconds", PLACING),
    (
        "nth",
        &[
            "track", "ch", "tick", "pos", "bar", "beat", "sub", "off_beat", "seconds",
        ],
    ),
];
