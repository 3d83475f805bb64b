//! The course of a link: its points on both boxes, and the line between them.

use kurbo::{Affine, CubicBez, ParamCurve, Point, Rect, Vec2};

use crate::syntax::number::Precision;
use crate::values::{Edge, Route};

use super::LinkLayout;

/// The distance that an elbow goes straight out before it may turn, in canvas units.
const STUB: f64 = 20.0;

/// The course of a link, in canvas units.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Its end points, including heads.
    pub tips: [Point; 2],
    line: Line,
}

#[derive(Clone, Debug, PartialEq)]
enum Line {
    /// At least two points.
    Points(Vec<Point>),
    Curve(CubicBez),
}

impl Course {
    /// The course between two boxes. `heads` are the lengths of line that heads replace at each
    /// end.
    #[must_use]
    pub fn between(boxes: [Rect; 2], layout: &LinkLayout, heads: [f64; 2]) -> Self {
        let [from, to] = boxes;
        let nearest = nearest(from, to);
        let [first, last] = [
            layout.sides[0].unwrap_or(nearest[0]),
            layout.sides[1].unwrap_or(nearest[1]),
        ];
        let (out, back) = (first.outward(), last.outward());
        let tips = [
            first.of(from) + out * layout.gap,
            last.of(to) + back * layout.gap,
        ];
        let [p, q] = tips;
        let line = match layout.route {
            Route::Straight => Line::Points(shortened(vec![p, q], heads)),
            Route::Elbow => Line::Points(shortened(elbow(tips, first, last), heads)),
            Route::Curve => {
                let reach = (q - p).hypot() / 2.0;
                let heads = heads.map(|head| head.min(reach / 2.0));
                let (start, end) = (p + out * heads[0], q + back * heads[1]);
                Line::Curve(CubicBez::new(start, p + out * reach, q + back * reach, end))
            }
        };
        Self { tips, line }
    }

    /// The line as path data, in another coordinate system.
    #[must_use]
    pub fn path(&self, to_local: Affine, precision: Precision) -> String {
        let spell = |point: Point| {
            let point = to_local * point;
            (precision.spell(point.x), precision.spell(point.y))
        };
        match &self.line {
            Line::Curve(curve) => {
                let [a, b, c, d] = [curve.p0, curve.p1, curve.p2, curve.p3].map(|point| {
                    let (x, y) = spell(point);
                    format!("{x},{y}")
                });
                format!("M{a}C{b} {c} {d}")
            }
            Line::Points(points) => {
                let mut path = String::new();
                let mut last: Option<(String, String)> = None;
                for point in points {
                    let next = spell(*point);
                    let (x, y) = (&next.0, &next.1);
                    match &last {
                        None => path.push_str(&format!("M{x},{y}")),
                        Some(last) if *last == next => continue,
                        Some((_, same)) if same == y => path.push_str(&format!("H{x}")),
                        Some((same, _)) if same == x => path.push_str(&format!("V{y}")),
                        Some(_) => path.push_str(&format!("L{x},{y}")),
                    }
                    last = Some(next);
                }
                path
            }
        }
    }

    /// The midpoint of the line, and whether it is more horizontal than vertical there.
    #[must_use]
    pub fn middle(&self) -> (Point, bool) {
        let across = |by: Vec2| by.x.abs() >= by.y.abs();
        match &self.line {
            Line::Curve(curve) => (curve.eval(0.5), across(curve.p3 - curve.p0)),
            Line::Points(points) => {
                let pairs = || points.iter().zip(points.iter().skip(1));
                let whole: f64 = pairs().map(|(a, b)| (*b - *a).hypot()).sum();
                let mut left = whole / 2.0;
                for (a, b) in pairs() {
                    let by = *b - *a;
                    if by.hypot() >= left && by.hypot() > 0.0 {
                        return (*a + by * (left / by.hypot()), across(by));
                    }
                    left -= by.hypot();
                }
                (self.tips[0].midpoint(self.tips[1]), true)
            }
        }
    }
}

/// The facing sides of two boxes, along the axis on which they are further apart.
fn nearest(from: Rect, to: Rect) -> [Edge; 2] {
    let apart = |a0: f64, a1: f64, b0: f64, b1: f64| (b0 - a1).max(a0 - b1);
    let across = apart(from.x0, from.x1, to.x0, to.x1);
    let down = apart(from.y0, from.y1, to.y0, to.y1);
    let by = to.center() - from.center();
    match (across >= down, by.x >= 0.0, by.y >= 0.0) {
        (true, true, _) => [Edge::Right, Edge::Left],
        (true, false, _) => [Edge::Left, Edge::Right],
        (false, _, true) => [Edge::Bottom, Edge::Top],
        (false, _, false) => [Edge::Top, Edge::Bottom],
    }
}

