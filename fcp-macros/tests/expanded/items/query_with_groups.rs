/// List what stands somewhere.
///
/// ```fcp
/// ? what here
/// > dot
/// ```
#[fcp_query]
pub fn what(
    drawing: &Drawing,
    #[fcp(positional)] name: Name,
    #[fcp(flatten)] placed: Placement,
    fill: Option<Paint>,
    #[fcp(flag)] deep: bool,
    #[fcp(flatten)] shown: Shown,
    last: Vec<Text>,
) -> Result<Vec<String>> {
    drawing.what(name, placed, fill, deep, shown, last)
}
