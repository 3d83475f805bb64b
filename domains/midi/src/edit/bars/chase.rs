//! What holds at a place: tempo, meter and key, and what each channel of each track is set to.
//!
//! Where bars come, go or are copied, what follows a seam is told again what it was played with.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use fcp::prelude::*;

use crate::display::row_line;
use crate::edit::bars::seam_reply::Carried;
use crate::edit::bars::whole_bars;
use crate::model::{
    Aftertouch, Chunk, ControlChange, KeyChange, MeterChange, PitchBend, Program, Rank, Site, Song,
    Tempo, Track, control_rank, part,
};
use crate::parameters;
use crate::values::{Channel, Controller, Meter, Parameter, ParameterValue};

/// What is set: the kind, the track and channel, and the controller or parameter.
pub type StateKey = (usize, u32, u8, u32);

/// Controllers that set parameters, which are carried as wholes.
const PARAMETERS: [u8; 8] = [6, 38, 96, 97, 98, 99, 100, 101];

/// Controllers from here on are commands, which set nothing that lasts.
const COMMANDS: u8 = 120;

/// Where numbers of parameters begin, behind those of controllers.
const BEHIND: u32 = 128;

/// Something that holds, as the row that set it.
#[derive(Clone)]
enum StateEvent {
    Tempo(Tempo),
    Meter(MeterChange),
    Key(KeyChange),
    Program(Program),
    Control(ControlChange),
    Bend(PitchBend),
    /// Pressure on all keys of a channel; that on one key ends with its note.
    Touch(Aftertouch),
    Parameter(Site, Parameter, ParameterValue),
}

/// What holds at a place, with the rows that set it.
#[derive(Clone, Default)]
pub struct ChasedState(BTreeMap<StateKey, (StateEvent, Vec<Row>)>);

impl StateEvent {
    fn of(song: &Song, row: Row) -> Option<(StateKey, Self)> {
        let own = |track: Id<Track>, channel: Channel, number: u32| {
            (row.part(), track.number(), channel.get(), number)
        };
        let whole = (row.part(), 0, 0, 0);
        Some(if row.part() == part::<Tempo>() {
            (whole, Self::Tempo(song.tempos.get(row.of())?.clone()))
        } else if row.part() == part::<MeterChange>() {
            (whole, Self::Meter(song.meters.get(row.of())?.clone()))
        } else if row.part() == part::<KeyChange>() {
            (whole, Self::Key(song.keys.get(row.of())?.clone()))
        } else if row.part() == part::<Program>() {
            let row = song.programs.get(row.of())?;
            (own(row.track, row.channel, 0), Self::Program(row.clone()))
        } else if row.part() == part::<ControlChange>() {
            let row = song.controls.get(row.of())?;
            if PARAMETERS.contains(&row.number) || row.number >= COMMANDS {
                return None;
            }
            let what = own(row.track, row.channel, row.number.into());
            (what, Self::Control(row.clone()))
        } else if row.part() == part::<PitchBend>() {
            let row = song.bends.get(row.of())?;
            (own(row.track, row.channel, 0), Self::Bend(row.clone()))
        } else if row.part() == part::<Aftertouch>() {
            let row = song
                .touches
                .get(row.of())
                .filter(|row| row.pitch.is_none())?;
            (own(row.track, row.channel, 0), Self::Touch(row.clone()))
        } else {
            return None;
        })
    }

    /// What is compared.
    fn value(&self) -> i64 {
        match self {
            Self::Tempo(row) => row.micros.into(),
            Self::Meter(row) => i64::from(row.beats) << 8 | i64::from(row.power),
            Self::Key(row) => i64::from(row.sharps) << 8 | i64::from(row.mode),
            Self::Program(row) => row.program.into(),
            Self::Control(row) => row.value.into(),
            Self::Bend(row) => row.value.into(),
            Self::Touch(row) => row.value.into(),
            Self::Parameter(_, _, value) => value.number(),
        }
    }

