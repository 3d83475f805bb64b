//! Rows that two documents have in common, but hold in another order or form in their files.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::alignment::{Difference, Found};
use super::compare::Half;
use super::forms::worded;
use crate::account::{FieldChange, Owner, Pieces, RowChange, out_of_order};
use crate::domain::Domain;
use crate::session::excerpt::excerpt_of;

/// A piece of a row in a file.
pub(super) struct Place {
    /// The index of the row.
    row: usize,
    /// The section that it is in, counted from 1; 0 if it is in none.
    section: usize,
    /// Its bytes, and those before it that depend on the piece before.
    joint: Range<usize>,
    /// The first of its own bytes.
    own: usize,
}

impl Place {
    /// The bytes before it that depend on the piece before.
    const fn before(&self) -> Range<usize> {
        self.joint.start..self.own
    }
}

/// The places of the rows of a file, in its order. `row` takes the id, the place and the bytes of a piece, and
/// returns the index of its row.
pub(super) fn places(
    pieces: &Pieces,
    mut row: impl FnMut(u32, usize, &[u8]) -> usize,
) -> Vec<Place> {
    let mut sections = pieces.section_ranges().enumerate().peekable();
    let (mut at, mut start) = (0, 0);
    let mut places = Vec::new();
    for (owner, bytes) in pieces.iter() {
        let from = at;
        at += bytes.len();
        if owner == Owner::Neighbours {
            continue;
        }
        if let Owner::Row(id) = owner {
            while sections.next_if(|(_, range)| range.end < at).is_some() {}
            let inside = sections.peek().filter(|(_, range)| range.start <= from);
            places.push(Place {
                row: row(id, from, bytes),
                section: inside.map_or(0, |(ix, _)| ix + 1),
                joint: start..at,
                own: from,
            });
        }
        start = at;
    }
    places
}

/// The differences of rows in order and form.
pub(super) struct Others {
    /// Those of rows that do not differ otherwise.
    pub untold: Vec<Difference>,
    /// The rows that moved, by their indices in the older document.
    pub moved: Vec<usize>,
    /// The differences in form, by the domain's words, of rows by their indices in the older document.
    pub words: Vec<(usize, FieldChange)>,
}

