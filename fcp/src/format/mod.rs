//! What several formats need, each by a feature.

#[cfg(feature = "picture")]
pub mod picture;
