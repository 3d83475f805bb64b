//! Long texts about a drawing: the outline of all of it, and full descriptions of elements.
//! Single lines are in `display`; nothing here changes the drawing.

pub mod description;
pub mod outline;
