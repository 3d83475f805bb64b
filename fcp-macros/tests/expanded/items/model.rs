/// A drawing.
#[derive(FcpModel)]
#[fcp(domain = "svg", title = "SVG drawings")]
pub struct Drawing {
    #[fcp(count = "s", universe, line = shape_line)]
    pub shapes: Table<Shape>,
    #[fcp(view)]
    pub zoom: Slot<u8>,
}
