//! The transcripts of `tests/sessions`.

use std::path::Path;

#[test]
fn every_transcript_is_true() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    fcp::testing::transcripts::<fcp_checklist::Checklist>(&tests.join("sessions"), None);
}
