//! Session actions that replace the runtime's own.

#[cfg(feature = "audio")]
mod audio;
mod export_abc;
mod export_events;
mod export_musicxml;
mod export_roll;
mod import;
mod load_soundfont;
mod new;
