//! Changes of tracks and whole files: channels, contents, parts, imports, another division.
//! Names and orders that every edit keeps are in [`model`](crate::model).

pub mod channel_check;
pub mod channels;
pub mod contents;
pub mod import;
pub mod retime;
pub mod setup;
pub mod split;
