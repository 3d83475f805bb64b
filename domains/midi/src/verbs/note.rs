//! `note`

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::{NewNote, Overlaps, Release, Song, Track, row_of};
use crate::resolve::drum_word;
use crate::values::{Channel, Dur, PitchWord, Pos, Velocity};

/// Add a note, or one of several pitches at once.
///
/// ```fcp
/// # track add Piano
/// note Piano C4 at:1.1 dur:quarter vel:mf
/// > + Note C4 on Piano at 1.1 dur:480 vel:80
/// add note C#5 on:track:Piano at:4.1 duration:eighth velocity:90
/// > + Note C#5 on Piano at 4.1 dur:240 vel:90
/// note Piano E4,G4 at:2.1
/// > + Notes E4,G4 on Piano at 2.1 dur:480 vel:80
/// ```
///
/// A warning shows what the op probably did not intend; an error comes with a repair:
///
/// ```fcp
/// # track add Lead instrument:flute
/// note Lead C3
/// > + Note C3 on Lead at 1.1 dur:480 vel:80
/// > ? Lead: 1 note below B3
/// ```
///
/// ```fcp
/// # track add Piano
/// note Piano H4
/// > ! H4 is not a pitch…
/// >   try: note Piano B4
/// ```
#[fcp_verb(category = "Notes", alias = "add note")]
pub fn note(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The pitch, or several between commas.
    #[fcp(positional)]
    pitch: List<PitchWord>,
    /// Its start; after the last music added to the track if left out.
    at: Option<Spanned<Pos>>,
    /// Its length.
    #[fcp(alias = "duration")]
    dur: Option<Spanned<Dur>>,
    /// Its velocity.
    #[fcp(alias = "velocity", default = Velocity::MF)]
    vel: Velocity,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
    /// Its release velocity, from 0 to 127.
    #[fcp(default = Int::clamped(64))]
    off: Int<0, 127>,
) -> Result<Reply> {
    let row = song.tracks.need(track.id())?.clone();
    let start = song.onset(track.id(), at.as_ref())?;
    let (place, length) = (at, dur);
    let dur = match &length {
        Some(dur) => song.ticks(dur, row.chunk, start)?,
        None => u64::from(song.ppqn()),
    };
    let channel = ch.or(row.channel).unwrap_or(Channel::FIRST);
    let mut overlaps = Overlaps::default();
    let mut changes = false;
    let (mut names, mut made, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for word in pitch {
        let new = NewNote {
            track: track.id(),
            channel,
            pitch: drum_word::on_track(word, &row, channel)?,
            at: start,
            dur,
            velocity: vel,
            release: Release::of(off.get()),
        };
        if let Some(clash) = song.clash_of(row.chunk, &new) {
            return Err(clash.refused_at(song, start, place.as_ref(), length.as_ref()));
        }
        let before = song
            .pitches()
            .from(row.chunk, channel, new.pitch, start)
            .next();
        let before = before.and_then(|id| Some((id, song.notes.get(id)?.clone())));
        let (id, others) = song.add_note(new)?;
        overlaps.add(others);
        let note = song.notes.need(id)?;
        changes |= before.is_none_or(|(own, before)| own != id || before != *note);
        names.push(song.pitch_of(note));
        made.push(note.clone());
        rows.push(row_of(id));
    }
    let Some(first) = made.first() else {
        bail!("a note needs pitch");
    };
    // In a file of format 0 each channel has a track of its own.
    let home = first.track;
    song.set_cursor(home, start + dur);
    // A note that was merged or cut may have another length or velocity.
    let (asked, own) = ((dur, vel), first.dur.unwrap_or(dur));
    let (dur, vel) = match made.as_slice() {
        [made] => (own, made.velocity),
        _ => (dur, vel),
    };
    let mut lost = Vec::new();
    if overlaps.merged > 0 {
        lost.extend((asked.0 != dur).then(|| format!("dur:{}", asked.0)));
        lost.extend((asked.1 != vel).then(|| format!("vel:{}", asked.1)));
    }
    let lost = match lost.as_slice() {
        [] => Vec::new(),
        lost => vec![format!("{} not kept", lost.join(" "))],
    };
    let (noun, names) = (
        if names.len() == 1 { "Note" } else { "Notes" },
        names.join(","),
    );
    let other = if ch.is_some_and(|ch| Some(ch) != row.channel) {
        format!(" ch:{channel}")
    } else {
        String::new()
    };
    let (on, at) = (song.name_of_track(home), song.shown(row.chunk, start));
    let text = format!(
        "{noun} {names} on {on} at {at} dur:{dur} vel:{vel}{}{other}{}",
        row_line::other_release(first),
        overlaps.describe_with(lost)
    );
    Ok(match changes {
        true => created!("{text}").about(rows.into_iter().rev()),
        false => unchanged!("{text}"),
    })
}
