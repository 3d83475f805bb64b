//! Path data, points, transforms, styles and colours of third-party files are read like the
//! renderer's own parser does, and edits move nothing else.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::collections::BTreeSet;
use std::fs;

use fcp::testing::{data, files, say};
use fcp::value::{Color, FcpValue};
use fcp_svg::path::{Draw, Handles, Path, PathPoint, Place, Target};
use fcp_svg::syntax::declarations::Declarations;
use fcp_svg::syntax::number::Precision;
use fcp_svg::syntax::points::Points;
use fcp_svg::transform::{Syntax, TransformList};
use kurbo::{Affine, Point, Vec2};
use svgtypes::{PathParser, PathSegment, PointsParser};

/// The distinct values of the `wanted` attributes; empty, with a warning, if the files are missing.
fn attributes(wanted: &[&str]) -> BTreeSet<String> {
    let mut values = BTreeSet::new();
    for path in data("svg")
        .iter()
        .flat_map(|folder| files(folder, &["svg"]))
    {
        // Files that are not UTF-8 or not well-formed are skipped.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..Default::default()
        };
        let Ok(tree) = roxmltree::Document::parse_with_options(&text, options) else {
            continue;
        };
        for attribute in tree.descendants().flat_map(|node| node.attributes()) {
            if wanted.contains(&attribute.name()) {
                values.insert(attribute.value().to_owned());
            }
        }
    }
    values
}

/// A segment in a form that both parsers can express.
fn oracle(segment: PathSegment) -> (char, Vec<f64>) {
    let flag = |on: bool| f64::from(u8::from(on));
    let numbers = match segment {
        PathSegment::MoveTo { x, y, .. }
        | PathSegment::LineTo { x, y, .. }
        | PathSegment::SmoothQuadratic { x, y, .. } => vec![x, y],
        PathSegment::HorizontalLineTo { x, .. } => vec![x],
        PathSegment::VerticalLineTo { y, .. } => vec![y],
        PathSegment::CurveTo {
            x1,
            y1,
            x2,
            y2,
            x,
            y,
            ..
        } => vec![x1, y1, x2, y2, x, y],
        PathSegment::SmoothCurveTo { x2, y2, x, y, .. } => vec![x2, y2, x, y],
        PathSegment::Quadratic { x1, y1, x, y, .. } => vec![x1, y1, x, y],
        PathSegment::EllipticalArc {
            rx,
            ry,
            x_axis_rotation,
            large_arc,
            sweep,
            x,
            y,
            ..
        } => {
            vec![rx, ry, x_axis_rotation, flag(large_arc), flag(sweep), x, y]
        }
        PathSegment::ClosePath { .. } => vec![],
    };
    (char::from(segment.command()), numbers)
}

/// Compares a path with the renderer's parser: the same segments up to the same fault.
fn compare(text: &str) {
    let path = Path::parse(text);
    let ours: Vec<(char, Vec<f64>)> = path
        .segments()
        .iter()
        .map(|segment| (segment.letter(), segment.numbers().to_vec()))
        .collect();
    let mut theirs = Vec::new();
    let mut fault = None;
    for segment in PathParser::from(text) {
        match segment {
            Ok(segment) => theirs.push(oracle(segment)),
            Err(error) => fault = Some(error),
        }
    }
    assert_eq!(ours, theirs, "{text:?}");
    assert_eq!(
        path.fault().is_some(),
        fault.is_some(),
        "{text:?}: {fault:?}"
    );
    if let (Some(ours), Some(svgtypes::Error::UnexpectedData(column))) = (path.fault(), fault) {
        assert_eq!(ours.column, column, "{text:?}");
    }
}

#[test]
fn paths_are_read_as_the_renderer_reads_them() {
    let paths = attributes(&["d"]);
    for text in &paths {
        compare(text);
        // Truncated and corrupted paths have the same segments up to the same fault.
        let step = 1 + text.len() / 40;
        for cut in (0..text.len())
            .step_by(step)
            .filter(|cut| text.is_char_boundary(*cut))
        {
            compare(&text[..cut]);
            compare(&format!("{}x{}", &text[..cut], &text[cut..]));
        }
    }
    say(&format!("{} paths were compared", paths.len()));
}

