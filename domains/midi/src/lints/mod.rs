//! The structural warnings.

mod damage;
mod noinst;
mod stuck;
mod zero;
