//! The picture of a song in docs/midi.md is the one that the program draws.
//!
//! `FCP_BLESS=1 cargo test -p fcp-midi --test roll` draws it again.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use fcp::testing::Server;
use tempfile::tempdir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-midi");

#[test]
fn the_picture_in_the_docs_is_current() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tempdir().unwrap();
    let song = fs::read_to_string(own.join("demo/harbor.fcp")).unwrap();
    let script = format!("{song}\n! export roll as:roll.svg\n");
    fs::write(root.path().join("song.fcp"), script).unwrap();
    let mut program = Command::new(PROGRAM);
    let run = program.args(["run", "--root"]).arg(root.path());
    let done = run.arg(root.path().join("song.fcp")).output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
    let drawn = fs::read_to_string(root.path().join("roll.svg")).unwrap();
    let committed = own.join("../../docs/piano-roll.svg");
    if std::env::var_os("FCP_BLESS").is_some() {
        fs::write(&committed, &drawn).unwrap();
    }
    assert!(
        fs::read_to_string(&committed).unwrap_or_default() == drawn,
        "docs/piano-roll.svg is stale: FCP_BLESS=1 cargo test -p fcp-midi --test roll"
    );
}

#[test]
fn every_note_is_a_box_where_it_sounds() {
    let root = tempdir().unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("new \"A <b> & c\"");
    server.run(&[
        "track add \"K<&>\" instrument:piano",
        "track add Drums instrument:standard-kit",
        "marker \"A & B\" at:2",
        "note 1 C4 at:1.1 dur:w",
        "note 1 C5 at:2.1 dur:h vel:127",
        "note Drums kick at:1.3 dur:e",
    ]);
    let draw = |server: &mut Server, more: &str| {
        server.act(&format!("export roll as:a.svg force {more}"));
        fs::read_to_string(root.path().join("a.svg")).unwrap()
    };
    let svg = draw(&mut server, "");
    assert!(
        svg.contains("K&lt;&amp;&gt;") && svg.contains("A &amp; B"),
        "{svg}"
    );
    // The position, width and height of each note's box.
    let boxes = |svg: &str| -> Vec<(f64, f64, f64, f64)> {
        let notes = svg.lines().filter(|line| line.contains("fill-opacity"));
        let number = |line: &str, key: &str| -> f64 {
            let (_, rest) = line.split_once(&format!(" {key}=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        notes
            .map(|line| {
                let [x, y, w, h] = ["x", "y", "width", "height"].map(|key| number(line, key));
                (x, y, w, h)
            })
            .collect()
    };
    let [low, kick, high] = boxes(&svg)[..] else {
        panic!("{svg}")
    };
    // Two bars on 480 pixels after the first 96; boxes leave half a pixel free at their end.
    assert_eq!((low.0, low.2), (96.0, 239.5));
    assert_eq!((high.0, high.2), (336.0, 119.5));
    assert_eq!((kick.0, kick.2), (216.0, 29.5));
    // An octave is twelve rows of seven; drums are below.
    assert_eq!(low.1 - high.1, 84.0);
    assert!(kick.1 > low.1 + low.3);
    let part = draw(&mut server, "range:2");
    assert_eq!(boxes(&part).len(), 1);
    assert_eq!(boxes(&part)[0].2, 239.5);
    for wrong in [
        "export roll as:b.svg range:9",
        "export roll as:b.svg range:2-1",
    ] {
        server.no_act(wrong);
    }
}
