//! The runtime of FCP: ops, verbs, models and sessions. It knows no domain's nouns.

pub mod __private;
pub mod card;
pub mod cli;
pub mod diag;
pub mod domain;
pub mod endpoint;
pub mod event;
pub mod mcp;
pub mod model;
pub mod op;
pub mod prelude;
pub mod queries;
pub mod reply;
pub mod script;
pub mod session;
pub mod testing;
pub mod value;
pub mod verb;
pub mod verbs;