#[test]
fn whole_paths_draw_what_kurbo_draws() {
    for text in attributes(&["d"]) {
        let path = Path::parse(text.as_str());
        let Ok(theirs) = kurbo::BezPath::from_svg(&text) else {
            continue;
        };
        let Some(ours) = path.bounds() else { continue };
        // After a close, in arcs without radius, and if a smooth curve follows one of the other
        // degree, kurbo's parser differs from all renderers.
        let odd = |letter: char| matches!(letter, 'A' | 'Z' | 'S' | 'T');
        let plain = !path.segments().iter().any(|s| odd(s.command.letter()));
        if path.fault().is_none() && plain {
            let theirs = kurbo::Shape::bounding_box(&theirs);
            let scale = ours.width().max(ours.height()).max(1.0);
            let off = (ours.x0 - theirs.x0).abs().max((ours.y1 - theirs.y1).abs());
            assert!(off <= 1e-6 * scale, "{text}: {ours:?} {theirs:?}");
        }
    }
}

/// Checks that all segments except `but` keep their points.
fn others_stay(old: &[Place], new: &[Place], but: &[usize], text: &str) {
    assert_eq!(old.len(), new.len(), "{text}");
    let reach = |place: &Place| place.end.x.abs().max(place.end.y.abs());
    let scale = old.iter().map(reach).fold(1e-9, f64::max);
    let near = |a: Option<Point>, b: Option<Point>| match (a, b) {
        (Some(a), Some(b)) => (a - b).hypot() <= 1e-6 * scale,
        (a, b) => a == b,
    };
    for (index, (a, b)) in old.iter().zip(new).enumerate() {
        let own = a.command != fcp_svg::path::Command::Close;
        let same = near(a.control1, b.control1)
            && near(a.control2, b.control2)
            && (!own || near(Some(a.end), Some(b.end)));
        assert!(but.contains(&index) || same, "segment {index} of {text}");
    }
}

#[test]
fn edits_of_real_paths_move_nothing_else() {
    for text in attributes(&["d"]) {
        let path = Path::parse(text.as_str());
        let old: Vec<Place> = path.places().collect();
        let count = old.len();
        if path.fault().is_some() || count == 0 || old.iter().any(|place| !place.end.is_finite()) {
            continue;
        }
        let places = |text: &str| Path::checked(text).unwrap().places().collect::<Vec<_>>();
        for n in [1, 2, count / 2, count] {
            if n == 0 || n > count {
                continue;
            }
            let by = Target::By(Vec2::new(1.25, -3.5));
            if let Ok(moved) = path.move_point(n, PathPoint::End, by, Handles::Stay) {
                others_stay(&old, &places(&moved), &[n - 1], &text);
                // All segments before the moved one keep their bytes.
                let start = path.segments()[n - 1].span.start;
                assert_eq!(moved[..start], text[..start]);
            }
            if n > 1 {
                let added = path.add(&Draw::Line(by), Some(n)).unwrap();
                let mut new = places(&added);
                new.remove(n - 1);
                others_stay(&old, &new, &[], &text);
                // Adding a segment and removing it again restores all positions.
                let back = Path::parse(added).remove_segments(n, n).unwrap();
                others_stay(&old, &places(&back), &[], &text);
            }
            if let Ok(split) = path.split_segment(n, 0.4, Precision::decimals(8)) {
                let mut new = places(&split);
                new.remove(n - 1);
                others_stay(&old, &new, &[n - 1], &text);
            }
        }
        others_stay(&old, &places(&path.absolute().unwrap()), &[], &text);
        others_stay(&old, &places(&path.relative().unwrap()), &[], &text);
    }
}

