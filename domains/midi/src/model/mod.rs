//! The song: every event of the file as a row, with its place and its spelling.
//!
//! Nothing is rebuilt from the meaning of the rows: each keeps its tick, its place among the events
//! of that tick, and its original spelling, so that untouched rows are written as they were found.

pub mod channel_state;
mod cursors;
mod display_name;
mod edit;
mod event_place;
mod index;
mod kept_order;
mod key;
pub mod limits;
mod merged_notes;
mod name;
mod note_batch;
mod patterns;
mod rows;
mod song;
mod song_settings;
mod tables;
mod time;
mod written_text;

pub use edit::notes::LAST_TICK;
pub(crate) use edit::tie::Moved;
pub use event_place::Site;
pub use index::by_kind::{ChunkIndex, OtherIndex, ProgramIndex, TrackIndex};
pub use index::controls::{ControlIndex, END, Moment, START};
pub use index::event_places::{Key, Mark, Placed, Rank, Spot, Timeline};
pub use index::flaws::Flaw;
pub use index::notes::NoteIndex;
pub use index::song_rows::{KeyIndex, MeterIndex, SongIndex, TempoIndex};
pub use kept_order::Sources;
pub use note_batch::{Gathering, Holder, Parts};
pub use rows::kinds::{
    Chunk, ControlChange, Key as KeyChange, Marker, Meter as MeterChange, Note, Program, RawEvent,
    Tempo, Track,
};
pub use rows::note::{NEUTRAL_OFF, NewNote, Overlaps, Release};
pub use rows::row_ref::RowRef;
pub(crate) use rows::row_ref::{IsKind, part, row_of};
pub use rows::voice::{Aftertouch, BendIndex, PitchBend};
pub use rows::words::{Lyric, TextEvent};
pub use song::{Cursors, Envelope, Mutes, Song, SongEvent};
pub use song_settings::{Accidentals, Manner};
pub use tables::{Owner, control_rank};
pub use written_text::Written;
