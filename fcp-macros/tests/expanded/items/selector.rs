/// Shapes that are at least so large.
#[fcp_selector(alias = "large", bears_type)]
pub fn big(drawing: &Drawing, least: Option<Radius>) -> Result<Pick<'_>, ValueError> {
    drawing.at_least(least)
}
