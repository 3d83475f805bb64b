//! SVG drawings through FCP.
//!
//! An edit changes the text at the smallest grain that says it, a segment, a point, a transform, a declaration, and
//! leaves every other byte. What is here knows texts only, no document.

pub mod declarations;
pub mod href;
pub mod id;
pub mod number;
pub mod paint;
pub mod path;
pub mod points;
pub mod shapes;
pub mod transform;
