//! Pitch ranges of instruments.

use fcp::value::FcpValue;

use super::instrument::Program;
use super::pitch::Pitch;

/// The first and last program of each instrument, by General MIDI, with its lowest and highest
/// pitch from orchestration books.
const RANGES: [(u8, u8, &str, &str); 30] = [
    (0, 5, "A0", "C8"),     // pianos
    (9, 9, "G5", "C8"),     // glockenspiel
    (11, 11, "F3", "F6"),   // vibraphone
    (12, 12, "A2", "C7"),   // marimba
    (13, 13, "F4", "C8"),   // xylophone
    (24, 30, "E2", "E6"),   // guitars
    (32, 39, "B0", "G4"),   // basses
    (40, 40, "G3", "A7"),   // violin
    (41, 41, "C3", "E6"),   // viola
    (42, 42, "C2", "C6"),   // cello
    (43, 43, "C1", "G4"),   // contrabass
    (46, 46, "B0", "G#7"),  // harp
    (47, 47, "C2", "C4"),   // timpani
    (52, 52, "E2", "C6"),   // choir
    (56, 56, "E3", "C6"),   // trumpet
    (57, 57, "Bb1", "F5"),  // trombone
    (58, 58, "D1", "F4"),   // tuba
    (59, 59, "E3", "C6"),   // muted trumpet
    (60, 60, "B1", "F5"),   // horn
    (64, 64, "Ab3", "Eb6"), // soprano sax
    (65, 65, "Db3", "Ab5"), // alto sax
    (66, 66, "Ab2", "E5"),  // tenor sax
    (67, 67, "C2", "A4"),   // baritone sax
    (68, 68, "Bb3", "A6"),  // oboe
    (69, 69, "E3", "C6"),   // english horn
    (70, 70, "Bb1", "Eb5"), // bassoon
    (71, 71, "D3", "Bb6"),  // clarinet
    (72, 72, "D5", "C8"),   // piccolo
    (73, 73, "B3", "D7"),   // flute
    (74, 74, "C5", "D7"),   // recorder
];

/// The lowest and the highest pitch of an instrument, if known.
#[must_use]
pub fn sounding(program: Program) -> Option<(Pitch, Pitch)> {
    let number = program.get();
    let (_, _, low, high) = RANGES
        .iter()
        .find(|(first, last, ..)| (*first..=*last).contains(&number))?;
    Pitch::parse(low).ok().zip(Pitch::parse(high).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_is_two_pitches() {
        for (first, last, low, high) in RANGES {
            let program = Program::new(first).unwrap();
            let (from, to) = sounding(program).unwrap();
            assert!(first <= last && from < to);
            assert_eq!(Pitch::parse(low), Ok(from));
            assert_eq!(Pitch::parse(high), Ok(to));
        }
        assert_eq!(sounding(Program::new(88).unwrap()), None);
    }
}
