//! The content of README.md, ARCHITECTURE.md and docs/ is correct.
//!
//! `FCP_BLESS=1 cargo test -p fcp-midi --test readme` writes the output of the demo into README.md.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fcp::endpoint::Config;
use fcp::script;
use midly::{MetaMessage, MidiMessage, Smf, TrackEventKind};

/// The command that README.md shows, after the two dashes.
const ARGUMENTS: &str = "run --root domains/midi domains/midi/demo/waltz.fcp";

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A fenced block.
struct Block {
    /// The text after the opening fence.
    info: String,
    /// The number of its first line, from 1.
    line: usize,
    body: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            open = !open;
            if open {
                blocks.push(Block {
                    info: info.to_owned(),
                    line: at + 2,
                    body: String::new(),
                });
            }
        } else if let Some(block) = blocks.last_mut().filter(|_| open) {
            block.body.push_str(line);
            block.body.push('\n');
        }
    }
    assert!(!open, "a block does not end");
    blocks
}

/// The pages whose blocks are transcripts.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = fs::read_dir(workspace().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("docs/{name}"))
        .collect();
    pages.push("CONTRIBUTING.md".to_owned());
    pages.sort();
    assert!(pages.len() > 4, "{pages:?}");
    pages
}

/// A folder laid out as the demo expects it.
fn stage() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["tests/files/waltz.mid", "demo/waltz.fcp"] {
        let to = root.path().join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(own.join(file), to).unwrap();
    }
    root
}

