/// The figure of a note.
#[derive(FcpValue, Clone, Copy)]
#[fcp(name = "DUR")]
pub enum Figure {
    /// Four beats.
    Whole,
    #[fcp(alias = "minim")]
    Half,
    #[fcp(word = "dotted")]
    DottedHalf,
}
