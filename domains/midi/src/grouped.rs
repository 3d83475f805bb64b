//! Control changes that make up parameters, each group of them as the one row that it is.

use std::collections::{HashMap, HashSet};

use fcp::prelude::*;
use fcp::verb::Clause;

use crate::lines;
use crate::model::{Control, Song, part};
use crate::rpn::{self, Group};
use crate::target::Site;
use crate::values::RowType;

/// The groups of a song.
pub struct Grouped {
    groups: Vec<(Site, Group)>,
    /// The group that a control change belongs to.
    of: HashMap<u32, usize>,
}

impl Grouped {
    /// All groups, track by track.
    #[must_use]
    pub fn of(song: &Song) -> Self {
        let mut groups = Vec::new();
        for (track, row) in song.tracks.iter() {
            let data = song.controls.index().of(track, rpn::DATA.0);
            let channels = data.filter_map(|id| song.controls.get(id).map(|row| row.channel));
            let mut channels: Vec<_> = channels.collect();
            channels.sort_unstable();
            channels.dedup();
            for channel in channels {
                let site = Site {
                    track,
                    chunk: row.chunk,
                    channel,
                    at: u64::MAX,
                };
                let own = rpn::groups(song, site).into_iter();
                groups.extend(own.map(|group| (site, group)));
            }
        }
        let mut of = HashMap::new();
        for (ix, (_, group)) in groups.iter().enumerate() {
            of.extend(group.rows.iter().map(|id| (id.number(), ix)));
        }
        Self { groups, of }
    }

    /// The groups, with where they stand.
    pub fn iter(&self) -> impl Iterator<Item = &(Site, Group)> {
        self.groups.iter()
    }

    /// Whether a row is a part of a group.
    #[must_use]
    pub fn contains(&self, row: Row) -> bool {
        row.part() == part::<Control>() && self.of.contains_key(&row.id())
    }

    /// The groups that rows belong to, in order, those of which all rows are there if they must be.
    fn met(&self, rows: &[Row], whole: bool) -> Vec<usize> {
        let mut met: HashMap<usize, usize> = HashMap::new();
        let controls = rows.iter().filter(|row| row.part() == part::<Control>());
        for ix in controls.filter_map(|row| self.of.get(&row.id())) {
            *met.entry(*ix).or_default() += 1;
        }
        let all = |ix: usize| self.groups.get(ix).map(|(_, group)| group.rows.len());
        let met = met
            .into_iter()
            .filter(|(ix, n)| !whole || all(*ix) == Some(*n));
        let mut met: Vec<usize> = met.map(|(ix, _)| ix).collect();
        met.sort_unstable();
        met
    }
}

/// Rows that a verb takes, with the groups among them that it takes as one.
pub struct Taken {
    /// All of them.
    pub rows: Vec<Row>,
    /// The groups that were asked for by their type.
    pub groups: Vec<Group>,
}

impl Taken {
    /// What was picked. Who asks for parameters by `@type:rpn` takes the whole of each.
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
        if !rows.clauses().iter().any(wants) {
            return taken;
        }
        let grouped = Grouped::of(song);
        let met = grouped.met(&taken.rows, false);
        let groups = met.into_iter().filter_map(|ix| grouped.groups.get(ix));
        taken.groups = groups.map(|(_, group)| group.clone()).collect();
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

fn rows_of(group: &Group) -> impl Iterator<Item = Row> + '_ {
    let rows = group.rows.iter();
    rows.map(|id| Row::new(part::<Control>(), id.number()))
}

/// How many parameters rows set, and the rows that are no part of one of these. A parameter counts if all its rows are
/// there.
#[must_use]
pub fn folded(song: &Song, rows: Vec<Row>) -> (usize, Vec<Row>) {
    let carries = |row: &Row| {
        row.part() == part::<Control>()
            && song
                .controls
                .get(row.of())
                .is_some_and(|row| rpn::carries(row.number))
    };
    if !rows.iter().any(carries) {
        return (0, rows);
    }
    let grouped = Grouped::of(song);
    let met = grouped.met(&rows, true);
    let own = met.iter().filter_map(|ix| grouped.groups.get(*ix));
    let own: HashSet<Row> = own.flat_map(|(_, group)| rows_of(group)).collect();
    let rest = rows.into_iter().filter(|row| !own.contains(row)).collect();
    (met.len(), rest)
}

/// Rows as replies tell them: one by what it says, a parameter as one, several by their number.
#[must_use]
pub fn told(song: &Song, rows: &[Row]) -> String {
    if let [row] = rows {
        return song.told(*row);
    }
    let (parameters, rest) = folded(song, rows.to_vec());
    let grouped = (parameters == 1 && rest.is_empty()).then(|| Grouped::of(song));
    let own = grouped.as_ref().and_then(|grouped| {
        let ix = *grouped.met(rows, true).first()?;
        grouped.groups.get(ix)
    });
    match own {
        Some((site, group)) => {
            let (track, at) = (
                lines::name(song, site.track),
                song.shown(site.chunk, group.at),
            );
            format!("RPN {} {} on {track} at {at}", group.parameter, group.value)
        }
        None => song.counted(rows.iter().copied()),
    }
}
