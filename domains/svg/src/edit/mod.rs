//! Edits that verbs share: ids, attributes, source text, shapes, groups that go, the canvas.
//! New objects are made in [`create`](crate::create) and moved in [`moving`](crate::moving).

pub mod attribute_values;
pub mod attributes;
pub mod canvas;
pub mod converting;
pub mod declaring;
pub mod exact;
pub mod fragment;
pub mod renaming;
pub mod segments;
pub mod ungrouping;
pub mod unlink;
