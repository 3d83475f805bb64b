//! Rows that moved: in their containers, or with the section of a file that holds their content.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::account::{Account, Field, Pieces, Shown};
use crate::domain::Domain;
use crate::model::Row;

/// The longest list of the rows that follow another, in bytes.
const FOLLOW: usize = 60;

/// The places of rows, if they have some.
type Places = Vec<Option<(u32, Field)>>;

/// Rows of one state as text, in the order of their ids.
pub(super) type Rows = Vec<(u32, Shown)>;

/// The rows that may have moved.
pub(super) struct Moves {
    /// Those that an op moved, then those whose content a section holds.
    rows: Vec<Row>,
    /// The number of the former.
    own: usize,
}

impl Moves {
    /// `moved` rows, and those among the changed `rows` whose content a section holds.
    pub fn of(moved: BTreeMap<u32, Row>, rows: &BTreeMap<u32, Row>, pieces: &Pieces) -> Self {
        let own = moved.len();
        let sections = pieces.section_rows();
        let sections = sections.filter_map(|id| rows.get(&id).copied());
        Self {
            rows: moved.into_values().chain(sections).collect(),
            own,
        }
    }

    pub fn places<M: Domain>(&self, model: &M) -> Places {
        model.places(&self.rows)
    }

    /// Adds the old and new places to rows that moved.
    pub fn add(
        self,
        [places_then, places_now]: [Places; 2],
        moved: &[u32],
        [then, now]: [&mut Rows; 2],
    ) {
        let moved: FxHashSet<u32> = moved.iter().copied().collect();
        let places = self
            .rows
            .iter()
            .zip(places_then.into_iter().zip(places_now));
        let mut follow = Vec::new();
        let mut last = None;
        for (ix, (row, places)) in places.enumerate() {
            let (Some((within, was)), Some((own, is))) = places else {
                continue;
            };
            // A row in another container has another place anyway.
            if within != own || was.is_same(&is) {
                continue;
            }
            if ix >= self.own && !moved.contains(&row.id()) {
                follow.push((is.number, row.id()));
                continue;
            }
            if ix >= self.own {
                last = Some(row.id());
            }
            for (rows, place) in [(&mut *then, was), (&mut *now, is)] {
                if let Some(shown) = find(rows, row.id()) {
                    shown.fields.push(place);
                }
            }
        }
        follow.sort_unstable();
        let follow: Vec<&str> = follow
            .iter()
            .filter_map(|(_, id)| Some(&*then.get(at(then, *id)?)?.1.name))
            .collect();
        // Several that moved need not say what follows which.
        if let (Some(last), Some(text)) = (last.filter(|_| moved.len() == 1), following(&follow))
            && let Some(place) = find(now, last).and_then(|row| row.fields.last_mut())
        {
            place.text.push_str(&text);
        }
    }
}

/// `; T4..T10 follow`
fn following(names: &[&str]) -> Option<String> {
    let text = match names {
        [] => return None,
        [one] => format!("; {one} follows"),
        [one, other] => format!("; {one}, {other} follow"),
        [first, .., last] => format!("; {first}..{last} follow"),
    };
    Some(match text.len() > FOLLOW {
        true => format!("; {} follow", names.len()),
        false => text,
    })
}

/// The rows of sections, which keep their content under another id: each is compared with what it was there.
/// `others` are rows that no op changed.
pub(super) fn rename(
    account: &Account,
    [then, now]: [&mut Rows; 2],
    [others_then, others_now]: [&mut BTreeMap<u32, Shown>; 2],
) {
    if account.renamed.is_empty() {
        return;
    }
    let take = |rows: &mut Rows, others: &mut BTreeMap<u32, Shown>, ids: &FxHashSet<u32>| {
        let mut taken: FxHashMap<u32, Shown> =
            rows.extract_if(.., |(id, _)| ids.contains(id)).collect();
        taken.extend(ids.iter().filter_map(|id| Some((*id, others.remove(id)?))));
        taken
    };
    let renamed = account.renamed.iter();
    let (old, new): (FxHashSet<u32>, FxHashSet<u32>) = renamed.clone().copied().unzip();
    let mut was = take(then, others_then, &old);
    let mut is = take(now, others_now, &new);
    for (old, id) in renamed {
        match (was.remove(old), is.remove(id)) {
            (Some(was), Some(is)) if was.fields != is.fields => {
                others_then.insert(*id, was);
                others_now.insert(*id, is);
            }
            // A new section has the key that another one had.
            (None, Some(is)) => {
                let at = now.partition_point(|(own, _)| own < id);
                now.insert(at, (*id, is));
            }
            _ => {}
        }
    }
}

fn at(rows: &Rows, id: u32) -> Option<usize> {
    rows.binary_search_by_key(&id, |(id, _)| *id).ok()
}

fn find(rows: &mut Rows, id: u32) -> Option<&mut Shown> {
    let at = at(rows, id)?;
    rows.get_mut(at).map(|(_, row)| row)
}
