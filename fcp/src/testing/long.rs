//! Long walks: many ops in a row, all undone and all redone.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::data::say;
use super::play::{scratch, session};
use super::walk::Walk;
use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::session::Session;

/// What a long walk came to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct End {
    digest: String,
    bytes: Vec<u8>,
    /// Of all replies, in order.
    replies: u64,
}

fn state<M: Domain>(session: &Session<M>) -> (String, Vec<u8>) {
    let format = M::FORMATS.first().map_or("", |format| format.name);
    let bytes = session.model().map(|model| model.write(format));
    let bytes = bytes
        .unwrap_or(Ok(Vec::new()))
        .unwrap_or_else(|error| panic!("cannot be saved: {error}"));
    (session.digest().unwrap_or_default(), bytes)
}

/// How many ops a long walk has: what `FCP_WALK_OPS` says, else `usual`, of which it says that it is not all.
#[must_use]
pub fn walk_ops(usual: usize, all: usize) -> usize {
    let said = std::env::var("FCP_WALK_OPS").ok();
    said.and_then(|said| said.parse().ok()).unwrap_or_else(|| {
        say(&format!(
            "{usual} ops are walked to save time; FCP_WALK_OPS={all} walks all that are meant"
        ));
        usual
    })
}

/// Walks until `ops` ops were taken, from those that `op` makes up on a new document, and checks that undoing them all
/// gives the bytes and the digest of the start, that redoing them all gives those of the end, that what is saved opens
/// with the same digest, and that a second walk with the same seed is the same one.
///
/// # Panics
/// One of these does not hold, or fewer than a third of the ops were taken.
pub fn long_walk<M: Domain>(seed: u64, ops: usize, mut op: impl FnMut(&mut Walk) -> String) {
    let first = once::<M>(seed, ops, &mut op);
    let second = once::<M>(seed, ops, &mut op);
    assert!(first == second, "seed {seed}: two walks are not alike");
}

fn once<M: Domain>(seed: u64, ops: usize, op: &mut impl FnMut(&mut Walk) -> String) -> End {
    let root = scratch();
    let mut session: Session<M> = session(root.path());
    let new = session.act("new");
    assert!(!new.is_error, "{}", new.text);
    let start = state(&session);
    let mut random = Walk::new(seed);
    let mut replies = DefaultHasher::new();
    let (mut taken, mut sent) = (0, 0);
    while taken < ops {
        assert!(
            sent < ops * 3,
            "seed {seed}: {taken} of {sent} ops were taken"
        );
        let op = op(&mut random);
        let before = session.digest();
        let answer = session.run(&[op], None);
        answer.text.hash(&mut replies);
        sent += 1;
        taken += usize::from(!answer.is_error && session.digest() != before);
    }
    let end = state(&session);
    session.act(&format!("undo {sent}"));
    let undone = state(&session);
    assert_eq!(
        undone.0, start.0,
        "seed {seed}: undoing all gave another digest"
    );
    assert!(
        undone.1 == start.1,
        "seed {seed}: undoing all gave other bytes"
    );
    session.act(&format!("redo {sent}"));
    let redone = state(&session);
    assert_eq!(
        redone.0, end.0,
        "seed {seed}: redoing all gave another digest"
    );
    assert!(
        redone.1 == end.1,
        "seed {seed}: redoing all gave other bytes"
    );
    let extension = M::FORMATS
        .first()
        .and_then(|format| format.extensions.first());
    let name = format!("walk.{}", extension.unwrap_or(&"out"));
    for action in [format!("save as:{name}"), format!("open {name}")] {
        let answer = session.act(&action);
        assert!(!answer.is_error, "{action}\n{}", answer.text);
    }
    let (digest, bytes) = state(&session);
    assert_eq!(
        digest, end.0,
        "seed {seed}: what was saved opens with another digest"
    );
    End {
        digest,
        bytes,
        replies: replies.finish(),
    }
}
