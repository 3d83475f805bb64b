//! Edits of path data: their results, and that nothing else moves or changes its spelling.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use fcp_svg::path::{ArcShape, Command, Draw, Handles, Path, PathError, PathPoint, Place, Target};
use fcp_svg::syntax::number::Precision;
use kurbo::{Point, Vec2};
use proptest::prelude::*;

const TWO: Precision = Precision::decimals(2);

fn to(x: f64, y: f64) -> Target {
    Target::To(Point::new(x, y))
}

fn by(x: f64, y: f64) -> Target {
    Target::By(Vec2::new(x, y))
}

fn outcome(result: Result<String, PathError>) -> String {
    result.unwrap_or_else(|error| format!("! {error}"))
}

/// Each line: the source, the edit, the result.
macro_rules! edits {
    ($($source:literal . $method:ident ($($arg:expr),*) => $wanted:literal;)*) => {
        $(assert_eq!(
            outcome(Path::parse($source).$method($($arg),*)),
            $wanted,
            "{} of {}", stringify!($method), $source,
        );)*
    };
}

#[test]
fn a_segment_is_added_in_the_manner_of_the_path() {
    let line = Draw::Line(to(5.0, 5.5));
    let curve = |two: bool| Draw::Curve {
        to: to(100.0, 200.0),
        control1: Point::new(50.0, 150.0),
        control2: two.then_some(Point::new(1.0, 2.0)),
    };
    let smooth = |two: bool| Draw::Smooth {
        to: by(10.0, 0.0),
        control2: two.then_some(Point::new(1.0, 2.0)),
    };
    let shape = ArcShape {
        radii: Vec2::new(5.0, 6.0),
        rotation: 0.0,
        large: false,
        sweep: true,
    };
    let arc = Draw::Arc {
        to: to(1.0, 2.0),
        shape,
    };
    edits! {
        "M0 0".add(&line, None) => "M0 0L5 5.5";
        "M 0,0 L 1,1".add(&line, None) => "M 0,0 L 1,1 L 5,5.5";
        "M30 5h10v10h-10z".add(&Draw::Line(by(1.0, -2.0)), None) => "M30 5h10v10h-10zl1 -2";
        "M0 0 1 1\n".add(&Draw::Close, None) => "M0 0 1 1Z\n";
        "m0 0 1 1".add(&Draw::Close, None) => "m0 0 1 1z";
        "M 0 0".add(&curve(false), None) => "M 0 0 Q 50 150 100 200";
        "M0,0".add(&curve(true), None) => "M0,0C50,150 1,2 100,200";
        "M0,0C1,2,3,4,5,6".add(&curve(true), None) => "M0,0C1,2,3,4,5,6C50,150,1,2,100,200";
        "M0 0L1 1".add(&smooth(true), None) => "M0 0L1 1s0 1 10 0";
        "M0 0L1 1".add(&smooth(false), None) => "M0 0L1 1t10 0";
        "M0 0".add(&arc, None) => "M0 0A5 6 0 0 1 1 2";
        "".add(&Draw::Move(to(1.0, 2.0)), None) => "M1 2";
        "".add(&line, None) => "! path data begins with a move";
        "M0 0 L1 1".add(&line, Some(1)) => "! path data begins with a move";
        "M0 0 L1 1".add(&line, Some(3)) => "! has 2 segments";
        "M0 0 L1 1".add(&Draw::Line(to(1e10, 0.0)), None) => "! a number is out of range";
        "M0 0 L1 1".add(&Draw::Line(to(f64::NAN, 0.0)), None) => "! a number is out of range";
        // Before another segment: absolute ones stay, relative ones get new numbers.
        "M0 0 L9 9".add(&line, Some(2)) => "M0 0 L5 5.5 L9 9";
        "M0 0 l9 9 1 1".add(&line, Some(2)) => "M0 0 L5 5.5 l4 3.5 1 1";
        "M0 0 9 9 8 8".add(&Draw::Close, Some(3)) => "M0 0 9 9Z L8 8";
        "M0 0h9h1".add(&line, Some(2)) => "M0 0L5 5.5l4 -5.5h1";
        "M0 0C1 1 2 2 3 3S5 5 6 6".add(&line, Some(3)) => "M0 0C1 1 2 2 3 3L5 5.5C4 4 5 5 6 6";
        "m5 5 1 1".add(&Draw::Move(to(1.0, 1.0)), Some(1)) => "M1 1m4 4 1 1";
        // No letter may follow a comma.
        "M0 0 L1 1 , 2 2".add(&Draw::Close, Some(3)) => "M0 0 L1 1 Z  L2 2";
    }
}

