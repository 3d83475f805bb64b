//! `phrase`

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{Song, Track, limits};
use crate::phrase::{Line, Wrong, abc_key, clear, lay, read_abc, sing, timed};
use crate::values::{
    Channel, Dur, Encoding, Frac, KeySig, MusicWord, Percent, Pos, Times, Velocity,
};

/// Add notes as a line of text, barlines checked.
///
/// An item is a note `C4/q`, notes at once `C4+E4/h`, a rest `r/q`, `_/q` to hold what came before, `|` a barline, `v90`
/// or `vmf` a velocity from there on, `(C4 E4)*2` a group. A length holds until the next, an octave too; `>` is an
/// accent, `!` half the length.
///
/// ```fcp
/// # track add Bass
/// phrase Bass "A1/q. A1/e E2/h | F1/q F1 C2/h"
/// > + Phrase on Bass from 1.1 to 3.1 (6 notes) next:3.1
/// phrase Bass (C2/e G)*4 | r/h C2+E2+G2/h>
/// > + Phrase on Bass from 3.1 to 5.1 (11 notes) next:5.1
/// phrase Bass "A1/q A1 E2/h. |"
/// > ! phrase: bar 5 holds 5 beats before "|", meter is 4/4 (A1/q A1/q E2/h.)
/// >   try: phrase Bass "A1/q A1 E2/h |"
/// phrase Bass "A1/q H1"
/// > ! H1 is not a phrase item: C4/q, C4+E4, r, _, |, v90, kick
/// >   try: phrase Bass "A1/q B1"
/// phrase Bass "F,2 =F,/ F,3/2 (3DEA [DA]2-|[DA]8" abc:on key:D
/// > + Phrase on Bass from 5.1 to 7.1 (8 notes, in D-major) next:7.1
/// ```
///
/// ```fcp
/// # track add Voice
/// add phrase "C4/q C4 G4 G4" on:Voice lyrics:"Twin-kle twin-kle"
/// > + Phrase on Voice from 1.1 to 2.1 (4 notes, 4 lyrics) next:2.1
/// phrase Voice "E4/h F4" at:1 replace:on
/// > + Phrase on Voice from 1.1 to 2.1 (2 notes, 4 replaced) next:2.1
/// ```
#[fcp_verb(category = "Notes", alias = "add phrase")]
pub fn phrase(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The items.
    #[fcp(rest)]
    line: Vec<Spanned<MusicWord>>,
    /// Its start; after the last music added to the track if left out.
    at: Option<Spanned<Pos>>,
    /// Length of items without one.
    #[fcp(alias = "duration")]
    dur: Option<Spanned<Dur>>,
    /// Velocity of the notes.
    #[fcp(alias = "velocity", default = Velocity::MF)]
    vel: Velocity,
    /// The octave of the first note, if the note has none.
    #[fcp(alias = "octave", default = Int::clamped(4))]
    oct: Int<-1, 9>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
    /// A syllable for each onset: `Twin-kle twin-kle`; `_` skips one.
    lyrics: Option<Text>,
    /// The encoding of the lyrics; that of the other texts if left out.
    encoding: Option<Encoding>,
    /// Start of every second eighth, in per cent of its quarter.
    #[fcp(default = Percent::clamped(50))]
    swing: Percent<50, 80>,
    /// Number of times it is played; once if left out.
    times: Option<Spanned<Times>>,
    /// Notes that started in its span before are removed.
    #[fcp(default = Switch(false))]
    replace: Switch,
    /// Reads ABC notation: `C2 E2 G2 c2|`. A letter without a length lasts for `dur:`, or an eighth.
    #[fcp(default = Switch(false))]
    abc: Switch,
    /// The key of ABC notation; that of the song at the start if left out, or else C major.
    key: Option<KeySig>,
) -> Result<Reply> {
    let row = song.tracks.need(track.id())?.clone();
    let start = song.onset(track.id(), at.as_ref())?;
    let wrong = |misread: Wrong| misread.diagnostic(&line);
    let words = line.iter().map(|word| word.get().as_str());
    let key = abc_key(song, (row.chunk, start), abc, key)?;
    let read = match key {
        Some(key) => read_abc(words, key, dur.as_ref().map(Spanned::get)),
        None => Line::read(words),
    };
    let mut read = read.map_err(wrong)?;
    if read.order.is_empty() {
        bail!("a phrase has items: C4/q, C4+E4/h, r/q, _, |, v90");
    }
    if let Some(times) = &times {
        let count = usize::try_from(times.get().get()).unwrap_or(1);
        read.again(0, count).map_err(|error| times.wrong(error))?;
    }
    limits::bounded(song, read.order.len(), 1)?;
    if !song.has_bars() {
        timed(&line, &read, dur.as_ref())?;
    }
    if let Some(dur) = &dur {
        song.period(dur, row.chunk, Frac::of_tick(start))?;
    }
    let Some(dur) = dur.map(|dur| dur.get().clone()).or(Dur::note(1, 4)) else {
        bail!("a phrase needs a length: dur:q");
    };
    let octave = i8::try_from(oct.get()).unwrap_or(4);
    // Drum names are for channel 10, whatever else the track plays.
    let struck = ch.filter(|ch| *ch == Channel::DRUMS);
    let voice = Track {
        channel: struck.or(row.channel),
        ..row.clone()
    };
    let laid = lay(song, &voice, &read, start, (dur, octave, vel)).map_err(wrong)?;
    let laid = laid.swung(song, row.chunk, swing.get());
    let channel = ch.or(row.channel).unwrap_or(Channel::FIRST);
    let mut new = laid.notes(track.id(), channel);
    let notes = new.len();
    let replaced = match replace.0 {
        true => clear(song, track.id(), (start, laid.end), &mut new)?,
        false => 0,
    };
    let overlaps = song.add_notes(new)?;
    let mut held = vec![count(notes, "note")];
    held.extend(key.map(|key| format!("in {key}")));
    if let Some(lyrics) = &lyrics {
        let lyrics = song.written(lyrics.as_str(), encoding)?;
        let n = sing(song, track.id(), &laid, (&lyrics.text, encoding))?;
        let note = lyrics.note;
        held.push(format!("{}{note}", count(n, "lyric")));
    }
    if replaced > 0 {
        held.push(format!("{replaced} replaced"));
    }
    song.set_cursor(track.id(), laid.end);
    let on = song.name_of_track(track.id());
    let (from, to) = (
        song.shown(row.chunk, start),
        song.shown(row.chunk, laid.end),
    );
    Ok(created!(
        "Phrase on {on} from {from} to {to} ({}) next:{to}{}",
        held.join(", "),
        overlaps.describe()
    ))
}
