//! Registered and other parameters, each a group of control changes: what selects it, its value, what selects none.

use std::fmt;

use fcp::prelude::*;
use fcp::value::nearest_word;

use crate::model::{Control, Song, Track, control_rank};
use crate::target::Site;

/// The registered parameters by name, with their two numbers (MIDI 1.0, RP-018).
const NAMES: [(&str, u8, u8); 5] = [
    ("bend-range", 0, 0),
    ("fine-tune", 0, 1),
    ("coarse-tune", 0, 2),
    ("mod-range", 0, 5),
    ("tuning-program", 0, 3),
];

/// Controllers that carry the two halves of a value.
pub const DATA: (u8, u8) = (6, 38);
/// Those that select an unregistered parameter, and a registered one.
const NRPN: (u8, u8) = (99, 98);
const RPN: (u8, u8) = (101, 100);

/// The number that selects no parameter.
const NONE: u8 = 127;

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    coarse: u8,
    fine: u8,
    registered: bool,
}

/// The value of a parameter, in one half or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    coarse: u8,
    fine: Option<u8>,
}

/// Two numbers from 0 to 127 with a point between them.
fn halves(text: &str) -> Option<(u8, Option<u8>)> {
    let seven = |text: &str| text.parse::<u8>().ok().filter(|n| *n < 128);
    match text.split_once('.') {
        Some((coarse, fine)) => Some((seven(coarse)?, Some(seven(fine)?))),
        None => Some((seven(text)?, None)),
    }
}

impl Parameter {
    /// A number of its own for each.
    #[must_use]
    pub fn number(self) -> u32 {
        u32::from(self.registered) << 14 | u32::from(self.coarse) << 7 | u32::from(self.fine)
    }
}

impl Value {
    /// A number of its own for each; no fine half is one of 0.
    #[must_use]
    pub fn number(self) -> i64 {
        i64::from(self.coarse) << 7 | i64::from(self.fine.unwrap_or(0))
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (coarse, fine) = (self.coarse, self.fine);
        let known = NAMES
            .iter()
            .find(|(_, a, b)| self.registered && (*a, *b) == (coarse, fine));
        match known {
            Some((name, ..)) => f.write_str(name),
            None if self.registered => write!(f, "{coarse}.{fine}"),
            None => write!(f, "nrpn:{coarse}.{fine}"),
        }
    }
}

impl FcpValue for Parameter {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["nrpn"],
        ..ValueSpec::new(
            "PARAM",
            "bend-range, fine-tune, coarse-tune, mod-range, 0.5, nrpn:1.8",
        )
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        let lower = text.to_ascii_lowercase();
        if let Some((_, coarse, fine)) = NAMES.iter().find(|(name, ..)| *name == lower) {
            return Ok(Self {
                coarse: *coarse,
                fine: *fine,
                registered: true,
            });
        }
        let (numbers, registered) = match lower.strip_prefix("nrpn:") {
            Some(numbers) => (numbers, false),
            None => (&*lower, true),
        };
        if let Some((coarse, Some(fine))) = halves(numbers) {
            return Ok(Self {
                coarse,
                fine,
                registered,
            });
        }
        let near = nearest_word(&lower, NAMES.iter().map(|(name, ..)| *name));
        Err(ValueError::new(format!("is not a parameter: {}", Self::SPEC.doc)).maybe_fix(near))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.coarse.fmt(f)?;
        self.fine.map_or(Ok(()), |fine| write!(f, ".{fine}"))
    }
}

impl FcpValue for Value {
    const SPEC: ValueSpec = ValueSpec::new("VALUE", "0-127, or both halves: 2.50");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if let Some((coarse, fine)) = halves(text) {
            return Ok(Self { coarse, fine });
        }
        let fix = match text.parse::<f64>() {
            Ok(value) if value > 127.0 => Some("127"),
            Ok(value) if value < 0.0 => Some("0"),
            _ => None,
        };
        Err(ValueError::new("is not a value, 0-127 or two such, 2.50").maybe_fix(fix))
    }
}

/// A group of control changes that sets a parameter.
#[derive(Clone, Debug)]
pub struct Group {
    /// The parameter.
    pub parameter: Parameter,
    /// Its value.
    pub value: Value,
    /// Where its value stands, in ticks.
    pub at: u64,
    coarse: Id<Control>,
    fine: Option<Id<Control>>,
    /// Its control changes: those that select it, those of its value, and those that select none again.
    pub rows: Vec<Id<Control>>,
}

impl Group {
    /// Gives it another value, of one half. Says whether that made a difference.
    pub fn set(&self, song: &mut Song, value: u8) -> bool {
        let fine = self
            .fine
            .is_some_and(|id| song.controls.remove(id).is_some());
        song.controls.modify(self.coarse, |row| row.value = value) || fine
    }
}

/// Whether a controller carries parameters or selects them.
#[must_use]
pub const fn carries(number: u8) -> bool {
    matches!(number, 6 | 38 | 98..=101)
}

