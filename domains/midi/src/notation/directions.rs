//! Marks above all parts: keys, tempo, markers.

use fcp::prelude::*;

use super::score_grid::Placing;
use crate::model::{Chunk, Song, Timeline};
use crate::time::DEFAULT_MICROS;
use crate::values::KeySig;

/// Values for all parts, each with its place in fractions of ticks, in order.
pub struct Over {
    /// The keys, each different from the previous one. The first is at the start.
    pub keys: Vec<(u64, KeySig)>,
    /// Microseconds per quarter note, each different from the previous value. The first is at the
    /// start.
    pub tempos: Vec<(u64, u32)>,
    /// The texts of markers.
    pub markers: Vec<(u64, String)>,
}

impl Over {
    /// The values between two ticks, the second excluded.
    #[must_use]
    pub fn new(
        song: &Song,
        chunk: Id<Chunk>,
        (from, to): (u64, u64),
        placing: &Placing<'_>,
    ) -> Self {
        let span = (from * placing.parts(), to * placing.parts());
        let here = |own: Id<Chunk>| !song.is_patterns() || own == chunk;
        let keys = in_order(&song.keys.index().time).into_iter();
        let keys = keys.filter_map(|id| {
            let row = song.keys.get(Id::new(id))?;
            let sharps = i8::try_from(row.sharps).ok();
            let key = sharps.and_then(|sharps| KeySig::new(sharps, row.mode == 1));
            // A key without a signature is written as none.
            here(row.chunk).then_some((row.at, key.unwrap_or(KeySig::C_MAJOR)))
        });
        let tempos = in_order(&song.tempos.index().time);
        let tempos = tempos.into_iter().filter_map(|id| {
            let row = song.tempos.get(Id::new(id))?;
            let holds = here(row.chunk) && row.micros > 0;
            holds.then_some((row.at, row.micros))
        });
        let markers = in_order(song.markers.index());
        let markers = markers.into_iter().filter_map(|id| {
            let row = song.markers.get(Id::new(id))?;
            let at = placing.line(row.at);
            let is_inside = here(row.chunk) && (span.0..span.1).contains(&at);
            is_inside.then(|| (at, row.text.clone()))
        });
        Self {
            keys: changes(keys, KeySig::C_MAJOR, span, placing),
            tempos: changes(tempos, DEFAULT_MICROS, span, placing),
            markers: markers.collect(),
        }
    }

    /// The key in effect at a place.
    #[must_use]
    pub fn key_at(&self, tick: u64) -> KeySig {
        let after = self.keys.partition_point(|(at, _)| *at <= tick);
        let holds = self.keys.get(after.saturating_sub(1));
        holds.map_or(KeySig::C_MAJOR, |(_, key)| *key)
    }
}

/// The ids of rows in all chunks, by time: of several at a tick, the last takes effect.
fn in_order(timeline: &Timeline) -> Vec<u32> {
    let mut spots: Vec<_> = timeline.iter().collect();
    spots.sort_by_key(|(key, _)| (key.tick, key.chunk, key.pos, key.seq));
    spots.into_iter().map(|(_, spot)| spot.id).collect()
}

/// The value at the start, and its later changes.
fn changes<T: Copy + PartialEq>(
    rows: impl Iterator<Item = (u64, T)>,
    default: T,
    (from, to): (u64, u64),
    placing: &Placing<'_>,
) -> Vec<(u64, T)> {
    let mut values = vec![(from, default)];
    for (at, value) in rows {
        let at = placing.line(at).max(from);
        if at >= to {
            break;
        }
        match values.last_mut() {
            // The last of several at a tick takes effect.
            Some(last) if last.0 == at => last.1 = value,
            _ => values.push((at, value)),
        }
    }
    values.dedup_by_key(|(_, value)| *value);
    values
}

/// The rows between two places, the second excluded.
#[must_use]
pub fn between<T>(rows: &[(u64, T)], from: u64, to: u64) -> &[(u64, T)] {
    let first = rows.partition_point(|(at, _)| *at < from);
    let rest = rows.get(first..).unwrap_or_default();
    let count = rest.partition_point(|(at, _)| *at < to);
    rest.get(..count).unwrap_or_default()
}
