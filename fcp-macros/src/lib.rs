//! The macros of `fcp`.
