//! Words of a song: lyrics and texts.

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kinds::{Chunk, Track};
use crate::model::index::event_places::{Mark, Rank, Timeline};
use crate::smf::Bytes;
use crate::values::TextKind;

/// A sung syllable.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = Timeline)]
pub struct Lyric {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its track; none for one of the song.
    #[fcp(view, readonly, selector)]
    pub track: Option<Id<Track>>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// Its bytes.
    #[fcp(hidden)]
    #[schemars(with = "String")]
    pub bytes: Bytes,
    /// Its text.
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
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its track; none for one of the song.
    #[fcp(view, readonly, selector)]
    pub track: Option<Id<Track>>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// Its purpose.
    #[fcp(readonly)]
    pub kind: TextKind,
    /// Its bytes.
    #[fcp(hidden)]
    #[schemars(with = "String")]
    pub bytes: Bytes,
    /// Its text.
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