    /// The same as it is where nothing sets it, if that is known.
    fn unset(&self) -> Option<Self> {
        Some(match self.clone() {
            Self::Tempo(row) => Self::Tempo(Tempo {
                micros: crate::time::DEFAULT_MICROS,
                ..row
            }),
            Self::Meter(row) => Self::Meter(MeterChange::of(row.chunk, Meter::COMMON)),
            Self::Control(row) => {
                // What else a receiver begins with (MIDI 1.0, RP-015, General MIDI 2).
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
            Self::Parameter(site, parameter, value) => {
                Self::Parameter(site, parameter, parameter.unset(value)?)
            }
            // A receiver of General MIDI begins with the first.
            Self::Program(row) => Self::Program(Program { program: 0, ..row }),
            Self::Key(_) => return None,
        })
    }

    fn told(&self, song: &Song) -> String {
        let on = |track: Id<Track>| song.name_of_track(track);
        match self {
            Self::Tempo(row) => format!("tempo {}", row_line::bpm(row.micros)),
            Self::Meter(row) => row_line::meter_text(row),
            Self::Key(row) => row_line::key_text(row),
            Self::Program(row) => format!("{} on {}", row_line::played(row), on(row.track)),
            Self::Control(row) => {
                let number = Controller::new(row.number);
                let number = number.map_or_else(|| row.number.to_string(), |n| n.to_string());
                format!("{number} {} on {}", row.value, on(row.track))
            }
            Self::Bend(row) => format!("bend {} on {}", row.value, on(row.track)),
            Self::Touch(row) => format!("touch {} on {}", row.value, on(row.track)),
            Self::Parameter(site, parameter, value) => {
                format!("{parameter} {value} on {}", on(site.track))
            }
        }
    }

    /// Sets it at a tick. Rows that had set it and went with this op come back there.
    fn write(self, song: &mut Song, rows: &[Row], at: u64) -> Result<()> {
        macro_rules! write {
            ($table:ident, $row:expr, $rank:expr) => {{
                song.writable($row.chunk)?;
                let mark = song.place($row.chunk, at, $rank, None);
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
            Self::Parameter(site, parameter, value) => {
                song.writable(site.chunk)?;
                parameters::set_again(song, Site { at, ..site }, parameter, value, rows);
            }
        }
        Ok(())
    }
}

/// The rows of all chunks that stand between two ticks, the second not included, in the order they hold.
fn rows(song: &Song, chunks: &[Id<Chunk>], from: u64, to: u64) -> Vec<Row> {
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
    /// What holds just before a tick.
    #[must_use]
    pub fn before(song: &Song, chunks: &[Id<Chunk>], tick: u64) -> Self {
        let mut state = Self::default();
        let rows = rows(song, chunks, 0, tick);
        let held = |row: Row| {
            let (what, held) = StateEvent::of(song, row)?;
            Some((what, (held, vec![row])))
        };
        state.0.extend(rows.into_iter().filter_map(held));
        if let Some(last) = tick.checked_sub(1) {
            for (what, group) in parameters(song, chunks, last) {
                let held = StateEvent::Parameter(group.site, group.parameter, group.value);
                let row = |id: &Id<ControlChange>| Row::new(part::<ControlChange>(), id.number());
                let rows = group.rows.iter().map(row).collect();
                state.0.insert(what, (held, rows));
            }
        }
        state
    }

    /// What holds just before a tick, where what stands at the start of the song sets it up and so holds there too.
    #[must_use]
    pub fn entering(song: &Song, chunks: &[Id<Chunk>], tick: u64) -> Self {
        Self::before(song, chunks, tick.max(1))
    }

    /// Sets anew at a tick what holds otherwise there than here, but for what stands there or is to come there. At the
    /// start of the song it takes the place of what sets that up. Says what was set.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn restate(
        &self,
        song: &mut Song,
        chunks: &[Id<Chunk>],
        tick: u64,
        coming: &[StateKey],
    ) -> Result<Vec<Carried>> {
        self.restate_by(song, chunks, tick, coming, &mut Gone::default())
    }

    /// The same, by rows that gave way at the start of the song where they say what is to be set. Those that give way now
    /// are added to them.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn restate_by(
        &self,
        song: &mut Song,
        chunks: &[Id<Chunk>],
        tick: u64,
        coming: &[StateKey],
        gone: &mut Gone,
    ) -> Result<Vec<Carried>> {
        let now = Self::entering(song, chunks, tick);
        let here = match tick {
            0 => Vec::new(),
            tick => set_at(song, chunks, tick),
        };
        let whats: BTreeSet<StateKey> = self.0.keys().chain(now.0.keys()).copied().collect();
        let is_set = |what: &StateKey| here.contains(what) || coming.contains(what);
        let mut told = Vec::new();
        for what in whats.into_iter().filter(|what| !is_set(what)) {
            let now = now.0.get(&what).map(|(held, _)| held);
            let unset = || Some((now?.unset()?, Vec::new()));
            let Some((wanted, mut rows)) = self.0.get(&what).cloned().or_else(unset) else {
                continue;
            };
            let unset = wanted.unset();
            let holds = now.or(unset.as_ref()).map(StateEvent::value);
            if holds == Some(wanted.value()) {
                continue;
            }
            let mut text = wanted.told(song);
            if tick == 0 {
                let sets_up = self::rows(song, chunks, 0, 1);
                let own =
                    |row: &Row| StateEvent::of(song, *row).is_some_and(|(own, _)| own == what);
                let replaced: Vec<Row> = sets_up.into_iter().filter(own).collect();
                if let Some(now) = now.filter(|_| !replaced.is_empty()) {
                    text.push_str(&format!(" (replaces {})", now.told(song)));
                }
                for row in replaced {
                    gone.note(song, row);
                    song.remove_row(row)?;
                }
            }
            told.push((tick, text));
            if rows.iter().all(|row| song.has(*row))
                && let Some(row) = gone.saying(song, what, wanted.value())
            {
                rows = vec![row];
            }
            wanted.write(song, &rows, tick)?;
        }
        Ok(told)
    }
}

impl ChasedState {
    /// The meter that holds; common time if none is set.
    #[must_use]
    pub fn meter(&self) -> Option<Meter> {
        match self.0.get(&METER) {
            Some((StateEvent::Meter(row), _)) => Meter::from_meta(row.beats, row.power),
            _ => Some(Meter::COMMON),
        }
    }
}

/// The meter, among what is set.
const METER: StateKey = (part::<MeterChange>(), 0, 0, 0);

impl ChasedState {
    /// Sets the meter anew at a tick where a bar is to begin and none does, since what ended the bar before it there is
    /// gone. If one is to come, nothing. Says what was set.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn begin_bar(
        &self,
        song: &mut Song,
        chunks: &[Id<Chunk>],
        tick: u64,
        coming: &[StateKey],
    ) -> Result<Option<Carried>> {
        let chunk = whole_bars::home(chunks);
        if coming.contains(&METER) || song.on_barline(chunk, tick) {
            return Ok(None);
        }
        let (meter, rows) = match self.0.get(&METER) {
            Some(held) => held.clone(),
            None => (
                StateEvent::Meter(MeterChange::of(chunk, Meter::COMMON)),
                Vec::new(),
            ),
        };
        let told = meter.told(song);
        meter.write(song, &rows, tick)?;
        Ok(Some((tick, told)))
    }
}

