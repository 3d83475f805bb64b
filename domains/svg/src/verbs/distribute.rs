//! `distribute`

use fcp::prelude::*;
use fcp::value::Decimal;
use kurbo::Vec2;

use crate::model::{Drawing, NodeId};
use crate::moving::{frame, movable, shifted};
use crate::values::Axis;

/// Space objects evenly: with equal gaps between the outer two, or with a given gap from the first on.
///
/// ```fcp
/// # raw '<rect id="a" width="10" height="10"/><rect id="b" x="15" width="20" height="10"/>'
/// # raw '<rect id="c" x="90" width="10" height="10"/>'
/// distribute a,b,c h
/// > @ 1 of 3 objects moved to gaps of 30: b
/// distribute a,b h gap:5
/// > @ 1 of 2 objects moved to gaps of 5: b
/// distribute a,b h
/// > ! 2 objects have one gap; 3 are needed, or gap:
/// >   try: distribute a,b h gap:20
/// # group a,b,c as:bars
/// distribute bars h
/// > ! one object has no gaps; 3 are needed, or 2 and gap:
/// >   try: distribute @in:bars h gap:20
/// ```
#[fcp_verb(category = "Arrange")]
pub fn distribute(
    drawing: &mut Drawing,
    /// The objects; one inside another moves with it.
    rows: Rows,
    /// Across or down.
    #[fcp(positional)]
    axis: Axis,
    /// The gap, in canvas units; below 0 they overlap.
    gap: Option<Decimal>,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let geometry = drawing.geometry();
    let precision = geometry.precision();
    let mut spans = Vec::with_capacity(ids.len());
    for id in &ids {
        let found = frame(drawing, &geometry, *id)?;
        spans.push(match axis {
            Axis::H => (*id, found.x0, found.x1),
            Axis::V => (*id, found.y0, found.y1),
        });
    }
    // By their centres, so that a wide object does not count as the first.
    spans.sort_by(|(_, a, b), (_, c, d)| (a + b).total_cmp(&(c + d)));
    let (Some(&(_, first, _)), Some(&(_, _, last))) = (spans.first(), spans.last()) else {
        return Ok(unchanged!("no change"));
    };
    let gaps = u32::try_from(spans.len() - 1).map_or(f64::MAX, f64::from);
    let gap = match gap {
        Some(gap) if spans.len() >= 2 => gap.get(),
        None if spans.len() >= 3 => {
            let filled: f64 = spans.iter().map(|(_, from, to)| to - from).sum();
            (last - first - filled) / gaps
        }
        _ if spans.len() < 2 => return Err(alone(drawing, &ids, axis)),
        _ => bail!("2 objects have one gap; 3 are needed, or gap:"; add: "gap:20"),
    };
    let (mut edits, mut moved, mut next) = (Vec::new(), Vec::new(), first);
    for (id, from, to) in spans {
        let step = next - from;
        next += to - from + gap;
        if precision.spell(step) == "0" {
            continue;
        }
        let by = match axis {
            Axis::H => Vec2::new(step, 0.0),
            Axis::V => Vec2::new(0.0, step),
        };
        edits.extend(shifted(drawing, &geometry, id, by)?);
        moved.push(id);
    }
    if !drawing.make(edits)? {
        return Ok(unchanged!("no change"));
    }
    let (n, all, names) = (moved.len(), ids.len(), drawing.names_of(&moved));
    let gap = precision.spell(gap);
    Ok(bulk!(
        "{n} of {all} objects moved to gaps of {gap}: {names}"
    ))
}

/// The error that a single object has no gaps. The repair distributes its content, or else its
/// siblings.
fn alone(drawing: &Drawing, ids: &[NodeId], axis: Axis) -> Diagnostic {
    let (nodes, tree) = (&drawing.nodes, drawing.nodes.tree());
    let inner = |id: NodeId| {
        let objects = tree.children(id).filter(|id| nodes.is_object(*id));
        objects.take(2).count() == 2
    };
    let around = |id: &NodeId| tree.parent(*id);
    let places = ids.first().into_iter();
    let places = places.flat_map(|id| [Some(*id), around(id)]).flatten();
    let meant = places.into_iter().find(|id| inner(*id));
    let error = Diagnostic::new("one object has no gaps; 3 are needed, or 2 and gap:");
    match meant {
        Some(root) if nodes.root() == Some(root) => error.or_try(format!(
            "distribute @child:{} {axis} gap:20",
            nodes.name(root)
        )),
        Some(within) => error.or_try(format!(
            "distribute @in:{} {axis} gap:20",
            nodes.name(within)
        )),
        None => error.or_try("? list"),
    }
}
