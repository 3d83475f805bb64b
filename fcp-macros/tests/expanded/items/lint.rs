/// A shape too small to be seen.
#[fcp_lint(weight = 10)]
pub fn tiny_shape(drawing: &Drawing, id: Id<Shape>, shape: &Shape) -> Option<String> {
    drawing.tiny(id, shape)
}