/// The differences in order and form of the rows that both documents have, besides those `found`.
pub(super) fn differences<M: Domain>([old, new]: [&Half<'_, M>; 2], found: &Found) -> Others {
    let Found {
        told,
        pairs,
        known: [known, _],
        ..
    } = found;
    let matched = matched(&old.pieces, &new.pieces, pairs);
    let mut moved = moved(&old.pieces, &new.pieces, &matched);
    if moved.iter().any(|row| !told.contains_key(row)) {
        // Rows that changed may have moved past the others: the end of a note that became longer.
        let row = |was: usize| old.pieces.get(was).map_or(0, |place| place.row);
        let mut others = matched.clone();
        others.retain(|(was, _)| !told.contains_key(&row(*was)));
        let others = self::moved(&old.pieces, &new.pieces, &others);
        moved.retain(|row| told.contains_key(row));
        moved.extend(others);
    }
    let mut forms: FxHashMap<usize, [String; 2]> = FxHashMap::default();
    let mut words = Vec::new();
    let mut last: Option<(usize, usize, usize)> = None;
    for (was, is) in &matched {
        let here = old.pieces.get(*was).zip(new.pieces.get(*is));
        let Some((then, now)) = here else { continue };
        let follows = match last {
            Some((was, is, _)) => (was + 1, is + 1),
            None => (0, 0),
        } == (*was, *is);
        let differs = |row: usize| told.contains_key(&row) || moved.contains(&row);
        let before = last.replace((*was, *is, then.row));
        if let Some(form) = M::FORM
            && let (Some(was), Some(is)) = (
                form(old.content(&then.before())),
                form(new.content(&now.before())),
            )
            && was != is
        {
            words.push((then.row, worded("form", Some(was), is)));
        }
        if !follows || differs(then.row) || before.is_some_and(|(_, _, row)| differs(row)) {
            continue;
        }
        let (before, after) = (old.content(&then.joint), new.content(&now.joint));
        if before != after {
            let text = |bytes: &[u8]| excerpt_of(new.file.content(), bytes);
            let form = [text(before), text(after)];
            forms.entry(then.row).or_insert(form);
        }
    }
    let mut rows: Vec<usize> = moved.iter().chain(forms.keys()).copied().collect();
    rows.retain(|row| !told.contains_key(row));
    rows.sort_unstable();
    let partner: FxHashMap<usize, usize> = pairs.iter().copied().collect();
    let mut untold = Vec::with_capacity(rows.len());
    // A row inside one that moved moves with it.
    let outer = |row: &usize| told.contains_key(row) || moved.contains(row);
    let outer: FxHashSet<u32> = match rows.is_empty() {
        true => FxHashSet::default(),
        false => (0..old.len())
            .filter(outer)
            .map(|row| old.id(row))
            .collect(),
    };
    for row in rows {
        let form = forms.remove(&row);
        let Some(shown) = old.named(row, known) else {
            continue;
        };
        if form.is_some() || shown.within.is_none_or(|id| !outer.contains(&id)) {
            untold.push(Difference {
                change: RowChange::Rewritten(shown, form),
                rows: [Some(row), partner.get(&row).copied()],
                stays: false,
            });
        }
    }
    let mut moved: Vec<usize> = moved.into_iter().collect();
    moved.sort_unstable();
    Others {
        untold,
        moved,
        words,
    }
}

/// The pieces of `pairs` in the older file, and those in the newer one, by their indices: the first
/// of a row is taken for the first, and so on.
fn matched(old: &[Place], new: &[Place], pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut partner: FxHashMap<usize, usize> = FxHashMap::default();
    partner.extend(pairs.iter().map(|(was, is)| (*is, *was)));
    let later = numbered(new).into_iter().enumerate();
    let later = later.filter_map(|(ix, (row, number))| Some(((*partner.get(&row)?, number), ix)));
    let later: FxHashMap<(usize, u32), usize> = later.collect();
    let earlier = numbered(old).into_iter().enumerate();
    earlier
        .filter_map(|(ix, piece)| Some((ix, *later.get(&piece)?)))
        .collect()
}

/// The row of each piece, and the number of the piece in that row.
fn numbered(places: &[Place]) -> Vec<(usize, u32)> {
    let mut count: FxHashMap<usize, u32> = FxHashMap::default();
    let number = |place: &Place| {
        let number = count.entry(place.row).or_default();
        *number += 1;
        (place.row, *number)
    };
    places.iter().map(number).collect()
}

/// The rows that are in another order, or in another section than most of theirs.
fn moved(old: &[Place], new: &[Place], matched: &[(usize, usize)]) -> FxHashSet<usize> {
    let section = |places: &[Place], ix: usize| places.get(ix).map_or(0, |place| place.section);
    let mut moves: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for (was, is) in matched {
        *moves
            .entry((section(old, *was), section(new, *is)))
            .or_default() += 1;
    }
    let mut home: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    for ((was, is), count) in moves {
        let best = home.entry(was).or_default();
        *best = (*best).max((count, is));
    }
    let mut stretches: FxHashMap<usize, Vec<(usize, usize)>> = FxHashMap::default();
    let mut moved = FxHashSet::default();
    for (was, is) in matched {
        let from = section(old, *was);
        let row = old.get(*was).map_or(0, |place| place.row);
        match home
            .get(&from)
            .is_some_and(|(_, to)| *to == section(new, *is))
        {
            true => stretches.entry(from).or_default().push((row, *is)),
            false => _ = moved.insert(row),
        }
    }
    for places in stretches.into_values() {
        let order: Vec<usize> = places.iter().map(|(_, is)| *is).collect();
        let rows = out_of_order(&order)
            .into_iter()
            .filter_map(|ix| places.get(ix));
        moved.extend(rows.map(|(row, _)| *row));
    }
    moved
}