#[test]
fn a_point_is_moved_and_the_next_segment_follows() {
    let (end, c1, c2) = (PathPoint::End, PathPoint::Control1, PathPoint::Control2);
    let (carry, stay) = (Handles::Move, Handles::Stay);
    edits! {
        "M0 0L10 10 20 20".move_point(2, end, to(1.0, 2.0), stay) => "M0 0L1 2 20 20";
        "M0 0l10 10 20 20 5 5".move_point(2, end, to(1.0, 2.0), stay) => "M0 0l1 2 29 28 5 5";
        "M0 0l10 10-20-20".move_point(2, end, by(-5.0, 0.5), stay) => "M0 0l5 10.5-15-20.5";
        "M1.5.5L1.5.5.5.5".move_point(2, end, to(2.0, 3.0), stay) => "M1.5.5L2 3 .5.5";
        "M0 0h10v10h-10z".move_point(2, end, by(0.0, 5.0), stay) => "M0 0l10 5v5h-10z";
        "M0 0h10v10h-10z".move_point(2, end, by(5.0, 0.0), stay) => "M0 0h15l-5 10h-10z";
        "M0 0C1 1 2 2 3 3".move_point(2, end, by(1.0, 0.0), carry) => "M0 0C1 1 3 2 4 3";
        "M0 0C1 1 2 2 3 3".move_point(2, end, by(1.0, 0.0), stay) => "M0 0C1 1 2 2 4 3";
        "M0 0C1 1 2 2 3 3".move_point(2, c1, to(9.0, 9.0), stay) => "M0 0C9 9 2 2 3 3";
        "M0 0C1 1 2 2 3 3".move_point(2, c2, by(1.0, 1.0), stay) => "M0 0C1 1 3 3 3 3";
        // The smooth segment keeps its control if that keeps it in place.
        "M0 0C1 1 2 2 3 3S5 5 6 6".move_point(2, end, by(1.0, 0.0), carry)
            => "M0 0C1 1 3 2 4 3S5 5 6 6";
        "M0 0C1 1 2 2 3 3S5 5 6 6".move_point(2, end, by(1.0, 0.0), stay)
            => "M0 0C1 1 2 2 4 3C4 4 5 5 6 6";
        "M0 0C1 1 2 2 3 3C4 4 5 5 6 6".move_point(2, end, by(1.0, 0.0), carry)
            => "M0 0C1 1 3 2 4 3C5 4 5 5 6 6";
        "M0 0Q1 1 2 0T4 0 6 0".move_point(2, c1, to(1.0, 3.0), stay)
            => "M0 0Q1 3 2 0Q3 -1 4 0 T6 0";
        "M0 0Q1 1 2 0T4 0 6 0".move_point(3, c1, to(3.0, -3.0), stay)
            => "M0 0Q1 1 2 0Q3 -3 4 0 5 1 6 0";
        "M0 0l5 5".move_point(1, end, to(1.0, 1.0), stay) => "M1 1l4 4";
        "m5 5zl1 1".move_point(1, end, to(0.0, 0.0), stay) => "m0 0zl6 6";
        "M0 0A1 2 3 014 5a1 2 3 01.5.5".move_point(2, end, to(3.0, 5.0), stay)
            => "M0 0A1 2 3 013 5a1 2 3 011.5.5";
        "M0 0z".move_point(2, end, to(3.0, 5.0), stay) => "! segment Z has no end";
        "M0 0L1 1".move_point(2, c1, to(3.0, 5.0), stay) => "! segment L has no c1";
        "M0 0Q1 1 2 2".move_point(2, c2, to(3.0, 5.0), stay) => "! segment Q has no c2";
        "M0 0".move_point(0, end, to(3.0, 5.0), stay) => "! has 1 segment";
    }
}

