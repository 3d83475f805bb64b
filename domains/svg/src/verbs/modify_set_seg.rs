//! `modify … set-seg`

use fcp::prelude::*;
use fcp::value::{Angle, Point};

use crate::edit::segments::{Ending, Nth, count, path_of, point, redraw_at};
use crate::model::Drawing;
use crate::path::{ArcShape, Draw};
use crate::values::{Radii, SegmentKind};

/// Draw another segment in the place of one of a path. It takes what `add-line`, `add-curve` and the like take.
///
/// ```fcp
/// # raw '<path id="my_path" d="M0 0L10 10L20 0"/>'
/// modify my_path set-seg 2 curve to:10,10 control1:0,10
/// > * path my_path @(0,0 20x10)
/// modify my_path set-seg 3 close
/// > * path my_path @(0,0 10x10)
/// modify my_path set-seg 2 arc to:10,10
/// > ! an arc needs r:
/// >   try: modify my_path set-seg 2 arc to:10,10 r:10
/// modify my_path set-seg 4 line to:10,10
/// > ! my_path has 3 segments
/// >   try: modify my_path set-seg 3 line to:10,10
/// ```
#[fcp_verb(category = "Paths", name = "modify set-seg", infix)]
pub fn modify_set_seg(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    /// The segment.
    #[fcp(positional)]
    n: Spanned<Nth>,
    /// The segment that it becomes.
    #[fcp(positional)]
    kind: SegmentKind,
    #[fcp(flatten)] ending: Ending,
    /// Of a curve: the first control, or the only one.
    #[fcp(alias = "c1")]
    control1: Option<Point>,
    /// Of a curve: the second control.
    #[fcp(alias = "c2")]
    control2: Option<Point>,
    /// Of an arc: one radius, or RX,RY.
    r: Option<Radii>,
    /// Of an arc: by how much the ellipse is turned.
    rotation: Option<Angle>,
    /// Of an arc: the longer way round.
    #[fcp(default = Switch(false))]
    large: Switch,
    /// Of an arc: clockwise.
    #[fcp(default = Switch(true))]
    sweep: Switch,
) -> Result<Reply> {
    let (id, path) = path_of(drawing, path, "set-seg")?;
    let control2 = control2.map(|pair| point(drawing, &pair));
    let draw = match kind {
        SegmentKind::Move => Draw::Move(ending.target(drawing)?),
        SegmentKind::Line => Draw::Line(ending.target(drawing)?),
        SegmentKind::Curve => {
            let Some(control1) = control1 else {
                bail!("a curve needs control1:"; add: "control1:10,10")
            };
            Draw::Curve {
                to: ending.target(drawing)?,
                control1: point(drawing, &control1),
                control2,
            }
        }
        SegmentKind::Smooth => Draw::Smooth {
            to: ending.target(drawing)?,
            control2,
        },
        SegmentKind::Arc => {
            let Some(r) = r else {
                bail!("an arc needs r:"; add: "r:10")
            };
            Draw::Arc {
                to: ending.target(drawing)?,
                shape: ArcShape {
                    radii: r.vec(),
                    rotation: rotation.map_or(0.0, |angle| angle.degrees()),
                    large: large.0,
                    sweep: sweep.0,
                },
            }
        }
        SegmentKind::Close => Draw::Close,
    };
    let d = path.set_segment(count(*n.get()), &draw);
    redraw_at(drawing, id, d, &n)
}
