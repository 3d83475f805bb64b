//! Indices of tables: places in the file, pitches, controllers, flaws.
//! Nothing here changes a row.

pub mod by_kind;
pub mod controls;
pub mod event_places;
pub mod flaws;
pub mod notes;
pub mod numbers;
pub mod paged;
pub mod pitches;
pub mod song_rows;
