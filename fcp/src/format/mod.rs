//! File formats that several domains stand on, each with its bytes kept.

pub mod xml;
