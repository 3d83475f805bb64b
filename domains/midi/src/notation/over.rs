//! What stands over the notes of all parts: keys, tempo, markers.

use fcp::prelude::*;

use super::placing::Placing;
use crate::clock::DEFAULT_MICROS;
use crate::model::{Chunk, Song};
use crate::values::KeySig;

/// What holds for all parts, each with the place it stands at in parts of ticks, in their order.
pub struct Over {
    /// The keys, each other than the one before. The first stands at the start.
    pub keys: Vec<(u64, KeySig)>,
    /// Microseconds of a quarter note, each other than the one before. The first stands at the start.
    pub tempos: Vec<(u64, u32)>,
    /// What markers say.
    pub markers: Vec<(u64, String)>,
}

impl Over {
    /// What holds between two ticks, the second not included.
    #[must_use]
    pub fn new(
        song: &Song,
        chunk: Id<Chunk>,
        (from, to): (u64, u64),
        placing: &Placing<'_>,
    ) -> Self {
        let span = (from * placing.parts(), to * placing.parts());
        let here = |own: Id<Chunk>| !song.is_patterns() || own == chunk;
        let mut spots: Vec<_> = song.keys.index().iter().collect();
        spots.sort_by_key(|(key, _)| (key.tick, key.chunk, key.pos, key.seq));
        let keys = spots.iter().filter_map(|(_, spot)| {
            let row = song.keys.get(Id::new(spot.id))?;
            let sharps = i8::try_from(row.sharps).ok();
            let key = sharps.and_then(|sharps| KeySig::new(sharps, row.mode == 1));
            // One that no signature names is written as none.
            here(row.chunk).then_some((row.at, key.unwrap_or(KeySig::C_MAJOR)))
        });
        let mut tempos: Vec<(u64, u32)> = Vec::new();
        let rows = song.tempos.iter().filter(|(_, row)| here(row.chunk));
        tempos.extend(rows.filter_map(|(_, row)| (row.micros > 0).then_some((row.at, row.micros))));
        tempos.sort_by_key(|(at, _)| *at);
        let rows = song.markers.iter().filter(|(_, row)| here(row.chunk));
        let rows = rows.map(|(_, row)| (placing.line(row.at), row.text.clone()));
        let mut markers: Vec<_> = rows
            .filter(|(at, _)| (span.0..span.1).contains(at))
            .collect();
        markers.sort_by_key(|(at, _)| *at);
        Self {
            keys: changes(keys, KeySig::C_MAJOR, span, placing),
            tempos: changes(tempos.into_iter(), DEFAULT_MICROS, span, placing),
            markers,
        }
    }

    /// The key that holds at a place.
    #[must_use]
    pub fn key_at(&self, tick: u64) -> KeySig {
        let after = self.keys.partition_point(|(at, _)| *at <= tick);
        let holds = self.keys.get(after.saturating_sub(1));
        holds.map_or(KeySig::C_MAJOR, |(_, key)| *key)
    }
}

/// What holds at the start, and what changes behind it.
fn changes<T: Copy + PartialEq>(
    rows: impl Iterator<Item = (u64, T)>,
    default: T,
    (from, to): (u64, u64),
    placing: &Placing<'_>,
) -> Vec<(u64, T)> {
    let mut told = vec![(from, default)];
    for (at, value) in rows {
        let at = placing.line(at).max(from);
        if at >= to {
            break;
        }
        match told.last_mut() {
            // The last of several at a tick is the one that holds.
            Some(last) if last.0 == at => last.1 = value,
            _ => told.push((at, value)),
        }
    }
    told.dedup_by_key(|(_, value)| *value);
    told
}

/// The rows that stand between two places, the second not included.
#[must_use]
pub fn between<T>(rows: &[(u64, T)], from: u64, to: u64) -> &[(u64, T)] {
    let first = rows.partition_point(|(at, _)| *at < from);
    let rest = rows.get(first..).unwrap_or_default();
    let count = rest.partition_point(|(at, _)| *at < to);
    rest.get(..count).unwrap_or_default()
}