/// The groups of a track and channel up to a tick, that included.
#[must_use]
pub fn groups(song: &Song, site: Site) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let (mut coarse, mut fine) = (None, None);
    let mut registered = true;
    let mut selecting: Vec<Id<Control>> = Vec::new();
    let spots = song.controls.index().time.range(site.chunk, 0, site.at);
    for (_, spot) in spots {
        let id = Id::new(spot.id);
        let Some(row) = song.controls.get(id) else {
            continue;
        };
        if (row.track, row.channel) != (site.track, site.channel) {
            continue;
        }
        match row.number {
            n if n == RPN.0 || n == RPN.1 || n == NRPN.0 || n == NRPN.1 => {
                let now = n == RPN.0 || n == RPN.1;
                if now != registered {
                    (coarse, fine) = (None, None);
                    registered = now;
                }
                let half = if n == RPN.0 || n == NRPN.0 {
                    &mut coarse
                } else {
                    &mut fine
                };
                *half = Some(row.value).filter(|value| *value != NONE);
                // What selects none again ends the group before.
                match groups.last_mut() {
                    Some(group) if row.value == NONE && selecting.is_empty() => group.rows.push(id),
                    _ => selecting.push(id),
                }
            }
            n if n == DATA.0 => {
                let (Some(coarse), Some(fine)) = (coarse, fine) else {
                    continue;
                };
                let mut rows = std::mem::take(&mut selecting);
                rows.push(id);
                groups.push(Group {
                    parameter: Parameter {
                        coarse,
                        fine,
                        registered,
                    },
                    value: Value {
                        coarse: row.value,
                        fine: None,
                    },
                    at: row.at,
                    coarse: id,
                    fine: None,
                    rows,
                });
            }
            n if n == DATA.1 => {
                let is_selected = selecting.is_empty() && coarse.is_some() && fine.is_some();
                let last = groups.last_mut().filter(|group| group.at == row.at);
                if let Some(group) = last.filter(|_| is_selected) {
                    group.value.fine = Some(row.value);
                    group.fine = Some(id);
                    group.rows.push(id);
                }
            }
            _ => {}
        }
    }
    groups
}

/// How many groups a track has, and how many control changes they are made of, with those that select none.
#[must_use]
pub fn count(song: &Song, track: Id<Track>) -> (usize, usize) {
    let index = song.controls.index();
    let carries = [DATA.0, DATA.1, NRPN.0, NRPN.1, RPN.0, RPN.1];
    let rows: Vec<Id<Control>> = carries
        .iter()
        .flat_map(|number| index.of(track, *number))
        .collect();
    let sets = |id: &Id<Control>| {
        song.controls
            .get(*id)
            .is_some_and(|row| row.number == DATA.0)
    };
    let none = |id: &Id<Control>| {
        let row = song.controls.get(*id);
        row.is_some_and(|row| row.value == NONE && row.number >= NRPN.1)
    };
    let Some(row) = song.tracks.get(track).filter(|_| rows.iter().any(sets)) else {
        return (0, 0);
    };
    let mut channels: Vec<_> = rows
        .iter()
        .filter_map(|id| song.controls.get(*id).map(|row| row.channel))
        .collect();
    channels.sort_unstable();
    channels.dedup();
    let (mut sets, mut made) = (0, rows.iter().filter(|id| none(id)).count());
    for channel in channels {
        let site = Site {
            track,
            chunk: row.chunk,
            channel,
            at: u64::MAX,
        };
        let groups = groups(song, site);
        sets += groups.len();
        let own = groups.iter().flat_map(|group| &group.rows);
        made += own.filter(|id| !none(id)).count();
    }
    (sets, made)
}

/// Sets a parameter at a site: changes the value of the group there that sets it, else writes one. Says what its value
/// was.
pub fn set(song: &mut Song, site: Site, parameter: Parameter, value: Value) -> Option<Value> {
    let mut there = groups(song, site).into_iter().rev();
    let there = there.find(|group| group.at == site.at && group.parameter == parameter);
    let before = there.as_ref().map(|group| group.value);
    if let Some(group) = there {
        if value.fine.is_none() || group.fine.is_some() {
            song.controls
                .modify(group.coarse, |row| row.value = value.coarse);
            match (group.fine, value.fine) {
                (Some(id), Some(fine)) => {
                    song.controls.modify(id, |row| row.value = fine);
                }
                (Some(id), None) => {
                    song.controls.remove(id);
                }
                _ => {}
            }
            return before;
        }
        // It has one half and gets two: it is written anew.
        for id in group.rows {
            if song.controls.get(id).is_some_and(|row| row.at == site.at) {
                song.controls.remove(id);
            }
        }
    }
    let select = if parameter.registered { RPN } else { NRPN };
    let mut rows = vec![
        (select.0, parameter.coarse),
        (select.1, parameter.fine),
        (DATA.0, value.coarse),
    ];
    rows.extend(value.fine.map(|fine| (DATA.1, fine)));
    rows.extend([(select.0, NONE), (select.1, NONE)]);
    for (number, value) in rows {
        let mark = song.place(site.chunk, site.at, control_rank(number), None);
        song.controls.insert(Control {
            chunk: site.chunk,
            track: site.track,
            at: site.at,
            number,
            value,
            channel: site.channel,
            mark,
        });
    }
    before
}
