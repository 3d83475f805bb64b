/// Draw a circle.
///
/// It lands on top of everything already in its group.
///
/// ```fcp
/// add circle dot 5 fill:red
/// > + circle dot r:5 red
/// # add group name:Back
/// add circle halo radius:40 in:Back
/// > + circle halo r:40 black
/// ```
///
/// An alias does the same:
///
/// ```fcp
/// draw circle dot 5 note:small note:round and so on
/// > + circle dot r:5 black
/// ```
#[fcp_verb(category = "Shapes", alias = "draw circle")]
pub fn add_circle(
    drawing: &mut Drawing,
    /// Its name in
    /// later ops.
    #[fcp(positional)]
    name: Name,
    #[fcp(positional, key = "radius")] r: Int<1, 999>,
    #[fcp(alias = "color", default = Paint::Black)] fill: Paint,
    /// Group to draw into.
    #[fcp(key = "in")]
    group: Option<Ref<Group>>,
    note: Vec<Text>,
    #[fcp(rest)] words: Vec<Text>,
    #[fcp(flag)] force: bool,
) -> Result<Reply> {
    drawing.draw(name, r, fill, group, note, words, force)
}
