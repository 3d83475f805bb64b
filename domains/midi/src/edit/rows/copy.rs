//! Common parts of copies and repetitions: their starts and their distance.

use std::collections::BTreeMap;

use fcp::model::Ids;
use fcp::prelude::*;
use fcp::reply::count;
use fcp::value::ValueError;
use fcp::verb::Clause;

use crate::model::{Chunk, IsKind, LAST_TICK, NewNote, Note, Song, Track, limits, row_of};
use crate::parameters::SelectedRows;
use crate::values::{Frac, Pitch, Semitones, Span, Times};

/// The number of repetitions, one if not given. `end` is the tick at which the first copy ends,
/// `period` the distance between copies.
///
/// # Errors
/// There would be too many rows, or rows after the last tick. The repair is the largest number that
/// fits.
pub fn times(
    song: &Song,
    times: Option<&Spanned<Times>>,
    rows: usize,
    (end, period): (u64, Frac),
) -> Result<u64> {
    let count = times.map_or(1, |times| times.get().get());
    let by_rows = Ids::MOST / (rows as u64).max(1);
    let by_ticks = match LAST_TICK.checked_sub(end) {
        Some(rest) => {
            let more = Frac::of_tick(rest).over(period).map_or(0, Frac::floor);
            more.unsigned_abs().saturating_add(1)
        }
        None => 0,
    };
    let problem = if count > by_ticks {
        format!("that would go beyond tick {LAST_TICK}, the last one of a file")
    } else if count > by_rows {
        limits::too_many((rows as u64).saturating_mul(count))
    } else {
        limits::bounded(song, rows, count)?;
        return Ok(count);
    };
    let fix = Some(by_ticks.min(by_rows)).filter(|most| *most > 0);
    let error = ValueError::sentence(problem.clone()).maybe_fix(fix.map(|most| most.to_string()));
    Err(match times {
        Some(times) => times.wrong(error),
        None => Diagnostic::new(problem),
    })
}

/// The transposition of copies.
#[derive(Clone, Copy)]
pub struct Raised {
    semitones: i32,
    drums: bool,
}

impl Raised {
    /// By `semitones`; the pitch of a drum is its drum, which stays unless `drums` is set.
    #[must_use]
    pub fn of(semitones: Semitones, drums: Switch) -> Self {
        Self {
            semitones: semitones.get(),
            drums: drums.0,
        }
    }

    fn leaves(self, note: &Note) -> bool {
        note.is_drum() && !self.drums
    }

    /// The pitch of a copy that is moved a number of `times`.
    ///
    /// # Errors
    /// It would leave the range of MIDI.
    pub fn pitch(self, song: &Song, note: &Note, times: u64) -> Result<Pitch> {
        let times = i32::try_from(times).unwrap_or(i32::MAX);
        let by = match self.leaves(note) {
            true => 0,
            false => self.semitones.saturating_mul(times),
        };
        song.shifted(note, by)
    }

    /// ` (2 drum notes at their pitch)`, of those that are copied.
    pub fn left<'n>(self, notes: impl Iterator<Item = &'n Note>) -> String {
        match notes.filter(|note| self.leaves(note)).count() {
            left @ 1.. if self.semitones != 0 => {
                format!(" ({} at their pitch; drums:on)", count(left, "drum note"))
            }
            _ => String::new(),
        }
    }
}

/// Notes to copy or repeat.
pub struct NoteSource {
    /// The notes.
    pub rows: Vec<Note>,
    /// The first note.
    pub first: Note,
    /// The start of the copied time, in ticks: that of `@range`, else of the first note.
    pub anchor: u64,
    /// The distance between copies, in ticks.
    pub period: u64,
    /// The start of the first period: the anchor, or the start of its bar.
    pub home: u64,
}

/// The notes that a verb copies.
///
/// # Errors
/// There are none, or they are in several patterns, which have bars of their own.
pub fn picked(song: &Song, notes: &Selection<Note>, verb: &str) -> Result<NoteSource> {
    let rows = notes.iter().filter_map(|id| song.notes.get(id).cloned());
    let rows: Vec<Note> = rows.collect();
    let Some(first) = rows.iter().min_by_key(|note| note.at).cloned() else {
        bail!("there are no notes to {verb}")
    };
    if song.is_patterns() && rows.iter().any(|note| note.chunk != first.chunk) {
        bail!("patterns have bars of their own, so {verb} takes the notes of one track at a time");
    }
    let ends = rows.iter().map(|note| note.at + note.dur.unwrap_or(0));
    let end = ends.max().unwrap_or(first.at);
    let span = span(song, notes.clauses(), first.chunk, (first.at, end));
    Ok(NoteSource {
        rows,
        first,
        anchor: span.anchor,
        period: span.period,
        home: span.home,
    })
}

/// A span of time that is copied as one.
struct Stretch {
    anchor: u64,
    /// The start of the first period.
    home: u64,
    period: u64,
    /// Whether it was named; then rests at its end are included.
    is_named: bool,
}

