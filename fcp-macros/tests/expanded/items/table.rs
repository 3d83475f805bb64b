/// Shapes with their areas.
#[fcp_table(entity, insert = "add shape {name} r:{r}", delete = erase)]
pub fn shapes(drawing: &Drawing, wanted: Wanted<'_>) -> impl Iterator<Item = ShapeRow> {
    drawing.shape_rows(wanted)
}
