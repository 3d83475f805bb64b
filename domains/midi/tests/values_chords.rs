//! Chords by hand-made tables.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use fcp::value::FcpValue;
use fcp_midi::values::{ALTERATIONS, Chord, Pitch, PitchClass, QUALITIES, Voicing};

fn chord(text: &str) -> Chord {
    Chord::parse(text).unwrap_or_else(|error| panic!("{}", error.about(text)))
}

fn keys(text: &str, octave: i8, inversion: u8, voicing: Voicing) -> Vec<u8> {
    let tones = chord(text).tones(octave, inversion, voicing);
    let tones = tones.unwrap_or_else(|error| panic!("{}", error.about(text)));
    tones.into_iter().map(Pitch::get).collect()
}

fn names(text: &str, octave: i8, inversion: u8, voicing: Voicing) -> String {
    let tones = chord(text).tones(octave, inversion, voicing).unwrap();
    let names: Vec<String> = tones.iter().map(ToString::to_string).collect();
    names.join(" ")
}

/// All rows, as in chord books.
const ROWS: &[(&[&str], &[u8])] = &[
    (&["", "maj", "M"], &[0, 4, 7]),
    (&["m", "min", "-"], &[0, 3, 7]),
    (&["5"], &[0, 7]),
    (&["dim", "o"], &[0, 3, 6]),
    (&["aug", "+"], &[0, 4, 8]),
    (&["sus2"], &[0, 2, 7]),
    (&["sus", "sus4"], &[0, 5, 7]),
    (&["6"], &[0, 4, 7, 9]),
    (&["m6"], &[0, 3, 7, 9]),
    (&["69", "6/9"], &[0, 4, 7, 9, 14]),
    (&["7"], &[0, 4, 7, 10]),
    (&["maj7", "M7", "MAJ7", "Maj7"], &[0, 4, 7, 11]),
    (&["m7", "-7", "Min7"], &[0, 3, 7, 10]),
    (&["mM7"], &[0, 3, 7, 11]),
    (&["dim7", "o7"], &[0, 3, 6, 9]),
    (&["m7b5", "ø"], &[0, 3, 6, 10]),
    (&["7sus4"], &[0, 5, 7, 10]),
    (&["add9"], &[0, 4, 7, 14]),
    (&["madd9"], &[0, 3, 7, 14]),
    (&["9"], &[0, 4, 7, 10, 14]),
    (&["maj9"], &[0, 4, 7, 11, 14]),
    (&["m9"], &[0, 3, 7, 10, 14]),
    (&["9sus4"], &[0, 5, 7, 10, 14]),
    (&["11"], &[0, 4, 7, 10, 14, 17]),
    (&["m11"], &[0, 3, 7, 10, 14, 17]),
    (&["13"], &[0, 4, 7, 10, 14, 21]),
    (&["maj13"], &[0, 4, 7, 11, 14, 21]),
    (&["m13"], &[0, 3, 7, 10, 14, 21]),
    (&["alt"], &[0, 4, 10, 13, 15, 20]),
];

/// Roots and their keys in octave 4.
const ROOTS: [(&str, u8); 21] = [
    ("C", 60),
    ("C#", 61),
    ("Db", 61),
    ("D", 62),
    ("D#", 63),
    ("Eb", 63),
    ("E", 64),
    ("F", 65),
    ("F#", 66),
    ("Gb", 66),
    ("G", 67),
    ("G#", 68),
    ("Ab", 68),
    ("A", 69),
    ("A#", 70),
    ("Bb", 70),
    ("B", 71),
    ("Cb", 59),
    ("E#", 65),
    ("B#", 72),
    ("Fb", 64),
];

#[test]
fn every_row_on_every_root() {
    assert_eq!(ROWS.len(), QUALITIES.len());
    for (names, tones) in ROWS {
        for name in *names {
            for (root, key) in ROOTS {
                let text = format!("{root}{name}");
                let wanted: Vec<u8> = tones.iter().map(|tone| key + tone).collect();
                assert_eq!(keys(&text, 4, 0, Voicing::Close), wanted, "{text}");
            }
        }
    }
}

