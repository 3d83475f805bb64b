//! The lossless codec of Standard MIDI Files (RP-001, SMF 0, 1 and 2).
//!
//! [`read()`] parses a file into a [`File`] that holds every byte of it in a structure, and
//! [`write`](write()) restores the same bytes. It keeps everything that MIDI libraries usually
//! drop: the spelling of each number, running status, chunks of other kinds, a RIFF wrapper, wrong
//! lengths and counts, bytes after an end, and all bytes after a fault.
//!
//! An editor changes the events of a [`TrackChunk`], or writes a track from its own storage with
//! [`write_track`]: each event keeps its spelling as long as that is valid at its place.

mod bytes;
mod event;
mod export;
mod file;
mod read_file;
mod read_track;
mod riff_chunks;
pub(crate) mod vlq;
mod write;

pub use bytes::Bytes;
pub(crate) use bytes::{hex, unhex};
pub use event::{Body, Event, Spelling, Status};
pub use export::{export_events, export_track};
pub use file::{Chunk, Claim, Container, End, Fault, File, Header, Riff, TrackChunk};
pub use read_file::{ReadError, read};
pub use read_track::{MAX_TICK, status_form};
pub use riff_chunks::{RiffChunk, riff_chunks};
pub use write::{
    FilePiece, Frame, RawChunk, TrackSpeller, assemble, spell_file, write, write_track,
};
