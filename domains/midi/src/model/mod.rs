//! The song: every event of the file as a row, with its place and its spelling.
//!
//! Nothing is rebuilt from the meaning of the rows: each keeps its tick, its place among the events
//! of that tick, and its original spelling, so that untouched rows are written as they were found.

pub mod channel_state;
mod cursors;
mod edit;
mod gathering;
mod index;
mod key;
pub mod limits;
mod manner;
mod merges;
mod name;
mod patterns;
mod rows;
mod shown;
mod site;
mod song;
mod tables;
mod time;
mod written;

pub use edit::notes::LAST_TICK;
pub(crate) use edit::tie::Moved;
pub use gathering::{Gathering, Holder, Parts};
pub use index::by_kind::{ChunkIndex, OtherIndex, ProgramIndex, TrackIndex};
pub use index::controls::{ControlIndex, END, Moment, START};
pub use index::flaws::Flaw;
pub use index::mark::{Key, Mark, Placed, Rank, Spot, Timeline};
pub use index::notes::NoteIndex;
pub use index::song_rows::{KeyIndex, MeterIndex, SongIndex, TempoIndex};
pub use manner::{Accidentals, Manner};
pub use rows::kinds::{
    Chunk, ControlChange, Key as KeyChange, Marker, Meter as MeterChange, Note, Program, RawEvent,
    Tempo, Track,
};
pub use rows::note::{NEUTRAL_OFF, NewNote, Overlaps, Release};
pub use rows::row_ref::RowRef;
pub(crate) use rows::row_ref::{IsKind, part, row_of};
pub use rows::voice::{Aftertouch, BendIndex, PitchBend};
pub use rows::words::{Lyric, TextEvent};
pub use site::Site;
pub use song::{Cursors, Envelope, Mutes, Song, SongEvent};
pub use tables::{Owner, control_rank};
pub use written::Written;
