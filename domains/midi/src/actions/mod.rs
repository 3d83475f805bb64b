//! The session actions that the runtime's own give way to.

#[cfg(feature = "audio")]
mod audio;
mod export_abc;
mod export_events;
mod export_musicxml;
mod export_roll;
mod import;
mod load_soundfont;
mod new;
