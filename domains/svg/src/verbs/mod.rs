//! The verbs, a file each.

mod raw;
