//! Settings in effect at a tick: tempo, meter, key, and the state of each channel of each track.
//!
//! When bars are added, removed or copied, the music after a seam is given its previous settings
//! again.

use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use crate::display::row_line;
use crate::edit::bars::banked::{self, Banks};
use crate::edit::bars::seam_reply::Carried;
use crate::edit::bars::settings_at_start::{Coming, set_at};
use crate::edit::bars::whole_bars;
use crate::model::{
    Aftertouch, Chunk, ControlChange, KeyChange, MeterChange, Moment, PitchBend, Program, Rank,
    RowRef, Site, Song, Tempo, Track, control_rank, part,
};
use crate::parameters;
use crate::values::{Channel, Controller, Meter, Parameter, ParameterValue};

/// Identifies a setting: its kind, track and channel, and its controller or parameter.
pub type StateKey = (usize, u32, u8, u32);

/// Controllers that set parameters; a parameter is carried as a whole.
const PARAMETERS: [u8; 8] = [6, 38, 96, 97, 98, 99, 100, 101];

/// Controllers from this number on are commands, which have no lasting value.
const COMMANDS: u8 = 120;

/// Offset of parameter numbers, which follow those of controllers.
const BEHIND: u32 = 128;

/// A setting in effect, as the row that set it.
#[derive(Clone)]
pub(super) enum StateEvent {
    Tempo(Tempo),
    Meter(MeterChange),
    Key(KeyChange),
    Program(Program),
    Control(ControlChange),
    Bend(PitchBend),
    /// Channel pressure. Key pressure ends with its note, so it is not carried.
    Touch(Aftertouch),
    /// With the rows that set it, each with its controller.
    Parameter(
        Site,
        Parameter,
        ParameterValue,
        Vec<(u8, Id<ControlChange>)>,
    ),
}

/// A setting, with the rows that set it.
pub(super) type Held = (StateEvent, Vec<Row>);

/// The settings in effect at a tick.
#[derive(Clone, Default)]
pub struct ChasedState {
    pub(super) settings: BTreeMap<StateKey, Held>,
    /// The bank that was selected when each program came.
    pub(super) banks: BTreeMap<StateKey, Banks>,
}

impl StateEvent {
    pub(super) fn of(song: &Song, row: Row) -> Option<(StateKey, Self)> {
        let own = |track: Id<Track>, channel: Channel, number: u32| {
            (row.part(), track.number(), channel.get(), number)
        };
        let whole = (row.part(), 0, 0, 0);
        Some(match song.row_ref(row)? {
            RowRef::Tempo(row) => (whole, Self::Tempo(row.clone())),
            RowRef::Meter(row) => (whole, Self::Meter(row.clone())),
            RowRef::Key(row) => (whole, Self::Key(row.clone())),
            RowRef::Program(row) => (own(row.track, row.channel, 0), Self::Program(row.clone())),
            RowRef::Control(row) => {
                if PARAMETERS.contains(&row.number) || row.number >= COMMANDS {
                    return None;
                }
                let what = own(row.track, row.channel, row.number.into());
                (what, Self::Control(row.clone()))
            }
            RowRef::Bend(row) => (own(row.track, row.channel, 0), Self::Bend(row.clone())),
            RowRef::Touch(row) if row.pitch.is_some() => return None,
            RowRef::Touch(row) => (own(row.track, row.channel, 0), Self::Touch(row.clone())),
            RowRef::Chunk(_)
            | RowRef::Track(_)
            | RowRef::Note(_)
            | RowRef::Lyric(_)
            | RowRef::Text(_)
            | RowRef::Marker(_)
            | RowRef::Raw(_) => return None,
        })
    }

    /// The value to compare.
    pub(super) fn value(&self) -> i64 {
        match self {
            Self::Tempo(row) => row.micros.into(),
            Self::Meter(row) => i64::from(row.beats) << 8 | i64::from(row.power),
            Self::Key(row) => i64::from(row.sharps) << 8 | i64::from(row.mode),
            Self::Program(row) => row.program.into(),
            Self::Control(row) => row.value.into(),
            Self::Bend(row) => row.value.into(),
            Self::Touch(row) => row.value.into(),
            Self::Parameter(_, _, value, _) => value.number(),
        }
    }

