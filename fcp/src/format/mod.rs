//! Code that several formats share, each part by a feature.
//! Nothing here knows a domain, or opens a file by itself.

#[cfg(feature = "xml")]
pub mod encoding;
#[cfg(feature = "patch")]
pub mod patch;
#[cfg(feature = "picture")]
pub mod picture;
#[cfg(feature = "xml")]
pub mod xml;
