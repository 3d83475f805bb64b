//! Changes of existing elements that verbs and tables share: copies, ids, attributes, groups.
//! New objects are in `create`, moves in `moving`, source text in `source`.

pub(crate) mod attribute_values;
pub(crate) mod attributes;
pub(crate) mod comments;
pub(crate) mod convert;
pub(crate) mod copies;
pub(crate) mod declared;
pub(crate) mod rename;
pub(crate) mod segments;
pub(crate) mod sheet_links;
pub(crate) mod ungroup;
pub(crate) mod unlink;
mod without;
