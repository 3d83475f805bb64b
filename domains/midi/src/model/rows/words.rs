//! What a song says in words: lyrics and texts.

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kinds::{Chunk, Track};
use crate::model::index::mark::{Mark, Rank, Timeline};
use crate::smf::Bytes;
use crate::values::TextKind;

/// A syllable that is sung.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = Timeline)]
pub struct Lyric {
    /// The chunk it stands in.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// The track it belongs to; none for one of the song.
    #[fcp(view, readonly, selector)]
    pub track: Option<Id<Track>>,
    /// Where it stands, in ticks.
    #[fcp(readonly)]
    pub at: u64,
    /// What it says.
    #[fcp(hidden)]
    #[schemars(with = "String")]
    pub bytes: Bytes,
    /// What it says, as text.
    #[fcp(view, readonly)]
    pub text: String,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

/// A text: a remark, a copyright, a cue.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(kind = "text", index = Timeline)]
#[schemars(rename = "Remark")]
pub struct TextEvent {
    /// The chunk it stands in.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// The track it belongs to; none for one of the song.
    #[fcp(view, readonly, selector)]
    pub track: Option<Id<Track>>,
    /// Where it stands, in ticks.
    #[fcp(readonly)]
    pub at: u64,
    /// What it is for.
    #[fcp(readonly)]
    pub kind: TextKind,
    /// What it says.
    #[fcp(hidden)]
    #[schemars(with = "String")]
    pub bytes: Bytes,
    /// What it says, as text.
    #[fcp(view, readonly)]
    pub text: String,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

impl TextEvent {
    pub(crate) const fn rank(&self) -> Rank {
        match self.kind {
            TextKind::Text | TextKind::Cue => Rank::Text,
            _ => Rank::Song,
        }
    }
}
