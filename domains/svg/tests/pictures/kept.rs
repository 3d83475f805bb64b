//! Edits that are to change no pixel, on files of our own and of others.

use std::path::PathBuf;

use fcp::endpoint::Endpoint;
use fcp::testing::{data, files};
use resvg::tiny_skia::Pixmap;

use super::{Play, Test};

pub const TESTS: &[Test] = &[(
    "edits_that_change_no_pixel_change_none",
    edits_change_no_pixel,
)];

/// So many files of others are looked at, spread over all there are.
const MOST: usize = 120;

fn drawings() -> Vec<PathBuf> {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files"));
    let mut all = files(&own, &["svg"]);
    let others = data("svg").map(|folder| files(&folder, &["svg"]));
    let others = others.unwrap_or_default();
    let step = others.len().div_ceil(MOST).max(1);
    all.extend(others.into_iter().step_by(step));
    all
}

/// How far two pictures are apart at most, in steps of a channel.
fn apart(one: &Pixmap, other: &Pixmap) -> u8 {
    assert_eq!((one.width(), one.height()), (other.width(), other.height()));
    let pairs = one.data().iter().zip(other.data());
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// Opens what was written as it would be saved, and draws that.
fn seen(play: &mut Play) -> Option<Pixmap> {
    let answer = play.session.query("render width:160");
    let Some(fcp::endpoint::Block::Image { bytes, .. }) = answer.blocks.first() else {
        return None;
    };
    Pixmap::decode_png(bytes).ok()
}

fn edits_change_no_pixel() {
    let mut compared = 0;
    for path in drawings() {
        let mut play = Play::hurried(5);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(play.folder.path().join("a.svg"), &bytes).unwrap();
        if play.session.act("open a.svg").is_error {
            continue;
        }
        // What cannot be drawn cannot be compared.
        let Some(before) = seen(&mut play) else {
            continue;
        };
        compared += 1;
        let shown = path.display();
        play.act("save as:b.svg");
        assert_eq!(
            std::fs::read(play.folder.path().join("b.svg")).unwrap(),
            bytes,
            "{shown}"
        );
        let ids: Vec<String> = play.session.model().unwrap().ids().collect();
        for (at, id) in ids.iter().enumerate().take(20) {
            let quoted = fcp::op::quote(id);
            play.run(&format!("set {quoted} data-p v"));
            play.run(&format!("rename {quoted} fcp-renamed-{at}"));
        }
        let after = seen(&mut play).unwrap();
        assert_eq!(apart(&before, &after), 0, "{shown}: data-p or rename");
        play.act("undo to:save");
        let mut grouped = 0;
        for id in ids.iter().take(5) {
            let quoted = fcp::op::quote(id);
            if !play.run(&format!("group {quoted} as:fcp-group")).is_error {
                grouped += 1;
                let back = play.run("ungroup fcp-group");
                assert!(!back.is_error, "{shown} {id}: {}", back.text);
            }
        }
        if grouped > 0 {
            let after = seen(&mut play).unwrap();
            assert_eq!(apart(&before, &after), 0, "{shown}: group and ungroup");
            play.act("undo to:save");
        }
        let moved = play.run("move @all by:7,3");
        if !moved.is_error && !play.run("move @all by:-7,-3").is_error {
            let after = seen(&mut play).unwrap();
            assert!(apart(&before, &after) <= 1, "{shown}: there and back");
        }
    }
    assert!(compared >= 2, "{compared} compared");
}
