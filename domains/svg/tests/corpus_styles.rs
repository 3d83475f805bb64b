//! Styles of third-party files agree with the renderer.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::PathBuf;

use fcp::model::Level;
use fcp::prelude::Domain;
use fcp::testing::{data, files};
use fcp_svg::Drawing;
use fcp_svg::model::NodeId;
use usvg::{Node as Drawn, Paint};

/// The well-formed drawings, if available.
fn drawings() -> Vec<(PathBuf, String)> {
    let folders = data("svg").into_iter();
    let folders = folders.flat_map(|svg| [svg.join("tests"), svg.join("extra")]);
    let paths = folders.flat_map(|folder| files(&folder, &["svg"]));
    paths
        .filter_map(|path| fs::read_to_string(&path).ok().map(|text| (path, text)))
        .collect()
}

/// A paint to compare: none, a colour with its opacity, or something else.
#[derive(Debug)]
enum Seen {
    Nothing,
    Flat([u8; 3], f64),
    Other,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Flat(one, opaque), Self::Flat(other, so)) => {
                one == other && (opaque - so).abs() <= 0.01
            }
            (Self::Nothing, Self::Nothing) | (Self::Other, Self::Other) => true,
            _ => false,
        }
    }
}

fn seen(paint: Option<(&Paint, f32)>) -> Seen {
    match paint {
        None => Seen::Nothing,
        Some((Paint::Color(color), opacity)) => {
            Seen::Flat([color.red, color.green, color.blue], f64::from(opacity))
        }
        Some(_) => Seen::Other,
    }
}

fn number(text: &str) -> Option<f64> {
    match text.trim().strip_suffix('%') {
        Some(part) => part.trim().parse::<f64>().ok().map(|part| part / 100.0),
        None => text.trim().parse().ok(),
    }
}

/// Our computed paint; `None` if it is not a colour.
fn held(styles: &fcp_svg::style::Styles<'_>, id: NodeId, name: &str) -> Option<Seen> {
    if styles.computed(id, name).value == "none" {
        return Some(Seen::Nothing);
    }
    let [red, green, blue, alpha] = styles.color(id, name)?;
    let opacity = number(&styles.computed(id, &format!("{name}-opacity")).value)?.clamp(0.0, 1.0);
    let opacity = opacity * f64::from(alpha) / 255.0;
    Some(Seen::Flat([red, green, blue], opacity))
}

#[test]
fn styles_agree_with_the_renderer() {
    let files = drawings();
    let mut checked = 0;
    let mut wrong = Vec::new();
    for (path, text) in &files {
        let (Ok(drawing), Ok(tree)) = (
            Drawing::read(text.as_bytes(), ""),
            usvg::Tree::from_str(text, &usvg::Options::default()),
        ) else {
            continue;
        };
        let styles = drawing.styles();
        let named = |id: &str| match drawing
            .nodes
            .tree()
            .index()
            .with_id(id, Level::Exact)
            .as_slice()
        {
            [id] => Some(NodeId::new(*id)),
            _ => None,
        };
        let mut groups = vec![tree.root()];
        while let Some(group) = groups.pop() {
            // A `use` has its own opacity, which the group includes too; an image's group with its
            // name is not the one with its opacity.
            let apart = |id: &NodeId| matches!(drawing.nodes.kind_name(*id), "use" | "image");
            if let Some(id) = named(group.id()).filter(|id| !apart(id))
                && let Some(opacity) = number(&styles.computed(id, "opacity").value)
            {
                checked += 1;
                if (opacity.clamp(0.0, 1.0) - f64::from(group.opacity().get())).abs() > 0.01 {
                    wrong.push(format!("{}: opacity of {}", path.display(), group.id()));
                }
            }
            for node in group.children() {
                match node {
                    Drawn::Group(inner) => groups.push(inner),
                    Drawn::Path(shape) => {
                        let Some(id) = named(shape.id()) else {
                            continue;
                        };
                        let fill = seen(
                            shape
                                .fill()
                                .map(|fill| (fill.paint(), fill.opacity().get())),
                        );
                        let stroke = seen(
                            shape
                                .stroke()
                                .map(|stroke| (stroke.paint(), stroke.opacity().get())),
                        );
                        for (name, drawn) in [("fill", fill), ("stroke", stroke)] {
                            let Some(ours) = held(&styles, id, name) else {
                                continue;
                            };
                            checked += 1;
                            // A stroke without width is not drawn.
                            let thin = name == "stroke" && drawn == Seen::Nothing;
                            if ours != drawn && !thin {
                                wrong.push(format!(
                                    "{}: {name} of {} {ours:?} {drawn:?}",
                                    path.display(),
                                    shape.id()
                                ));
                            }
                        }
                    }
                    Drawn::Image(_) | Drawn::Text(_) => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.is_empty() || checked > 500, "{checked}");
}
