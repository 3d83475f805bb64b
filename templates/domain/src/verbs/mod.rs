//! The verbs beside the universal ones, one a file.

mod finish;
