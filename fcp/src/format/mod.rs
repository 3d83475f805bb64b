//! File formats that several domains stand on, each with its bytes kept.

pub mod encoding;
pub mod xml;
