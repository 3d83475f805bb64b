/// Find books by their titles.
///
/// The nearest comes first.
///
/// ```json
/// {"title": "Emma", "in": "fiction"}
/// > {"titles": ["Emma"]}
/// ```
#[cfg(feature = "books")]
#[fcp_tool(name = "find.book", alias = "lookup", read_only, idempotent)]
pub fn find_book(
    shelf: &Shelf,
    /// As printed on the spine.
    title: String,
    /// The subject.
    r#in: Option<Subject>,
    /// The limit.
    #[fcp(key = "maxItems", default = 10)]
    most: u32,
    #[fcp(flatten)] page: Page,
    cancel: &Cancel,
) -> Result<Titles, NoBook> {
    shelf.find(&title, r#in, most, page, cancel)
}
