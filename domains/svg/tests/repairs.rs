//! Typos in the card's examples: none is taken for something else, and almost all say what to send instead.

use fcp::testing::{Least, typos};
use fcp_svg::{Drawing, property};

#[test]
fn a_typo_is_told_and_mended() {
    let least = Least {
        tried: 95.0,
        worked: 100.0,
        meant: 99.0,
    };
    typos::<Drawing>(13, 2_000, least, |word| {
        property::named(word).map(|_| "property")
    });
}