/// Rows that gave way to others at the start of a song.
#[derive(Default)]
pub struct Gone {
    /// `1 tempo, 2 cc`, or nothing.
    pub told: String,
    rows: Vec<(StateKey, i64, Row)>,
}

impl Gone {
    /// Adds those that gave way in another step.
    pub fn join(&mut self, other: Self) {
        self.rows.extend(other.rows);
    }

    /// Adds a row that is about to go.
    fn note(&mut self, song: &Song, row: Row) {
        let said = StateEvent::of(song, row).map(|(what, held)| (what, held.value(), row));
        self.rows.extend(said);
    }

    /// A row that said this, and is not there.
    fn saying(&self, song: &Song, what: StateKey, value: i64) -> Option<Row> {
        let mut rows = self.rows.iter();
        let own = rows.find(|(own, said, row)| (*own, *said) == (what, value) && !song.has(*row));
        own.map(|(.., row)| *row)
    }
}

/// Removes from the start of a song what sets it up there, where the same is to come: that holds instead. What is in
/// `kept` is what comes.
///
/// # Errors
/// A chunk is damaged.
pub fn give_way(
    song: &mut Song,
    chunks: &[Id<Chunk>],
    coming: &[StateKey],
    kept: &HashSet<Row>,
) -> Result<Gone> {
    let mut gone = giving_way(song, chunks, coming);
    gone.retain(|row| !kept.contains(row));
    let told = song.counted(gone.iter().copied());
    let mut all = Gone {
        told,
        ..Gone::default()
    };
    gone.iter().for_each(|row| all.note(song, *row));
    for row in gone {
        song.remove_row(row)?;
    }
    Ok(all)
}

/// The rows at the start of a song that set up what is to come.
#[must_use]
pub fn giving_way(song: &Song, chunks: &[Id<Chunk>], coming: &[StateKey]) -> Vec<Row> {
    let mut gone = rows(song, chunks, 0, 1);
    gone.retain(|row| StateEvent::of(song, *row).is_some_and(|(what, _)| coming.contains(&what)));
    for (what, group) in parameters(song, chunks, 0) {
        if coming.contains(&what) {
            let rows = group.rows.iter();
            gone.extend(rows.map(|id| Row::new(part::<ControlChange>(), id.number())));
        }
    }
    gone
}

/// What is set at a tick.
#[must_use]
pub fn set_at(song: &Song, chunks: &[Id<Chunk>], tick: u64) -> Vec<StateKey> {
    let rows = rows(song, chunks, tick, tick + 1);
    let mut whats: Vec<StateKey> = rows
        .into_iter()
        .filter_map(|row| StateEvent::of(song, row).map(|(what, _)| what))
        .collect();
    for (what, group) in parameters(song, chunks, tick) {
        if group.site.at == tick {
            whats.push(what);
        }
    }
    whats
}

/// The parameters that are set in chunks up to a tick, that included, in order.
fn parameters(
    song: &Song,
    chunks: &[Id<Chunk>],
    at: u64,
) -> Vec<(StateKey, parameters::ParameterChange)> {
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
