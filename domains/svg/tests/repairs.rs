//! Typos in the ops of the card's examples: none is misinterpreted, and almost all get a repair.

#[test]
fn a_slip_is_told_and_mended() {
    fcp::testing::repairs::<fcp_svg::Drawing>(1, 12);
}
