//! Comparison of two documents without a common log, by their written form.

use std::hash::{Hash, Hasher};

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::super::account::BYTES_A_STEP;
use super::changed::{changed, stays};
use super::diff::Listed;
use super::order::{self, Place, places};
use super::pairs::{KEYS, Key, partners, repeating};
use super::parts::{PartValues, differing_parts};
use crate::account::{Account, Change, Owner, Pieces, RowChange, Shown};
use crate::diag::Result;
use crate::domain::Domain;
use crate::queries::{show, show_line};
use crate::work;

/// The steps of each row: its place is looked up.
const STEPS_A_ROW: usize = 8;

/// The steps of each row that is paired with another, or not.
const STEPS_A_PAIR: usize = 16;

/// The cost of a row without a partner.
const LONE: usize = 4;

/// The cost of each field of a change that no other row has: it is a line of its own.
const NEW: usize = 8;

/// A row as written: the bytes of all its pieces.
struct Written {
    id: u32,
    bytes: Vec<u8>,
}

/// The rows of a document in the order of the file, each once, and the places of their pieces.
fn rows(pieces: &Pieces) -> (Vec<Written>, Vec<Place>) {
    let mut rows: Vec<Written> = Vec::new();
    let mut seen: FxHashMap<u32, usize> = FxHashMap::default();
    let places = places(pieces, |id, bytes| {
        let next = rows.len();
        let at = *seen.entry(id).or_insert(next);
        match rows.get_mut(at) {
            Some(row) => row.bytes.extend_from_slice(bytes),
            None => rows.push(Written {
                id,
                bytes: bytes.to_vec(),
            }),
        }
        at
    });
    (rows, places)
}

/// The differences between two documents.
pub(super) fn documents<M: Domain>(then: &M, now: &M) -> Result<Listed> {
    let (old, new) = (Half::of(then)?, Half::of(now)?);
    let account = Account::between(&old.file, &new.file);
    let ways = match (old.is_placed(), old.mostly_equals(&new)) {
        (true, true) => &[Way::Bytes, Way::Places, Way::Order][..],
        (true, false) => &[Way::Places, Way::Bytes, Way::Order],
        (false, _) => &[Way::Bytes, Way::Order],
    };
    let mut best: Option<Found> = None;
    for way in ways {
        let most = STEPS_A_PAIR * (old.rows.len() + new.rows.len());
        let is_enough = |best: &Found| is_simple(&best.rows) || work::left() < most as u64;
        if best.as_ref().is_some_and(is_enough) {
            break;
        }
        let alignment = Alignment::of(&old, &new, *way);
        work::spend(STEPS_A_PAIR * alignment.left())?;
        let found = alignment.differences(&old, &new);
        if best
            .as_ref()
            .is_none_or(|best| cost(&found.rows) < cost(&best.rows))
        {
            best = Some(found);
        }
    }
    let mut rows = Vec::new();
    if let Some(best) = best {
        work::spend(STEPS_A_ROW * (old.pieces.len() + new.pieces.len()))?;
        rows = best.rows;
        let (told, known) = (&best.told, &best.known);
        let others = order::differences([&old, &new], &best.pairs, (told, &mut rows), known);
        rows.extend(others);
    }
    let states = [then, now].map(PartValues::of);
    let (notes, parts) = differing_parts(now, states);
    Ok(Listed {
        rows,
        ids: Vec::new(),
        others: Vec::new(),
        names: std::collections::BTreeMap::new(),
        notes,
        parts,
        account,
    })
}

/// One of two documents.
pub(super) struct Half<'m, M> {
    model: &'m M,
    /// Its file.
    pub(super) file: Pieces,
    /// Its rows in the order of the file.
    rows: Vec<Written>,
    /// Their places.
    places: Vec<Option<String>>,
    /// The places of their pieces in the file.
    pub(super) pieces: Vec<Place>,
}

impl<'m, M: Domain> Half<'m, M> {
    fn of(model: &'m M) -> Result<Self> {
        let format = M::FORMATS.first().map_or("", |format| format.name);
        let mut file = Pieces::of::<M>();
        model.write(format, &mut file)?;
        work::spend(file.file().len() / BYTES_A_STEP)?;
        let (rows, pieces) = rows(&file);
        let mut places = Vec::with_capacity(rows.len());
        for row in &rows {
            work::spend(STEPS_A_ROW)?;
            places.push(show(model, row.id).and_then(|shown| shown.place));
        }
        Ok(Self {
            model,
            file,
            rows,
            places,
            pieces,
        })
    }

    /// The number of its rows.
    pub(super) const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Bytes of its file.
    pub(super) fn content(&self, range: &std::ops::Range<usize>) -> &[u8] {
        self.file.content().get(range.clone()).unwrap_or_default()
    }

    /// Whether any row has a place.
    fn is_placed(&self) -> bool {
        self.places.iter().any(Option::is_some)
    }

