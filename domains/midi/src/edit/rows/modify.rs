//! Changes that `modify` makes to rows.

use fcp::prelude::*;

use crate::edit::rows::meter_move::{self, MeterMoves};
use crate::model::{
    Aftertouch, ControlChange, IsKind, LAST_TICK, MeterChange, Note, RowRef, Song, Tempo, Track,
    Written, row_of,
};
use crate::parameters::{ParameterChange, SelectedRows};
use crate::resolve::drum_word;
use crate::values::{
    Bpm, BpmStep, Channel, Controller, Dur, Encoding, EndAt, LevelChange, PitchWord, Pos,
    Semitones, Shift, Velocity, VelocityChange,
};

/// The requested changes.
#[derive(FcpParams)]
#[fcp(inline)]
pub struct RowChanges {
    /// Pitch of notes and key aftertouch, or semitones up or down.
    pub pitch: Option<Change<PitchWord, Semitones>>,
    /// Start of rows, or the distance they move.
    pub at: Option<Spanned<Change<Pos, Shift>>>,
    /// Length of notes, or a change of it.
    #[fcp(alias = "duration")]
    pub dur: Option<Spanned<Change<Dur, Shift>>>,
    /// End of notes: a position, or `bar` for the end of their bar.
    pub end: Option<Spanned<EndAt>>,
    /// Velocity of notes, or a step.
    #[fcp(alias = "velocity")]
    pub vel: Option<VelocityChange>,
    /// Channel of notes.
    #[fcp(alias = "channel")]
    pub ch: Option<Channel>,
    /// Release velocity of notes, or a step.
    pub off: Option<Change<Int<0, 127>, Int<-127, 127>>>,
    /// The track that notes move to.
    pub on: Option<Ref<Track>>,
    /// Value of control changes, bends and aftertouch, or a step.
    pub value: Option<Spanned<LevelChange>>,
    /// Tempo of tempo changes, or a step.
    pub bpm: Option<Spanned<Change<Bpm, BpmStep>>>,
    /// Text of markers, lyrics and texts.
    pub text: Option<Text>,
    /// The encoding of `text:`; that of the other texts if left out.
    pub encoding: Option<Encoding>,
}

