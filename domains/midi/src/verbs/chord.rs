//! `chord`

use fcp::prelude::*;

use crate::model::{NewNote, Overlaps, Release, Song, Track};
use crate::values::{Channel, Chord, Dur, Frac, Pos, Velocity, Voicing};

/// Add a chord by its symbol.
///
/// ```fcp
/// # track add Keys
/// chord Keys Am7 at:1.1 dur:h
/// > + Chord Am7 on Keys at 1.1 dur:960 vel:80: A4 C5 E5 G5
/// chord Keys C/G at:2.1 oct:3
/// > + Chord C/G on Keys at 2.1 dur:480 vel:80: G2 C3 E3 G3
/// chord Keys C at:3.1 dur:h strum:t voicing:open inv:1
/// > + Chord C on Keys at 3.1 dur:960 vel:80: E4 C5 G5
/// chord Keys C at:4.1 strum:q
/// > ! strum:q leaves no time for the last tone
/// >   try: chord Keys C at:4.1 strum:s3
/// ```
#[fcp_verb(category = "Notes", alias = "add chord")]
pub fn chord(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The symbol: a root, a quality, alterations, a bass.
    #[fcp(positional)]
    symbol: Chord,
    /// Its start; after the last music added to the track if left out.
    at: Option<Spanned<Pos>>,
    /// Its length.
    #[fcp(alias = "duration")]
    dur: Option<Spanned<Dur>>,
    /// Its velocity.
    #[fcp(alias = "velocity", default = Velocity::MF)]
    vel: Velocity,
    /// The octave of its root; 4 if left out.
    #[fcp(alias = "octave")]
    oct: Option<Spanned<Int<-1, 9>>>,
    /// Number of its lowest tones that go up an octave.
    #[fcp(alias = "inversion")]
    inv: Option<Spanned<Int<0, 6>>>,
    /// The spread of its tones.
    #[fcp(default = Voicing::Close)]
    voicing: Voicing,
    /// Delay of each tone after the one below it.
    strum: Option<Spanned<Dur>>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let row = song.tracks.need(track.id())?.clone();
    let start = song.onset(track.id(), at.as_ref())?;
    let (place, length) = (at, dur);
    let dur = match &length {
        Some(dur) => song.ticks(dur, row.chunk, start)?,
        None => u64::from(song.ppqn()),
    };
    let octave = oct
        .as_ref()
        .and_then(|oct| i8::try_from(oct.get().get()).ok());
    let inversion = inv
        .as_ref()
        .map_or(0, |inv| u8::try_from(inv.get().get()).unwrap_or(0));
    let tones = symbol
        .tones(octave.unwrap_or(4), inversion, voicing)
        .map_err(|error| match (&inv, &oct) {
            (Some(inv), _) if usize::from(inversion) >= symbol.size(voicing) => inv.wrong(error),
            (_, Some(oct)) => oct.wrong(error),
            _ => Diagnostic::new(error.about("")),
        })?;
    let later = match &strum {
        Some(strum) => song.period(strum, row.chunk, Frac::of_tick(start))?,
        None => Frac::ZERO,
    };
    let last = later.multiple(tones.len().saturating_sub(1) as u64);
    if let Some(strum) = strum.as_ref().filter(|_| last >= dur) {
        let near = (dur / (2 * tones.len() as u64)).max(1);
        let near = Dur::of_ticks(near, Some(song.ppqn())).map(|dur| dur.to_string());
        let problem = "leaves no time for the last tone";
        return Err(strum.wrong(ValueError::new(problem).maybe_fix(near)));
    }
    let mut overlaps = Overlaps::default();
    let mut names = Vec::new();
    for (nth, pitch) in (0..).zip(tones) {
        let at = start + later.multiple(nth);
        let new = NewNote {
            track: track.id(),
            channel: ch.or(row.channel).unwrap_or(Channel::FIRST),
            pitch,
            at,
            dur: start + dur - at,
            velocity: vel,
            release: Release::NEUTRAL,
        };
        if let Some(clash) = song.clash_of(row.chunk, &new) {
            return Err(clash.refused_at(song, start, place.as_ref(), length.as_ref()));
        }
        let (id, others) = song.add_note(new)?;
        overlaps.add(others);
        names.push(song.pitch_of(song.notes.need(id)?));
    }
    song.set_cursor(track.id(), start + dur);
    let (on, at) = (song.name_of_track(track.id()), song.shown(row.chunk, start));
    let names = names.join(" ");
    Ok(created!(
        "Chord {symbol} on {on} at {at} dur:{dur} vel:{vel}: {names}{}",
        overlaps.describe()
    ))
}
