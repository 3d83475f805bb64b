//! Transforms folded into geometry.

use fcp::prelude::*;
use kurbo::Affine;

use super::shift::{linear, moved_geometry, plain};
use super::{Edit, broken, editable, redraw};
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::property;
use crate::syntax::number::{Precision, scan};
use crate::transform::TransformList;

/// Properties with definitions that would not follow the geometry, since they use the transformed
/// system.
const PAINTERS: [&str; 8] = [
    "fill",
    "stroke",
    "clip-path",
    "mask",
    "filter",
    "marker-start",
    "marker-mid",
    "marker-end",
];

/// The scale factor of a linear map, if it preserves angles.
pub(super) fn even(affine: Affine) -> Option<f64> {
    let [a, b, c, d] = linear(affine);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-9);
    let grows = a.hypot(b);
    (near(a * a + b * b, c * c + d * d) && (a * c + b * d).abs() <= 1e-9 * grows * grows)
        .then_some(grows)
}

/// The edits that fold an element's transforms into its geometry.
///
/// # Errors
/// If the picture would change, the element has no geometry of its own, or its transform or path is
/// broken.
pub fn baked(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId) -> Result<Vec<Edit>> {
    let list = editable(drawing, geometry, id)?;
    if let Some(fault) = list.fault() {
        let error = format!("the transform is broken at {fault}");
        return Err(broken(drawing, id, &list, error));
    }
    if list.items().is_empty() {
        return Ok(Vec::new());
    }
    let name = drawing.nodes.name(id);
    let origin = geometry.transform_origin(id).to_vec2();
    let affine = Affine::translate(origin) * list.affine() * Affine::translate(-origin);
    for property in PAINTERS {
        let word = geometry.inherited_word(id, property);
        if word.is_some_and(|word| word.contains("url(")) {
            bail!("{property} of {name} is drawn by a definition, which would not follow");
        }
    }
    let precision = geometry.precision();
    let mut edits = reshaped(drawing, id, affine, precision)?;
    let stroke = geometry.inherited_word(id, "stroke");
    if stroke.is_some_and(|stroke| stroke.trim() != "none") {
        edits.extend(restroked(drawing, geometry, id, affine)?);
    }
    edits.push(Edit::transform(
        id,
        &TransformList::parse("", list.syntax()),
        String::new(),
    ));
    Ok(edits)
}

