//! The form of rows in a file: the bytes before their pieces that depend on the pieces before.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::account::{Account, FieldChange, Owner, Pieces};
use crate::domain::Domain;

/// The form of a row in two states.
pub(super) struct Form {
    /// Whether its own bytes are equal in both.
    pub is_kept: bool,
    /// The differences, by the domain's words.
    pub words: Vec<FieldChange>,
}

/// A piece of a row: the bytes before it that depend on others, and its own.
type Piece = [Range<usize>; 2];

/// The forms of the rows of an account, by their ids, in a domain that distinguishes some.
pub(super) fn forms<M: Domain>(
    account: &Account,
    (then, now): (&Pieces, &Pieces),
) -> FxHashMap<u32, Form> {
    let Some(form) = M::FORM else {
        return FxHashMap::default();
    };
    let rows = account
        .changes
        .iter()
        .filter_map(|change| match change.owner {
            Owner::Row(id) => Some((id, [Vec::new(), Vec::new()])),
            _ => None,
        });
    let mut rows: FxHashMap<u32, [Vec<Piece>; 2]> = rows.collect();
    gather(then, 0, &mut rows);
    gather(now, 1, &mut rows);
    let forms = rows.into_iter().filter_map(|(id, [was, is])| {
        if was.len() != is.len() {
            return None;
        }
        let mut found = Form {
            is_kept: true,
            words: Vec::new(),
        };
        for ([joint_was, was], [joint_is, is]) in was.iter().zip(&is) {
            found.is_kept &= bytes(then, was) == bytes(now, is);
            let forms = [form(bytes(then, joint_was)), form(bytes(now, joint_is))];
            if let [Some(was), Some(is)] = forms
                && was != is
            {
                let change = worded("form", Some(was), is);
                if !found.words.contains(&change) {
                    found.words.push(change);
                }
            }
        }
        Some((id, found))
    });
    forms.collect()
}

fn bytes<'p>(pieces: &'p Pieces, range: &Range<usize>) -> &'p [u8] {
    pieces.content().get(range.clone()).unwrap_or_default()
}

/// A change that is shown by its new value alone.
pub(super) fn worded(name: &'static str, was: Option<&str>, is: &'static str) -> FieldChange {
    FieldChange {
        name: name.into(),
        then: was.map(|was| (was.to_owned(), None)),
        now: Some((is.to_owned(), None)),
        words: Some(is),
        ..FieldChange::default()
    }
}

/// Adds the pieces of one state to their rows.
fn gather(pieces: &Pieces, state: usize, rows: &mut FxHashMap<u32, [Vec<Piece>; 2]>) {
    let (mut at, mut joint) = (0, 0..0);
    for (owner, bytes) in pieces.iter() {
        let own = at..at + bytes.len();
        at = own.end;
        match owner {
            Owner::Neighbours | Owner::Rest => joint = own,
            Owner::Row(id) => {
                let joint = std::mem::replace(&mut joint, at..at);
                if let Some(states) = rows.get_mut(&id) {
                    states[state].push([joint, own]);
                }
            }
            Owner::Part(_) => joint = at..at,
        }
    }
}
