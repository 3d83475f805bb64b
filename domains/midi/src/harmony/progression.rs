//! Chord progressions: the span of each chord, its rhythm and its voicing.

use std::ops::Range;

use fcp::prelude::*;

use crate::model::{Chunk, Song, limits};
use crate::values::{Chord, Dur, Frac, Harmony, KeySig, Pitch, Voicing};

/// The most chords of a line.
const MOST: usize = 100_000;

/// A progression, in bars if it has barlines.
pub struct Progression {
    /// The chords of each bar; without barlines, all in one.
    pub bars: Vec<Vec<Harmony>>,
    /// Whether there are barlines.
    pub barred: bool,
}

/// A chord of a progression with its span.
pub struct TimedChord<'a> {
    /// The chord.
    pub harmony: &'a Harmony,
    /// Its start.
    pub from: Frac,
    /// Its end.
    pub to: Frac,
}

/// A step of a rhythm: its length, and whether anything sounds.
pub struct RhythmStep {
    dur: Dur,
    sounds: bool,
}

/// The word of an op with one part of it repaired.
pub fn amended(word: &Spanned<Text>, place: &Range<usize>, mut error: ValueError) -> Diagnostic {
    let text = word.get().as_str();
    let spliced = |fix: String| format!("{}{fix}{}", &text[..place.start], &text[place.end..]);
    error.fix = error.fix.map(spliced);
    word.wrong(error)
}

/// Reads the words of a progression.
///
/// # Errors
/// A word is not a chord, there is none, or there are too many.
pub fn read(words: &[Spanned<Text>]) -> Result<Progression> {
    let mut bars: Vec<Vec<Harmony>> = vec![Vec::new()];
    let mut count = 0_usize;
    for word in words {
        let text = word.get().as_str();
        let mut from = 0;
        for piece in text.split_whitespace() {
            let at = from + text[from..].find(piece).unwrap_or(0);
            from = at + piece.len();
            if piece == "|" {
                bars.push(Vec::new());
                continue;
            }
            if let Some(fix) = barred(piece) {
                let problem = format!("{piece} has a barline in it, which needs spaces around it");
                let error = ValueError::sentence(problem).maybe_fix(fix);
                return Err(amended(word, &(at..from), error));
            }
            let harmony = Harmony::parse(piece).map_err(|error| {
                // Commas may separate the tones of one chord, or several chords.
                let chords = piece.split(',').all(|chord| Harmony::parse(chord).is_ok());
                let fix = apart(piece).or(error.fix.clone()).filter(|_| !chords);
                let error = ValueError::sentence(error.about(piece)).maybe_fix(fix);
                amended(word, &(at..from), error)
            })?;
            count += 1;
            if let Some(bar) = bars.last_mut() {
                bar.push(harmony);
            }
        }
    }
    let barred = bars.len() > 1;
    // A progression may begin and end with a barline.
    if bars.len() > 1 && bars.first().is_some_and(Vec::is_empty) {
        bars.remove(0);
    }
    bars.pop_if(|bar| barred && bar.is_empty());
    if count == 0 {
        bail!("a progression has chords: \"Am7 | F G\", or degrees of the key: \"vi7 | IV V\"");
    }
    if count > MOST {
        bail!("that would be {count} chords; a progression has at most {MOST}");
    }
    if bars.iter().any(Vec::is_empty) {
        bail!("a bar needs a chord");
    }
    Ok(Progression { bars, barred })
}

/// Chords joined by other characters, separated by spaces: `Am7-D7`, `C,F`.
fn apart(piece: &str) -> Option<String> {
    let joints = ['-', '–', '—', ',', ';', '>', '→', '_', '/'];
    let chords: Vec<&str> = piece.split(joints).collect();
    let reads = chords.iter().all(|chord| Harmony::parse(chord).is_ok());
    (chords.len() > 1 && reads).then(|| chords.join(" "))
}

