//! Envelopes of replies, by the mode of the call.

use schemars::JsonSchema;
use serde::Serialize;

use crate::identity::{Blob, Fingerprint};

fcp::tool::constants! {
    /// `immutable`
    ImmutableHint = "immutable";
    /// `until_dirty`
    UntilDirtyHint = "until_dirty";
    /// `snapshot`
    SnapshotMode = "snapshot";
    /// `worktree`
    WorktreeMode = "worktree";
    /// `true`
    True = true;
}

/// A reply that depends on a snapshot alone.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ImmutableResponse")]
pub struct Immutable<T> {
    /// Its validity: for ever.
    pub cache_hint: ImmutableHint,
    /// The snapshot.
    #[schemars(regex(pattern = "^sha256:[0-9a-f]{64}$"))]
    pub snapshot_id: String,
    /// The answer.
    #[serde(flatten)]
    pub body: T,
}

/// The same of a tool that has both modes.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ImmutableResponse")]
pub struct Captured<T> {
    /// Its validity: for ever.
    pub cache_hint: ImmutableHint,
    /// The mode it was asked in.
    pub mode: SnapshotMode,
    /// The snapshot.
    #[schemars(regex(pattern = "^sha256:[0-9a-f]{64}$"))]
    pub snapshot_id: String,
    /// The answer.
    #[serde(flatten)]
    pub body: T,
}

/// A reply that holds as long as the work tree stays as it is.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WorktreeResponse")]
pub struct Worktree<T> {
    /// Its validity: until the work tree moves.
    pub cache_hint: UntilDirtyHint,
    /// The mode it was asked in.
    pub mode: WorktreeMode,
    /// The lease to send with the next call.
    #[schemars(regex(pattern = "^L[0-9a-f]{48}$"))]
    pub lease_id: String,
    /// The state of the repository.
    pub fingerprint: Fingerprint,
    /// The lease is a new one, because the repository moved and nothing that was touched did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebased: Option<True>,
    /// The answer.
    #[serde(flatten)]
    pub body: T,
}

/// A reply of a tool that has both modes.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Success")]
pub enum Hybrid<I, W = I> {
    /// Of a snapshot.
    Immutable(Captured<I>),
    /// Of the work tree.
    Worktree(Worktree<W>),
}

impl<I, W> Hybrid<I, W> {
    /// A reply of a snapshot.
    pub fn captured(id: &Blob, body: I) -> Self {
        Self::Immutable(Captured {
            cache_hint: ImmutableHint,
            mode: SnapshotMode,
            snapshot_id: id.to_string(),
            body,
        })
    }
}

impl<T> Immutable<T> {
    /// A reply of a snapshot.
    pub fn of(id: &Blob, body: T) -> Self {
        Self {
            cache_hint: ImmutableHint,
            snapshot_id: id.to_string(),
            body,
        }
    }
}

/// Contents of a snapshot, in numbers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ManifestStats {
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub total_bytes: u64,
}
