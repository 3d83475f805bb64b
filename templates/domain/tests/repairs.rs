//! Typos in the card's examples: none is misread, and almost all errors suggest a repair.

#[test]
fn a_slip_is_told_and_mended() {
    fcp::testing::repairs::<fcp_checklist::Checklist>(1, 12);
}
