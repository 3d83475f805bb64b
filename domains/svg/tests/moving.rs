//! Moved elements keep their nature: folding transforms into geometry keeps the picture, and moving
//! there and back restores the bytes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use fcp::endpoint::Config;
use fcp::prelude::*;
use fcp_svg::Drawing;
use kurbo::{ParamCurve, Point};

/// A drawing with one element, named `it`.
fn drawing(element: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 1000\">{element}</svg>")
}

/// Points along the outline of `it`, in canvas units.
fn points(text: &str) -> Vec<Point> {
    let drawing = Drawing::read(text.as_bytes(), "svg").unwrap();
    let geometry = drawing.geometry();
    let nodes = &drawing.nodes;
    let id = nodes
        .elements()
        .find(|id| nodes.attr(*id, "id").as_deref() == Some("it"))
        .unwrap();
    let outline = geometry.inner(id) * geometry.outline(id).unwrap();
    let along = |part: kurbo::PathSeg| (0..8).map(move |n| part.eval(f64::from(n) / 8.0));
    outline.segments().flat_map(along).collect()
}

/// The distance of a point from the nearest of others.
fn distance(point: Point, others: &[Point]) -> f64 {
    let distances = others.iter().map(|other| point.distance(*other));
    distances.fold(f64::INFINITY, f64::min)
}

/// The saved file after an op, or the op's error.
fn after(text: &str, op: &str) -> Result<String, String> {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("it.svg"), text).unwrap();
    let config = Config::at(root.path());
    let mut session = fcp::session::endpoint::<Drawing>(&config).unwrap();
    assert!(!session.act("open it.svg").is_error);
    let answer = session.run(&[op.to_owned()], None);
    if answer.is_error {
        return Err(answer.text);
    }
    assert!(!session.act("save").is_error);
    Ok(std::fs::read_to_string(root.path().join("it.svg")).unwrap())
}

#[test]
fn baked_transforms_keep_the_drawing_in_place() {
    for (shape, transform) in [
        (
            "rect x=\"10\" y=\"20\" width=\"40\" height=\"20\" rx=\"4\" ry=\"4\"",
            "translate(5 6) scale(2 3)",
        ),
        (
            "rect x=\"10\" y=\"20\" width=\"40\" height=\"20\"",
            "translate(500 6) scale(-2 1)",
        ),
        (
            "circle cx=\"50\" cy=\"60\" r=\"10\"",
            "rotate(30 10 10) scale(2)",
        ),
        (
            "ellipse cx=\"50\" cy=\"60\" rx=\"10\" ry=\"5\"",
            "translate(5) scale(2 .5)",
        ),
        ("line x1=\"5\" y1=\"6\" x2=\"70\" y2=\"80\"", "skewX(20)"),
        ("polygon points=\"0,0 50,0 50,40\"", "rotate(20) skewY(10)"),
        (
            "path d=\"M10 10h40v20l-5 5c1 2 3 4 -9 9s4 4 5 5q7 7 8 0t9 9z\"",
            "matrix(1 .5 -.2 2 100 3)",
        ),
        (
            "path d=\"M100 100a30 20 15 1 0 40 10z\"",
            "translate(9 9) rotate(33) scale(-2 2)",
        ),
        ("path d=\"M100 100a30 20 15 0 1 40 10\"", "scale(3 1)"),
    ] {
        let element = format!("<{shape} id=\"it\" transform=\"{transform}\"/>");
        let old = drawing(&element);
        let new =
            after(&old, "transform it bake").unwrap_or_else(|reply| panic!("{element}: {reply}"));
        assert!(!new.contains("transform"), "{new}");
        let (before, now) = (points(&old), points(&new));
        // Shapes may start at another corner, so that points along them are at other places on the
        // same line.
        if shape.starts_with("rect") || shape.starts_with("circle") {
            let geometry = |text: &str| {
                let drawing = Drawing::read(text.as_bytes(), "svg").unwrap();
                let found = drawing
                    .geometry()
                    .bbox(drawing.nodes.elements().nth(1).unwrap());
                found.unwrap()
            };
            let (old, new) = (geometry(&old), geometry(&new));
            assert!(
                (old.origin() - new.origin()).hypot() < 0.01,
                "{element}: {old} {new}"
            );
            assert!(
                (old.size() - new.size()).to_vec2().hypot() < 0.01,
                "{element}: {old} {new}"
            );
            continue;
        }
        for point in before {
            assert!(distance(point, &now) < 0.02, "{element}: {point}");
        }
    }
}

