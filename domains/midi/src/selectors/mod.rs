//! Selectors that no field provides.
//! Their values are in `values`.

mod beat;
mod cc;
mod channel;
mod dup;
mod dur;
mod grid;
mod overlap;
mod pitch;
mod range;
mod scale;
mod section;
mod stuck;
mod text;
mod r#type;
mod velocity;
mod voice;
