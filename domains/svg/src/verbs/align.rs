//! `align`

use fcp::prelude::*;
use kurbo::Vec2;

use crate::model::Drawing;
use crate::moving::{around, frame, movable, shifted};
use crate::resolve::Line;
use crate::values::Side;

/// Bring a side of objects to one line: that of all of them, of the canvas, or of another object.
///
/// `center` lies across, `middle` down. One object alone goes to the canvas.
///
/// ```fcp
/// # raw '<rect id="a" x="40" y="140" width="60" height="100"/>'
/// # raw '<rect id="b" x="120" y="100" width="60" height="60"/>'
/// align a,b top
/// > @ 1 of 2 objects moved to top 100: a
/// align a,b right to:canvas
/// > @ 2 of 2 objects moved to right 800: a, b
/// align a bottom to:b
/// > @ 1 of 1 objects moved to bottom 160: a
/// align a middle
/// > @ 1 of 1 objects moved to middle 300: a
/// align a middle
/// > = no change
/// ```
#[fcp_verb(category = "Arrange")]
pub fn align(
    drawing: &mut Drawing,
    /// The objects; one inside another moves with it.
    rows: Rows,
    /// The side.
    #[fcp(positional)]
    side: Side,
    /// The target of the side; the box around the objects if left out.
    to: Option<Line>,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let geometry = drawing.geometry();
    let precision = geometry.precision();
    let target = match to {
        Some(Line::Canvas) => geometry.canvas(),
        Some(Line::Of(of)) => frame(drawing, &geometry, of)?,
        None if ids.len() == 1 => geometry.canvas(),
        Some(Line::Selection) | None => {
            let Some(all) = around(&geometry, &ids) else {
                let names = drawing.names_of(&ids);
                bail!("{names} draws nothing, so it has no position"; try: "? describe {}", names.replace(", ", ","));
            };
            all
        }
    };
    let line = side.of(target);
    let (mut edits, mut moved) = (Vec::new(), Vec::new());
    for id in &ids {
        let step = line - side.of(frame(drawing, &geometry, *id)?);
        if precision.spell(step) == "0" {
            continue;
        }
        let by = if side.is_across() {
            Vec2::new(step, 0.0)
        } else {
            Vec2::new(0.0, step)
        };
        edits.extend(shifted(drawing, &geometry, *id, by)?);
        moved.push(*id);
    }
    if !drawing.make(edits)? {
        return Ok(unchanged!("no change"));
    }
    let (n, all, names) = (moved.len(), ids.len(), drawing.names_of(&moved));
    let line = precision.spell(line);
    Ok(bulk!(
        "{n} of {all} objects moved to {side} {line}: {names}"
    ))
}