    /// The default: the value in effect if no row sets it, if that is known.
    pub(super) fn unset(&self) -> Option<Self> {
        Some(match self.clone() {
            Self::Tempo(row) => Self::Tempo(Tempo {
                micros: crate::time::DEFAULT_MICROS,
                ..row
            }),
            Self::Meter(row) => Self::Meter(MeterChange::of(row.chunk, Meter::COMMON)),
            Self::Control(row) => {
                // Other defaults of receivers (MIDI 1.0, RP-015, General MIDI 2).
                let value = Controller::default_of(row.number).or(match row.number {
                    8 | 70..=79 => Some(64),
                    91 => Some(40),
                    0 | 5 | 32 | 68 | 69 | 92..=95 => Some(0),
                    _ => None,
                })?;
                Self::Control(ControlChange { value, ..row })
            }
            Self::Bend(row) => Self::Bend(PitchBend { value: 0, ..row }),
            Self::Touch(row) => Self::Touch(Aftertouch { value: 0, ..row }),
            Self::Parameter(site, parameter, value, _) => {
                Self::Parameter(site, parameter, parameter.unset(value)?, Vec::new())
            }
            // General MIDI receivers begin with the first program.
            Self::Program(row) => Self::Program(Program { program: 0, ..row }),
            Self::Key(_) => return None,
        })
    }

    pub(super) fn describe(&self, song: &Song) -> String {
        let on = |track: Id<Track>| song.name_of_track(track);
        match self {
            Self::Tempo(row) => format!("tempo {}", row_line::bpm(row.micros)),
            Self::Meter(row) => row_line::meter_text(row),
            Self::Key(row) => row_line::key_text(row),
            Self::Program(row) => format!("{} on {}", row_line::played(row), on(row.track)),
            Self::Control(row) => {
                let number = Controller::text_of(row.number);
                format!("{number} {} on {}", row.value, on(row.track))
            }
            Self::Bend(row) => format!("bend {} on {}", row.value, on(row.track)),
            Self::Touch(row) => format!("touch {} on {}", row.value, on(row.track)),
            Self::Parameter(site, parameter, value, _) => {
                format!("{parameter} {value} on {}", on(site.track))
            }
        }
    }

    /// Sets it at a tick. Rows that had set it and were removed by this op are restored there.
    fn write(self, song: &mut Song, rows: &[Row], at: u64) -> Result<()> {
        self.write_in(song, rows, at, None)
    }

    /// [`Self::write`] with another rank inside the tick, and before a moment of it.
    pub(super) fn write_in(
        self,
        song: &mut Song,
        rows: &[Row],
        at: u64,
        order: Option<(Rank, Option<Moment>)>,
    ) -> Result<()> {
        macro_rules! write {
            ($table:ident, $row:expr, $rank:expr) => {{
                song.writable($row.chunk)?;
                let (rank, before) = order.unwrap_or(($rank, None));
                let mark = song.place($row.chunk, at, rank, before);
                let (mut row, mark) = ($row, mark);
                (row.at, row.mark) = (at, mark);
                match rows {
                    [own] => song.$table.resume(own.of(), row),
                    _ => song.$table.insert(row),
                };
            }};
        }
        match self {
            Self::Tempo(row) => write!(tempos, row, Rank::Song),
            Self::Meter(row) => write!(meters, row, Rank::Song),
            Self::Key(row) => write!(keys, row, Rank::Song),
            Self::Program(row) => write!(programs, row, Rank::Program),
            Self::Control(row) => write!(controls, row, control_rank(row.number)),
            Self::Bend(row) => write!(bends, row, Rank::Bend),
            Self::Touch(row) => write!(touches, row, Rank::Bend),
            Self::Parameter(site, parameter, value, rows) => {
                song.writable(site.chunk)?;
                parameters::set_again(song, Site { at, ..site }, parameter, value, &rows);
            }
        }
        Ok(())
    }
}