/// The edits of geometry that are equivalent to a transform.
fn reshaped(
    drawing: &Drawing,
    id: NodeId,
    affine: Affine,
    precision: Precision,
) -> Result<Vec<Edit>> {
    let (kind, name) = (drawing.nodes.kind_name(id), drawing.nodes.name(id));
    let units = || {
        let error = Diagnostic::new(format!(
            "{name} has lengths with units, which are not folded"
        ));
        match kind {
            "rect" | "circle" | "ellipse" | "line" => {
                error.or_try(format!("convert {name} to:path"))
            }
            _ => error.or_try(format!("? describe {name}")),
        }
    };
    let [a, b, c, d] = linear(affine);
    let is_shift = [a, b, c, d] == [1.0, 0.0, 0.0, 1.0];
    let upright = b == 0.0 && c == 0.0;
    match kind {
        "path" => {
            let d = drawing.nodes.attr(id, "d").unwrap_or_default();
            let new = redraw::path(&d, affine, precision);
            let new = new.map_err(|fault| {
                Diagnostic::new(format!("{name}: path data is broken at {fault}"))
            })?;
            return Ok(vec![Edit::attribute(id, "d", new)]);
        }
        "polygon" | "polyline" => {
            let points = drawing.nodes.attr(id, "points").unwrap_or_default();
            let new = redraw::points(&points, affine, precision);
            let new = new.map_err(|fault| {
                Diagnostic::new(format!("{name}: points are broken at {fault}"))
            })?;
            return Ok(vec![Edit::attribute(id, "points", new)]);
        }
        "rect" | "circle" | "ellipse" | "line" => {}
        "text" | "use" | "image" | "svg" if is_shift => {
            let edits = moved_geometry(drawing, id, affine.translation(), precision);
            return edits.ok_or_else(units);
        }
        "group" => {
            bail!("{name} is a group, which has no geometry to fold this into"; try: "ungroup {name}")
        }
        _ => {
            bail!("{name} is a {kind}, which has no geometry to fold this into"; try: "? describe {name}")
        }
    }
    let numbers = |names: &[&str]| {
        let read = names.iter().map(|name| plain(drawing, id, name));
        read.collect::<Option<Vec<f64>>>().ok_or_else(units)
    };
    let write = |name: &str, value: f64| Edit::attribute(id, name, precision.spell(value));
    let given = |name: &str| drawing.nodes.attr(id, name).is_some();
    match kind {
        "line" => {
            let ends = numbers(&["x1", "y1", "x2", "y2"])?;
            let moved: Vec<f64> = ends
                .chunks_exact(2)
                .filter_map(|end| Some(affine * kurbo::Point::new(*end.first()?, *end.get(1)?)))
                .flat_map(|end| [end.x, end.y])
                .collect();
            let names = ["x1", "y1", "x2", "y2"];
            Ok(names
                .iter()
                .zip(moved)
                .map(|(name, value)| write(name, value))
                .collect())
        }
        "circle" => {
            let Some(grows) = even(affine) else {
                bail!("{name} would not be a circle"; try: "convert {name} to:path");
            };
            centred(drawing, id, affine, precision, &[("r", grows)]).ok_or_else(units)
        }
        "ellipse" if upright => {
            let radii = [("rx", a.abs()), ("ry", d.abs())];
            let both = given("rx") && given("ry");
            let edits = centred(drawing, id, affine, precision, &radii).filter(|_| both);
            edits.ok_or_else(units)
        }
        "rect" if upright => {
            let frame = numbers(&["x", "y", "width", "height"])?;
            let [x, y, width, height] = frame.as_slice() else {
                return Err(units());
            };
            let size = kurbo::Size::new(*width, *height);
            let old = kurbo::Rect::from_origin_size((*x, *y), size);
            let new = affine.transform_rect_bbox(old);
            let mut edits = vec![
                write("x", new.x0),
                write("y", new.y0),
                write("width", new.width()),
                write("height", new.height()),
            ];
            if given("rx") != given("ry") && a.abs() != d.abs() {
                bail!("{name} would have other corners"; try: "convert {name} to:path");
            }
            for (radius, grows) in [("rx", a.abs()), ("ry", d.abs())] {
                if given(radius) {
                    let old = plain(drawing, id, radius).ok_or_else(units)?;
                    edits.push(write(radius, old * grows));
                }
            }
            Ok(edits)
        }
        kind => bail!("{name} would not be a {kind}"; try: "convert {name} to:path"),
    }
}

/// The edits of a centre and radii.
fn centred(
    drawing: &Drawing,
    id: NodeId,
    affine: Affine,
    precision: Precision,
    radii: &[(&str, f64)],
) -> Option<Vec<Edit>> {
    let center = kurbo::Point::new(plain(drawing, id, "cx")?, plain(drawing, id, "cy")?);
    let center = affine * center;
    let mut edits = vec![
        Edit::attribute(id, "cx", precision.spell(center.x)),
        Edit::attribute(id, "cy", precision.spell(center.y)),
    ];
    for (name, grows) in radii.iter().filter(|(_, grows)| *grows != 1.0) {
        let old = plain(drawing, id, name)?;
        edits.push(Edit::attribute(id, name, precision.spell(old * grows)));
    }
    Some(edits)
}

/// The edits that keep the drawn width of a stroke.
fn restroked(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    affine: Affine,
) -> Result<Vec<Edit>> {
    let name = drawing.nodes.name(id);
    // A path needs no conversion.
    let instead = match drawing.nodes.kind_name(id) {
        "path" | "polyline" | "polygon" => format!("? describe {name}"),
        _ => format!("convert {name} to:path"),
    };
    let Some(grows) = even(affine) else {
        bail!("{name} has a stroke under uneven scale"; try: "{instead}");
    };
    if (grows - 1.0).abs() < 1e-9 {
        return Ok(Vec::new());
    }
    let dashed = geometry.inherited_word(id, "stroke-dasharray");
    let width = geometry.inherited_word(id, "stroke-width");
    let width = width.map_or(Some(1.0), |text| {
        let text = text.trim().to_owned();
        scan(&text, 0)
            .filter(|read| read.span.end == text.len())
            .map(|read| read.value)
    });
    let Some(width) = width.filter(|_| dashed.is_none_or(|dash| dash.trim() == "none")) else {
        bail!("{name} has a stroke, whose width would change"; try: "? describe {name}");
    };
    let value = Precision::EXACT.spell(width * grows);
    let property = property::find("stroke-width");
    let property = property.map_err(|error| Diagnostic::new(error.about("stroke-width")))?;
    Ok(vec![Edit::property(id, property, value)])
}
