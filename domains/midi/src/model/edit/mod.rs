//! Edits that keep the file sound: of notes, channels and chunks.
//! Nothing here reads the words of an op, or makes text but errors.

pub mod add;
pub mod change;
pub mod changed_copies;
pub mod chunk_order;
pub mod ends;
pub mod follow;
pub mod join;
pub mod kept_places;
pub mod name_owners;
pub mod note_end_form;
pub mod note_places;
pub mod notes;
pub mod overlap;
pub mod refused_overlaps;
pub mod shift;
pub mod split;
pub mod strays;
pub mod tangled;
pub mod tie;
pub mod untangle;
pub mod whole_pitches;
