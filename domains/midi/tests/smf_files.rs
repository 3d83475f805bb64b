//! The files of `tests/files` and the seeds of the fuzz target are those of the example
//! `make_files`, and have the described content.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

#[path = "../examples/make_files.rs"]
mod make_files;

use std::collections::BTreeMap;
use std::path::Path;

use fcp_midi::smf::{self, Chunk, Status};

/// Checks the generated files in a folder, and returns the other files there.
fn others(folder: &str, made: Vec<(String, Vec<u8>)>) -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found: BTreeMap<String, Vec<u8>> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                std::fs::read(path).unwrap(),
            )
        })
        .collect();
    for (name, bytes) in made {
        assert!(
            found.remove(&name).is_some_and(|found| found == bytes),
            "{name} in {} is not as made",
            folder.display()
        );
    }
    found
}

#[test]
fn files_are_as_made() {
    let others_there = others("tests/files", make_files::files());
    assert!(others_there.is_empty(), "{:?}", others_there.keys());
    // Other seeds were found by a fuzzer.
    others("../../fuzz/seeds/smf", make_files::seeds());
}

#[test]
fn files_come_back() {
    for (name, bytes) in make_files::files() {
        let file = smf::read(&bytes).unwrap();
        assert!(smf::write(&file) == bytes, "{name}");
        assert_eq!(
            file.first_fault().is_some(),
            name == "broken.mid",
            "{name}: {:?}",
            file.first_fault()
        );
    }
}

#[test]
fn the_foreign_file_has_the_described_content() {
    let (_, bytes) = make_files::files()
        .into_iter()
        .find(|(name, _)| name == "foreign.mid")
        .unwrap();
    let file = smf::read(&bytes).unwrap();
    assert!(
        matches!(&file.chunks[1], Chunk::Other { id, bytes } if id == b"XFIH" && bytes.len() == 4)
    );
    let track = file.tracks().next().unwrap();
    assert_eq!(
        (file.header.format, file.header.division, track.last_tick()),
        (0, 96, 4 * 288)
    );
    assert!(
        track
            .events
            .iter()
            .any(|event| event.spelling.status == Status::Running)
    );
    let text = smf::export_events(&file);
    for (line, times) in [
        ("0 0 ff0309436166e92074756e65", 1),
        ("0 0 f00843104c00007e00f7", 1),
        ("0 0 f702f301", 1),
        ("0 0 c049", 1),
        ("0 0 b06500\n0 0 b06400\n0 0 b0060c", 1),
        ("0 576 ff51030a2c2b", 1),
        ("ff05026c61", 12),
        (" 904864", 4),
        (" 904800", 4),
        (" 992664", 8),
        (" 992600", 8),
        ("0 864 913764", 1),
        (" 9137", 1),
        ("0 1152 ff2f00", 1),
    ] {
        assert_eq!(text.matches(line).count(), times, "{line} in\n{text}");
    }
}
