//! Converts files to songs and back.
//! Bytes are read and written in `smf`, which knows no song.

mod large_songs;
mod read;
mod write;

pub use large_songs::LARGE;
pub use read::{enter, read, read_in};
#[cfg(feature = "audio")]
pub use write::for_each_event;
pub use write::{audible, bodies, left_out, write, write_of};