/// The rows of all chunks between two ticks, the second excluded, in the order they take effect.
pub(super) fn rows(song: &Song, chunks: &[Id<Chunk>], from: u64, to: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    let lasts = [
        part::<Tempo>(),
        part::<MeterChange>(),
        part::<KeyChange>(),
        part::<Program>(),
        part::<ControlChange>(),
        part::<PitchBend>(),
        part::<Aftertouch>(),
    ];
    for (part, timeline) in song.timelines() {
        if !lasts.contains(&part) || to <= from {
            continue;
        }
        for chunk in chunks {
            let spots = timeline.range(*chunk, from, to - 1);
            rows.extend(spots.map(|(key, spot)| (key, Row::new(part, spot.id))));
        }
    }
    rows.sort_unstable_by_key(|(key, _)| (key.tick, key.chunk, key.pos, key.seq));
    rows.into_iter().map(|(_, row)| row).collect()
}

impl ChasedState {
    /// The settings in effect just before a tick.
    #[must_use]
    pub fn before(song: &Song, chunks: &[Id<Chunk>], tick: u64) -> Self {
        let mut state = Self::default();
        let rows = rows(song, chunks, 0, tick);
        for row in rows {
            let Some((what, held)) = StateEvent::of(song, row) else {
                continue;
            };
            if let Some(halves) = banked::halves(&what) {
                let halves = halves.map(|half| state.settings.get(&half).cloned());
                state.banks.insert(what, halves);
            }
            state.settings.insert(what, (held, vec![row]));
        }
        if let Some(last) = tick.checked_sub(1) {
            for (what, group) in parameters(song, chunks, last) {
                let row = |id: Id<ControlChange>| Some((song.controls.get(id)?.number, id));
                let rows = group.rows.into_iter().filter_map(row).collect();
                let held = StateEvent::Parameter(group.site, group.parameter, group.value, rows);
                state.settings.insert(what, (held, Vec::new()));
            }
        }
        state
    }

    /// The settings in effect just before a tick; rows at the start of the song count as already in
    /// effect there.
    #[must_use]
    pub fn entering(song: &Song, chunks: &[Id<Chunk>], tick: u64) -> Self {
        Self::before(song, chunks, tick.max(1))
    }

    /// Restores at a tick the settings of `self` that differ there, except those set at the tick or
    /// in `coming`. At the start of the song it replaces the rows that set them up. Returns the
    /// settings written.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn restate(
        &self,
        song: &mut Song,
        chunks: &[Id<Chunk>],
        tick: u64,
        coming: &Coming,
    ) -> Result<Vec<Carried>> {
        self.restate_by(song, chunks, tick, coming, &mut Gone::default())
    }

    /// [`Self::restate`], which reuses rows in `gone` that had the same value. Rows replaced now
    /// are added to `gone`.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn restate_by(
        &self,
        song: &mut Song,
        chunks: &[Id<Chunk>],
        tick: u64,
        coming: &Coming,
        gone: &mut Gone,
    ) -> Result<Vec<Carried>> {
        let now = Self::entering(song, chunks, tick);
        let coming = &match tick {
            0 => coming.clone(),
            tick => set_at(song, chunks, tick).and(coming),
        };
        let whats = self.settings.keys().chain(now.settings.keys());
        let whats: BTreeSet<StateKey> = whats.copied().collect();
        let mut carried = self.restate_programs(song, (chunks, tick), &now, coming, gone)?;
        let others = whats.into_iter().filter(|what| !banked::is_own(what));
        for what in others.filter(|what| !coming.sets(what)) {
            let now = now.settings.get(&what).map(|(held, _)| held);
            let unset = || Some((now?.unset()?, Vec::new()));
            let wanted = self.settings.get(&what).cloned();
            let Some((wanted, mut rows)) = wanted.or_else(unset) else {
                continue;
            };
            let unset = wanted.unset();
            let holds = now.or(unset.as_ref()).map(StateEvent::value);
            if holds == Some(wanted.value()) {
                continue;
            }
            let mut text = wanted.describe(song);
            if tick == 0 {
                let sets_up = self::rows(song, chunks, 0, 1);
                let own =
                    |row: &Row| StateEvent::of(song, *row).is_some_and(|(own, _)| own == what);
                let replaced: Vec<Row> = sets_up.into_iter().filter(own).collect();
                if let Some(now) = now.filter(|_| !replaced.is_empty()) {
                    text.push_str(&format!(" (replaces {})", now.describe(song)));
                }
                for row in replaced {
                    gone.note(song, row);
                    song.remove_row(row)?;
                }
            }
            carried.push((what, (tick, text)));
            gone.reuse(song, what, &wanted, &mut rows);
            wanted.write(song, &rows, tick)?;
        }
        carried.sort_by_key(|(what, _)| *what);
        Ok(carried.into_iter().map(|(_, carried)| carried).collect())
    }
}

