//! Control changes that make up parameters, each group of them as the one row that it is.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use fcp::prelude::*;
use fcp::verb::Clause;

use crate::model::{ControlChange, Song, part};
use crate::parameters::{self, ParameterChange};
use crate::values::RowType;

/// The groups of a song, found as they are asked for.
pub struct ParameterIndex<'a> {
    song: &'a Song,
    found: RefCell<Found>,
}

/// Groups that were found.
#[derive(Default)]
struct Found {
    groups: Vec<ParameterChange>,
    /// The group that a control change belongs to.
    of: HashMap<Id<ControlChange>, usize>,
    /// How many steps were taken to find them.
    steps: usize,
    /// They are all there are.
    all: bool,
}

impl Found {
    fn add(&mut self, group: ParameterChange) -> usize {
        let ix = self.groups.len();
        self.of.extend(group.rows.iter().map(|id| (*id, ix)));
        self.groups.push(group);
        ix
    }

    /// The place of the group that a control change belongs to.
    fn place(&mut self, song: &Song, id: Id<ControlChange>) -> Option<usize> {
        let known = self.of.get(&id).copied();
        if known.is_some() || self.all {
            return known;
        }
        if !parameters::carries(song.controls.get(id)?.number) {
            return None;
        }
        // To read them all is a step a row; who took as many already will ask for many more.
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
    /// Those of a song, none of which is found yet.
    #[must_use]
    pub fn of(song: &'a Song) -> Self {
        Self {
            song,
            found: RefCell::default(),
        }
    }

    /// Whether a row is a part of a group.
    #[must_use]
    pub fn contains(&self, row: Row) -> bool {
        let place = |id| self.found.borrow_mut().place(self.song, id);
        row.part() == part::<ControlChange>() && place(row.of()).is_some()
    }

    /// The group that a control change begins, and by which it goes: one that all stands at one tick.
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

    /// The groups that rows belong to, in order, those of which all rows are there if they must be.
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

/// Rows that a verb takes, with the groups among them that it takes as one.
pub struct SelectedRows {
    /// All of them.
    pub rows: Vec<Row>,
    /// The groups that were asked for by their type.
    pub groups: Vec<ParameterChange>,
}

impl SelectedRows {
    /// What was picked. Who asks for parameters by `@type:rpn` takes the whole of each, and so does who names the row that
    /// one is listed by.
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

    /// The rows that belong to none of its groups.
    #[must_use]
    pub fn others(&self) -> Vec<Row> {
        let own: HashSet<Row> = self.groups.iter().flat_map(rows_of).collect();
        let rows = self.rows.iter().filter(|row| !own.contains(row));
        rows.copied().collect()
    }

    /// How many things it is, each group one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.others().len() + self.groups.len()
    }
}

/// The control changes of a group.
pub fn rows_of(group: &ParameterChange) -> impl Iterator<Item = Row> + '_ {
    let rows = group.rows.iter();
    rows.map(|id| Row::new(part::<ControlChange>(), id.number()))
}

/// The parameters that rows set, and the rows that are no part of one of these. A parameter counts if all its rows are
/// there.
#[must_use]
pub fn folded(song: &Song, rows: Vec<Row>) -> (Vec<ParameterChange>, Vec<Row>) {
    let groups = ParameterIndex::of(song).met(&rows, true);
    let own: HashSet<Row> = groups.iter().flat_map(rows_of).collect();
    let rest = rows.into_iter().filter(|row| !own.contains(row)).collect();
    (groups, rest)
}
