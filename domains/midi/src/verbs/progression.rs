//! `progression`

use fcp::prelude::*;
use fcp::reply;

use crate::harmony::progression::{self, VoiceLeader};
use crate::model::{NewNote, Release, Song, Track, limits};
use crate::values::{Channel, Dur, Frac, Pos, Tonality, Velocity, Voicing};

/// Add chords one after the other, by symbols or by degrees of the key.
///
/// With `|` a bar is shared evenly by its chords; without, each lasts `dur`. A rhythm, lengths and rests `r/q`, restarts
/// with each chord and is played until that is over.
///
/// ```fcp
/// # track add Keys
/// progression Keys "Am7 | Fmaj7 | C | G" rhythm:"q. e h" vel:mp lead:on
/// > + Progression on Keys from 1.1 to 5.1 (4 chords, 42 notes) next:5.1
/// progression Keys "ii7 V7 | I" key:C-major
/// > + Progression on Keys from 5.1 to 7.1 (3 chords, 11 notes) next:7.1
/// progression Keys "ii7 V7 | I"
/// > ! ii7 is a degree of a key, but the song has no key
/// >   try: progression Keys "ii7 V7 | I" key:C-major
/// progression Keys "Am7 Cmaj77" dur:h
/// > ! Cmaj77 is not a chord
/// >   try: progression Keys "Am7 Cmaj7" dur:h
/// ```
#[fcp_verb(category = "Notes", alias = "add progression")]
pub fn progression(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// Chords, `Am7 G/B`, or degrees, `vi7 V`, and barlines.
    #[fcp(rest)]
    line: Vec<Spanned<Text>>,
    /// Its start; after the last music added to the track if left out.
    at: Option<Spanned<Pos>>,
    /// Length of each chord in a line without barlines; a bar if left out.
    #[fcp(alias = "duration")]
    dur: Option<Spanned<Dur>>,
    /// Lengths and rests that each chord is played in: `q. e r/h`.
    rhythm: Option<Spanned<Text>>,
    /// Each chord takes the inversion that is nearest to the chord before.
    #[fcp(default = Switch(false))]
    lead: Switch,
    /// The key of degrees; the one in force if left out.
    key: Option<Tonality>,
    /// The octave of the roots.
    #[fcp(alias = "octave", default = Int::clamped(4))]
    oct: Int<-1, 9>,
    /// The spread of the tones.
    #[fcp(default = Voicing::Close)]
    voicing: Voicing,
    /// Their velocity.
    #[fcp(alias = "velocity", default = Velocity::MF)]
    vel: Velocity,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let row = song.tracks.need(track.id())?.clone();
    let start = song.onset(track.id(), at.as_ref())?;
    let read = progression::read(&line)?;
    if let (true, Some(dur)) = (read.barred, &dur) {
        let problem = "is for lines without |; with |, bars set the chords' lengths";
        return Err(dur.wrong(ValueError::new(problem)));
    }
    if !song.has_bars() && dur.is_none() {
        bail!("this file counts SMPTE frames, so it has no bars"; add: "dur:2s");
    }
    let each = |at: Frac| match &dur {
        Some(dur) => {
            let length = dur.get().exact(&song.clock(row.chunk), at);
            length.map_err(|error| dur.wrong(error))
        }
        None => {
            let bars = song.bars(row.chunk);
            let tick = u64::try_from(at.round()).unwrap_or(0);
            let length = bars.at(tick).bar_ticks();
            Ok(Frac::whole(i64::try_from(length).unwrap_or(i64::MAX)))
        }
    };
    let (spread, end) = read.spread(song, row.chunk, start, &each)?;
    let beats = rhythm.as_ref().map(progression::rhythm).transpose()?;
    let mut voicer = VoiceLeader {
        octave: i8::try_from(oct.get()).unwrap_or(4),
        voicing,
        lead: lead.0,
        last: Vec::new(),
    };
    let channel = ch.or(row.channel).unwrap_or(Channel::FIRST);
    let mut notes = Vec::new();
    for chord in &spread {
        let symbol = progression::chord(song, row.chunk, chord, key.map(|key| key.0))?;
        let pitches = voicer
            .next(&symbol)
            .map_err(|error| Diagnostic::new(error.about("")))?;
        let hits = progression::hits(song, row.chunk, chord, beats.as_deref())?;
        limits::bounded(song, notes.len() + hits.len() * pitches.len(), 1)?;
        for (at, to) in hits {
            notes.extend(pitches.iter().map(|pitch| NewNote {
                track: track.id(),
                channel,
                pitch: *pitch,
                at,
                dur: to.saturating_sub(at).max(1),
                velocity: vel,
                release: Release::NEUTRAL,
            }));
        }
    }
    let chords = spread.len();
    let count = notes.len();
    let overlaps = song.add_notes(notes)?;
    song.set_cursor(track.id(), end);
    let on = song.name_of_track(track.id());
    let (from, to) = (song.shown(row.chunk, start), song.shown(row.chunk, end));
    let (chords, notes) = (reply::count(chords, "chord"), reply::count(count, "note"));
    Ok(created!(
        "Progression on {on} from {from} to {to} ({chords}, {notes}) next:{to}{}",
        overlaps.describe()
    ))
}
