//! The song to measure ops on, and the ops.

/// The large song, in the benchmark's folder.
pub const FILE: &str = "large.mid";

/// A file with one track, Piano, and this many notes: four at once on each beat, in two low
/// octaves.
pub fn bytes(notes: u32) -> Vec<u8> {
    let mut track =
        b"\0\xff\x03\x05Piano\0\xff\x51\x03\x07\xa1\x20\0\xff\x58\x04\x04\x02\x18\x08\0\xc0\0"
            .to_vec();
    let mut waited = 0;
    let mut note = 0;
    while note < notes {
        let chord: Vec<u8> = (note..notes.min(note + 4))
            .map(|note| 36 + (note * 7 % 24) as u8)
            .collect();
        for (status, velocity, length) in [(0x90, 80, 240), (0x80, 64, 240)] {
            let mut delta = waited;
            for pitch in &chord {
                if delta > 0x7f {
                    track.push(0x80 | (delta >> 7) as u8);
                }
                track.extend([(delta & 0x7f) as u8, status, *pitch, velocity]);
                delta = 0;
            }
            waited = length;
        }
        note += 4;
    }
    track.extend(b"\0\xff\x2f\0");
    let mut file = b"MThd\0\0\0\x06\0\x01\0\x01\x01\xe0MTrk".to_vec();
    file.extend((track.len() as u32).to_be_bytes());
    file.extend(track);
    file
}

/// Ops that each add one note to Piano, all at different places, in two high octaves.
pub fn ops(count: u32) -> Vec<String> {
    const NAMES: [&str; 12] = [
        "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
    ];
    (0..count)
        .map(|at| {
            let pitch = at * 7 % 24;
            let (name, octave) = (NAMES[pitch as usize % 12], 4 + pitch / 12);
            let (bar, beat) = (at / 4 + 1, at % 4 + 1);
            format!("note Piano {name}{octave} at:{bar}.{beat} dur:quarter vel:mf")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_song_has_so_many_notes() {
        for notes in [1, 4, 1001] {
            let bytes = bytes(notes);
            let song = midly::Smf::parse(&bytes).unwrap();
            let ons = song.tracks[0].iter().filter(|event| {
                matches!(
                    event.kind,
                    midly::TrackEventKind::Midi {
                        message: midly::MidiMessage::NoteOn { .. },
                        ..
                    }
                )
            });
            assert_eq!(ons.count(), notes as usize);
        }
    }

    #[test]
    fn all_ops_differ() {
        let ops = ops(1000);
        let distinct: std::collections::BTreeSet<&String> = ops.iter().collect();
        assert_eq!(distinct.len(), 1000);
        assert_eq!(ops[0], "note Piano C4 at:1.1 dur:quarter vel:mf");
    }
}
