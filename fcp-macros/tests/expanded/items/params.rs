/// The place of a new object.
#[derive(FcpParams)]
pub struct Placement {
    /// Container to draw into.
    #[fcp(key = "in")]
    pub container: Option<Ref<Group>>,
    pub at: Point,
    #[fcp(default = Gap::NONE)]
    pub gap: Gap,
    pub class: Vec<Name>,
    #[fcp(flag)]
    pub hidden: bool,
    /// Properties of its style.
    pub style: Keys,
}
