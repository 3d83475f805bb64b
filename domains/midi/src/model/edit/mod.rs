//! Edits that keep the file sound: of notes, channels and chunks.
//! Nothing here reads the words of an op, or makes text but errors.

pub mod add;
pub mod apart;
pub mod change;
pub mod clash;
pub mod ends;
pub mod follow;
pub mod form;
pub mod join;
pub mod note_places;
pub mod notes;
pub mod order;
pub mod overlap;
pub mod owners;
pub mod shift;
pub mod split;
pub mod strays;
pub mod tangled;
pub mod tie;
pub mod untangle;
pub mod whole;