#[test]
fn segments_are_replaced_removed_split() {
    let line = Draw::Line(to(4.0, 5.0));
    edits! {
        "M0 0c1 1 2 2 3 3 1 1 2 2 3 3".set_segment(2, &line) => "M0 0L4 5 c0 -1 1 0 2 1";
        "M0 0 H5 6 V9".set_segment(2, &line) => "M0 0 L4 5 6 0 V9";
        "M0 0 L5 5".set_segment(1, &line) => "! path data begins with a move";
        "M0 0L1 1 2 2 3 3z".remove_segments(3, 3) => "M0 0L1 1 3 3z";
        "M0 0l1 1 2 2 3 3z".remove_segments(3, 3) => "M0 0l1 1 5 5z";
        "M0 0 l1 1 2 2 3 3z".remove_segments(2, 2) => "M0 0 l3 3 3 3z";
        "M0 0L1 1 2 2".remove_segments(1, 1) => "M1 1 2 2";
        "M0 0h5v5".remove_segments(1, 1) => "M5 0v5";
        " M0 0L1 1H5C1 1 2 2 3 3".remove_segments(2, 3) => " M0 0C1 1 2 2 3 3";
        "M0 0L1 1L2 2".remove_segments(3, 2) => "M0 0";
        "M0 0L1 1".remove_segments(1, 2) => "! no segment would be left";
        "M0 0z".remove_segments(1, 1) => "! path data begins with a move";
        "M0 0L10 20 30 40".split_segment(2, 0.5, TWO) => "M0 0L5 10L10 20 30 40";
        "M0 0l10 20 30 40".split_segment(3, 0.1, TWO) => "M0 0l10 20l3 4 27 36";
        "M0 0h10v5z".split_segment(2, 0.5, TWO) => "M0 0h5h5v5z";
        "M0 0h10v5z".split_segment(4, 0.5, TWO) => "M0 0h10v5l-5 -2.5z";
        "M0 0Q4 4 8 0T16 0".split_segment(2, 0.5, TWO) => "M0 0Q2 2 4 2Q6 2 8 0Q12 -4 16 0";
        "M0 0C0 4 8 4 8 0S9 9 7 7".split_segment(2, 0.5, TWO)
            => "M0 0C0 2 2 3 4 3C6 3 8 2 8 0C8 -4 9 9 7 7";
        "M0 0A5 5 0 0 1 10 0".split_segment(2, 0.5, TWO)
            => "M0 0A5 5 0 0 1 5 -5A5 5 0 0 1 10 0";
        // Radii that are too small for the whole arc are written as drawn.
        "M0 0A1 1 0 0 1 10 0".split_segment(2, 0.5, TWO)
            => "M0 0A5 5 0 0 1 5 -5A5 5 0 0 1 10 0";
        "M0 0L1 1".split_segment(1, 0.5, TWO) => "! segment M cannot be split";
        "M0 0L1 1".split_segment(2, 1.0, TWO) => "! t must be above 0 and below 1";
    }
}