/// The points of a line with horizontal and vertical segments.
fn elbow(tips: [Point; 2], first: Edge, last: Edge) -> Vec<Point> {
    let [p, q] = tips;
    let (out, back) = (first.outward(), last.outward());
    let (leaving, meeting) = (p + out * STUB, q + back * STUB);
    // Calculated as if the first segment were horizontal.
    let turned = !first.is_across();
    let point = |along: f64, aside: f64| {
        if turned {
            Point::new(aside, along)
        } else {
            Point::new(along, aside)
        }
    };
    let along = |point: Point| if turned { point.y } else { point.x };
    let aside = |point: Point| if turned { point.x } else { point.y };
    let ahead = (q - p).dot(out) > 0.0;
    let between = if first.is_across() != last.is_across() {
        let corner = point(along(q), aside(p));
        let meets = (corner - q).dot(back) > 0.0;
        if ahead && meets {
            vec![corner]
        } else {
            vec![leaving, point(along(leaving), aside(meeting)), meeting]
        }
    } else if first == last {
        // The same side of both: passes the one that reaches further.
        let far = if out.dot(leaving - meeting) > 0.0 {
            along(leaving)
        } else {
            along(meeting)
        };
        vec![point(far, aside(p)), point(far, aside(q))]
    } else if ahead {
        let half = f64::midpoint(along(p), along(q));
        vec![point(half, aside(p)), point(half, aside(q))]
    } else {
        let half = f64::midpoint(aside(p), aside(q));
        vec![
            leaving,
            point(along(leaving), half),
            point(along(meeting), half),
            meeting,
        ]
    };
    let all = std::iter::once(p).chain(between).chain([q]);
    straightened(all)
}

/// Removes points on a horizontal or vertical line between their neighbours, and repeated ones.
fn straightened(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        if let [.., before, last] = kept.as_slice() {
            let same_x = before.x == last.x && last.x == point.x;
            let same_y = before.y == last.y && last.y == point.y;
            if same_x || same_y {
                kept.pop();
            }
        }
        if kept.last() != Some(&point) {
            kept.push(point);
        }
    }
    kept
}

/// Shortens the first and last segment by these lengths, but never by more than a third.
fn shortened(mut points: Vec<Point>, heads: [f64; 2]) -> Vec<Point> {
    let toward = |from: Point, to: Point, by: f64| {
        let way = to - from;
        let length = way.hypot();
        if length > 0.0 {
            from + way * (by.min(length / 3.0) / length)
        } else {
            from
        }
    };
    let at = |ix: usize| points.get(ix).copied();
    let (Some(first), Some(second), Some(before), Some(last)) = (
        at(0),
        at(1),
        points.len().checked_sub(2).and_then(at),
        points.last().copied(),
    ) else {
        return points;
    };
    let ends = [
        toward(first, second, heads[0]),
        toward(last, before, heads[1]),
    ];
    if let [first, .., last] = points.as_mut_slice() {
        [*first, *last] = ends;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    const API: Rect = Rect::new(400.0, 40.0, 500.0, 80.0);
    const DB: Rect = Rect::new(480.0, 140.0, 580.0, 180.0);
    const FAR: Rect = Rect::new(700.0, 50.0, 800.0, 90.0);

    fn drawn(boxes: [Rect; 2], route: Route, sides: [Option<Edge>; 2], heads: [f64; 2]) -> String {
        let layout = LinkLayout {
            route,
            sides,
            ..LinkLayout::default()
        };
        let course = Course::between(boxes, &layout, heads);
        course.path(Affine::IDENTITY, Precision::decimals(2))
    }

    #[test]
    fn links_meet_the_sides_that_face_each_other() {
        use Edge::{Bottom, Left, Right, Top};
        use Route::{Curve, Elbow, Straight};
        let none = [None; 2];
        for (boxes, route, sides, wanted) in [
            ([API, DB], Straight, none, "M450,80L530,140"),
            ([DB, API], Straight, none, "M530,140L450,80"),
            ([API, FAR], Straight, none, "M500,60L700,70"),
            ([API, DB], Straight, [Some(Right), None], "M500,60L530,140"),
            ([API, DB], Elbow, none, "M450,80V110H530V140"),
            (
                [API, DB],
                Elbow,
                [Some(Right), Some(Top)],
                "M500,60H530V140",
            ),
            (
                [API, FAR],
                Elbow,
                [Some(Top), Some(Top)],
                "M450,40V20H750V50",
            ),
            (
                [FAR, API],
                Elbow,
                [Some(Right), Some(Left)],
                "M800,70H820V65H380V60H400",
            ),
            (
                [API, DB],
                Elbow,
                [Some(Left), Some(Bottom)],
                "M400,60H380V200H530V180",
            ),
            ([API, DB], Curve, none, "M450,80C450,130 530,90 530,140"),
        ] {
            let path = drawn(boxes, route, sides, [0.0; 2]);
            assert_eq!(path, wanted, "{route:?} {sides:?}");
        }
    }

    #[test]
    fn lines_end_inside_their_heads_and_are_never_used_up() {
        let near = Rect::new(506.0, 40.0, 600.0, 80.0);
        for (boxes, route, wanted) in [
            ([API, FAR], Route::Elbow, "M500,60H600V70H694"),
            ([API, near], Route::Straight, "M500,60H504"),
            ([API, DB], Route::Curve, "M450,80C450,130 530,90 530,134"),
        ] {
            assert_eq!(drawn(boxes, route, [None; 2], [0.0, 6.0]), wanted);
        }
    }

    #[test]
    fn labels_lie_halfway() {
        let layout = LinkLayout {
            route: Route::Elbow,
            ..LinkLayout::default()
        };
        let course = Course::between([API, DB], &layout, [0.0; 2]);
        assert_eq!(course.middle(), (Point::new(490.0, 110.0), true));
    }
}
