//! Converts files to songs and back.
//! Bytes are read and written in `smf`, which knows no song.

mod container;
mod large;
mod read;
mod write;

pub use container::{FORMATS, lost, note_name};
pub use large::LARGE;
pub use read::{enter, read, read_in};
#[cfg(feature = "audio")]
pub use write::for_each_event;
pub use write::{audible, left_out, write, write_of};
