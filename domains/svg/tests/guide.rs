//! The questions and edits of `docs/tables.md`.

use std::path::Path;

#[test]
fn the_worked_examples_of_tables_are_true() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = own.join("../../docs/tables.md");
    let files = own.join("tests/files");
    let played = fcp::testing::blocks::<fcp_svg::Drawing>(&page, "fcp svg", &files);
    assert_eq!(played, 15);
}
