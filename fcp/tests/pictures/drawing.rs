//! x
pub const TESTS: &[(&str, fn())] = &[];
