//! The structural warnings.
//! Code that several of them share is in `checks`.

mod behind;
mod broken;
mod contrast;
mod duplicate;
mod font;
mod image;
mod namespace;
mod outside;
mod script;
mod unread;
mod unused;
mod viewbox;
mod wide;
mod zero;
