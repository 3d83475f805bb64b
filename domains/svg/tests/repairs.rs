//! Slips in the ops of the card's examples: none is taken for something else, and almost all say what to send instead.

#[test]
fn a_slip_is_told_and_mended() {
    fcp::testing::repairs::<fcp_svg::Drawing>(1, 12);
}
