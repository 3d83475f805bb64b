//! `modify`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Overlaps, Song, Track};
use crate::values::{Bpm, Channel, Dur, Level, PitchWord, Pos, Shift, Velocity, VelocityStep};
use crate::wish::Wish;

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
    /// Value of control changes, bends and aftertouch.
    value: Option<Spanned<Level>>,
    /// Tempo of tempo changes.
    bpm: Option<Bpm>,
    /// Text of markers, lyrics and texts.
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
    let mut notes = Vec::new();
    for row in rows.iter() {
        if song.kind_of(row) == "note" {
            let id = row.of();
            notes.push((id, song.notes.need(id)?.clone(), wish.note(song, id)?));
        } else {
            count += usize::from(wish.apply(song, row)?);
        }
    }
    let changes = notes
        .iter()
        .map(|(id, _, after)| (*id, after.clone()))
        .collect();
    overlaps.add(song.change_notes(changes)?);
    count += notes
        .iter()
        .filter(|(id, before, _)| song.notes.get(*id) != Some(before))
        .count();
    let told = overlaps.told();
    let mut tracks = rows.iter().map(|row| song.track_of(row));
    let first = tracks.next().flatten();
    let on = first.filter(|first| tracks.all(|track| track == Some(*first)));
    let on = on.map_or(String::new(), |on| format!(" on {}", lines::name(song, on)));
    Ok(match rows.iter().next() {
        _ if count == 0 => unchanged!("nothing changed"),
        Some(row) if rows.len() == 1 && song.has(row) => changed!("{}{told}", song.told(row)),
        Some(_) if rows.len() == 1 => changed!("{}{told}", before.join("")),
        _ => bulk!(
            "Modified {}{on}: {}{told}",
            song.counted(rows.iter()),
            wish.told(song)
        ),
    })
}
