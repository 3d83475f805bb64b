//! `modify`

use fcp::prelude::*;

use crate::model::{Overlaps, Song, Track};
use crate::values::{Bpm, Channel, Dur, PitchWord, Pos, Shift, Velocity, VelocityStep};

/// Change rows. A sign makes a change relative: `vel:+10`, `pitch:-12`, `at:+e`.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4 at:1.1
/// modify @pitch:C4 vel:+12 dur:e
/// > * Note C4 on Piano at 1.1 dur:240 vel:92
/// modify @recent pitch:+12 at:2.1
/// > * Note C5 on Piano at 2.1 dur:240 vel:92
/// modify @track:Piano velocty:ff
/// > ! modify has no velocty:
/// >   try: modify @track:Piano velocity:ff
/// ```
///
/// ```fcp
/// # marker Chorus at:5
/// modify marker:Chorus text:Refrain at:9
/// > * Marker "Refrain" at 9.1
/// ```
#[fcp_verb(category = "Edit")]
pub fn modify(
    song: &mut Song,
    /// What changes.
    rows: Rows,
    /// Pitch of notes, or semitones up or down.
    pitch: Option<Change<PitchWord, Int<-127, 127>>>,
    /// Where rows start, or how far they move.
    at: Option<Spanned<Change<Pos, Shift>>>,
    /// Length of notes, or how much they gain or lose.
    #[fcp(alias = "duration")]
    dur: Option<Spanned<Change<Dur, Shift>>>,
    /// Velocity of notes, or a step.
    #[fcp(alias = "velocity")]
    vel: Option<Change<Velocity, VelocityStep>>,
    /// Channel of notes.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
    /// Release velocity of notes.
    off: Option<Int<0, 127>>,
    /// The track that notes move to.
    on: Option<Ref<Track>>,
    /// Value of control changes.
    value: Option<Int<0, 127>>,
    /// Tempo of tempo changes.
    bpm: Option<Bpm>,
    /// Text of markers.
    text: Option<Name>,
) -> Result<Reply> {
    let wish = Wish {
        pitch,
        at,
        dur,
        vel,
        ch,
        off,
        on,
        value,
        bpm,
        text,
    };
    wish.check(song, &rows)?;
    let mut overlaps = Overlaps::default();
    let mut count = 0_usize;
    let before: Vec<String> = if rows.len() == 1 {
        rows.iter().map(|row| song.told(row)).collect()
    } else {
        Vec::new()
    };
    for row in rows.iter() {
        let (differs, others) = wish.apply(song, row)?;
        count += usize::from(differs);
        overlaps.add(others);
    }
    let told = overlaps.told();
    Ok(match rows.iter().next() {
        _ if count == 0 => unchanged!("nothing changed"),
        Some(row) if rows.len() == 1 && song.has(row) => changed!("{}{told}", song.told(row)),
        Some(_) if rows.len() == 1 => changed!("{}{told}", before.join("")),
        _ => bulk!("Modified {}{told}", song.counted(rows.iter())),
    })
}

/// What rows are to become.
struct Wish {
    pitch: Option<Change<PitchWord, Int<-127, 127>>>,
    at: Option<Spanned<Change<Pos, Shift>>>,
    dur: Option<Spanned<Change<Dur, Shift>>>,
    vel: Option<Change<Velocity, VelocityStep>>,
    ch: Option<Channel>,
    off: Option<Int<0, 127>>,
    on: Option<Ref<Track>>,
    value: Option<Int<0, 127>>,
    bpm: Option<Bpm>,
    text: Option<Name>,
}

