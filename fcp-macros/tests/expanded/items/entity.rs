/// A mark on the canvas.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(plural = "marks", index = ByRadius)]
pub struct Shape {
    #[fcp(label)]
    name: Name,
    /// Its paint.
    #[fcp(selector, default = Paint::Black)]
    fill: Paint,
    #[fcp(selector = "range", alias = "radius")]
    r: Option<Radius>,
    #[fcp(parent, selector, key = "in")]
    group: Option<Id<Group>>,
    #[fcp(view)]
    folded: Switch,
    #[fcp(readonly, default = 1)]
    version: u8,
    #[fcp(hidden, default = Vec::new())]
    bytes: Vec<u8>,
    #[fcp(spelling)]
    indent: Option<String>,
}
