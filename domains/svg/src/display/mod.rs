//! Elements and drawings as the text of replies and queries.
//! Nothing here changes a drawing. Long reports are in [`report`](crate::report).

pub mod find;
pub mod labels;
pub mod row_fields;
pub mod summary;