#[test]
fn a_path_is_turned_round_and_respelled() {
    edits! {
        "M0 0L1 1H5C1 1 2 2 3 3".reversed() => "M3 3C2 2 1 1 5 1H1L0 0";
        "M0 0L4 0L4 4z".reversed() => "M0 0L4 4L4 0Z";
        "M0 0Q2 2 4 0L4 4z".reversed() => "M0 0L4 4L4 0Q2 2 0 0Z";
        "M0 0A5 5 0 0 1 9 0M1 1h2".reversed() => "M9 0A5 5 0 0 0 0 0M3 1H1";
        "M0 0h2v2zl-1 -1".reversed() => "M0 0L2 2V0ZM-1 -1L0 0";
        "M0 0Q2 2 4 0T8 0".reversed() => "M8 0Q6 -2 4 0Q2 2 0 0";
        "m1 1l2 2 3 3h5v-1zl1 1".absolute() => "M1 1L3 3 6 6H11V5zL2 2";
        "M1 1 2 2L3 3".absolute() => "M1 1 2 2L3 3";
        "m.1.1.2.2.3.3".absolute() => "M.1.1 0.3 0.3 0.6 0.6";
        "M1 1L3 3 6 6H11V5Z".relative() => "m1 1l2 2 3 3h5v-1Z";
        "M0 0C1 1 2 2 3 3S4 4 5 5".relative() => "m0 0c1 1 2 2 3 3s1 1 2 2";
    }
}

#[test]
fn segments_before_a_fault_can_be_edited() {
    let line = Draw::Line(to(4.0, 5.0));
    edits! {
        "M0 0L1 1 2".add(&line, None) => "M0 0L1 1L4 5 2";
        "M0 0L1 1 x y".move_point(2, PathPoint::End, to(2.0, 2.0), Handles::Stay) => "M0 0L2 2 x y";
        // Four numbers of an incomplete cubic would become two lines.
        "M0 0C1 1 2 2 3 3 1 2 3 4".add(&line, None)
            => "! path data is broken at segment 3, column 25: a number is missing";
    }
}

#[test]
fn segments_are_listed_by_their_points() {
    let path = Path::parse("m0 0c30 40 50 60 90 20s1 2 3 4h5a5 6 0 0 1 1 2z");
    let shown: Vec<String> = path
        .places()
        .map(|place| place.shown(TWO).to_string())
        .collect();
    assert_eq!(
        shown,
        [
            "M 0,0",
            "C 90,20 c1:30,40 c2:50,60",
            "S 93,24 c1:130,-20 c2:91,22",
            "H 98,24",
            "A 99,26 r:5,6 large:off sweep:on",
            "Z",
        ]
    );
}

#[test]
fn a_path_is_measured() {
    let square = Path::parse("M10 10h10v10h-10z");
    assert!((square.length() - 40.0).abs() < 1e-6);
    assert_eq!(
        square.bounds().unwrap(),
        kurbo::Rect::new(10.0, 10.0, 20.0, 20.0)
    );
    let circle = Path::parse("M0 5A5 5 0 0 1 10 5A5 5 0 0 1 0 5z");
    assert!((circle.length() - 10.0 * std::f64::consts::PI).abs() < 1e-3);
    let bounds = circle.bounds().unwrap();
    assert!(
        (bounds.y0 - 0.0).abs() < 1e-4 && (bounds.y1 - 10.0).abs() < 1e-4,
        "{bounds:?}"
    );
    assert_eq!(Path::parse("M5 5").bounds(), None);
    // After a close, drawing continues at the start of the subpath.
    let on = Path::parse("M0 0h4v4zl-3 0").bounds().unwrap();
    assert_eq!(on.x0, -3.0);
    for (text, closed) in [
        ("M0 0L1 1z", true),
        ("M0 0L1 1", false),
        ("M0 0L1 1zM2 2L3 3", false),
        ("M0 0L1 1zM2 2L3 3z", true),
        ("M0 0L1 1zM2 2", true),
        ("M0 0L1 1M2 2z", false),
        ("M0 0", false),
    ] {
        assert_eq!(Path::parse(text).is_closed(), closed, "{text}");
    }
}

