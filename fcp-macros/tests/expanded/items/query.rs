/// List the shapes of a color.
///
/// ```fcp
/// ? shape-list fill:red
/// > dot
/// ```
#[fcp_query(name = "shape-list")]
pub fn shape_list(drawing: &Drawing, shapes: Option<Selection<Shape>>, fill: Paint) -> Result<Vec<String>> {
    drawing.painted(shapes, fill)
}
