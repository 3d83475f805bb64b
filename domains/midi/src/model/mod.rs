//! The song: every event of the file as a row, with its place and its spelling.
//!
//! Nothing is rebuilt from what the rows mean: a row keeps the tick, the place among the events of that tick and the
//! spelling it was read with, so that what no op touched is written as it was found.

mod change;
mod edit;
mod index;
mod mark;
mod name;
mod note;
mod rows;
mod song;

pub use edit::LAST_TICK;
pub use index::{ControlIndex, MeterIndex, NoteIndex, OtherIndex, ProgramIndex, TempoIndex};
pub use mark::{Key, Mark, Rank, Timeline};
pub use note::{NewNote, Overlaps};
pub use rows::{
    Chunk, Control, Key as KeyChange, Marker, Meter as MeterChange, Note, Other, Program, Tempo,
    Track,
};
pub use song::{Cursors, Shell, Song, SongEvent};
