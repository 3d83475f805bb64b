//! Session actions that replace the runtime's own.
//! Verbs and queries are elsewhere.

mod export;
mod fit;
mod new;
