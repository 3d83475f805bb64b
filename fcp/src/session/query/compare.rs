//! Comparison of two documents without a common log, by their written form.

use std::hash::{Hash, Hasher};

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::super::account::BYTES_A_STEP;
use super::changed::changed;
use super::diff::Listed;
use crate::account::{Account, Owner, Pieces, RowChange, Shown};
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

/// The rows of a document in the order of the file, each once.
fn rows<M: Domain>(model: &M) -> Result<(Vec<Written>, Pieces)> {
    let format = M::FORMATS.first().map_or("", |format| format.name);
    let mut pieces = Pieces::of::<M>();
    model.write(format, &mut pieces)?;
    work::spend(pieces.file().len() / BYTES_A_STEP)?;
    let mut rows: Vec<Written> = Vec::new();
    let mut seen: FxHashMap<u32, usize> = FxHashMap::default();
    for (owner, bytes) in pieces.iter() {
        let Owner::Row(id) = owner else { continue };
        let next = rows.len();
        let at = *seen.entry(id).or_insert(next);
        if at == next {
            rows.push(Written {
                id,
                bytes: Vec::new(),
            });
        }
        if let Some(row) = rows.get_mut(at) {
            row.bytes.extend_from_slice(bytes);
        }
    }
    Ok((rows, pieces))
}

/// The differences between two documents.
pub(super) fn documents<M: Domain>(then: &M, now: &M) -> Result<Listed> {
    let (old, before) = Half::of(then)?;
    let (new, after) = Half::of(now)?;
    let account = Account::between(&before, &after);
    let ways = match (old.is_placed(), old.mostly_equals(&new)) {
        (true, true) => &[Way::Bytes, Way::Places, Way::Order][..],
        (true, false) => &[Way::Places, Way::Bytes, Way::Order],
        (false, _) => &[Way::Bytes, Way::Order],
    };
    let mut best: Option<Vec<RowChange>> = None;
    for way in ways {
        let most = STEPS_A_PAIR * (old.rows.len() + new.rows.len());
        let is_enough = |best: &Vec<RowChange>| is_simple(best) || work::left() < most as u64;
        if best.as_ref().is_some_and(is_enough) {
            break;
        }
        let alignment = Alignment::of(&old, &new, *way);
        work::spend(STEPS_A_PAIR * alignment.left())?;
        let found = alignment.differences(&old, &new);
        if best.as_ref().is_none_or(|best| cost(&found) < cost(best)) {
            best = Some(found);
        }
    }
    Ok(Listed {
        rows: best.unwrap_or_default(),
        ids: Vec::new(),
        others: Vec::new(),
        names: std::collections::BTreeMap::new(),
        notes: Vec::new(),
        parts: Vec::new(),
        account,
    })
}

/// One of two documents.
struct Half<'m, M> {
    model: &'m M,
    /// Its rows in the order of the file.
    rows: Vec<Written>,
    /// Their places.
    places: Vec<Option<String>>,
}

