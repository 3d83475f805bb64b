//! Pairs of rows of two documents, and the differences of each pair.

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet};

use super::changed::{changed, stays};
use super::compare::{Half, Known};
use super::cost::{cost, cost_of, is_simple};
use super::pairs::{KEYS, Key, left_over, partners, repeating};
use crate::account::{Change, FieldChange, Owner, RowChange, Shown};
use crate::domain::Domain;

/// A difference, and the indices of its row in the older and the newer document.
pub(super) struct Difference {
    pub change: RowChange,
    pub rows: [Option<usize>; 2],
    /// Whether the row is in both, at the same place and of the same owner.
    pub stays: bool,
}

/// The rows that differ by an alignment.
#[derive(Default)]
pub(super) struct Found {
    pub differences: Vec<Difference>,
    /// The indices of these by those of their rows in the older document, if they are in it.
    pub told: FxHashMap<usize, usize>,
    /// The rows that both documents have, by their indices.
    pub pairs: Vec<(usize, usize)>,
    /// The ids of these in the older document, by their ids in the older and in the newer one.
    pub known: [Known; 2],
}

impl Found {
    pub fn push(&mut self, change: RowChange, rows: [Option<usize>; 2], stays: bool) {
        if let [Some(was), _] = rows {
            self.told.insert(was, self.differences.len());
        }
        self.differences.push(Difference {
            change,
            rows,
            stays,
        });
    }

    /// Adds a word to the changes of a row that stays where it is, by its index in the older document.
    pub fn add_word(&mut self, row: usize, word: FieldChange) {
        let own = self
            .told
            .get(&row)
            .and_then(|at| self.differences.get_mut(*at));
        if let Some(Difference {
            change,
            stays: true,
            ..
        }) = own
            && let RowChange::Changed(_, fields) = change
            && !fields.contains(&word)
        {
            fields.push(word);
        }
    }

    /// Whether no alignment gives fewer differences.
    pub fn is_simple(&self) -> bool {
        is_simple(self.changes())
    }

    pub fn cost(&self) -> usize {
        cost(self.changes())
    }

    fn changes(&self) -> impl Iterator<Item = &RowChange> {
        self.differences.iter().map(|own| &own.change)
    }
}

/// The rows that are taken for the same in both documents, by their indices, and the others.
#[derive(Default)]
pub(super) struct Alignment {
    same: Vec<(usize, usize)>,
    others: Vec<Others>,
    /// The keys by which the others are paired.
    keys: &'static [[Key; 3]],
}

/// Rows of each document between those that are the same.
struct Others {
    /// The index in the older document of the first row after those that are the same.
    at: usize,
    gone: Vec<usize>,
    come: Vec<usize>,
}

/// A way to align rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Those with equal bytes at equal places, in their order: best if rows changed where they are.
    Places,
    /// Those with equal bytes, in their order: best if rows moved.
    Bytes,
    /// None: the first row of a kind is paired with the first of it, and so on, if the names of the kind repeat. Best
    /// if rows moved and changed, and none came or went.
    Order,
}

impl Alignment {
    pub fn of<M: Domain>(old: &Half<'_, M>, new: &Half<'_, M>, way: Way) -> Self {
        if way == Way::Order {
            let others = Others {
                at: 0,
                gone: (0..old.len()).collect(),
                come: (0..new.len()).collect(),
            };
            return Self {
                same: Vec::new(),
                others: vec![others],
                keys: &[[Key::Kind; 3]],
            };
        }
        let places = way == Way::Places;
        let mut input = InternedInput::default();
        input.update_before(old.tokens(places));
        input.update_after(new.tokens(places));
        let all = |rows: std::ops::Range<u32>| (rows.start as usize..rows.end as usize).collect();
        let mut found = Self {
            keys: &KEYS,
            ..Self::default()
        };
        let (mut from, mut to) = (0, 0);
        for stretch in Diff::compute(Algorithm::Histogram, &input).hunks() {
            let (gone, come) = (stretch.before, stretch.after);
            found.same.extend((from..gone.start as usize).zip(to..));
            (from, to) = (gone.end as usize, come.end as usize);
            found.others.push(Others {
                at: gone.start as usize,
                gone: all(gone),
                come: all(come),
            });
        }
        found.same.extend((from..old.len()).zip(to..));
        found
    }

