//! The runtime of FCP: ops, verbs, models and sessions. It knows no domain's nouns.

// Expansions say `::fcp`, in this crate too.
extern crate self as fcp;

pub mod __private;
pub mod card;
pub mod cli;
pub mod diag;
pub mod domain;
pub mod endpoint;
pub mod event;
mod macros;
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

pub use macros::{
    FcpEntity, FcpModel, FcpValue, fcp_action, fcp_lint, fcp_query, fcp_selector, fcp_verb,
};
