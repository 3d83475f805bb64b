//! The environment of a drawing: fonts and folders of the program, and limits by settings.
//! Nothing here comes from the file.

pub mod host;
pub(crate) mod limits;