#[test]
fn transforms_are_not_baked_if_the_picture_would_change() {
    for (element, says) in [
        (
            "<rect id=\"it\" width=\"4\" height=\"2\" transform=\"rotate(20)\"/>",
            "it would not be a rect",
        ),
        (
            "<circle id=\"it\" r=\"4\" transform=\"scale(2 1)\"/>",
            "it would not be a circle",
        ),
        (
            "<rect id=\"it\" width=\"4\" height=\"2\" stroke=\"red\" transform=\"scale(2 1)\"/>",
            "it has a stroke under uneven scale",
        ),
        (
            "<g stroke=\"red\"><path id=\"it\" d=\"M0 0L9 9\" stroke-dasharray=\"2\" transform=\"scale(2)\"/></g>",
            "it has a stroke, whose width would change",
        ),
        (
            "<rect id=\"it\" width=\"4\" height=\"2\" fill=\"url(#sky)\" transform=\"scale(2)\"/>",
            "fill of it is drawn by a definition",
        ),
        ("<g id=\"it\" transform=\"scale(2)\"/>", "it is a group"),
        (
            "<rect id=\"it\" width=\"4mm\" height=\"2\" transform=\"scale(2)\"/>",
            "it has lengths with units",
        ),
        (
            "<path id=\"it\" d=\"M0 0Lx\" transform=\"scale(2)\"/>",
            "it: path data is broken",
        ),
    ] {
        let old = drawing(element);
        let reply = after(&old, "transform it bake").unwrap_err();
        assert!(
            reply.starts_with(&format!("! {says}")),
            "{element}: {reply}"
        );
    }
    let even =
        drawing("<rect id=\"it\" width=\"4\" height=\"2\" stroke=\"red\" transform=\"scale(2)\"/>");
    let baked = after(&even, "transform it bake").unwrap();
    assert!(baked.contains("stroke-width=\"2\""), "{baked}");
}

#[test]
fn moving_there_and_back_restores_the_bytes() {
    for element in [
        "<rect id='it'  x=\"10\" y=\"20.5\" width=\"4\" height=\"2\"/>",
        "<text id=\"it\" x=\"1 2,3\" y='4'>abc<tspan x=\"9\">d</tspan></text>",
        "<path id=\"it\" d=\"M0 0 9 9\"/>",
        "<g id=\"it\" transform=\" rotate(9)  scale(2) \"><circle r=\"4\"/></g>",
        "<g transform=\"rotate(90) scale(2)\"><line id=\"it\" x1=\"1\" y1=\"1\" x2=\"2\" y2=\"2\"/></g>",
    ] {
        let old = drawing(element);
        let there = after(&old, "move it by:7,3").unwrap();
        assert_ne!(there, old);
        let back = after(&there, "move it by:-7,-3").unwrap();
        assert_eq!(back, old);
    }
}

#[test]
fn a_transform_that_a_rule_gives_is_left_to_the_rule() {
    let text = drawing(
        "<style>.slid { transform: scale(2) }</style><rect id=\"it\" class=\"slid\" width=\"4\" height=\"2\"/>",
    );
    for op in ["move it by:1,0", "rotate it by:9", "transform it clear"] {
        let reply = after(&text, op).unwrap_err();
        assert!(
            reply.starts_with("! it has its transform from rule .slid\n"),
            "{op}: {reply}"
        );
    }
}
