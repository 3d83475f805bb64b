//! The verbs besides the universal ones, one per file.

mod finish;
