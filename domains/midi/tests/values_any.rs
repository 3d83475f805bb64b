//! Arbitrary texts: a valid one is shown as a text with the same value, and an invalid one is
//! reported quickly.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Debug;
use std::time::{Duration, Instant};

use fcp::value::{Change, FcpValue};
use fcp_midi::values::{
    Bpm, Channel, Chord, ControlValue, Controller, Dur, Gap, Instrument, KeySig, Meter, Pitch,
    PitchClass, PitchSet, PitchWord, Pos, Program, Scale, Shift, Span, Velocity, VelocityStep,
    Voicing,
};
use proptest::prelude::*;

/// Parses a text as every kind of value.
fn every(text: &str) {
    one::<Bpm>(text);
    one::<Channel>(text);
    one::<Chord>(text);
    one::<ControlValue>(text);
    one::<Controller>(text);
    one::<Dur>(text);
    one::<Gap>(text);
    one::<Instrument>(text);
    one::<KeySig>(text);
    one::<Meter>(text);
    one::<Pitch>(text);
    one::<PitchClass>(text);
    one::<PitchSet>(text);
    one::<PitchWord>(text);
    one::<Pos>(text);
    one::<Program>(text);
    one::<Scale>(text);
    one::<Shift>(text);
    one::<Span>(text);
    one::<Velocity>(text);
    one::<VelocityStep>(text);
    one::<Voicing>(text);
    one::<Change<Velocity, VelocityStep>>(text);
    one::<Change<Dur, Shift>>(text);
}

fn one<T: FcpValue + PartialEq + Debug>(text: &str) {
    match T::parse(text) {
        Ok(value) => {
            let shown = value.to_string();
            assert_eq!(
                T::parse(&shown),
                Ok(value),
                "{text:?} is shown as {shown:?}"
            );
        }
        Err(error) => {
            assert!(text.len() > 1000 || !error.about(text).is_empty());
            if let Some(fix) = error.fix {
                let mended = T::parse(&fix);
                assert!(mended.is_ok(), "{text:?}: the repair {fix:?} does not read");
            }
        }
    }
}

/// Pieces of values.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "C", "4", "#", "b", "m", "maj7", "-", "+", "q", "e3", ".", "..", "/", ":", "5", "0", "1",
        "s", "bar", "ticks:", "tick:", "marker:", "midi:", "program:", "kick", "hat", "end",
        "next", "Chorus", "dotted", "quarter", "note", "minor", "dorian", "<=", ">", ",", "(", ")",
        "b9", "no3", "sus4", "alt", "A", "H", "999999", "ff", "p", " ", "~", "é", "9", "12",
    ]);
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// The search for the nearest word is slow in a debug build, so there are few cases unless
/// `PROPTEST_CASES` is set.
fn config() -> ProptestConfig {
    let cases = match std::env::var("PROPTEST_CASES") {
        Ok(cases) => cases.parse().unwrap(),
        Err(_) => 100,
    };
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn words_of_pieces_read_back_or_are_repaired(text in pieces()) {
        every(&text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        every(&text);
    }

    #[test]
    fn any_number_is_read_or_refused(number in any::<i64>(), unit in "[a-zA-Z:./#-]{0,3}") {
        every(&format!("{number}{unit}"));
        every(&format!("{unit}{number}"));
    }
}

#[test]
fn a_text_of_a_mebibyte_is_refused_soon() {
    for piece in ["9", "C4,", "a", "-", "+e", "é", "(", "b9", "C4-", "C/", " "] {
        let text = piece.repeat((1 << 20) / piece.len());
        let start = Instant::now();
        every(&text);
        assert!(start.elapsed() < Duration::from_secs(20), "{piece}");
    }
}

#[test]
fn values_in_rows_are_stored_as_numbers() {
    let json = |value: &dyn erased::Stored| value.json();
    assert_eq!(json(&Pitch::new(60).unwrap()), "60");
    assert_eq!(json(&Velocity::new(1).unwrap()), "1");
    assert_eq!(json(&Program::new(127).unwrap()), "127");
    assert!(serde_json::from_str::<Velocity>("0").is_err());
    assert!(serde_json::from_str::<Pitch>("128").is_err());
    let schema = serde_json::to_value(schemars::schema_for!(Velocity)).unwrap();
    assert_eq!(
        (&schema["minimum"], &schema["maximum"]),
        (&1.into(), &127.into())
    );
    let key = KeySig::parse("Am").unwrap();
    let text = serde_json::to_string(&key).unwrap();
    assert_eq!(serde_json::from_str::<KeySig>(&text).unwrap(), key);
}

mod erased {
    pub trait Stored {
        fn json(&self) -> String;
    }

    impl<T: serde::Serialize> Stored for T {
        fn json(&self) -> String {
            serde_json::to_string(self).unwrap()
        }
    }
}
