/// Take all books away.
///
/// ```json
/// {}
/// > {"books": 0}
/// ```
#[fcp_tool(destructive)]
pub fn clear(shelf: &mut Shelf) -> Result<Count> {
    shelf.clear()
}
