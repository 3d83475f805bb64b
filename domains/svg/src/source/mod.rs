//! Source text in ops: pieces of SVG, and exact replacements.
//! Changes by attribute, style or id are in `edit`.

pub(crate) mod exact_text;
pub(crate) mod fragment;
