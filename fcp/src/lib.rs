//! The runtime of FCP: ops, verbs, models and sessions. It knows no domain's nouns.

pub mod diag;
pub mod domain;
pub mod endpoint;
pub mod model;
pub mod op;
pub mod reply;
pub mod value;
pub mod verb;