/// Plays the demo as the README's command does, in `root`.
fn play(root: &Path) -> String {
    let arguments: Vec<PathBuf> = ARGUMENTS
        .split(' ')
        .map(|word| match word.strip_prefix("domains/midi") {
            Some(path) => root.join(path.trim_start_matches('/')),
            None => word.into(),
        })
        .collect();
    let output = Command::new(env!("CARGO_BIN_EXE_fcp-midi"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_readme_shows_the_output_of_the_demo() {
    let root = stage();
    let printed = play(root.path());
    assert_eq!(play(root.path()), printed, "the demo plays once only");
    let readme = text("README.md");
    assert!(
        readme.contains(&format!("\ncargo run -p fcp-midi -- {ARGUMENTS}\n")),
        "the README's command is not the one that is tested"
    );
    let shown = blocks(&readme);
    let shown = shown.iter().find(|block| block.info == "fcp").unwrap();
    if std::env::var_os("FCP_BLESS").is_some() {
        let (old, new) = (
            format!("```fcp\n{}```", shown.body),
            format!("```fcp\n{printed}```"),
        );
        fs::write(workspace().join("README.md"), readme.replace(&old, &new)).unwrap();
        return;
    }
    assert_eq!(
        shown.body, printed,
        "FCP_BLESS=1 cargo test -p fcp-midi --test readme writes it anew"
    );
}

#[test]
fn the_readme_is_short() {
    let lines = text("README.md").lines().count();
    assert!(lines <= 140, "README.md has {lines} lines");
}

/// A note: start, key, length, velocity.
type Note = (u32, u8, u32, u8);

fn notes(track: &[midly::TrackEvent<'_>]) -> Vec<Note> {
    let (mut tick, mut notes) = (0, Vec::<Note>::new());
    for event in track {
        tick += event.delta.as_int();
        let TrackEventKind::Midi { message, .. } = event.kind else {
            continue;
        };
        match message {
            MidiMessage::NoteOn { key, vel } if vel > 0 => {
                notes.push((tick, key.as_int(), 0, vel.as_int()));
            }
            MidiMessage::NoteOn { key, .. } | MidiMessage::NoteOff { key, .. } => {
                let open = |note: &&mut Note| note.1 == key.as_int() && note.2 == 0;
                let note = notes.iter_mut().rev().find(open).unwrap();
                note.2 = tick - note.0;
            }
            _ => {}
        }
    }
    notes
}

#[test]
fn the_saved_song_matches_the_replies() {
    let root = stage();
    let printed = play(root.path());
    let printed_line = |line: &str| assert!(printed.contains(line), "{line}\n{printed}");
    let before = fs::read(root.path().join("tests/files/waltz.mid")).unwrap();
    let after = fs::read(root.path().join("demo/waltz-out.mid")).unwrap();
    let (before, after) = (Smf::parse(&before).unwrap(), Smf::parse(&after).unwrap());
    let bar = 3 * 480;

    printed_line("(SMF 1, 5 chunks)");
    assert_eq!(after.tracks.len(), 5);
    assert_eq!(after.header.format, midly::Format::Parallel);
    // Bass and drums did not change.
    assert_eq!(after.tracks[2..4], before.tracks[2..4]);

    printed_line("+ Track Strings ch:3 string-ensemble-1");
    printed_line("+ Note G4 on Strings at 1.1 dur:1440 vel:64");
    printed_line("+ Note F4 on Strings at 2.1 dur:1440 vel:64");
    printed_line("@ Copied 2 notes from 1.1 to 3.1, 3 times");
    let strings = &after.tracks[4];
    let wanted: Vec<Note> = (0..8)
        .map(|at| (at * bar, if at % 2 == 0 { 67 } else { 65 }, bar, 64))
        .collect();
    assert_eq!(notes(strings), wanted);
    assert!(strings.iter().any(|event| matches!(event.kind,
        TrackEventKind::Midi { channel, message: MidiMessage::ProgramChange { program } }
        if channel == 2 && program == 48)));
    assert!(
        strings
            .iter()
            .any(|event| event.kind == TrackEventKind::Meta(MetaMessage::TrackName(b"Strings")))
    );

    printed_line("@ Modified 63 notes");
    printed_line("* redone 2 ops: copy, modify");
    let softer: Vec<Note> = notes(&before.tracks[1])
        .into_iter()
        .map(|(at, key, len, vel)| (at, key, len, if at < 8 * bar { vel - 10 } else { vel }))
        .collect();
    assert_eq!(softer.iter().filter(|note| note.0 < 8 * bar).count(), 63);
    assert_eq!(notes(&after.tracks[1]), softer);

    printed_line("+ Tempo 84 at 17.1");
    let mut tick = 0;
    let tempos: Vec<(u32, u32)> = after.tracks[0]
        .iter()
        .filter_map(|event| {
            tick += event.delta.as_int();
            match event.kind {
                TrackEventKind::Meta(MetaMessage::Tempo(micros)) => Some((tick, micros.as_int())),
                _ => None,
            }
        })
        .collect();
    assert_eq!(tempos, [(0, 625_000), (16 * bar, 714_286)]);
}

#[test]
fn transcripts_in_the_docs_are_true() {
    let mut wrong = Vec::new();
    let mut played = 0;
    for page in pages() {
        for block in blocks(&text(&page)) {
            if block.info != "fcp" {
                continue;
            }
            let root = tempfile::tempdir().unwrap();
            let config = Config::at(root.path());
            let mut endpoint = fcp::session::endpoint::<fcp_midi::Song>(&config).unwrap();
            if !block.body.starts_with("! ") {
                endpoint.act("new");
            }
            for step in script::parse(&block.body).unwrap() {
                let answer = step.call.play(endpoint.as_mut());
                let at = format!("{page}:{}", block.line + step.line - 1);
                match &step.expected {
                    Some(expected) => {
                        if let Err(difference) = script::compare(expected, &answer.text) {
                            wrong.push(format!("{at}: {difference}\n{}", answer.text));
                        }
                        played += 1;
                    }
                    None if answer.is_error => wrong.push(format!("{at}: {}", answer.text)),
                    None => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(played > 20, "{played} replies were compared");
}

/// A block of Rust with a file name must have lines of that file.
#[test]
fn code_in_the_docs_matches_the_source() {
    let mut found = 0;
    for page in pages() {
        for block in blocks(&text(&page)) {
            let Some(path) = block.info.strip_prefix("rust ") else {
                let shown = page.starts_with("docs/") && block.info == "rust";
                assert!(!shown, "{page}:{}: of which file?", block.line);
                continue;
            };
            // Files that a reader is to make. The test of `cargo xtask new-domain` makes them.
            if path.starts_with("domains/chores/") || path.starts_with("domains/pantry/") {
                continue;
            }
            assert!(
                text(path).contains(&block.body),
                "{page}:{}: {path} does not say so",
                block.line
            );
            found += 1;
        }
    }
    assert!(found > 0);
}

/// Every source file below a folder, as one text.
fn sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn the_architecture_names_tests_and_files_that_exist() {
    let mut code = String::new();
    for folder in ["fcp", "fcp-macros", "domains", "templates", "xtask"] {
        sources(&workspace().join(folder), &mut code);
    }
    let architecture = text("ARCHITECTURE.md");
    let invariants: Vec<&str> = architecture
        .split("\n\n")
        .filter(|paragraph| paragraph.starts_with("**Architecture invariant:**"))
        .collect();
    assert!(invariants.len() > 10);
    for invariant in invariants {
        let (mut tests, mut folder) = (0, "");
        for (at, word) in invariant.split('`').enumerate() {
            if at % 2 == 0 {
                continue;
            }
            if word.ends_with(".rs") {
                let path = workspace().join(word);
                let beside = workspace().join(folder).join(word);
                assert!(path.is_file() || beside.is_file(), "no {word}: {invariant}");
                folder = word.rsplit_once('/').map_or(folder, |(folder, _)| folder);
                tests += 1;
            } else if word.contains('_') && !word.contains(['/', ':']) {
                assert!(
                    code.contains(&format!("fn {word}(")),
                    "no test {word}: {invariant}"
                );
                tests += 1;
            }
        }
        assert!(
            tests > 0 || invariant.contains("beside each item"),
            "no test is named: {invariant}"
        );
    }
}
