//! Code that several formats share, each part by a feature.

#[cfg(feature = "xml")]
pub mod encoding;
#[cfg(feature = "patch")]
pub mod patch;
#[cfg(feature = "picture")]
pub mod picture;
#[cfg(feature = "xml")]
pub mod xml;