#[test]
fn every_name_of_a_quality_reads_as_it_and_back() {
    for kind in &QUALITIES {
        for name in kind.names {
            let read = chord(&format!("A{name}"));
            assert_eq!(read.intervals(), kind.tones, "A{name}");
            assert_eq!(read.to_string(), format!("A{}", kind.names[0]));
            for (alteration, _) in ALTERATIONS {
                for text in [
                    format!("A{name}({alteration})"),
                    format!("Eb{name}({alteration})/G"),
                ] {
                    let altered = chord(&text);
                    assert_eq!(chord(&altered.to_string()), altered, "{text}");
                }
            }
        }
    }
}

#[test]
fn alterations_replace_or_add() {
    let table: [(&str, &[u8]); 20] = [
        ("C7b9", &[0, 4, 7, 10, 13]),
        ("C7#9", &[0, 4, 7, 10, 15]),
        ("C9b9", &[0, 4, 7, 10, 13]),
        ("C7b9#9", &[0, 4, 7, 10, 13, 15]),
        ("C7b5", &[0, 4, 6, 10]),
        ("C7#5", &[0, 4, 8, 10]),
        ("C7b5#5", &[0, 4, 6, 8, 10]),
        ("C(b5)", &[0, 4, 6]),
        ("Cmaj7#11", &[0, 4, 7, 11, 18]),
        ("C11#11", &[0, 4, 7, 10, 14, 18]),
        ("C13b13", &[0, 4, 7, 10, 14, 20]),
        ("C7b13", &[0, 4, 7, 10, 20]),
        ("C7(b9,#11)", &[0, 4, 7, 10, 13, 18]),
        ("C7 (b9)", &[]),
        ("Cno3", &[0, 7]),
        ("C7no5", &[0, 4, 10]),
        ("Cmno3no5", &[0]),
        ("Cm7(b5)", &[0, 3, 6, 10]),
        ("Cdim7(b13)", &[0, 3, 6, 9, 20]),
        ("Csus4b9", &[0, 5, 7, 13]),
    ];
    for (text, tones) in table {
        match Chord::parse(text) {
            Ok(chord) => assert_eq!(chord.intervals(), tones, "{text}"),
            Err(error) => {
                assert!(tones.is_empty(), "{text}");
                assert_eq!(error.fix.as_deref(), Some("C7(b9)"));
            }
        }
    }
    assert_eq!(chord("Cb5").root().unwrap().to_string(), "Cb");
    assert_eq!(chord("C7(b9, #11)").to_string(), "C7b9#11");
    assert_eq!(chord("C(b5)").to_string(), "C(b5)");
    assert_eq!(chord("Am7(b5)").to_string(), "Am7(b5)");
}

#[test]
fn inversions_lift_the_lowest_tones() {
    let table = [
        ("C", 0, "C4 E4 G4"),
        ("C", 1, "E4 G4 C5"),
        ("C", 2, "G4 C5 E5"),
        ("Am7", 1, "C5 E5 G5 A5"),
        ("Am7", 2, "E5 G5 A5 C6"),
        ("Am7", 3, "G5 A5 C6 E6"),
        ("C9", 1, "E4 G4 A#4 C5 D5"),
        ("C9", 4, "D5 E5 G5 A#5 C6"),
        ("C4,E4,G4", 1, "E4 G4 C5"),
    ];
    for (text, inversion, wanted) in table {
        assert_eq!(
            names(text, 4, inversion, Voicing::Close),
            wanted,
            "{text} {inversion}"
        );
    }
    let error = chord("Cmaj7").tones(4, 4, Voicing::Close).unwrap_err();
    assert_eq!(error.fix.as_deref(), Some("3"));
    assert_eq!(
        error.about(""),
        "Cmaj7 has 4 tones, so its inversions are 0 to 3"
    );
    let error = chord("Cmaj7").tones(4, 2, Voicing::Power).unwrap_err();
    assert_eq!(error.fix.as_deref(), Some("1"));
}

