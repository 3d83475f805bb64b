//! The warnings, one per file.

mod too_long;
