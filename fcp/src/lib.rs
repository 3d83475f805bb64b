//! The runtime of FCP: ops, verbs, models and sessions. It knows no domain's nouns.

pub mod cli;
pub mod diag;
pub mod endpoint;
pub mod mcp;
pub mod script;
