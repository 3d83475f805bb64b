//! The song: every event of the file as a row, with its place and its spelling.
//!
//! Nothing is rebuilt from what the rows mean: a row keeps the tick, the place among the events of that tick and the
//! spelling it was read with, so that what no op touched is written as it was found.

mod change;
mod edit;
mod mark;
mod rows;
mod song;

pub use edit::{LAST_TICK, NewNote, Overlaps};
pub use mark::{Key, Mark, Rank, Timeline};
pub use rows::{
    Chunk, Control, ControlIndex, Key as KeyChange, Marker, Meter as MeterChange, MeterIndex, Note,
    NoteIndex, Other, Program, Tempo, TempoIndex, Track,
};
pub use song::{Cursors, Shell, Song, SongEvent};