    /// Whether more than half of the rows have equal bytes, counted from both ends.
    fn mostly_equals(&self, other: &Self) -> bool {
        let (own, others) = (self.rows.iter(), other.rows.iter());
        let is_equal = |(one, two): &(&Written, &Written)| one.bytes == two.bytes;
        let head = own.clone().zip(others.clone()).take_while(is_equal).count();
        let tails = own.rev().zip(others.rev());
        let tail = tails.take_while(is_equal).count();
        head + tail > self.rows.len().max(other.rows.len()) / 2
    }

    fn place(&self, ix: usize) -> Option<&str> {
        self.places.get(ix)?.as_deref()
    }

    /// The tokens of rows for an alignment: their bytes, and with `places` also their places.
    fn tokens(&self, places: bool) -> impl Iterator<Item = (&[u8], Option<&str>)> {
        let place = move |ix| self.place(ix).filter(|_| places);
        let rows = self.rows.iter().enumerate();
        rows.map(move |(ix, row)| (&*row.bytes, place(ix)))
    }

    pub(super) fn id(&self, ix: usize) -> u32 {
        self.rows.get(ix).map_or(0, |row| row.id)
    }

    pub(super) fn named(&self, ix: usize, known: &Known) -> Option<Shown> {
        named(self.model, self.id(ix), known)
    }

    fn bytes(&self, ix: usize) -> &[u8] {
        self.rows.get(ix).map_or(&[], |row| &row.bytes)
    }

    /// The line of a row that the other document lacks.
    fn line(&self, ix: usize, shown: &Shown) -> String {
        show_line(self.model, self.id(ix), &|_| true).unwrap_or_else(|| shown.title())
    }
}

/// The rows of the older document that are known to differ, by their indices: of each that kept its place and its
/// owner, the index of its change.
pub(super) type Told = FxHashMap<usize, Option<usize>>;

/// The ids in the older document of rows, by their ids in one of the two. Others are known only by
/// their names.
pub(super) type Known = FxHashMap<u32, u32>;

/// A row of one of two documents, which refers to `known` rows by their ids.
fn named<M: Domain>(model: &M, id: u32, known: &Known) -> Option<Shown> {
    let mut shown = show(model, id)?;
    for field in &mut shown.fields {
        field.target = field.target.and_then(|id| known.get(&id).copied());
    }
    shown.within = shown.within.and_then(|id| known.get(&id).copied());
    Some(shown)
}

/// The rows that differ by an alignment.
#[derive(Default)]
struct Found {
    rows: Vec<RowChange>,
    /// The indices of these in the older document, if they are in it.
    told: Told,
    /// The rows that both documents have, by their indices.
    pairs: Vec<(usize, usize)>,
    /// The ids of these in the older document.
    known: Known,
}

