//! Songs of all kinds, to be written as scores and read again.

use std::collections::BTreeSet;

use fcp::endpoint::Endpoint;
use fcp_midi::Song;
use fcp_midi::model::Note;

use super::Desk;

/// Ops of a song in 3/4 with most features of a score.
pub const SONG: [&str; 11] = [
    "track add Keys instrument:piano",
    "track add Bass instrument:bass",
    "track add Drums instrument:standard-kit",
    "phrase Keys \"F#4/q. C4+E4/e A4/q | _/h r/e B4 | C#5/e3 D5 E5 F5/h\" lyrics:\"Twin-kle lit-tle star how I won\" vel:f",
    "note Keys D3 at:1 dur:w",
    "note Keys Bb2,Eb3 at:1.2+s3 dur:h+e3 vel:pp",
    "phrase Bass \"D2/w D2/w D2/w\" at:1.2",
    "grid Drums kick x..x.. snare ..x..x step:e times:4",
    "time-sig 6/8 at:3",
    "key-sig Bb at:3",
    "tempo 120 at:2.2",
];

/// Pseudorandom numbers, equal for equal seeds.
pub struct Dice(pub u64);

impl Dice {
    /// A number below another.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % limit
    }

    /// One of several.
    pub fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }
}

/// A song that mixes all features of a score. Times are ticks on lines at the distances `apart`.
pub fn random_song(seed: u64, ppqn: u64, apart: &[u64]) -> Desk {
    let mut desk = Desk::new();
    desk.act(&format!("new ppqn:{ppqn}"));
    for op in random_ops(seed, ppqn, apart) {
        // An op may be rejected if the song has no place for it.
        desk.session.run(&[op], None);
    }
    desk
}

fn random_ops(seed: u64, ppqn: u64, apart: &[u64]) -> Vec<String> {
    let mut dice = Dice(seed);
    let mut ops: Vec<String> = vec![
        "track add Keys instrument:piano".to_owned(),
        "track add Bass instrument:bass".to_owned(),
        "track add Drums instrument:standard-kit".to_owned(),
    ];
    let meters = ["3/4", "6/8", "5/4", "2/2", "7/8", "4/4", "9/8"];
    for bar in [1, 3, 4, 6] {
        ops.push(format!("time-sig {} at:{bar}", dice.of(&meters)));
    }
    let place = |dice: &mut Dice| {
        let line = apart[usize::try_from(dice.below(apart.len() as u64)).unwrap()];
        line * dice.below(24 * ppqn / line)
    };
    let keys = [
        "C", "G", "F#", "C#", "Db", "Bb", "Cb", "Am", "Dm", "Gm", "G#m", "Ebm", "E", "Ab",
    ];
    for _ in 0..5 {
        let (key, at) = (dice.of(&keys), place(&mut dice));
        ops.push(format!("key-sig {key} at:tick:{at}"));
    }
    for _ in 0..3 {
        let (bpm, at) = (40 + dice.below(160), place(&mut dice));
        ops.push(format!("tempo {bpm} at:tick:{at}"));
    }
    for n in 0..2 {
        ops.push(format!("marker M{n} at:tick:{}", place(&mut dice)));
    }
    for _ in 0..40 {
        let track = dice.of(&["Keys", "Keys", "Keys", "Bass", "Drums"]);
        let at = place(&mut dice);
        let line = apart[usize::try_from(dice.below(apart.len() as u64)).unwrap()];
        let end = (at / line + 1 + dice.below(2 * ppqn / line)) * line;
        let pitch = match track {
            "Drums" => 35 + dice.below(20),
            _ => dice.below(8) * 16 + dice.below(16),
        };
        let (dur, vel) = (end - at, 1 + dice.below(127));
        ops.push(format!(
            "note {track} {pitch} at:tick:{at} dur:ticks:{dur} vel:{vel}"
        ));
    }
    for _ in 0..6 {
        let syllable = dice.of(&["la", "Twin-", "kle", "~", "a-b", "*"]);
        let at = place(&mut dice);
        ops.push(format!("lyric Keys \"{syllable}\" at:tick:{at}"));
    }
    ops
}

/// The expected content of a score of a song, or of one of its tracks: part, pitch, start and
/// length of each note. Tones and drums of a track are separate parts, the kind that the track
/// itself plays first.
pub fn written(song: &Song, on: Option<usize>) -> BTreeSet<(usize, u8, u64, u64)> {
    let notes = || song.notes.iter().map(|(_, note)| note);
    let tracks = song.tracks.iter().enumerate();
    let tracks = tracks.filter(|(ix, _)| on.is_none_or(|on| on == *ix));
    let kinds = tracks
        .flat_map(|(_, (id, row))| [row.is_drums(), !row.is_drums()].map(|drums| (id, drums)));
    let kind = |note: &Note| (note.track, note.is_drum());
    let parts: Vec<_> = kinds
        .filter(|part| notes().any(|note| kind(note) == *part))
        .collect();
    let notes = notes().filter_map(|note| {
        let part = parts.iter().position(|part| *part == kind(note))?;
        let dur = note.dur.unwrap_or_else(|| u64::from(song.ppqn())).max(1);
        Some((part, note.pitch.get(), note.at, dur))
    });
    notes.collect()
}
