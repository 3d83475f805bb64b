//! `overlap`

use fcp::prelude::*;
use kurbo::Rect;

use crate::display::lines;
use crate::model::kind::{BOX, LINK, Role};
use crate::model::{Drawing, NodeId};

/// The maximum number of pairs to look for.
const MOST_PAIRS: usize = 100_000;

/// The extent of a box along an axis.
type Axis = fn(&Rect) -> (f64, f64);

/// The number of pairs of boxes whose extents along an axis overlap.
fn side_by_side(boxes: &[(NodeId, Rect)], axis: Axis) -> usize {
    let mut starts: Vec<f64> = boxes.iter().map(|(_, found)| axis(found).0).collect();
    starts.sort_by(f64::total_cmp);
    let before = |at: f64| starts.partition_point(|start| *start < at);
    // Each box also pairs with itself, which does not matter here.
    let pairs = boxes.iter().map(|(_, found)| {
        let (start, end) = axis(found);
        before(end).saturating_sub(before(start))
    });
    pairs.fold(0, usize::saturating_add)
}

/// List pairs of graphics whose boxes share area, the largest first. Links do not count, nor a box and its own text.
///
/// ```fcp
/// # raw '<rect id="db" width="100" height="40"/><rect id="q1" x="60" y="20" width="60" height="60"/>'
/// # raw '<circle id="dot" cx="10" cy="10" r="5"/>'
/// ? overlap
/// > db x q1 40x20 at 60,20
/// ? overlap contains:on
/// > db x q1 40x20 at 60,20
/// > db x dot 10x10 at 5,5
/// ```
#[fcp_query]
pub fn overlap(
    drawing: &Drawing,
    /// Only these.
    rows: Option<Rows>,
    /// One that lies inside another counts too.
    #[fcp(default = Switch(false))]
    contains: Switch,
) -> Result<Vec<String>> {
    let geometry = drawing.geometry();
    let nodes = &drawing.nodes;
    let ids: Vec<NodeId> = match &rows {
        Some(rows) => rows.iter().map(|row| NodeId::new(row.id())).collect(),
        None => nodes.elements().collect(),
    };
    let counts = |id: &NodeId| {
        let linked = || {
            nodes
                .tree()
                .ancestors(*id)
                .any(|outer| nodes.kind_name(outer) == LINK)
        };
        nodes.role(*id) == Role::Graphic && !linked()
    };
    let mut boxes: Vec<(NodeId, Rect)> = ids
        .into_iter()
        .filter(counts)
        .filter_map(|id| Some((id, geometry.bbox(id)?)))
        .filter(|(_, found)| found.area() > 0.0)
        .collect();
    // Sweeps the axis with fewer overlapping extents.
    let across: Axis = |found| (found.x0, found.x1);
    let down: Axis = |found| (found.y0, found.y1);
    let looks = [side_by_side(&boxes, across), side_by_side(&boxes, down)];
    let is_across = looks[0] <= looks[1];
    let axis = if is_across { across } else { down };
    fcp::work::spend(looks[0].min(looks[1]))?;
    boxes.sort_by(|(_, a), (_, b)| axis(a).0.total_cmp(&axis(b).0));
    // The box that an element belongs to.
    let whole = |id: NodeId| {
        let outer = nodes.tree().parent(id)?;
        (nodes.kind_name(outer) == BOX).then_some(outer)
    };
    let mut pairs = Vec::new();
    for (at, (one, first)) in boxes.iter().enumerate() {
        let later = boxes.iter().skip(at + 1);
        for (other, second) in later.take_while(|(_, second)| axis(second).0 < axis(first).1) {
            let shared = first.intersect(*second);
            let inside = shared == *first || shared == *second;
            let same = whole(*one).is_some() && whole(*one) == whole(*other);
            if shared.area() <= 0.0 || inside && !contains.0 || same {
                continue;
            }
            if pairs.len() == MOST_PAIRS {
                bail!("more than {MOST_PAIRS} pairs overlap"; try: "? overlap @recent:20");
            }
            let (mut one, mut other) = (*one, *other);
            if nodes.tree().order(one, other).is_gt() {
                (one, other) = (other, one);
            }
            pairs.push((shared, one, other));
        }
    }
    pairs.sort_by(|(a, ..), (b, ..)| b.area().total_cmp(&a.area()));
    let precision = geometry.precision();
    let overlaps = pairs.into_iter().map(|(shared, one, other)| {
        let (one, other) = (nodes.name(one), nodes.name(other));
        let (size, at) = (
            lines::size(shared, precision),
            lines::point(shared.origin(), precision),
        );
        format!("{one} x {other} {size} at {at}")
    });
    Ok(overlaps.collect())
}
