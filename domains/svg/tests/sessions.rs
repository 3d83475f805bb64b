//! The transcripts of `tests/sessions`, each in a folder with the files of `tests/files`.

use std::path::Path;

#[test]
fn every_transcript_is_true() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let played = fcp::testing::transcripts::<fcp_svg::Drawing>(
        &tests.join("sessions"),
        Some(&tests.join("files")),
    );
    assert!(played >= 1, "{played} transcripts");
}