impl ChasedState {
    /// The meter in effect; common time if none is set.
    #[must_use]
    pub fn meter(&self) -> Option<Meter> {
        match self.settings.get(&METER) {
            Some((StateEvent::Meter(row), _)) => Meter::from_meta(row.beats, row.power),
            _ => Some(Meter::COMMON),
        }
    }
}

/// The key of the meter among settings.
const METER: StateKey = (part::<MeterChange>(), 0, 0, 0);

impl ChasedState {
    /// Writes the meter at a tick where a bar must begin but none does any more, because the change
    /// that ended the bar before it is gone. Does nothing if `coming` has a meter. It reuses a row
    /// in `gone` that had the same value. Returns the setting written.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn begin_bar(
        &self,
        song: &mut Song,
        chunks: &[Id<Chunk>],
        tick: u64,
        coming: &Coming,
        gone: &Gone,
    ) -> Result<Option<Carried>> {
        let chunk = whole_bars::home(chunks);
        if coming.sets(&METER) || song.on_barline(chunk, tick) {
            return Ok(None);
        }
        let (meter, mut rows) = match self.settings.get(&METER) {
            Some(held) => held.clone(),
            None => (
                StateEvent::Meter(MeterChange::of(chunk, Meter::COMMON)),
                Vec::new(),
            ),
        };
        let summary = meter.describe(song);
        gone.reuse(song, METER, &meter, &mut rows);
        meter.write(song, &rows, tick)?;
        Ok(Some((tick, summary)))
    }
}

/// Rows at the start of a song that were replaced.
#[derive(Default)]
pub struct Gone {
    /// `1 tempo, 2 cc`; empty if there are none.
    pub summary: String,
    pub(super) rows: Vec<(StateKey, i64, Row)>,
}

impl Gone {
    /// Adds the rows replaced in another step.
    pub fn join(&mut self, other: Self) {
        self.rows.extend(other.rows);
    }

    /// Adds a row that is about to be removed.
    pub(super) fn note(&mut self, song: &Song, row: Row) {
        let entry = StateEvent::of(song, row).map(|(what, held)| (what, held.value(), row));
        self.rows.extend(entry);
    }

    /// Replaces `rows`, which are to be written with a setting, by a removed row that had its
    /// value, unless they are removed rows themselves.
    pub(super) fn reuse(
        &self,
        song: &Song,
        what: StateKey,
        setting: &StateEvent,
        rows: &mut Vec<Row>,
    ) {
        if !rows.iter().all(|row| song.has(*row)) {
            return;
        }
        let is = (what, setting.value());
        let mut removed = self.rows.iter();
        if let Some((.., row)) =
            removed.find(|(what, value, row)| (*what, *value) == is && !song.has(*row))
        {
            *rows = vec![*row];
        }
    }
}

/// The parameters set in `chunks` up to and including a tick, in order.
pub(super) fn parameters(
    song: &Song,
    chunks: &[Id<Chunk>],
    at: u64,
) -> Vec<(StateKey, parameters::ParameterChange)> {
    let chunks: BTreeSet<Id<Chunk>> = chunks.iter().copied().collect();
    let tracks = song.tracks.iter();
    let tracks = tracks.filter(|(_, track)| chunks.contains(&track.chunk));
    let groups = tracks.flat_map(|(track, _)| parameters::of_track(song, track, at));
    let what = |group: &parameters::ParameterChange| {
        let number = BEHIND + group.parameter.number();
        let (track, channel) = (group.site.track.number(), group.site.channel.get());
        (part::<ControlChange>(), track, channel, number)
    };
    groups.map(|group| (what(&group), group)).collect()
}
