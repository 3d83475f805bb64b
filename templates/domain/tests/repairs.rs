//! Typos in the card's examples: none is misread, and almost all errors suggest a repair.

#[test]
fn a_typo_is_reported_and_repaired() {
    fcp::testing::repairs::<fcp_checklist::Checklist>(1, 12);
}
