//! The session actions that the runtime's own give way to.

mod export;
mod fit;
mod new;