/// The chords and barlines of a word that holds both, separated by spaces. The outer `None` means
/// that it has no barline, the inner that one of its chords cannot be repaired.
fn barred(piece: &str) -> Option<Option<String>> {
    piece.contains('|').then(|| {
        let spaced = piece.replace('|', " | ");
        let chord = |word: &str| match word {
            "|" => Some("|".to_owned()),
            word => match Harmony::parse(word) {
                Ok(_) => Some(word.to_owned()),
                Err(error) => error.fix,
            },
        };
        let words: Option<Vec<String>> = spaced.split_whitespace().map(chord).collect();
        words.map(|mut words| {
            words.dedup_by(|word, before| word == "|" && before == "|");
            words.join(" ")
        })
    })
}

impl Progression {
    /// The span of each chord, and the end of the progression.
    ///
    /// # Errors
    /// They would end after the last tick.
    pub fn spread(
        &self,
        song: &Song,
        chunk: Id<Chunk>,
        start: u64,
        dur: &dyn Fn(Frac) -> Result<Frac>,
    ) -> Result<(Vec<TimedChord<'_>>, u64)> {
        let exact = |tick: u64| Frac::whole(i64::try_from(tick).unwrap_or(i64::MAX));
        let tick = |at: Frac| u64::try_from(at.round()).unwrap_or(0);
        let mut at = exact(start);
        let mut spread = Vec::new();
        for bar in &self.bars {
            let share = if self.barred {
                let bars = song.bars(chunk);
                let next = exact(bars.bar(bars.place(tick(at)).bar + 1));
                let count = Frac::whole(i64::try_from(bar.len()).unwrap_or(1));
                next.minus(at).and_then(|length| length.over(count))
            } else {
                None
            };
            for harmony in bar {
                let length = share.map_or_else(|| dur(at), Ok)?;
                let to = at.plus(length);
                let Some(to) = to.filter(|to| tick(*to) <= crate::model::LAST_TICK) else {
                    bail!("the progression would end beyond the last tick of a file");
                };
                spread.push(TimedChord {
                    harmony,
                    from: at,
                    to,
                });
                at = to;
            }
        }
        Ok((spread, tick(at)))
    }
}

/// Reads a rhythm: lengths and rests, `q. e r/q`.
///
/// # Errors
/// A word is not a length.
pub fn rhythm(text: &Spanned<Text>) -> Result<Vec<RhythmStep>> {
    let whole = text.get().as_str();
    let mut beats = Vec::new();
    let mut from = 0;
    for piece in whole.split_whitespace() {
        let at = from + whole[from..].find(piece).unwrap_or(0);
        from = at + piece.len();
        let (length, sounds) = match piece.strip_prefix("r/") {
            Some(length) => (length, false),
            None => (piece, true),
        };
        let dur = Dur::parse(length).map_err(|error| {
            let place = from - length.len()..from;
            let error = ValueError::sentence(error.about(length)).maybe_fix(error.fix.clone());
            amended(text, &place, error)
        })?;
        beats.push(RhythmStep { dur, sounds });
    }
    if beats.is_empty() {
        bail!("a rhythm has lengths: rhythm:\"q. e h\"");
    }
    Ok(beats)
}

/// The spans in which a chord sounds: its whole span, or each beat of a rhythm that begins with the
/// chord and repeats to its end.
///
/// # Errors
/// A beat is shorter than a tick, or there are more than an op can make.
pub fn hits(
    song: &Song,
    chunk: Id<Chunk>,
    spread: &TimedChord<'_>,
    beats: Option<&[RhythmStep]>,
) -> Result<Vec<(u64, u64)>> {
    let tick = |at: Frac| u64::try_from(at.round()).unwrap_or(0);
    let Some(beats) = beats else {
        return Ok(vec![(tick(spread.from), tick(spread.to))]);
    };
    let mut hits = Vec::new();
    let mut at = spread.from;
    for (n, beat) in beats.iter().cycle().enumerate() {
        if tick(at) >= tick(spread.to) {
            break;
        }
        let length = beat.dur.exact(&song.clock(chunk), at);
        let length = length.map_err(|error| Diagnostic::new(error.about("rhythm:")))?;
        let Some(to) = at.plus(length).filter(|_| length.round() > 0) else {
            bail!("rhythm: {} is shorter than a tick", beat.dur);
        };
        if beat.sounds {
            hits.push((tick(at), tick(to.min(spread.to))));
        }
        at = to;
        // The first rounds predict the total, if the others are as long.
        let round = (n + 1) / beats.len();
        if (n + 1) % beats.len() == 0 && round.is_power_of_two() {
            let length = |to: Frac| to.minus(spread.from);
            let times = length(spread.to).zip(length(at));
            let times = times.and_then(|(all, so_far)| all.over(so_far));
            let times = times.map_or(1, Frac::floor).max(1);
            limits::bounded(song, hits.len(), times.unsigned_abs())?;
        }
    }
    Ok(hits)
}

