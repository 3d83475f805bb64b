/// A shape, with what is derived from it.
#[derive(FcpRow)]
#[fcp(model = Drawing)]
pub struct ShapeRow {
    pub row: Id<Shape>,
    /// Radius, in steps.
    #[fcp(set)]
    pub r: u32,
    /// Its left side.
    #[fcp(set = "at", shows = "left")]
    pub x: Option<f64>,
    /// Area, in squares of a step.
    #[fcp(set = set_area)]
    pub area: f64,
    /// Whether it is seen.
    pub visible: bool,
}
