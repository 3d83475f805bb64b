//! Most tests in one program, since each program links the whole domain.

mod abc;
mod again;
mod answers;
mod asking;
mod barlines;
mod beside_midly;
mod bounds;
mod budgets;
mod channels;
mod conformance;
mod conversions;
mod copied_notes;
mod encodings;
mod fidelity;
mod finding;
mod forgotten_mod;
mod guide;
mod identity;
mod lossless;
mod masked;
mod mcp;
mod meant;
mod mido;
mod musicxml;
mod numbers;
mod on_disk;
mod one_pitch;
mod ordering;
mod phrase_abc;
mod proof;
mod repairs;
mod seams;
mod seats;
mod selecting;
mod sessions;
mod smf_corpus;
mod smf_data;
mod smf_spelling;
mod smf_whole;
mod sql_exact;
mod sql_memory;
mod sql_repairs;
mod support;
mod tables;
mod tables_written;
mod told_changes;
mod touching;
mod values_any;
mod values_chords;
mod values_time;
mod warnings;
mod work;

/// Tests in a file without a `mod` line would never run.
#[test]
fn every_file_is_named() {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let unnamed = fcp::testing::unnamed_tests(package);
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
}
