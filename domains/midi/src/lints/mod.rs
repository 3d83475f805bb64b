//! Structural warnings.
//! Code that several of them share is in `checks`.

mod bend;
mod clash;
mod damage;
mod dup;
mod empty;
mod kit;
mod meter;
mod noinst;
mod overlap;
mod pedal;
mod range;
mod rpn;
mod short;
mod stuck;
mod text;
mod zero;
