//! The song: every event of the file as a row, with its place and its spelling.
//!
//! Nothing is rebuilt from the meaning of the rows: each keeps its tick, its place among the events
//! of that tick, and its original spelling, so that untouched rows are written as they were found.

mod add;
mod change;
mod clash;
mod controls;
mod edit;
mod ends;
mod flaws;
mod follow;
mod form;
mod gathering;
mod index;
mod join;
mod manner;
mod mark;
mod name;
mod note;
mod notes;
mod numbers;
mod order;
mod owners;
mod paged;
mod pitches;
mod rows;
mod seats;
mod shift;
mod song;
mod split;
mod strays;
mod tables;
mod tie;
mod untangle;
mod voice;
mod whole;
mod words;

pub use controls::{ControlIndex, END, Moment, START};
pub use edit::LAST_TICK;
pub use flaws::Flaw;
pub use gathering::{Gathering, Holder, Parts};
pub use index::{MeterIndex, OtherIndex, ProgramIndex, TempoIndex, TrackIndex};
pub use manner::{Accidentals, Manner};
pub use mark::{Key, Mark, Placed, Rank, Spot, Timeline};
pub use note::{NewNote, Overlaps, Release};
pub use notes::NoteIndex;
pub use rows::{
    Chunk, Control, Key as KeyChange, Marker, Meter as MeterChange, Note, Other, Program, Tempo,
    Track,
};
pub use song::{Cursors, Mutes, Shell, Song, SongEvent};
pub(crate) use tables::part;
pub use tables::{Owner, control_rank};
pub(crate) use tie::Moved;
pub use voice::{Bend, BendIndex, Touch};
pub use words::{Lyric, Remark, TextKind};
