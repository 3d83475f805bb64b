//! Session actions that replace the runtime's own.
//! Verbs and queries are elsewhere; scores are written in `notation`.

#[cfg(feature = "audio")]
mod audio;
mod export_abc;
mod export_events;
mod export_musicxml;
mod export_roll;
mod import;
mod load_soundfont;
mod new;
