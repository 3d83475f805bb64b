//! Common parts of verbs that change many notes at once.

use std::borrow::Borrow;

use fcp::prelude::*;

use crate::lines;
use crate::model::{Note, Song};
use crate::values::Frac;

/// Notes with their ids.
pub type NoteRows<'s> = Vec<(Id<Note>, &'s Note)>;

/// The chosen notes with their ids, in the order they start.
///
/// # Errors
/// A note is missing.
pub fn chosen<'s>(song: &'s Song, notes: &Selection<Note>) -> Result<NoteRows<'s>> {
    let mut rows = Vec::with_capacity(notes.len());
    for id in notes.iter() {
        rows.push((id, song.notes.need(id)?));
    }
    rows.sort_by_key(|(_, note)| (note.at, note.chunk, note.on_mark.pos, note.on_mark.seq));
    Ok(rows)
}

/// The pitched notes, in the order they start: notes on channel 10 are drums and are left out,
/// unless `drums` is set. The text reports them: ` (48 drum notes left)`.
///
/// # Errors
/// A note is missing.
pub fn tones<'s>(
    song: &'s Song,
    notes: &Selection<Note>,
    drums: Switch,
) -> Result<(NoteRows<'s>, String)> {
    let mut rows = chosen(song, notes)?;
    let all = rows.len();
    rows.retain(|(_, note)| drums.0 || !note.is_drum());
    let left = match all - rows.len() {
        0 => String::new(),
        n => format!(" ({} left)", lines::count(n, "drum note", "drum notes")),
    };
    Ok((rows, left))
}

/// `3 notes on Keys`; the track is named if all notes share it.
#[must_use]
pub fn describe_notes<N: Borrow<Note>>(song: &Song, rows: &[(Id<Note>, N)]) -> String {
    let n = rows.len();
    let noun = if n == 1 { "note" } else { "notes" };
    let mut tracks = rows.iter().map(|(_, note)| note.borrow().track);
    let first = tracks.next();
    let one = first.filter(|first| tracks.all(|track| track == *first));
    let on = one.map_or(String::new(), |track| {
        format!(" on {}", lines::name(song, track))
    });
    format!("{n} {noun}{on}")
}

/// The notes that change.
///
/// # Errors
/// The new state of a note is invalid.
pub fn changed<N: Borrow<Note>>(
    rows: &[(Id<Note>, N)],
    after: impl Fn(&Note) -> Result<Note>,
) -> Result<Vec<(Id<Note>, Note)>> {
    let mut changes = Vec::with_capacity(rows.len());
    for (id, note) in rows {
        let after = after(note.borrow())?;
        if after != *note.borrow() {
            changes.push((*id, after));
        }
    }
    Ok(changes)
}

/// Counts notes whose length would be zero, and is set to one tick instead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept(usize);

impl Kept {
    /// The length, at least one tick.
    pub fn length(&mut self, ticks: u64) -> u64 {
        self.0 += usize::from(ticks == 0);
        ticks.max(1)
    }

    /// `2 kept at 1 tick`; `None` if there are none.
    #[must_use]
    pub fn describe(self) -> Option<String> {
        (self.0 > 0).then(|| format!("{} kept at 1 tick", self.0))
    }
}

/// The nearest tick to an exact place; 0 before the start.
#[must_use]
pub fn tick(at: Frac) -> u64 {
    u64::try_from(at.round()).unwrap_or(0)
}

/// A tick as an exact place.
#[must_use]
pub fn exact(tick: u64) -> Frac {
    Frac::whole(i64::try_from(tick).unwrap_or(i64::MAX))
}

/// An exact `parts`-th of a quarter note.
#[must_use]
pub fn quarter_in(song: &Song, parts: u8) -> Frac {
    Frac::new(song.ppqn().into(), parts.into()).unwrap_or(Frac::whole(1))
}

/// A multiple of an exact length, in ticks.
#[must_use]
pub fn multiple(length: Frac, times: u64) -> u64 {
    length.times(exact(times)).map_or(u64::MAX, tick)
}

/// Pseudorandom numbers, equal for equal seeds.
pub struct Dice(u64);

impl Dice {
    /// Starts with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number in `0..sides`.
    pub fn below(&mut self, sides: usize) -> usize {
        let sides = u64::try_from(sides).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.mixed() % sides).unwrap_or(0)
    }

    /// A number from `-most` to `most`, all equally likely.
    pub fn around(&mut self, most: u64) -> i64 {
        let most = most.min(1 << 40);
        let sides = 2 * most + 1;
        i64::try_from(self.mixed() % sides).unwrap_or(0) - i64::try_from(most).unwrap_or(0)
    }

    fn mixed(&mut self) -> u64 {
        // SplitMix64, by Steele, Lea and Flood, 2014.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn dice_of_a_seed_fall_alike_and_on_every_side() {
        let rolls = |seed| {
            let mut dice = Dice::new(seed);
            (0..200).map(|_| dice.around(3)).collect::<Vec<_>>()
        };
        assert_eq!(rolls(7), rolls(7));
        assert_ne!(rolls(7), rolls(8));
        for side in -3..=3 {
            assert!(rolls(1).contains(&side), "{side}");
        }
        assert!(rolls(1).iter().all(|side| (-3..=3).contains(side)));
    }
}