/// Finds the pitches of chords, one after the other.
pub struct VoiceLeader {
    /// The octave of roots.
    pub octave: i8,
    /// The voicing.
    pub voicing: Voicing,
    /// Whether each chord takes the inversion nearest to the previous one.
    pub lead: bool,
    /// The pitches of the previous chord.
    pub last: Vec<Pitch>,
}

impl VoiceLeader {
    /// The pitches of the next chord.
    ///
    /// # Errors
    /// It is beyond the range of MIDI.
    pub fn next(&mut self, chord: &Chord) -> Result<Vec<Pitch>, ValueError> {
        let plain = chord.tones(self.octave, 0, self.voicing);
        let pitches = if self.lead && !self.last.is_empty() {
            let voicing = self.voicing;
            let inversions = 0..u8::try_from(chord.size(voicing)).unwrap_or(1);
            let octaves = self.octave - 1..=self.octave + 1;
            let near = octaves.flat_map(|octave| {
                let tones = move |inversion| chord.tones(octave, inversion, voicing).ok();
                inversions.clone().filter_map(tones)
            });
            let near = near.min_by_key(|tones| (way(&self.last, tones), tones.first().copied()));
            near.map_or(plain, Ok)?
        } else {
            plain?
        };
        self.last.clone_from(&pitches);
        Ok(pitches)
    }
}

/// The distance between two chords: the sum, over the tones of each, of the distance to the nearest
/// tone of the other.
fn way(from: &[Pitch], to: &[Pitch]) -> u32 {
    let nearest = |tone: &Pitch, others: &[Pitch]| {
        let far = others.iter().map(|it| it.get().abs_diff(tone.get()).into());
        far.min().unwrap_or(0_u32)
    };
    let there: u32 = from.iter().map(|tone| nearest(tone, to)).sum();
    let back: u32 = to.iter().map(|tone| nearest(tone, from)).sum();
    there + back
}

/// A chord in the given key, else in the key in effect.
///
/// # Errors
/// It is a degree, and there is no key.
pub fn chord(
    song: &Song,
    chunk: Id<Chunk>,
    spread: &TimedChord<'_>,
    key: Option<KeySig>,
) -> Result<Chord> {
    let tick = u64::try_from(spread.from.round()).unwrap_or(0);
    let key = key.or_else(|| song.key_at(chunk, tick));
    let Some(chord) = spread.harmony.chord(key) else {
        bail!("{} is a degree of a key, but the song has no key", spread.harmony; add: "key:C-major");
    };
    Ok(chord)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voices_go_the_shortest_way() {
        let mut voicer = VoiceLeader {
            octave: 4,
            voicing: Voicing::Close,
            lead: true,
            last: Vec::new(),
        };
        let mut next = |symbol: &str| {
            let chord = Chord::parse(symbol).unwrap();
            let tones = voicer.next(&chord).unwrap();
            let names: Vec<String> = tones.iter().map(Pitch::to_string).collect();
            names.join(" ")
        };
        let table = [
            ("C", "C4 E4 G4"),
            ("F", "C4 F4 A4"),
            ("G", "B3 D4 G4"),
            ("C", "C4 E4 G4"),
            ("Am", "C4 E4 A4"),
        ];
        for (symbol, tones) in table {
            assert_eq!(next(symbol), tones, "{symbol}");
        }
    }
}
