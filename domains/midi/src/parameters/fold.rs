//! Control changes that set a parameter, each group shown as one row.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use fcp::prelude::*;
use fcp::verb::Clause;

use crate::model::{ControlChange, IsKind, Song, row_of};
use crate::parameters::{self, ParameterChange};
use crate::values::RowType;

/// The groups of a song, found on demand.
pub struct ParameterIndex<'a> {
    song: &'a Song,
    found: RefCell<Found>,
}

/// Groups found so far.
#[derive(Default)]
struct Found {
    groups: Vec<ParameterChange>,
    /// The group of each control change.
    of: HashMap<Id<ControlChange>, usize>,
    /// Number of steps taken to find them.
    steps: usize,
    /// All groups have been found.
    all: bool,
}

impl Found {
    fn add(&mut self, group: ParameterChange) -> usize {
        let ix = self.groups.len();
        self.of.extend(group.rows.iter().map(|id| (*id, ix)));
        self.groups.push(group);
        ix
    }

    /// The index of the group that a control change belongs to.
    fn place(&mut self, song: &Song, id: Id<ControlChange>) -> Option<usize> {
        let known = self.of.get(&id).copied();
        if known.is_some() || self.all {
            return known;
        }
        if !parameters::carries(song.controls.get(id)?.number) {
            return None;
        }
        // Reading all groups takes a step for each row; a caller that took that many will ask for
        // many more.
        if self.steps > song.controls.len() {
            *self = Self::default();
            self.all = true;
            let tracks = song.tracks.iter();
            let groups = tracks.flat_map(|(track, _)| parameters::of_track(song, track, u64::MAX));
            groups.for_each(|group| {
                self.add(group);
            });
            return self.of.get(&id).copied();
        }
        let (group, steps) = parameters::near(song, id);
        self.steps = self.steps.saturating_add(steps);
        group.map(|group| self.add(group))
    }
}

impl<'a> ParameterIndex<'a> {
    /// The groups of a song, none of them found yet.
    #[must_use]
    pub fn of(song: &'a Song) -> Self {
        Self {
            song,
            found: RefCell::default(),
        }
    }

    /// Whether a row belongs to a group.
    #[must_use]
    pub fn contains(&self, row: Row) -> bool {
        let place = |id| self.found.borrow_mut().place(self.song, id);
        row.is::<ControlChange>() && place(row.of()).is_some()
    }

    /// The group that a control change represents: it is the first of its rows, and all are at one
    /// tick.
    #[must_use]
    pub fn begun_by(&self, row: Row) -> Option<ParameterChange> {
        if !self.contains(row) {
            return None;
        }
        let found = self.found.borrow();
        let group = found.groups.get(*found.of.get(&row.of())?)?;
        let at = |id: &Id<ControlChange>| self.song.controls.get(*id).map(|row| row.at);
        let is_first = group.rows.first() == Some(&row.of());
        let is_one = || group.rows.iter().all(|id| at(id) == Some(group.site.at));
        (is_first && is_one()).then(|| group.clone())
    }

    /// The groups that rows belong to, in order; with `whole` only those whose rows are all there.
    fn met(&self, rows: &[Row], whole: bool) -> Vec<ParameterChange> {
        let met: Vec<&Row> = rows.iter().filter(|row| self.contains(**row)).collect();
        let found = self.found.borrow();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for ix in met.into_iter().filter_map(|row| found.of.get(&row.of())) {
            *counts.entry(*ix).or_default() += 1;
        }
        let groups = counts
            .into_iter()
            .filter_map(|(ix, n)| Some((found.groups.get(ix)?, n)));
        let groups = groups.filter(|(group, n)| !whole || group.rows.len() == *n);
        let mut groups: Vec<ParameterChange> = groups.map(|(group, _)| group.clone()).collect();
        groups.sort_by_cached_key(|group| group.order(self.song));
        groups
    }
}

/// The rows that a verb takes, and the groups that it takes as one.
pub struct SelectedRows {
    /// All rows.
    pub rows: Vec<Row>,
    /// The groups that were requested as parameters.
    pub groups: Vec<ParameterChange>,
}

impl SelectedRows {
    /// The selected rows. `@type:rpn` selects the whole of each parameter, as does the row that a
    /// parameter is listed by.
    #[must_use]
    pub fn of(song: &Song, rows: &Rows) -> Self {
        let wants = |clause: &Clause| {
            let mut types = clause.value.split('|').map(RowType::parse);
            clause.name == "type"
                && !clause.negated
                && types.any(|own| own == Ok(RowType::Parameter))
        };
        let mut taken = Self {
            rows: rows.iter().collect(),
            groups: Vec::new(),
        };
        let clauses = rows.clauses();
        let names = |clause: &Clause| matches!(&*clause.name, "id" | "recent") && !clause.negated;
        let grouped = ParameterIndex::of(song);
        if clauses.iter().any(wants) {
            taken.groups = grouped.met(&taken.rows, false);
        } else if clauses.is_empty() || clauses.iter().any(names) {
            let begun = taken.rows.iter().copied();
            let begun: Vec<Row> = begun
                .filter(|row| grouped.begun_by(*row).is_some())
                .collect();
            taken.groups = grouped.met(&begun, false);
        } else {
            return taken;
        }
        let there: HashSet<Row> = taken.rows.iter().copied().collect();
        let all = taken.groups.iter().flat_map(rows_of);
        taken.rows.extend(all.filter(|row| !there.contains(row)));
        taken
    }

    /// The rows outside these groups.
    #[must_use]
    pub fn others(&self) -> Vec<Row> {
        let own: HashSet<Row> = self.groups.iter().flat_map(rows_of).collect();
        let rows = self.rows.iter().filter(|row| !own.contains(row));
        rows.copied().collect()
    }

    /// Number of items; each group counts as one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.others().len() + self.groups.len()
    }
}

/// The control changes of a group.
pub fn rows_of(group: &ParameterChange) -> impl Iterator<Item = Row> + '_ {
    let rows = group.rows.iter();
    rows.map(|id| row_of(*id))
}

/// The parameters that rows set, and the remaining rows. A parameter counts only if all its rows
/// are present.
#[must_use]
pub fn folded(song: &Song, rows: Vec<Row>) -> (Vec<ParameterChange>, Vec<Row>) {
    let groups = ParameterIndex::of(song).met(&rows, true);
    let own: HashSet<Row> = groups.iter().flat_map(rows_of).collect();
    let rest = rows.into_iter().filter(|row| !own.contains(row)).collect();
    (groups, rest)
}
