//! The toolset as clients see it: flags, resources, text for people.
//! No tool is here, and nothing that only a tool needs.

mod large;
pub mod resources;
mod shown;
mod toolset;
