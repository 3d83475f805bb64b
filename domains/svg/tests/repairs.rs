//! Typos in the ops of the card's examples: none is misinterpreted, and almost all get a repair.

#[test]
fn a_typo_is_reported_and_repaired() {
    fcp::testing::repairs::<fcp_svg::Drawing>(1, 12);
}
