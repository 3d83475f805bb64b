//! Boxes agree with the renderer, for the files in the data folder.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use fcp::endpoint::{Config, Endpoint};
use fcp::format::xml::Kind;
use fcp::model::Level;
use fcp::prelude::*;
use fcp::session::Session;
use fcp::testing::{Walk, data, files};
use fcp_svg::Drawing;
use fcp_svg::model::NodeId;
use kurbo::{Point, Rect};
use resvg::usvg::{self, Group, Node, Tree};

/// The maximum difference of a side, in pixels of the renderer.
const OFF: f64 = 0.05;

/// The drawings in two folders and their subfolders.
fn drawings() -> Vec<PathBuf> {
    let folders = data("svg").into_iter();
    let folders = folders.flat_map(|svg| [svg.join("tests"), svg.join("extra")]);
    folders
        .flat_map(|folder| files(&folder, &["svg"]))
        .collect()
}

/// The bundled fonts, for any font name.
fn bundled() -> usvg::Options<'static> {
    let mut options = usvg::Options {
        font_family: "DejaVu Sans".to_owned(),
        ..usvg::Options::default()
    };
    let fonts = options.fontdb_mut();
    for font in [
        dejavu::sans::regular(),
        dejavu::sans::bold(),
        dejavu::sans_mono::regular(),
    ] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_serif_family("DejaVu Sans");
    fonts.set_sans_serif_family("DejaVu Sans");
    fonts.set_cursive_family("DejaVu Sans");
    fonts.set_fantasy_family("DejaVu Sans");
    fonts.set_monospace_family("DejaVu Sans Mono");
    options
}

/// The nodes whose ids the renderer keeps, with their boxes; `None` if they draw nothing.
fn kept(tree: &Tree) -> Vec<(String, Option<Rect>)> {
    let mut kept = Vec::new();
    let mut groups: Vec<&Group> = vec![tree.root()];
    while let Some(group) = groups.pop() {
        for node in group.children() {
            if let Node::Group(inner) = node {
                groups.push(inner);
            }
            if !node.id().is_empty() {
                kept.push((node.id().to_owned(), drawn(node)));
            }
        }
    }
    kept
}

/// The box of all drawn content of a node. The renderer's own boxes of groups are not used: an
/// empty group has a point at the origin there.
fn drawn(node: &Node) -> Option<Rect> {
    let mut all: Option<Rect> = None;
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        if let Node::Group(group) = node {
            pending.extend(group.children());
            continue;
        }
        let found = node.abs_bounding_box();
        let [left, top, right, bottom] =
            [found.left(), found.top(), found.right(), found.bottom()].map(f64::from);
        let found = Rect::new(left, top, right, bottom);
        all = Some(all.map_or(found, |all| all.union(found)));
    }
    all
}

/// Whether an element contains something that cannot be compared: images, which have no such box,
/// and markers, which the renderer includes.
fn is_apart(drawing: &Drawing, id: NodeId) -> bool {
    let nodes = &drawing.nodes;
    let apart = |id: NodeId| {
        nodes.element(id).is_some_and(|element| {
            element.local_name() == "image"
                || element
                    .values()
                    .any(|(name, value)| name.starts_with("marker") || value.contains("marker"))
        })
    };
    // Entities of a DOCTYPE are not expanded for editing, so they have no boxes.
    let entity = |id: NodeId| {
        let node = nodes.tree().get(id);
        node.is_some_and(|node| matches!(node.kind(), Kind::Entity(_)))
    };
    let used = |id: NodeId| {
        let values = nodes
            .element(id)
            .into_iter()
            .flat_map(fcp::format::xml::Element::values);
        let mut links = values.filter(|(name, _)| name.ends_with("href"));
        let (_, value) = links.next()?;
        let found = nodes
            .tree()
            .index()
            .with_id(value.strip_prefix('#')?, Level::Exact);
        found.first().copied().map(NodeId::new)
    };
    let (mut pending, mut seen) = (vec![id], BTreeSet::new());
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        for inner in nodes.tree().descendants(id).chain([id]) {
            if apart(inner) || entity(inner) {
                return true;
            }
            pending.extend(used(inner));
        }
    }
    nodes.tree().ancestors(id).any(apart)
}