/// The keys besides `at` that a row has.
const fn keys(row: RowRef<'_>) -> &'static [&'static str] {
    match row {
        RowRef::Note(_) => &["pitch", "dur", "end", "vel", "ch", "off", "on"],
        RowRef::Touch(touch) if touch.pitch.is_some() => &["pitch", "value"],
        RowRef::Touch(_) | RowRef::Control(_) | RowRef::Bend(_) => &["value"],
        RowRef::Tempo(_) => &["bpm"],
        RowRef::Marker(_) | RowRef::Lyric(_) | RowRef::Text(_) => &["text"],
        RowRef::Chunk(_)
        | RowRef::Track(_)
        | RowRef::Program(_)
        | RowRef::Meter(_)
        | RowRef::Key(_)
        | RowRef::Raw(_) => &[],
    }
}

/// The `move` op that moves all rows together to the place that this op gives each of them.
fn as_move(op: &str) -> Option<String> {
    let rest = op.strip_prefix("modify ")?;
    let (rows, place) = rest.split_once(" at:")?;
    let is_sure = !rows.contains('"') && !place.contains(" at:");
    is_sure.then(|| format!("move {rows} to:{place}"))
}

impl RowChanges {
    /// Rejects changes that rows of these kinds do not have, and one place for several rows.
    pub fn check(&self, song: &Song, taken: &SelectedRows) -> Result<()> {
        let rows = &taken.rows;
        let given = [
            ("pitch", self.pitch.is_some()),
            ("dur", self.dur.is_some()),
            ("end", self.end.is_some()),
            ("vel", self.vel.is_some()),
            ("ch", self.ch.is_some()),
            ("off", self.off.is_some()),
            ("on", self.on.is_some()),
            ("value", self.value.is_some()),
            ("bpm", self.bpm.is_some()),
            ("text", self.text.is_some()),
        ];
        let given = given.into_iter().filter(|(_, given)| *given);
        let given: Vec<&str> = given.map(|(key, _)| key).collect();
        if given.is_empty() && self.at.is_none() {
            bail!("modify needs something to change: vel:, pitch:, dur:, at:");
        }
        for row in rows {
            let own = song.row_ref(*row);
            if let (Some(RowRef::Touch(touch)), Some(_)) = (own, &self.pitch)
                && touch.pitch.is_none()
            {
                bail!(
                    "{} presses all keys of its channel, so it has no pitch:",
                    song.describe(*row)
                );
            }
            let keys = own.map_or(&[][..], keys);
            if let Some(key) = given.iter().find(|key| !keys.contains(key)) {
                let kind = song.kind_of(*row);
                let a = if kind.starts_with('e') { "an" } else { "a" };
                let other = match (own, *key) {
                    (Some(RowRef::Tempo(_)), "value") => "; bpm: sets it",
                    (Some(RowRef::Program(_)), "value") => "; UPDATE programs SET program sets it",
                    _ => "",
                };
                let row = song.describe(*row);
                bail!("{row} is {a} {kind}, which has no {key}:{other}");
            }
        }
        if let Some(at) = self
            .at
            .as_ref()
            .filter(|at| matches!(at.get(), Change::Set(_)) && taken.len() > 1 && !song.gathers())
        {
            let problem = format!(
                "would put {} rows in one place; a sign moves each: at:+q",
                taken.len()
            );
            let mut error = ValueError::new(problem);
            error.first = as_move(at.op())
                .filter(|_| given.is_empty())
                .map(Into::into);
            return Err(at.wrong(error));
        }
        if let (Some(_), Some(end)) = (&self.dur, &self.end) {
            return Err(end.wrong(ValueError::new("also sets the length; give dur: or end:")));
        }
        self.check_meters(song, rows)
    }

    /// Rejects a meter inside a bar.
    fn check_meters(&self, song: &Song, rows: &[Row]) -> Result<()> {
        let Some(at) = &self.at else { return Ok(()) };
        let mut going = Vec::new();
        for row in rows.iter().filter(|row| row.is::<MeterChange>()) {
            going.push((*row, Self::meter_tick(song, *row, at)?));
        }
        let first = going
            .first()
            .and_then(|(row, to)| Some((song.tick_and_rank(*row)?.0, *to)));
        let coming = MeterMoves::of(song, going.into_iter(), true);
        let Some(((present, to), coming)) = first.zip(coming) else {
            return Ok(());
        };
        let fix = |by: i64| {
            let to = to.checked_add_signed(by)?;
            match at.get() {
                Change::Set(_) => Some(coming.spelled(song, to)),
                Change::By(_) => {
                    let whole = to.checked_signed_diff(present)?;
                    Some(meter_move::way(song, whole)).filter(|_| whole != 0)
                }
            }
        };
        coming.check(song, fix).map_err(|error| at.wrong(error))
    }

    /// The target of a meter: bars are counted as if the meter were gone from its present place.
    fn meter_tick(song: &Song, row: Row, at: &Spanned<Change<Pos, Shift>>) -> Result<u64> {
        let place = song.chunk_of(row).zip(song.tick_and_rank(row));
        let Some((chunk, (present, _))) = place else {
            bail!("{} has no position of its own", song.describe(row))
        };
        let own = MeterMoves::of(song, std::iter::once((row, present)), true);
        let counted = match (at.get(), own) {
            (Change::Set(pos), Some(own)) => own.counted(song, pos),
            _ => None,
        };
        match counted {
            Some(tick) => Ok(tick),
            None => song.changed_tick(at, chunk, None, present),
        }
    }

    /// `vel +12, dur e`: the requested changes, with the text as it is written.
    #[must_use]
    pub fn describe(&self, song: &Song, text: Option<&Written>) -> String {
        let on = self.on.map(|on| song.name_of_track(on.id()));
        let changes = [
            ("pitch", self.pitch.as_ref().map(ToString::to_string)),
            ("vel", self.vel.as_ref().map(ToString::to_string)),
            ("dur", self.dur.as_ref().map(|dur| dur.get().to_string())),
            ("end", self.end.as_ref().map(|end| end.get().to_string())),
            ("at", self.at.as_ref().map(|at| at.get().to_string())),
            ("ch", self.ch.map(|ch| ch.to_string())),
            ("off", self.off.as_ref().map(ToString::to_string)),
            ("on", on),
            (
                "value",
                self.value.as_ref().map(|value| value.get().to_string()),
            ),
            ("bpm", self.bpm.as_ref().map(|bpm| bpm.get().to_string())),
            (
                "text",
                text.map(|text| format!("\"{}\"{}", text.text, text.note)),
            ),
        ];
        let changes = changes
            .into_iter()
            .filter_map(|(key, value)| Some(format!("{key} {}", value?)));
        changes.collect::<Vec<_>>().join(", ")
    }

    /// The bound at which a step is clamped, from the level of a parameter.
    #[must_use]
    pub fn held_from(&self, level: u8) -> Option<i64> {
        self.value.as_ref()?.get().held(level.into(), false)
    }

    /// The bound at which a step is clamped, for a row that has not changed yet.
    #[must_use]
    pub fn held(&self, song: &Song, row: Row) -> Option<i64> {
        let level = self.value.as_ref().map(Spanned::get);
        match song.row_ref(row)? {
            RowRef::Note(note) => {
                let beyond = |value: i64, low: i64| {
                    (value != value.clamp(low, 127)).then(|| value.clamp(low, 127))
                };
                let vel = self.vel.map(|vel| vel.changed(note.velocity));
                let vel = vel.and_then(|vel| beyond(vel, 1));
                let off = match &self.off {
                    Some(Change::By(step)) if note.dur.is_some() => {
                        beyond(i64::from(note.off) + step.get(), 0)
                    }
                    _ => None,
                };
                vel.or(off)
            }
            RowRef::Control(row) => level?.held(row.value.into(), false),
            RowRef::Touch(row) => level?.held(row.value.into(), false),
            RowRef::Bend(row) => level?.held(row.value, true),
            RowRef::Chunk(_)
            | RowRef::Track(_)
            | RowRef::Program(_)
            | RowRef::Lyric(_)
            | RowRef::Text(_)
            | RowRef::Tempo(_)
            | RowRef::Meter(_)
            | RowRef::Key(_)
            | RowRef::Marker(_)
            | RowRef::Raw(_) => None,
        }
    }

    /// Changes a parameter. Returns whether anything changed.
    pub fn set(&self, song: &mut Song, group: &ParameterChange) -> Result<bool> {
        let level = self.value(|level| level.control(None, group.level()))?;
        let mut differs = level.is_some_and(|level| group.set(song, level));
        let Some(at) = &self.at else {
            return Ok(differs);
        };
        let rows = group.rows.iter();
        let rows = rows.filter_map(|id| Some((*id, song.controls.get(*id)?.at)));
        let rows: Vec<(Id<ControlChange>, u64)> = rows.collect();
        let chunk = rows.first().and_then(|(id, _)| song.controls.get(*id));
        let Some(chunk) = chunk.map(|row| row.chunk) else {
            return Ok(differs);
        };
        let to = song.changed_tick(at, chunk, None, group.site.at)?;
        for (id, own) in rows {
            // A control change that selects it a little earlier keeps its distance.
            let there = (to + own).saturating_sub(group.site.at).min(LAST_TICK);
            let row = row_of(id);
            differs |= song.move_row_to(row, there, None)?;
        }
        Ok(differs)
    }

    /// Changes one row that is not a note, and its text to the written one. Returns whether anything changed.
    pub fn apply(&self, song: &mut Song, row: Row, text: Option<&Written>) -> Result<bool> {
        let moves = match &self.at {
            Some(at) if row.is::<MeterChange>() => {
                let tick = Self::meter_tick(song, row, at)?;
                song.move_row_to(row, tick, None)?
            }
            Some(at) => song.move_row(row, at)?,
            None => false,
        };
        let Some(own) = song.row_ref(row) else {
            return Ok(moves);
        };
        let differs = match own {
            RowRef::Control(own) => {
                let controller = Controller::new(own.number);
                match self.value(|level| level.control(controller, own.value))? {
                    Some(value) => song.controls.modify(row.of(), |row| row.value = value),
                    None => false,
                }
            }
            RowRef::Touch(own) => {
                let value = self.value(|level| level.control(None, own.value));
                let presses = self.press(song, row.of())?;
                let sets = match value? {
                    Some(value) => song.touches.modify(row.of(), |row| row.value = value),
                    None => false,
                };
                presses || sets
            }
            RowRef::Bend(own) => {
                match self.value(|level| level.bend(own.value, song.bend_range(own)))? {
                    Some(value) => song.bends.modify(row.of(), |row| row.value = value),
                    None => false,
                }
            }
            RowRef::Marker(_) | RowRef::Lyric(_) | RowRef::Text(_) => match text {
                Some(text) => song.put_text(row, text)?,
                None => false,
            },
            RowRef::Tempo(_) => self.pace(song, row.of())?,
            RowRef::Chunk(_)
            | RowRef::Track(_)
            | RowRef::Note(_)
            | RowRef::Program(_)
            | RowRef::Meter(_)
            | RowRef::Key(_)
            | RowRef::Raw(_) => false,
        };
        Ok(moves || differs)
    }

    /// The level of a row after the requested change, if there is one.
    fn value<T>(
        &self,
        change: impl FnOnce(&LevelChange) -> Result<T, ValueError>,
    ) -> Result<Option<T>> {
        let Some(level) = &self.value else {
            return Ok(None);
        };
        let value = change(level.get()).map_err(|error| level.wrong(error))?;
        Ok(Some(value))
    }

    /// Sets a tempo. Returns whether anything changed.
    fn pace(&self, song: &mut Song, id: Id<Tempo>) -> Result<bool> {
        let Some(bpm) = &self.bpm else {
            return Ok(false);
        };
        let before = Bpm::from_micros(song.tempos.need(id)?.micros);
        let after = match (bpm.get(), before) {
            (Change::Set(bpm), _) => *bpm,
            (Change::By(step), Some(before)) => {
                step.from(before).map_err(|error| bpm.wrong(error))?
            }
            (Change::By(_), None) => {
                let tempo = song.describe(row_of(id));
                bail!("{tempo} is not a tempo that a step can change")
            }
        };
        let micros = after.micros();
        Ok(song.tempos.modify(id, |row| row.micros = micros))
    }

    /// Sets the key of key aftertouch. Returns whether anything changed.
    fn press(&self, song: &mut Song, id: Id<Aftertouch>) -> Result<bool> {
        let touch = song.touches.need(id)?;
        let (Some(own), Some(wanted)) = (touch.pitch, &self.pitch) else {
            return Ok(false);
        };
        let pitch = match wanted {
            Change::Set(word) => {
                drum_word::on_track(*word, song.tracks.need(touch.track)?, touch.channel)?
            }
            Change::By(step) => match own.shifted(step.get()) {
                Some(pitch) => pitch,
                None => {
                    let touch = song.describe(row_of(id));
                    bail!("{touch} would leave the range of MIDI, C-1 to G9")
                }
            },
        };
        Ok(song.press(id, pitch))
    }

    /// The requested state of a note.
    pub fn note(&self, song: &Song, id: Id<Note>) -> Result<Note> {
        let before = song.coming(id)?;
        let mut after = before.clone();
        // A note that stays on its track keeps its channel, of which there may be several.
        if let Some(on) = self.on.filter(|on| on.id() != before.track) {
            let track = song.tracks.need(on.id())?;
            (after.track, after.chunk) = (on.id(), track.chunk);
            after.channel = track.channel.unwrap_or(after.channel);
        }
        after.channel = self.ch.unwrap_or(after.channel);
        // A note without an end has no release: a file could not hold it.
        let ends = before.dur.is_some() || self.dur.is_some() || self.end.is_some();
        if let Some(off) = self.off.as_ref().filter(|_| ends) {
            let off = match off {
                Change::Set(off) => off.get(),
                Change::By(step) => i64::from(before.off) + step.get(),
            };
            after.off = u8::try_from(off.clamp(0, 127)).unwrap_or(before.off);
        }
        match self.pitch {
            Some(Change::Set(word)) => {
                let track = song.tracks.need(after.track)?;
                after.pitch = drum_word::on_track(word, track, after.channel)?;
            }
            Some(Change::By(step)) => {
                after.pitch = song.shifted(&after, step.get())?;
            }
            None => {}
        }
        if let Some(vel) = self.vel {
            after.velocity = Velocity::clamped(vel.changed(after.velocity));
        }
        if let Some(at) = &self.at {
            after.at = song.changed_tick(at, after.chunk, Some(after.track), before.at)?;
        }
        if let Some(dur) = &self.dur {
            after.dur = Some(song.changed_length(dur, &after)?);
        }
        if let Some(end) = &self.end {
            after.dur = Some(song.length_to(end, &after)?);
        }
        Ok(after)
    }
}

impl Song {
    /// Moves a row that is not a note. Returns whether anything changed.
    ///
    /// # Errors
    /// The position is invalid, the row has none, or its chunk is damaged.
    pub fn move_row(&mut self, row: Row, at: &Spanned<Change<Pos, Shift>>) -> Result<bool> {
        let place = self.chunk_of(row).zip(self.tick_and_rank(row));
        let Some((chunk, (present, _))) = place else {
            bail!("{} has no position of its own", self.describe(row))
        };
        let tick = self.changed_tick(at, chunk, None, present)?;
        self.move_row_to(row, tick, None)
    }
}
