//! The warnings, one a file.

mod too_long;
