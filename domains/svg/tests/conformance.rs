//! The domain holds together: see `fcp::testing::conformance`.

#[test]
fn the_domain_holds_together() {
    fcp::testing::conformance::<fcp_svg::Drawing>(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
}