#[test]
fn points_are_read_as_the_renderer_reads_them() {
    for text in attributes(&["points"]) {
        let points = Points::parse(text.as_str());
        let ours: Vec<(f64, f64)> = points
            .vertices()
            .iter()
            .map(|v| (v.point.x, v.point.y))
            .collect();
        assert_eq!(
            ours,
            PointsParser::from(text.as_str()).collect::<Vec<_>>(),
            "{text}"
        );
        for n in 1..=ours.len() {
            let Ok(removed) = points.remove(n) else {
                continue;
            };
            let mut left = ours.clone();
            left.remove(n - 1);
            let have: Vec<(f64, f64)> = PointsParser::from(removed.as_str()).collect();
            assert_eq!(have, left, "{text} without {n}");
        }
    }
}

fn near(ours: Affine, theirs: &svgtypes::Transform) -> bool {
    let theirs = [theirs.a, theirs.b, theirs.c, theirs.d, theirs.e, theirs.f];
    ours.as_coeffs()
        .iter()
        .zip(theirs)
        .all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1.0))
}

#[test]
fn transforms_are_read_as_the_renderer_reads_them() {
    for text in attributes(&["transform", "gradientTransform", "patternTransform"]) {
        let list = TransformList::parse(text.as_str(), Syntax::Attribute);
        match text.parse::<svgtypes::Transform>() {
            Ok(theirs) => {
                assert_eq!(list.fault(), None, "{text}");
                assert!(near(list.affine(), &theirs), "{text}: {:?}", list.affine());
                let by = Vec2::new(2.5, -1.0);
                let moved = list.translated(by, Precision::decimals(8)).unwrap();
                let moved = TransformList::parse(moved, Syntax::Attribute).affine();
                let wanted = Affine::translate(by) * list.affine();
                let off = moved.as_coeffs().into_iter().zip(wanted.as_coeffs());
                assert!(off.into_iter().all(|(a, b)| (a - b).abs() < 1e-6), "{text}");
            }
            Err(_) => assert!(list.fault().is_some(), "{text}"),
        }
    }
}

#[test]
fn styles_are_edited_in_one_place() {
    for text in attributes(&["style"]) {
        let style = Declarations::of_attribute(&text);
        for one in style.all() {
            let name = style.name(one);
            let set = style.set(name, "inherit");
            let again = Declarations::of_attribute(&set);
            let counts = again.get(name).unwrap();
            assert_eq!(again.value(counts), "inherit", "{text}");
            assert_eq!(again.all().len(), style.all().len(), "{text}");
            let unset = style.unset(name).unwrap();
            assert_eq!(Declarations::of_attribute(&unset).get(name), None, "{text}");
        }
        let added = style.set("--new", "1");
        let again = Declarations::of_attribute(&added);
        assert_eq!(
            again.all().len(),
            style.all().len() + 1,
            "{text} -> {added}"
        );
    }
}

#[test]
fn colours_are_the_renderers() {
    let mut words = attributes(&[
        "fill",
        "stroke",
        "stop-color",
        "flood-color",
        "lighting-color",
    ]);
    for word in [
        "hsl(37, 44%, 61%)",
        "hsla(200,10%,20%,0.3)",
        "rgb(10%,20%,30%)",
        "#1234",
    ] {
        words.insert(word.to_owned());
    }
    let mut compared = 0;
    for text in words {
        // Colours in ops have no whitespace around them.
        let Ok(ours) = Color::parse(text.trim()) else {
            continue;
        };
        let Some([red, green, blue, alpha]) = ours.rgba() else {
            continue;
        };
        // It does not support a percentage after the slash of `rgb`, nor the newest colour name.
        let Ok(theirs) = text.trim().parse::<svgtypes::Color>() else {
            continue;
        };
        compared += 1;
        let theirs = [theirs.red, theirs.green, theirs.blue, theirs.alpha];
        let off = [red, green, blue, alpha].into_iter().zip(theirs);
        assert!(
            off.into_iter().all(|(a, b)| a.abs_diff(b) <= 1),
            "{text}: {ours:?} {theirs:?}"
        );
    }
    assert!(compared >= 3, "{compared}");
}
