//! Any text as a measured value: a valid one is shown as a text of the same value, and every repair
//! is valid.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Debug;

use fcp::value::{
    Angle, Color, Decimal, FcpValue, Length, Offset, Point, Share, Size, Time, Unsigned,
};
use proptest::prelude::*;

/// Reads a text as every kind of value.
fn every(text: &str) {
    one::<Decimal>(text);
    one::<Length>(text);
    one::<Angle>(text);
    one::<Share>(text);
    one::<Time>(text);
    one::<Point>(text);
    one::<Offset>(text);
    one::<Size>(text);
    one::<Color>(text);
    one::<Unsigned<Decimal>>(text);
    one::<Unsigned<Length>>(text);
    one::<Unsigned<Angle>>(text);
}

fn one<T: FcpValue + PartialEq + Debug>(text: &str) {
    match T::parse(text) {
        Ok(value) => {
            assert_eq!(value.to_string(), text, "the spelling is kept");
            assert_eq!(T::parse(&value.to_string()), Ok(value), "{text:?}");
        }
        Err(error) => {
            assert!(!error.about(text).is_empty());
            if let Some(fix) = error.fix {
                assert!(
                    T::parse(&fix).is_ok(),
                    "{text:?}: the repair {fix:?} does not read"
                );
            }
        }
    }
}

#[test]
fn values_are_stored_as_their_text() {
    let color: Color = serde_json::from_str("\"rgb(1,2,3)\"").unwrap();
    assert_eq!(serde_json::to_string(&color).unwrap(), "\"rgb(1,2,3)\"");
    assert!(serde_json::from_str::<Length>("\"ten\"").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_text_is_read_or_mended(text in any::<String>()) {
        every(&text);
    }

    #[test]
    fn near_values_are_read_or_repaired(
        text in "[-+−]?[0-9]{0,3}[.,:;x ]?[0-9]{0,3}(e[0-9]{1,2})?[ ]?(px|mm|%|deg|turn|s|ms|in|sec|°|m|)[,;x* ]?[-]?[0-9.,]{0,4}(px|%|)",
    ) {
        every(&text);
    }

    #[test]
    fn near_colours_are_read_or_repaired(
        text in "(#|0x|)[0-9a-fA-F]{2,9}|(rgb|hsl)a?\\([0-9.%, /]{0,16}\\)?|[a-z]{1,12}",
    ) {
        every(&text);
    }
}