/// The rows that are taken for the same in both documents, by their indices, and the others.
#[derive(Default)]
struct Alignment {
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
enum Way {
    /// Those with equal bytes at equal places, in their order: best if rows changed where they are.
    Places,
    /// Those with equal bytes, in their order: best if rows moved.
    Bytes,
    /// None: the first row of a kind is paired with the first of it, and so on, if the names of the kind repeat. Best
    /// if rows moved and changed, and none came or went.
    Order,
}

impl Alignment {
    fn of<M: Domain>(old: &Half<'_, M>, new: &Half<'_, M>, way: Way) -> Self {
        if way == Way::Order {
            let others = Others {
                at: 0,
                gone: (0..old.rows.len()).collect(),
                come: (0..new.rows.len()).collect(),
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
        found.same.extend((from..old.rows.len()).zip(to..));
        found
    }

    /// The number of rows that are not aligned.
    fn left(&self) -> usize {
        let each = self.others.iter();
        each.map(|one| one.gone.len() + one.come.len()).sum()
    }

    fn differences<M: Domain>(&self, old: &Half<'_, M>, new: &Half<'_, M>) -> Found {
        let pairs: Vec<Pairs> = self
            .others
            .iter()
            .map(|others| others.pairs(old, new, self.keys))
            .collect();
        let paired = self.others.iter().zip(&pairs).flat_map(|(others, pairs)| {
            let pairs = others.gone.iter().zip(pairs);
            pairs.filter_map(|(was, is)| Some((*was, *others.come.get((*is)?)?)))
        });
        let all: Vec<(usize, usize)> = self.same.iter().copied().chain(paired).collect();
        let ids = |(was, is): &(usize, usize)| (old.id(*was), new.id(*is));
        let known: [Known; 2] = [
            all.iter().map(ids).map(|(was, _)| (was, was)).collect(),
            all.iter().map(ids).map(|(was, is)| (is, was)).collect(),
        ];
        let mut found = Found::default();
        let mut same = self.same.iter().peekable();
        for (others, pairs) in self.others.iter().zip(pairs) {
            while let Some((was, is)) = same.next_if(|(was, _)| *was < others.at) {
                moved((old, *was), (new, *is), &known, &mut found);
            }
            others.differences(old, new, (pairs, &known), &mut found);
        }
        same.for_each(|(was, is)| moved((old, *was), (new, *is), &known, &mut found));
        [found.known, _] = known;
        found.pairs = all;
        found
    }
}

/// The differences of a row with equal bytes: it may be at another place, or in another track. The content of one
/// without a place may depend on others: the end of a track.
fn moved<M: Domain>(
    (old, was): (&Half<'_, M>, usize),
    (new, is): (&Half<'_, M>, usize),
    [known_old, known_new]: &[Known; 2],
    found: &mut Found,
) {
    if old.place(was).is_some() && old.place(was) == new.place(is) {
        return;
    }
    let (Some(before), Some(after)) = (old.named(was, known_old), new.named(is, known_new)) else {
        return;
    };
    if before == after {
        return;
    }
    // A name that differs is a number among rows of its kind, unless the row is in another.
    let is_number =
        before.within == after.within && (before.within.is_some() || before.place.is_none());
    let change = (None, None);
    match changed(new.model, before.clone(), after.clone(), change, (&[], &[])) {
        Some(change) => found.rows.push(change),
        None if before.place == after.place && (before.name == after.name || is_number) => return,
        None => found.rows.extend([
            RowChange::Removed(before.clone(), old.line(was, &before)),
            RowChange::Added(after.clone(), new.line(is, &after)),
        ]),
    }
    found.told.insert(was, None);
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

    fn differences<M: Domain>(
        &self,
        old: &Half<'_, M>,
        new: &Half<'_, M>,
        (pairs, [known_old, known_new]): (Pairs, &[Known; 2]),
        found: &mut Found,
    ) {
        let mut come: Vec<Option<usize>> = self.come.iter().copied().map(Some).collect();
        for (ix, other) in self.gone.iter().copied().zip(pairs) {
            let Some(was) = old.named(ix, known_old) else {
                continue;
            };
            let other = other.and_then(|at| come.get_mut(at)?.take());
            let Some((other, is)) = other.and_then(|at| Some((at, new.named(at, known_new)?)))
            else {
                let line = old.line(ix, &was);
                found.rows.push(RowChange::Removed(was, line));
                found.told.insert(ix, None);
                continue;
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
                found.told.insert(ix, is_here.then_some(found.rows.len()));
                found.rows.push(change);
            }
        }
        for ix in come.into_iter().flatten() {
            if let Some(is) = new.named(ix, known_new) {
                let line = new.line(ix, &is);
                found.rows.push(RowChange::Added(is, line));
            }
        }
    }
}

/// The approximate [`cost`] of the differences of pairs.
fn cost_of(gone: &[Option<Shown>], come: &[Option<Shown>], pairs: &[Option<usize>]) -> usize {
    let mut seen = FxHashSet::default();
    let mut sum = LONE * come.len();
    for (was, other) in gone.iter().zip(pairs) {
        let other = other.and_then(|at| come.get(at)?.as_ref());
        let (Some(was), Some(is)) = (was, other) else {
            sum += LONE;
            continue;
        };
        sum -= LONE;
        let mut hasher = FxHasher::default();
        was.kind.hash(&mut hasher);
        let mut count = 0;
        for (then, now) in was.fields.iter().zip(&is.fields) {
            if then.text != now.text {
                count += 1;
                then.name.hash(&mut hasher);
                match (then.number, now.number) {
                    (Some(then), Some(now)) => now.wrapping_sub(then).hash(&mut hasher),
                    _ => (&then.text, &now.text).hash(&mut hasher),
                }
            }
        }
        if count > 0 {
            sum += 1;
            if seen.insert(hasher.finish()) {
                sum += NEW * count;
            }
        }
    }
    sum
}

/// Whether each row that differs differs in one field: no alignment gives fewer differences.
fn is_simple(rows: &[RowChange]) -> bool {
    rows.iter().all(|row| match row {
        RowChange::Added(..) | RowChange::Removed(..) => false,
        RowChange::Changed(_, fields) => fields.len() == 1,
        RowChange::Rewritten(..) => true,
    })
}

/// The length of differences in a reply, in no unit: equal changes are one line, and a row without a partner is all
/// its own.
fn cost(rows: &[RowChange]) -> usize {
    let mut seen = FxHashSet::default();
    let each = rows.iter().map(|row| match row {
        RowChange::Added(..) | RowChange::Removed(..) => LONE,
        RowChange::Changed(row, fields) => {
            let change = fields.iter().map(|field| match &field.step {
                Some(step) => (field.name.as_ref(), Some(step), None),
                None => (field.name.as_ref(), None, Some((&field.then, &field.now))),
            });
            let new = seen.insert((row.kind.as_ref(), change.collect::<Vec<_>>()));
            1 + if new { NEW * fields.len() } else { 0 }
        }
        RowChange::Rewritten(..) => 1,
    });
    each.sum()
}
