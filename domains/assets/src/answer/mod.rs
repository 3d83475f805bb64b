//! The shapes of replies: failures, and the constants by which a schema tells one reply from another. Data of one tool
//! alone is in its file under `tools`.

pub mod constant;
pub mod failure;