/// A path of random segments, with numbers run together or separated.
fn any_path() -> impl Strategy<Value = String> {
    let number = (-2000i32..2000, 0u8..4).prop_map(|(n, decimals)| {
        let text = format!("{}", f64::from(n) / 10f64.powi(decimals.into()));
        text.replacen("0.", ".", 1)
    });
    let letter = proptest::sample::select(b"mMlLlLhHvVcCsSqQtTaAzZ".to_vec());
    let segment = (
        letter,
        proptest::collection::vec(number, 6),
        any::<[bool; 3]>(),
    );
    proptest::collection::vec(segment, 1..9).prop_map(|segments| {
        let mut text = "M1 1".to_owned();
        let mut last = 'L';
        for (letter, numbers, [one, two, short]) in segments {
            let letter = char::from(letter);
            let count = match letter.to_ascii_uppercase() {
                'Z' => 0,
                'H' | 'V' => 1,
                'M' | 'L' | 'T' | 'A' => 2,
                'C' => 6,
                _ => 4,
            };
            // A letter that repeats the previous one may be omitted.
            if !(short && letter == last && !matches!(letter, 'z' | 'Z' | 'm' | 'M')) {
                text.push(letter);
            } else {
                text.push(' ');
            }
            last = letter;
            if letter.eq_ignore_ascii_case(&'a') {
                let flag = |on: bool| if on { '1' } else { '0' };
                text.push_str(&format!("7 9 20 {}{}", flag(one), flag(two)));
            }
            for (place, number) in numbers.iter().take(count).enumerate() {
                if place > 0 && !(short && number.starts_with('-')) {
                    text.push(if one { ',' } else { ' ' });
                }
                text.push_str(number);
            }
        }
        text
    })
}

fn near(a: Point, b: Point, scale: f64) -> bool {
    (a - b).hypot() <= 1e-6 * scale.max(1.0)
}

/// Whether the points of two segments are equal.
fn same_points(a: &Place, b: &Place, scale: f64) -> bool {
    let close = |a: Option<Point>, b: Option<Point>| match (a, b) {
        (Some(a), Some(b)) => near(a, b, scale),
        (a, b) => a == b,
    };
    close(a.control1, b.control1)
        && close(a.control2, b.control2)
        && a.arc == b.arc
        && (a.command == Command::Close || near(a.end, b.end, scale))
}

fn scale(places: &[Place]) -> f64 {
    places
        .iter()
        .map(|place| place.end.x.abs().max(place.end.y.abs()))
        .fold(0.0, f64::max)
}

/// The largest absolute coordinate of a path's box, at least 1.
fn reach_of(path: &Path) -> f64 {
    let reach = |b: kurbo::Rect| b.x0.abs().max(b.x1.abs()).max(b.y0.abs()).max(b.y1.abs());
    path.bounds().map_or(1.0, reach).max(1.0)
}

