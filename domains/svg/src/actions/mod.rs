//! Session actions that replace the runtime's own.

mod export;
mod fit;
mod new;