impl<'m, M: Domain> Half<'m, M> {
    fn of(model: &'m M) -> Result<(Self, Pieces)> {
        let (rows, pieces) = rows(model)?;
        let mut places = Vec::with_capacity(rows.len());
        for row in &rows {
            work::spend(STEPS_A_ROW)?;
            places.push(show(model, row.id).and_then(|shown| shown.place));
        }
        let half = Self {
            model,
            rows,
            places,
        };
        Ok((half, pieces))
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

    fn id(&self, ix: usize) -> u32 {
        self.rows.get(ix).map_or(0, |row| row.id)
    }

    fn named(&self, ix: usize) -> Option<Shown> {
        named(self.model, self.id(ix))
    }

    /// The line of a row that the other document lacks.
    fn line(&self, ix: usize, shown: &Shown) -> String {
        show_line(self.model, self.id(ix), &|_| true).unwrap_or_else(|| shown.title())
    }
}

/// A row of one of two documents, which refers to others by their names: ids are those of one document.
fn named<M: Domain>(model: &M, id: u32) -> Option<Shown> {
    let mut shown = show(model, id)?;
    for field in &mut shown.fields {
        field.target = None;
    }
    Some(shown)
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

    fn differences<M: Domain>(&self, old: &Half<'_, M>, new: &Half<'_, M>) -> Vec<RowChange> {
        let mut found = Vec::new();
        let mut same = self.same.iter().peekable();
        for others in &self.others {
            while let Some((was, is)) = same.next_if(|(was, _)| *was < others.at) {
                moved((old, *was), (new, *is), &mut found);
            }
            others.differences(old, new, self.keys, &mut found);
        }
        same.for_each(|(was, is)| moved((old, *was), (new, *is), &mut found));
        found
    }
}

/// The differences of a row with equal bytes: it may be at another place, or in another track. The content of one
/// without a place may depend on others: the end of a track.
fn moved<M: Domain>(
    (old, was): (&Half<'_, M>, usize),
    (new, is): (&Half<'_, M>, usize),
    found: &mut Vec<RowChange>,
) {
    if old.place(was).is_some() && old.place(was) == new.place(is) {
        return;
    }
    let (Some(before), Some(after)) = (old.named(was), new.named(is)) else {
        return;
    };
    if before == after {
        return;
    }
    match changed(new.model, before.clone(), after.clone(), None, (&[], &[])) {
        Some(change) => found.push(change),
        None if before.name == after.name && before.place == after.place => {}
        None => found.extend([
            RowChange::Removed(before.clone(), old.line(was, &before)),
            RowChange::Added(after.clone(), new.line(is, &after)),
        ]),
    }
}

impl Others {
    /// The differences, with the pairs by those of `keys` that give the fewest.
    fn differences<M: Domain>(
        &self,
        old: &Half<'_, M>,
        new: &Half<'_, M>,
        keys: &[[Key; 3]],
        found: &mut Vec<RowChange>,
    ) {
        let shown = |half: &Half<'_, M>, rows: &[usize]| -> Vec<Option<Shown>> {
            rows.iter().map(|ix| half.named(*ix)).collect()
        };
        let (mut gone, mut come) = (shown(old, &self.gone), shown(new, &self.come));
        let repeating: FxHashSet<String> = [&gone, &come]
            .into_iter()
            .flat_map(|rows| repeating(rows))
            .collect();
        let mut best: Option<(usize, Vec<Option<usize>>)> = None;
        for keys in keys {
            let pairs = partners(&gone, &come, *keys, &repeating);
            let cost = cost_of(&gone, &come, &pairs);
            if best.as_ref().is_none_or(|(best, _)| cost < *best) {
                best = Some((cost, pairs));
            }
        }
        let pairs = best.map_or_else(Vec::new, |(_, pairs)| pairs);
        for ((was, ix), other) in gone.iter_mut().zip(&self.gone).zip(pairs) {
            let Some(was) = was.take() else { continue };
            let other = other.and_then(|at| come.get_mut(at)?.take());
            match other {
                Some(is) => found.extend(changed(new.model, was, is, None, (&[], &[]))),
                None => {
                    let line = old.line(*ix, &was);
                    found.push(RowChange::Removed(was, line));
                }
            }
        }
        for (is, ix) in come.into_iter().zip(&self.come) {
            if let Some(is) = is {
                let line = new.line(*ix, &is);
                found.push(RowChange::Added(is, line));
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

/// The keys by which the rows of a differing range are paired: named ones keep their name, others their place.
const KEYS: [[Key; 3]; 2] = [
    [Key::NameAndPlace, Key::Name, Key::Place],
    [Key::NameAndPlace, Key::Place, Key::Name],
];

/// The kinds of which two rows have one name.
fn repeating(rows: &[Option<Shown>]) -> FxHashSet<String> {
    let mut names: FxHashSet<(&str, &str)> = FxHashSet::default();
    let shown = rows.iter().flatten();
    let again = shown.filter(|row| !names.insert((&row.kind, &row.name)));
    again.map(|row| row.kind.to_string()).collect()
}

/// The properties that two rows of one kind share, if they are taken for the same row.
#[derive(Clone, Copy)]
enum Key {
    NameAndPlace,
    Name,
    Place,
    /// The kind alone, for kinds whose names repeat.
    Kind,
}

impl Key {
    fn of<'r>(
        self,
        row: &'r Shown,
        repeating: &FxHashSet<String>,
    ) -> Option<(&'r str, &'r str, &'r str)> {
        let place = row.place.as_deref();
        Some(match self {
            Self::NameAndPlace => (&row.kind, &row.name, place?),
            Self::Name => (&row.kind, &row.name, ""),
            Self::Place => (&row.kind, "", place?),
            Self::Kind if repeating.contains(&*row.kind) => (&row.kind, "", ""),
            Self::Kind => (&row.kind, &row.name, ""),
        })
    }
}

/// The index in `new` of the partner of each row of `old`, by the first key that finds one. Of several rows with one
/// key, the first takes the first.
fn partners(
    old: &[Option<Shown>],
    new: &[Option<Shown>],
    keys: [Key; 3],
    repeating: &FxHashSet<String>,
) -> Vec<Option<usize>> {
    let mut partner: Vec<Option<usize>> = vec![None; old.len()];
    let mut free = vec![true; new.len()];
    for key in keys {
        let mut by_key: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (ix, (row, free)) in new.iter().zip(&free).enumerate().rev() {
            if let (Some(key), true) = (row.as_ref().and_then(|row| key.of(row, repeating)), free) {
                by_key.entry(key).or_default().push(ix);
            }
        }
        for (row, slot) in old.iter().zip(&mut partner) {
            let (Some(key), None) = (row.as_ref().and_then(|row| key.of(row, repeating)), &slot)
            else {
                continue;
            };
            *slot = by_key.get_mut(&key).and_then(Vec::pop);
            if let Some(free) = slot.and_then(|at| free.get_mut(at)) {
                *free = false;
            }
        }
    }
    partner
}
