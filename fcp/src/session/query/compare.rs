//! Comparison of two documents without a common log, by their written form.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::super::account::BYTES_A_STEP;
use super::alignment::{Alignment, Difference, Found, Way};
use super::changed::fields_of;
use super::forms::worded;
use super::listed::Listed;
use super::numbered::number_lines;
use super::order::{self, Place, places};
use super::parts::{PartValues, differing_parts};
use crate::account::{Account, Pieces, RowChange, Shown};
use crate::diag::Result;
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::queries::{show, show_line};
use crate::work;

/// The steps of each row: its place is looked up.
const STEPS_A_ROW: usize = 8;

/// The steps of each row that is paired with another, or not.
const STEPS_A_PAIR: usize = 16;

/// A row as written: the bytes of all its pieces.
struct Written {
    id: u32,
    /// The place of the first piece.
    at: usize,
    bytes: Vec<u8>,
}

/// The rows of a document in the order of the file, each once, and the places of their pieces.
fn rows(pieces: &Pieces) -> (Vec<Written>, Vec<Place>) {
    let mut rows: Vec<Written> = Vec::new();
    let mut seen: FxHashMap<u32, usize> = FxHashMap::default();
    let places = places(pieces, |id, place, bytes| {
        let next = rows.len();
        let at = *seen.entry(id).or_insert(next);
        match rows.get_mut(at) {
            Some(row) => row.bytes.extend_from_slice(bytes),
            None => rows.push(Written {
                id,
                at: place,
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
        let is_enough = |best: &Found| best.is_simple() || work::left() < most as u64;
        if best.as_ref().is_some_and(is_enough) {
            break;
        }
        let alignment = Alignment::of(&old, &new, *way);
        work::spend(STEPS_A_PAIR * alignment.left())?;
        let found = alignment.differences(&old, &new);
        if best.as_ref().is_none_or(|best| found.cost() < best.cost()) {
            best = Some(found);
        }
    }
    let mut differences = Vec::new();
    if let Some(mut best) = best {
        work::spend(STEPS_A_ROW * (old.pieces.len() + new.pieces.len()))?;
        let others = order::differences([&old, &new], &best);
        for own in others.untold {
            best.push(own.change, own.rows, own.stays);
        }
        add_places([&old, &new], &mut best, &others.moved);
        others
            .words
            .into_iter()
            .for_each(|(row, word)| best.add_word(row, word));
        differences = best.differences;
    }
    let rows = differences
        .iter_mut()
        .map(|Difference { change, rows, .. }| {
            let [was, is] = *rows;
            (change, [old.at(was), new.at(is)])
        });
    number_lines(rows, [old.file.content(), new.file.content()], M::TEXT);
    let rows = differences.into_iter().map(|own| own.change).collect();
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

/// Adds to the differences of rows that moved, by their indices in the older document, their old and new places if the
/// domain knows these.
fn add_places<M: Domain>([old, new]: [&Half<'_, M>; 2], found: &mut Found, moved: &[usize]) {
    let changed = moved.iter().filter_map(|row| {
        let at = *found.told.get(row)?;
        match found.differences.get(at)?.rows {
            [Some(was), Some(is)] => Some(((*row, at), [old.row(was)?, new.row(is)?])),
            _ => None,
        }
    });
    let (ats, rows): (Vec<(usize, usize)>, Vec<[Row; 2]>) = changed.unzip();
    let [then, now] = [(old, 0), (new, 1)].map(|(half, side)| {
        let rows: Vec<Row> = rows
            .iter()
            .filter_map(|own| own.get(side).copied())
            .collect();
        half.model.places(&rows)
    });
    for ((row, at), places) in ats.into_iter().zip(then.into_iter().zip(now)) {
        let (Some((outer, was)), Some((other, is))) = places else {
            found.add_word(row, worded("place", None, "moved"));
            continue;
        };
        let [known_old, known_new] = &found.known;
        // A row in another container has another place anyway.
        if known_old.get(&outer) == known_new.get(&other)
            && let Some(Difference { change, .. }) = found.differences.get_mut(at)
        {
            let places = fields_of(new.model, vec![was], vec![is]);
            match change {
                RowChange::Changed(_, fields) => fields.extend(places),
                RowChange::Rewritten(shown, _) if !places.is_empty() => {
                    *change = RowChange::Changed(shown.clone(), places);
                }
                _ => {}
            }
        }
    }
}

/// One of two documents.
pub(super) struct Half<'m, M> {
    pub(super) model: &'m M,
    /// Its file.
    pub(super) file: Pieces,
    /// Its rows in the order of the file.
    rows: Vec<Written>,
    /// Their places.
    places: Vec<Option<String>>,
    /// Hashes of their fields, without those that refer to other rows: a length is not in the bytes of a note.
    contents: Vec<u64>,
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
        let mut contents = Vec::with_capacity(rows.len());
        for row in &rows {
            work::spend(STEPS_A_ROW)?;
            let shown = show(model, row.id);
            contents.push(shown.as_ref().map_or(0, content));
            places.push(shown.and_then(|shown| shown.place));
        }
        Ok(Self {
            model,
            file,
            rows,
            places,
            contents,
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

    pub(super) fn place(&self, ix: usize) -> Option<&str> {
        self.places.get(ix)?.as_deref()
    }

    /// Whether a row has the same place and content in both documents, but for the rows that it refers to.
    pub(super) fn equals(&self, was: usize, (other, is): (&Self, usize)) -> bool {
        self.place(was).is_some()
            && self.place(was) == other.place(is)
            && self.contents.get(was) == other.contents.get(is)
    }

    /// The place of a row in the file.
    fn at(&self, ix: Option<usize>) -> Option<usize> {
        Some(self.rows.get(ix?)?.at)
    }

    fn row(&self, ix: usize) -> Option<Row> {
        self.model.by_id(self.id(ix))
    }

    /// The tokens of rows for an alignment: their bytes, and with `places` also their places.
    pub(super) fn tokens(&self, places: bool) -> impl Iterator<Item = (&[u8], Option<&str>)> {
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

    /// [`Self::named`], without references to rows that are not known.
    pub(super) fn known(&self, ix: usize, known: &Known) -> Option<Shown> {
        let mut shown = show(self.model, self.id(ix))?;
        let is_known = |id: u32| known.contains_key(&id);
        shown
            .fields
            .retain(|field| field.target.is_none_or(is_known));
        Some(by_known(shown, known))
    }

    pub(super) fn bytes(&self, ix: usize) -> &[u8] {
        self.rows.get(ix).map_or(&[], |row| &row.bytes)
    }

    /// The line of a row that the other document lacks.
    pub(super) fn line(&self, ix: usize, shown: &Shown) -> String {
        show_line(self.model, self.id(ix), &|_| true).unwrap_or_else(|| shown.title())
    }
}

/// The hash of a row's fields, but for those that refer to other rows.
fn content(shown: &Shown) -> u64 {
    let mut hasher = FxHasher::default();
    for field in shown.fields.iter().filter(|field| field.target.is_none()) {
        field.name.hash(&mut hasher);
        match field.number {
            Some(number) => number.hash(&mut hasher),
            None => field.text.hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// The ids in the older document of rows, by their ids in one of the two. Others are known only by
/// their names.
pub(super) type Known = FxHashMap<u32, u32>;

/// A row of one of two documents, which refers to `known` rows by their ids.
fn named<M: Domain>(model: &M, id: u32, known: &Known) -> Option<Shown> {
    Some(by_known(show(model, id)?, known))
}

/// A row that refers to `known` rows by their ids.
fn by_known(mut shown: Shown, known: &Known) -> Shown {
    for field in &mut shown.fields {
        field.target = field.target.and_then(|id| known.get(&id).copied());
    }
    shown.within = shown.within.and_then(|id| known.get(&id).copied());
    shown
}