impl Wish {
    /// Refuses what rows of their kinds do not have, and a place for several rows at once.
    fn check(&self, song: &Song, rows: &Rows) -> Result<()> {
        let note = [
            ("pitch", self.pitch.is_some()),
            ("dur", self.dur.is_some()),
            ("vel", self.vel.is_some()),
            ("ch", self.ch.is_some()),
            ("off", self.off.is_some()),
            ("on", self.on.is_some()),
        ];
        let others = [
            ("value", self.value.is_some(), "cc"),
            ("bpm", self.bpm.is_some(), "tempo"),
            ("text", self.text.is_some(), "marker"),
        ];
        if !note.iter().any(|(_, given)| *given)
            && !others.iter().any(|(_, given, _)| *given)
            && self.at.is_none()
        {
            bail!("modify needs something to change: vel:, pitch:, dur:, at:");
        }
        for row in rows.iter() {
            let kind = song.kind_of(row);
            let wrong = note
                .iter()
                .find(|(_, given)| *given && kind != "note")
                .map(|(key, _)| *key);
            let wrong = wrong.or_else(|| {
                others
                    .iter()
                    .find(|(_, given, own)| *given && kind != *own)
                    .map(|(key, ..)| *key)
            });
            if let Some(key) = wrong {
                bail!("a {kind} has no {key}:, and {} is one", song.told(row));
            }
        }
        if let Some(at) = self
            .at
            .as_ref()
            .filter(|at| matches!(at.get(), Change::Set(_)) && rows.len() > 1)
        {
            let problem = format!(
                "would put {} rows in one place; a sign moves each: at:+q",
                rows.len()
            );
            return Err(at.wrong(ValueError::new(problem)));
        }
        Ok(())
    }

    /// Changes one row. Says whether that made a difference.
    fn apply(&self, song: &mut Song, row: Row) -> Result<(bool, Overlaps)> {
        if !song.has(row) {
            // A note that an earlier one of the same op was merged with.
            return Ok((true, Overlaps::default()));
        }
        match song.kind_of(row) {
            "note" => self.note(song, row),
            kind => {
                let mut differs = match &self.at {
                    Some(at) => song.move_row(row, at)?,
                    None => false,
                };
                let id = row.id();
                if let (Some(value), "cc") = (self.value, kind) {
                    let value = u8::try_from(value.get()).unwrap_or(127);
                    differs |= song.controls.modify(Id::new(id), |row| row.value = value);
                }
                if let (Some(bpm), "tempo") = (self.bpm, kind) {
                    differs |= song
                        .tempos
                        .modify(Id::new(id), |row| row.micros = bpm.micros());
                }
                if let (Some(text), "marker") = (&self.text, kind) {
                    differs |= song.markers.modify(Id::new(id), |row| {
                        row.text = text.to_string();
                        row.bytes = text.as_str().into();
                    });
                }
                Ok((differs, Overlaps::default()))
            }
        }
    }

    fn note(&self, song: &mut Song, row: Row) -> Result<(bool, Overlaps)> {
        let id = row.of();
        let before = song.notes.need(id)?.clone();
        let mut after = before.clone();
        if let Some(on) = self.on {
            let track = song.tracks.need(on.id())?;
            (after.track, after.chunk) = (on.id(), track.chunk);
            after.channel = track.channel.unwrap_or(after.channel);
        }
        after.channel = self.ch.unwrap_or(after.channel);
        after.off = self
            .off
            .and_then(|off| u8::try_from(off.get()).ok())
            .unwrap_or(after.off);
        match self.pitch {
            Some(Change::Set(word)) => {
                after.pitch = crate::lines::on_track(word, song.tracks.need(after.track)?)?;
            }
            Some(Change::By(step)) => {
                after.pitch = song.shifted(&after, i32::try_from(step.get()).unwrap_or(0))?
            }
            None => {}
        }
        match self.vel {
            Some(Change::Set(velocity)) => after.velocity = velocity,
            Some(Change::By(step)) => after.velocity = after.velocity.stepped(step),
            None => {}
        }
        if let Some(at) = &self.at {
            after.at = song.changed_tick(at, after.chunk, Some(after.track), before.at)?;
        }
        if let Some(dur) = &self.dur {
            after.dur = Some(song.changed_length(dur, &after)?);
        }
        let overlaps = song.change_note(id, |note| *note = after)?;
        Ok((song.notes.get(id) != Some(&before), overlaps))
    }
}