/// The time to copy: that of `@range` or `@section`, else whole bars.
fn span(
    song: &Song,
    clauses: &[Clause],
    chunk: Id<Chunk>,
    (mut anchor, end): (u64, u64),
) -> Stretch {
    let names_span = |clause: &&Clause| matches!(&*clause.name, "range" | "bar" | "section");
    let range = clauses
        .iter()
        .find(|clause| names_span(clause) && !clause.negated);
    if let Some((from, to)) = range.and_then(|clause| {
        // A section may have a name that reads as a span.
        let span = match &*clause.name {
            "section" => Span::parse(&format!("marker:{}", clause.value)),
            _ => Span::parse(&clause.value),
        };
        song.span_time(&span.ok()?, chunk).ok()
    }) {
        if to > from {
            return Stretch {
                anchor: from,
                home: from,
                period: to - from,
                is_named: true,
            };
        }
        anchor = from;
    }
    let to = end.max(anchor + 1);
    let bars = song.bars(chunk);
    let home = bars.bar(bars.place(anchor).bar);
    let last = bars.place(to - 1).bar;
    Stretch {
        anchor,
        home,
        period: bars.bar(last + 1) - home,
        is_named: false,
    }
}

/// Rows of any kind to copy or move.
pub struct CopySource {
    /// The notes.
    pub notes: Vec<(Id<Note>, Note)>,
    /// Rows of other kinds, with their ticks.
    pub others: Vec<(Row, u64)>,
    /// The chunk of the first row.
    pub chunk: Id<Chunk>,
    /// The start of the copied time, in ticks: that of `@range`, else of the first row.
    pub anchor: u64,
    /// The distance between copies, in ticks.
    pub period: u64,
    /// Whether the span of time was named; then rests at its end are copied too.
    pub is_named: bool,
}

/// The rows that a verb copies or moves. A track means its notes.
///
/// # Errors
/// There are none, one has no position, or they are in several patterns, which have bars of their
/// own.
pub fn chosen(song: &Song, rows: &Rows, verb: &str) -> Result<CopySource> {
    let (mut notes, mut others) = (Vec::new(), Vec::new());
    for row in SelectedRows::of(song, rows).rows {
        if row.is::<Track>() {
            let track: Id<Track> = row.of();
            let own = song.notes.iter().filter(|(_, note)| note.track == track);
            notes.extend(own.map(|(id, note)| (id, note.clone())));
        } else if row.is::<Note>() {
            notes.push((row.of(), song.notes.need(row.of())?.clone()));
        } else if let Some((at, _)) = song.tick_and_rank(row) {
            others.push((row, at));
        } else {
            bail!(
                "{} has no position, so {verb} cannot take it",
                song.describe(row)
            );
        }
    }
    notes.sort_by_key(|(_, note)| (note.onset(), note.chunk));
    notes.dedup_by_key(|(id, _)| *id);
    others.sort_by_cached_key(|(row, at)| {
        let key = song.key_of(*row).map(|key| (key.pos, key.seq));
        (*at, row.part(), key, row.id())
    });
    let places = notes.iter().map(|(_, note)| (note.at, note.chunk));
    let others_at = others
        .iter()
        .filter_map(|(row, at)| Some((*at, song.chunk_of(*row)?)));
    let mut places: Vec<(u64, Id<Chunk>)> = places.chain(others_at).collect();
    places.sort_unstable();
    let Some((first, chunk)) = places.first().copied() else {
        bail!("there are no notes to {verb}")
    };
    if song.is_patterns() && places.iter().any(|(_, other)| *other != chunk) {
        bail!("patterns have bars of their own, so {verb} takes the rows of one track at a time");
    }
    let ends = notes
        .iter()
        .map(|(_, note)| note.at + note.dur.unwrap_or(0));
    let end = ends.chain(others.iter().map(|(_, at)| *at)).max();
    let span = span(song, rows.clauses(), chunk, (first, end.unwrap_or(first)));
    Ok(CopySource {
        notes,
        others,
        chunk,
        anchor: span.anchor,
        period: span.period,
        is_named: span.is_named,
    })
}

impl CopySource {
    /// The first tick.
    #[must_use]
    pub fn first(&self) -> u64 {
        let starts = self.notes.iter().map(|(_, note)| note.at);
        let starts = starts.chain(self.others.iter().map(|(_, at)| *at));
        starts.min().unwrap_or(self.anchor)
    }

    /// `3 notes, 1 tempo`
    #[must_use]
    pub fn describe(&self, song: &Song) -> String {
        let notes = self.notes.iter().map(|(id, _)| row_of(*id));
        song.counted(notes.chain(self.others.iter().map(|(row, _)| *row)))
    }
}

/// The rows without their ticks.
#[must_use]
pub fn rows(others: &[(Row, u64)]) -> Vec<Row> {
    others.iter().map(|(row, _)| *row).collect()
}

/// Sets the end of added music: the end of the span if it is known, else the end of the last note
/// of each track.
pub fn go_on(song: &mut Song, added: &[NewNote], whole: Option<u64>) {
    let mut ends: BTreeMap<Id<Track>, u64> = BTreeMap::new();
    for note in added {
        let end = ends.entry(note.track).or_default();
        *end = whole.unwrap_or(note.at + note.dur).max(*end);
    }
    song.set_cursors(ends);
}

/// The length of a period: in bars if it is whole bars, else in ticks.
pub fn describe_period(song: &Song, chunk: Id<Chunk>, from: u64, period: u64) -> String {
    if song.has_bars() {
        let bars = song.bars(chunk);
        let (first, next) = (bars.place(from), bars.place(from + period));
        if (first.beat, first.tick) == (next.beat, next.tick) && next.bar > first.bar {
            return count(next.bar - first.bar, "bar");
        }
    }
    format!("{period} ticks")
}