    /// The number of rows that are not aligned.
    pub fn left(&self) -> usize {
        let each = self.others.iter();
        each.map(|one| one.gone.len() + one.come.len()).sum()
    }

    pub fn differences<M: Domain>(&self, old: &Half<'_, M>, new: &Half<'_, M>) -> Found {
        let pairs = self.pairs(old, new);
        let partner: FxHashMap<usize, usize> = pairs.iter().copied().collect();
        let come: FxHashSet<usize> = pairs.iter().map(|(_, is)| *is).collect();
        let all = || self.same.iter().chain(&pairs);
        let known = known(old, new, all());
        let mut found = Found::default();
        let mut same = self.same.iter().peekable();
        for others in &self.others {
            while let Some((was, is)) = same.next_if(|(was, _)| *was < others.at) {
                moved((old, *was), (new, *is), &known, &mut found);
            }
            for was in &others.gone {
                differences((old, *was), (new, partner.get(was)), &known, &mut found);
            }
            for ix in others.come.iter().filter(|ix| !come.contains(ix)) {
                if let Some(is) = new.named(*ix, &known[1]) {
                    let line = new.line(*ix, &is);
                    found.push(RowChange::Added(is, line), [None, Some(*ix)], false);
                }
            }
        }
        same.for_each(|(was, is)| moved((old, *was), (new, *is), &known, &mut found));
        found.pairs = all().copied().collect();
        found.known = known;
        found
    }

    /// The pairs of rows that are not aligned: of a range if possible, or else of all ranges.
    fn pairs<M: Domain>(&self, old: &Half<'_, M>, new: &Half<'_, M>) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for others in &self.others {
            let pairs = others.pairs(old, new, self.keys);
            let (own, left) = split(&others.gone, &others.come, pairs);
            found.extend(own);
            gone.extend(left.0);
            come.extend(left.1);
        }
        // Rows inside others are known by these.
        for _ in 0..2 {
            if gone.is_empty() || come.is_empty() {
                break;
            }
            let [old_ids, new_ids] = known(old, new, self.same.iter().chain(&found));
            let then: Vec<_> = gone.iter().map(|ix| old.known(*ix, &old_ids)).collect();
            let now: Vec<_> = come.iter().map(|ix| new.known(*ix, &new_ids)).collect();
            let (own, left) = split(&gone, &come, left_over(&then, &now));
            found.extend(own);
            (gone, come) = left;
        }
        found
    }
}

/// Rows of two documents that have no partner, by their indices.
type Left = (Vec<usize>, Vec<usize>);

/// The pairs among rows, and the rows without a partner.
fn split(gone: &[usize], come: &[usize], pairs: Pairs) -> (Vec<(usize, usize)>, Left) {
    let mut free: Vec<Option<usize>> = come.iter().copied().map(Some).collect();
    let (mut found, mut left) = (Vec::new(), Vec::new());
    for (was, pair) in gone.iter().copied().zip(pairs) {
        match pair.and_then(|at| free.get_mut(at)?.take()) {
            Some(is) => found.push((was, is)),
            None => left.push(was),
        }
    }
    (found, (left, free.into_iter().flatten().collect()))
}

/// The ids in the older document of paired rows, by their ids in the older and in the newer one.
fn known<'p, M: Domain>(
    old: &Half<'_, M>,
    new: &Half<'_, M>,
    pairs: impl Iterator<Item = &'p (usize, usize)>,
) -> [Known; 2] {
    let mut known = [Known::default(), Known::default()];
    let [then, now] = &mut known;
    for (was, is) in pairs {
        let id = old.id(*was);
        then.insert(id, id);
        now.insert(new.id(*is), id);
    }
    known
}

