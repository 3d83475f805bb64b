//! What fuzzers and bounded random tests share: bytes become calls of a session, and what must hold is checked at each.
//!
//! [`Calls`] takes any text as ops, queries and actions; [`Sessions`] reads bytes as choices, which make sessions that are
//! mostly right, from what the registry knows. [`mutants`] makes up bytes where no fuzzer guides.

mod calls;
mod grammar;
pub mod mutants;
mod others;
mod sessions;

pub use calls::Calls;
pub use sessions::Sessions;
