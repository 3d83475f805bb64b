/// List the shapes in a place.
///
/// ```fcp
/// ? pick here
/// > dot
/// ```
#[fcp_query]
pub fn pick(
    drawing: &Drawing,
    #[fcp(positional)] name: Name,
    #[fcp(flatten)] placed: Placement,
    fill: Option<Paint>,
    #[fcp(flag)] deep: bool,
    #[fcp(flatten)] shown: Shown,
    last: Vec<Text>,
) -> Result<Vec<String>> {
    drawing.pick(name, placed, fill, deep, shown, last)
}