/// The differences of a row with equal bytes: it may be at another place, or in another track. Its content may depend
/// on others: the length of a note, the end of a track.
fn moved<M: Domain>(
    (old, was): (&Half<'_, M>, usize),
    (new, is): (&Half<'_, M>, usize),
    [known_old, known_new]: &[Known; 2],
    found: &mut Found,
) {
    if old.equals(was, (new, is)) {
        return;
    }
    let is_here = old.place(was).is_some() && old.place(was) == new.place(is);
    let (Some(before), Some(after)) = (old.named(was, known_old), new.named(is, known_new)) else {
        return;
    };
    if before == after {
        return;
    }
    // A name that differs is a number among rows of its kind, unless the row is in another.
    let is_number =
        before.within == after.within && (before.within.is_some() || before.place.is_none());
    let rows = [Some(was), Some(is)];
    let change = (None, None);
    match changed(new.model, before.clone(), after.clone(), change, (&[], &[])) {
        Some(change) => {
            let stays = stays(&before, &after);
            found.push(change, rows, stays);
        }
        None if is_here => {}
        None if before.place == after.place && (before.name == after.name || is_number) => {}
        None => {
            let line = old.line(was, &before);
            found.push(RowChange::Removed(before, line), [rows[0], None], false);
            let line = new.line(is, &after);
            found.push(RowChange::Added(after, line), [None, rows[1]], false);
        }
    }
}

/// For each row that is gone, its partner among those that came.
type Pairs = Vec<Option<usize>>;

impl Others {
    /// The pairs by those of `keys` that give the fewest differences.
    fn pairs<M: Domain>(&self, old: &Half<'_, M>, new: &Half<'_, M>, keys: &[[Key; 3]]) -> Pairs {
        let unknown = Known::default();
        let shown = |half: &Half<'_, M>, rows: &[usize]| -> Vec<Option<Shown>> {
            rows.iter().map(|ix| half.named(*ix, &unknown)).collect()
        };
        let (gone, come) = (shown(old, &self.gone), shown(new, &self.come));
        let repeating: FxHashSet<String> = [&gone, &come]
            .into_iter()
            .flat_map(|rows| repeating(rows))
            .collect();
        let mut best: Option<(usize, Pairs)> = None;
        for keys in keys {
            let pairs = partners(&gone, &come, *keys, &repeating);
            let cost = cost_of(&gone, &come, &pairs);
            if best.as_ref().is_none_or(|(best, _)| cost < *best) {
                best = Some((cost, pairs));
            }
        }
        best.map_or_else(Vec::new, |(_, pairs)| pairs)
    }
}

/// The differences of a row of the older document and its partner, if it has one.
fn differences<M: Domain>(
    (old, ix): (&Half<'_, M>, usize),
    (new, other): (&Half<'_, M>, Option<&usize>),
    [known_old, known_new]: &[Known; 2],
    found: &mut Found,
) {
    let Some(was) = old.named(ix, known_old) else {
        return;
    };
    let Some((other, is)) = other.and_then(|at| Some((*at, new.named(*at, known_new)?))) else {
        let line = old.line(ix, &was);
        found.push(RowChange::Removed(was, line), [Some(ix), None], false);
        return;
    };
    let bytes = (old.bytes(ix), new.bytes(other));
    let change = Change {
        owner: Owner::Row(new.id(other)),
        name: String::new(),
        before: std::iter::once(0..bytes.0.len()).collect(),
        after: std::iter::once(0..bytes.1.len()).collect(),
        is_moved: false,
    };
    let change = (bytes.0 != bytes.1).then_some(&change);
    let is_here = stays(&was, &is);
    if let Some(change) = changed(new.model, was, is, (change, None), bytes) {
        found.push(change, [Some(ix), Some(other)], is_here);
    }
}
