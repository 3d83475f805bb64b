//! Parameter data without a selected parameter.

use fcp::prelude::*;

use super::group::{Selected, changes};
use super::{DATA, NRPN, RPN, selects};
use crate::model::{Moment, START, Song, Track};
use crate::values::Channel;

/// Increment and decrement of the selected parameter.
const STEPS: (u8, u8) = (96, 97);

/// The tick of the first parameter data on a track without a selected parameter.
#[must_use]
pub fn stray(song: &Song, track: Id<Track>) -> Option<u64> {
    let index = song.controls.index();
    let data = [DATA.0, DATA.1, STEPS.0, STEPS.1];
    let channels = data.iter().flat_map(|own| index.channels(track, *own));
    let strays = channels.filter_map(|channel| {
        let voice = (track, channel);
        index.stray(voice, || first(song, voice))
    });
    strays.min().map(|(at, ..)| at)
}

/// The first on a channel.
fn first(song: &Song, voice: (Id<Track>, Channel)) -> Option<Moment> {
    let numbers = [
        DATA.0, DATA.1, STEPS.0, STEPS.1, NRPN.0, NRPN.1, RPN.0, RPN.1,
    ];
    let mut selected = Selected::default();
    let mut rows = changes(song, voice, numbers, START);
    let stray = rows.find(|(_, row)| {
        let is_data = !selects(row.number);
        if !is_data {
            selected.select(row);
        }
        is_data && selected.parameter().is_none()
    });
    stray.map(|(_, row)| row.moment())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::ControlChange;
    use crate::model::Site;
    use crate::model::channel_state;

    /// Reference for [`stray`]: checks all control changes of the track in order.
    fn plain(song: &Song) -> Option<u64> {
        let mut selected = [[None; 2]; 16];
        let mut kind = [0; 16];
        for (_, spot) in song.controls.index().time.iter() {
            let row = song.controls.get(Id::new(spot.id)).unwrap();
            let own = usize::from(row.channel.get());
            match row.number {
                98..=101 => {
                    if row.number / 2 != kind[own] {
                        selected[own] = [None; 2];
                        kind[own] = row.number / 2;
                    }
                    selected[own][usize::from(row.number % 2)] = Some(row.value);
                }
                6 | 38 | 96 | 97 => match selected[own] {
                    [Some(fine), Some(coarse)]
                        if coarse < 127 && (kind[own] == 49 || fine < 127) => {}
                    _ => return Some(row.at),
                },
                _ => {}
            }
        }
        None
    }

    proptest! {
        /// Rows are added, removed or changed one by one; each time the answer must equal that of a
        /// full scan.
        #[test]
        fn the_index_matches_a_full_scan(
            edits in proptest::collection::vec(
                (
                    0_u8..2,
                    proptest::sample::select(vec![6_u8, 38, 96, 98, 99, 100, 100, 101, 101]),
                    proptest::sample::select(vec![0_u8, 0, 0, 127]),
                    0_u64..12,
                    proptest::option::weighted(0.3, 0_usize..40),
                ),
                0..40,
            ),
        ) {
            let mut song = Song::default();
            let chunk = song.conductor();
            let track = song.tracks.insert(Track {
                chunk,
                name: String::new(),
                channel: Some(Channel::FIRST),
            });
            let mut ids: Vec<Id<ControlChange>> = Vec::new();
            for (channel, number, value, at, old) in edits {
                let channel = Channel::new(channel).unwrap();
                match old.and_then(|old| ids.get(old).copied()) {
                    Some(id) if value == 127 => {
                        song.controls.remove(id);
                    }
                    Some(id) => {
                        song.controls.modify(id, |row| row.number = number);
                    }
                    None => {
                        let site = Site { track, chunk, channel, at };
                        ids.push(channel_state::put(&mut song, site.control(number, value)));
                    }
                }
                prop_assert_eq!(stray(&song, track), plain(&song));
            }
        }
    }
}