#[test]
fn voicings_move_tones_by_octaves() {
    use Voicing::{Close, Drop2, Drop3, Open, Power, Shell, Spread};
    let table = [
        ("Cmaj7", 0, Close, "C4 E4 G4 B4"),
        ("Cmaj7", 0, Open, "C4 G4 E5 B5"),
        ("C", 0, Open, "C4 G4 E5"),
        ("Cmaj7", 0, Drop2, "G3 C4 E4 B4"),
        ("Cmaj7", 0, Drop3, "E3 C4 G4 B4"),
        ("C", 0, Drop3, "C3 E4 G4"),
        ("C", 0, Spread, "C3 G4 E5"),
        ("C", 1, Spread, "E3 C5 G5"),
        ("C13", 0, Shell, "C4 E4 A#4"),
        ("Am7", 0, Shell, "A4 C5 G5"),
        ("C6", 0, Shell, "C4 E4 A4"),
        ("Cdim7", 0, Shell, "C4 D#4 A4"),
        ("C7sus4", 0, Shell, "C4 F4 A#4"),
        ("C", 0, Shell, "C4 E4"),
        ("Cmaj7", 0, Power, "C4 G4"),
        ("Cdim", 0, Power, "C4 F#4"),
        ("Cmaj7no5", 0, Power, "C4 C5"),
        ("Cmaj7", 1, Drop2, "B3 E4 G4 C5"),
    ];
    for (text, inversion, voicing, wanted) in table {
        assert_eq!(
            names(text, 4, inversion, voicing),
            wanted,
            "{text} {voicing}"
        );
    }
}

#[test]
fn the_bass_is_just_below() {
    assert_eq!(names("C/G", 3, 0, Voicing::Close), "G2 C3 E3 G3");
    assert_eq!(names("C/B", 4, 0, Voicing::Close), "B3 C4 E4 G4");
    assert_eq!(names("C/C", 4, 0, Voicing::Close), "C3 C4 E4 G4");
    assert_eq!(names("C/E", 4, 0, Voicing::Spread), "E2 C3 G4 E5");
    assert_eq!(names("F#m7/Cb", 4, 0, Voicing::Close), "B3 F#4 A4 C#5 E5");
    assert_eq!(chord("C6/9/E").bass(), PitchClass::parse("E").ok());
}

#[test]
fn pitches_beyond_the_keyboard_are_refused() {
    let error = chord("C9").tones(9, 0, Voicing::Close).unwrap_err();
    assert_eq!(
        error.about(""),
        "C9 goes above G9 (127), in octave 8 it fits"
    );
    let error = chord("C/B").tones(-1, 0, Voicing::Close).unwrap_err();
    assert_eq!(
        error.about(""),
        "C/B goes below C-1 (0), in octave 0 it fits"
    );
    let error = chord("C-1,E-1").tones(4, 0, Voicing::Spread).unwrap_err();
    assert_eq!(error.about(""), "C-1,E-1 goes below C-1 (0)");
    for octave in [i8::MIN, i8::MAX] {
        assert!(chord("C").tones(octave, 0, Voicing::Close).is_err());
    }
}

#[test]
fn invalid_chords_are_repaired() {
    let table = [
        ("Cmaj77", Some("Cmaj7")),
        ("C7b99", Some("C7b9")),
        ("Cdimm", Some("Cdim")),
        ("am7", Some("Am7")),
        ("H7", Some("B7")),
        ("hm", Some("Bm")),
        ("B♭m7", Some("Bbm7")),
        ("C4", Some("C")),
        ("C/H", Some("C/B")),
        ("C/x", None),
        ("Cmaj77/E", Some("Cmaj7/E")),
        ("C4,E,G", Some("C4,E4,G4")),
        ("C4,H4", Some("C4,B4")),
        ("C4,?", None),
        ("Cxyzw", None),
        ("?", None),
        ("", None),
    ];
    for (text, wanted) in table {
        let error = Chord::parse(text).unwrap_err();
        assert_eq!(error.fix.as_deref(), wanted, "{text}");
        if let Some(fix) = wanted {
            assert!(Chord::parse(fix).is_ok());
        }
    }
}

#[test]
fn every_voicing_reads_back() {
    for choice in Voicing::SPEC.choices {
        assert_eq!(
            Voicing::parse(choice.word).unwrap().to_string(),
            choice.word
        );
    }
    assert_eq!(Voicing::parse("drop-2"), Ok(Voicing::Drop2));
    assert_eq!(
        Voicing::parse("closs").unwrap_err().fix.as_deref(),
        Some("close")
    );
}
