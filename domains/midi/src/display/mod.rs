//! Rows and songs as the text of replies and queries.
//! Nothing here changes a song or reads the words of an op.

pub mod controller_state;
pub mod event_text;
pub mod find;
pub mod raw_bytes;
pub mod row_count;
pub mod row_fields;
pub mod row_line;
pub mod row_list;
pub mod summary;
pub mod track_size;
