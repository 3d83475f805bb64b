//! The queries, a file each.

mod events;
mod map;
mod piano_roll;
mod tracks;