/// Checks an edit that replaced `lost` segments of the source by `made` new ones: earlier segments
/// keep all bytes, the next one its points, and later ones their bytes and points. A segment after
/// a close may start elsewhere, since the end of the close follows its move.
fn check(source: &Path, written: &str, at: usize, lost: usize, made: usize) {
    let result = Path::parse(written);
    assert_eq!(result.fault(), source.fault(), "{source} -> {written}");
    let (old, new): (Vec<Place>, Vec<Place>) =
        (source.places().collect(), result.places().collect());
    assert_eq!(new.len() + lost, old.len() + made, "{source} -> {written}");
    let scale = scale(&old).max(scale(&new));
    for index in 0..old.len() {
        let to = match index {
            _ if index < at => index,
            _ if index < at + lost => continue,
            _ => index - lost + made,
        };
        assert!(
            same_points(&old[index], &new[to], scale),
            "segment {index}: {source} -> {written}"
        );
        let spelled = |path: &Path, index: usize| {
            // A segment may gain a letter if the previous one changed.
            let text = &path.text()[path.segments()[index].span.clone()];
            text.trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .to_owned()
        };
        let after_close = index > 0 && old[index - 1].command == Command::Close;
        if index < at || (index > at + lost && !after_close) {
            assert_eq!(
                spelled(source, index),
                spelled(&result, to),
                "segment {index}: {source} -> {written}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        // The message contains the failing case; no file of failures is kept.
        failure_persistence: None,
        ..ProptestConfig::with_cases(1500)
    })]

    #[test]
    fn edits_keep_all_other_points_and_bytes(
        text in any_path(), n in 1usize..9, x in -500i32..500, y in -500i32..500, kind in 0u8..6,
    ) {
        let path = Path::checked(text).unwrap();
        let count = path.segments().len();
        let n = 1 + (n - 1) % count;
        let point = Point::new(f64::from(x) / 4.0, f64::from(y) / 8.0);
        let (absolute, relative) = (Target::To(point), Target::By(point.to_vec2()));
        match kind {
            0 => {
                for draw in [Draw::Line(absolute), Draw::Line(relative), Draw::Close] {
                    check(&path, &path.add(&draw, None).unwrap(), count, 0, 1);
                    if n > 1 {
                        check(&path, &path.add(&draw, Some(n)).unwrap(), n - 1, 0, 1);
                        check(&path, &path.set_segment(n, &draw).unwrap(), n - 1, 1, 1);
                    }
                }
            }
            1 => {
                let draw = Draw::Curve { to: relative, control1: point, control2: Some(point) };
                check(&path, &path.add(&draw, None).unwrap(), count, 0, 1);
                if n > 1 {
                    check(&path, &path.add(&draw, Some(n)).unwrap(), n - 1, 0, 1);
                }
            }
            2 => {
                for target in [absolute, relative] {
                    if let Ok(written) = path.move_point(n, PathPoint::End, target, Handles::Stay) {
                        check(&path, &written, n - 1, 1, 1);
                        let wanted = match target {
                            Target::To(point) => point,
                            Target::By(by) => path.places().nth(n - 1).unwrap().end + by,
                        };
                        let have = Path::parse(written).places().nth(n - 1).unwrap().end;
                        prop_assert!(near(have, wanted, 1000.0));
                    }
                    for control in [PathPoint::Control1, PathPoint::Control2] {
                        if let Ok(written) = path.move_point(n, control, target, Handles::Stay) {
                            check(&path, &written, n - 1, 1, 1);
                        }
                    }
                }
            }
            3 if n > 1 => {
                let last = n.min(count);
                check(&path, &path.remove_segments(n, last).unwrap(), n - 1, last + 1 - n, 0);
            }
            4 => {
                if let Ok(written) = path.split_segment(n, 0.3, Precision::decimals(8)) {
                    check(&path, &written, n - 1, 1, 2);
                    let (old, new) = (path.length(), Path::parse(written).length());
                    prop_assert!((old - new).abs() <= 1e-4 * old.max(1.0), "{} {}", old, new);
                }
            }
            _ => {
                for written in [path.absolute().unwrap(), path.relative().unwrap()] {
                    let other = Path::checked(written.as_str()).unwrap();
                    let (old, new): (Vec<Place>, Vec<Place>) =
                        (path.places().collect(), other.places().collect());
                    prop_assert_eq!(old.len(), new.len());
                    let scale = scale(&old);
                    prop_assert!(old.iter().zip(&new).all(|(a, b)| same_points(a, b, scale)));
                }
                let scale = reach_of(&path);
                let back = Path::checked(path.reversed().unwrap()).unwrap();
                let (old, new) = (path.length(), back.length());
                prop_assert!((old - new).abs() <= 1e-4 * old.max(1.0), "{} {}", path, back);
                prop_assert_eq!(path.bounds().is_some(), back.bounds().is_some());
                if let (Some(old), Some(new)) = (path.bounds(), back.bounds()) {
                    prop_assert!((old.x0 - new.x0).abs() + (old.y1 - new.y1).abs() <= 1e-5 * scale);
                }
            }
        }
    }
}
