//! Edits that must not change any pixel, on our own files and third-party ones.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fcp::endpoint::{Block, Endpoint};
use fcp::testing::{files, others, say};
use fcp_svg::Drawing;
use fcp_svg::model::NodeId;
use resvg::tiny_skia::Pixmap;

use super::{Play, Test};

pub const TESTS: &[Test] = &[(
    "edits_that_change_no_pixel_change_none",
    edits_change_no_pixel,
)];

/// The id of a group that is made and ungrouped.
const GROUP: &str = "fcp-group";

fn drawings() -> Vec<PathBuf> {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files"));
    let mut all = files(&own, &["svg"]);
    all.extend(others("svg", &["svg"]));
    all
}

/// The maximum difference of two pictures, in steps of a channel.
fn apart(one: &Pixmap, other: &Pixmap) -> u8 {
    assert_eq!((one.width(), one.height()), (other.width(), other.height()));
    let pairs = one.data().iter().zip(other.data());
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// The picture of the drawing as it would be saved, or the error.
fn seen(play: &mut Play) -> Result<Pixmap, String> {
    let answer = play.session.query("render width:100");
    let Some(Block::Image { bytes, .. }) = answer.blocks.first() else {
        return Err(answer.text);
    };
    Ok(Pixmap::decode_png(bytes).unwrap())
}

fn edits_change_no_pixel() {
    let drawings = drawings();
    let (next, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    let look = || {
        while let Some(path) = drawings.get(next.fetch_add(1, Ordering::Relaxed)) {
            match changed_by_edits(path) {
                Some(found) => {
                    compared.fetch_add(1, Ordering::Relaxed);
                    let found = found.into_iter();
                    let found = found.map(|what| format!("{}: {what}", path.display()));
                    wrong.lock().unwrap().extend(found);
                }
                None => say(&format!("{}: is refused", path.display())),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(look);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let compared = compared.into_inner();
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared >= 2, "{compared} compared");
}

/// Unwanted changes by edits of a file. A drawing without a picture must fail with the same error.
/// `None` if the file does not open.
fn changed_by_edits(path: &Path) -> Option<Vec<String>> {
    let mut play = Play::hurried(5);
    let bytes = std::fs::read(path).unwrap();
    std::fs::write(play.folder.path().join("a.svg"), &bytes).unwrap();
    if play.session.act("open a.svg").is_error {
        return None;
    }
    let before = seen(&mut play);
    let mut wrong = Vec::new();
    play.act("save as:b.svg");
    let packed = bytes.starts_with(&[0x1f, 0x8b]);
    if !packed && std::fs::read(play.folder.path().join("b.svg")).unwrap() != bytes {
        wrong.push("saved with other bytes".to_owned());
    }
    let drawing = play.session.model().unwrap();
    let objects = objects(drawing);
    let ids: Vec<String> = drawing.ids().collect();
    let top: Vec<NodeId> = outer(drawing);
    let top = top.iter().map(|id| drawing.nodes.name(*id));
    let top: Vec<String> = top.collect();
    let styled = drawing
        .nodes
        .elements()
        .any(|id| drawing.nodes.kind_name(id) == "style");

    let opened = play.text();
    let mut ops = vec!["batch isolate".to_owned()];
    let sets = objects.iter();
    ops.extend(sets.map(|name| format!("set {name} data-p v")));
    // The renderer does not resolve `#a%20b` to the id `a b`, but rename does, so the renderer
    // would see one more reference.
    let ids = ids.iter().filter(|id| !id.contains(char::is_whitespace));
    ops.extend(ids.enumerate().map(|(at, id)| {
        let id = fcp::op::quote(id);
        format!("rename {id} fcp-renamed-{at}")
    }));
    let mut compare = |play: &mut Play, ops: &[String], most: u8, what: &str| {
        let reply = play.session.run(ops, None).text;
        match (&before, &seen(play)) {
            (Ok(before), Ok(after)) if apart(before, after) <= most => {}
            (Ok(before), Ok(after)) => wrong.push(format!("{what}: by {}", apart(before, after))),
            (Err(before), Err(after)) if before == after => {}
            (Ok(_), Err(after)) => wrong.push(format!("{what}: {after}\n{reply}")),
            (Err(before), _) => wrong.push(format!("{what}: no longer {before}")),
        }
        if play.session.model().unwrap().ids().any(|id| id == GROUP) {
            wrong.push(format!("{what}: not ungrouped\n{reply}"));
        }
        play.session.act("undo to:save");
        let text = play.text();
        if text != opened {
            wrong.push(format!("{what}: undo gave other bytes"));
        }
    };
    compare(&mut play, &ops, 0, "data-p and rename");
    if !styled {
        let mut ops = vec!["batch isolate".to_owned()];
        for name in &top {
            ops.push(format!("group {name} as:{GROUP}"));
            ops.push(format!("ungroup {GROUP}"));
        }
        compare(&mut play, &ops, 0, "group and ungroup");
    }
    let there = ["move @all by:7,3", "move @all by:-7,-3"].map(str::to_owned);
    compare(&mut play, &there, 1, "there and back");
    Some(wrong)
}

/// The names of all objects.
fn objects(drawing: &Drawing) -> Vec<String> {
    let nodes = &drawing.nodes;
    let objects = nodes.elements().filter(|id| nodes.is_object(*id));
    objects.map(|id| nodes.name(id)).collect()
}

/// The objects directly in the root.
fn outer(drawing: &Drawing) -> Vec<NodeId> {
    let nodes = &drawing.nodes;
    let Some(root) = nodes.root() else {
        return Vec::new();
    };
    let children = nodes.tree().children(root);
    children.filter(|id| nodes.is_object(*id)).collect()
}