#[test]
fn boxes_are_the_renderers() {
    let options = bundled();
    let (mut compared, mut off) = (0, Vec::new());
    for path in drawings() {
        let bytes = fs::read(&path).unwrap();
        let (Ok(tree), Ok(drawing)) = (
            Tree::from_data(&bytes, &options),
            Drawing::read(&bytes, "svg"),
        ) else {
            continue;
        };
        let geometry = drawing.geometry();
        let styles = drawing.styles();
        let canvas = geometry.canvas();
        let size = tree.size();
        let root = drawing.nodes.root().unwrap();
        let ratio = drawing.nodes.attr(root, "preserveAspectRatio");
        let room = kurbo::Size::new(f64::from(size.width()), f64::from(size.height()));
        let to_pixels = fcp_svg::geometry::viewport::fit(canvas, room, &ratio.unwrap_or_default());
        let kept = kept(&tree);
        for (name, theirs) in &kept {
            // An element drawn several times has several boxes.
            if kept.iter().filter(|(other, _)| other == name).count() > 1 {
                continue;
            }
            let Some(id) = drawing
                .nodes
                .tree()
                .index()
                .with_id(name, Level::Exact)
                .first()
                .copied()
            else {
                continue;
            };
            let id = NodeId::new(id);
            let marks = |name| styles.computed(id, name).value != "none";
            if is_apart(&drawing, id)
                || ["marker-start", "marker-mid", "marker-end"]
                    .iter()
                    .any(|name| marks(name))
            {
                continue;
            }
            compared += 1;
            let ours = geometry
                .bbox(id)
                .map(|ours| to_pixels.transform_rect_bbox(ours));
            let near = match (ours, theirs) {
                (Some(ours), Some(theirs)) => {
                    let corners = [
                        ours.origin() - theirs.origin(),
                        Point::new(ours.x1, ours.y1) - Point::new(theirs.x1, theirs.y1),
                    ];
                    corners
                        .iter()
                        .all(|by| by.x.abs() <= OFF && by.y.abs() <= OFF)
                }
                // A text that draws nothing still has a position.
                (Some(ours), None) => ours.size() == kurbo::Size::ZERO,
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            };
            if !near {
                off.push(format!(
                    "{} {name}: {ours:?}, theirs {theirs:?}",
                    path.display()
                ));
            }
        }
    }
    if compared == 0 {
        return;
    }
    assert!(compared >= 300, "{compared} compared");
    assert!(
        off.is_empty(),
        "{} of {compared}:\n{}",
        off.len(),
        off.join("\n")
    );
}

#[test]
fn elements_that_extend_beyond_a_range_stay() {
    let mut random = Walk::new(2);
    let (mut gone, mut stayed) = (0, 0);
    for _ in 0..60 {
        let mut text =
            String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 300 300\">");
        let number = |random: &mut Walk, most: usize| random.below(most * 10) as f64 / 10.0;
        for n in 0..12 {
            let (x, y) = (number(&mut random, 130), number(&mut random, 130));
            let (w, h) = (1.0 + number(&mut random, 40), 1.0 + number(&mut random, 40));
            let transform = match random.below(5) {
                0 => format!(" transform=\"rotate({})\"", number(&mut random, 40)),
                1 => " transform=\"scale(.9 1.1) skewX(9)\"".to_owned(),
                2 => " transform=\"translate(-9 7)\"".to_owned(),
                _ => String::new(),
            };
            let group = random.below(5) == 0;
            if group {
                text += &format!(
                    "<g id=\"g{n}\"{transform}><rect id=\"in{n}\" width=\"5\" height=\"5\"/>"
                );
            }
            text += &match random.below(4) {
                0 => format!(
                    "<rect id=\"e{n}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{transform}/>"
                ),
                1 => format!(
                    "<ellipse id=\"e{n}\" cx=\"{x}\" cy=\"{y}\" rx=\"{w}\" ry=\"{h}\"{transform}/>"
                ),
                2 => format!(
                    "<path id=\"e{n}\" d=\"M{x} {y}q{w} {h} 9 40c9 {h} {w} 3 2 2z\"{transform}/>"
                ),
                _ => format!("<polygon id=\"e{n}\" points=\"{x},{y} {w},{h} 50,50\"{transform}/>"),
            };
            if group {
                text += "</g>";
            }
        }
        text += "</svg>";
        let tree = Tree::from_str(&text, &usvg::Options::default()).unwrap();
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.svg"), &text).unwrap();
        let mut session = Session::<Drawing>::new(&Config::at(root.path())).unwrap();
        assert!(!session.act("open a.svg").is_error);
        // It is an error if nothing is inside, and then nothing is removed.
        session.run(&["remove @range:0,0-100,100".to_owned()], None);
        let left = session.model().unwrap();
        for (id, found) in kept(&tree) {
            let there = !left
                .nodes
                .tree()
                .index()
                .with_id(&id, Level::Exact)
                .is_empty();
            let found = found.unwrap();
            let inside = found.x0 >= -OFF
                && found.y0 >= -OFF
                && found.x1 <= 100.0 + OFF
                && found.y1 <= 100.0 + OFF;
            assert!(
                there || inside,
                "{id} is gone, and lies at {found:?}\n{text}"
            );
            gone += usize::from(!there);
            stayed += usize::from(there);
        }
    }
    assert!(gone > 100 && stayed > 100, "{gone} gone, {stayed} stayed");
}
