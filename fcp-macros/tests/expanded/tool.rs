// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// Find books by their titles.
///
/// The nearest comes first.
///
/// ```json
/// {"title": "Emma", "in": "fiction"}
/// > {"titles": ["Emma"]}
/// ```
#[cfg(feature = "books")]
pub fn find_book(
    shelf: &Shelf,
    title: String,
    r#in: Option<Subject>,
    most: u32,
    page: Page,
    cancel: &Cancel,
) -> Result<Titles, NoBook> {
    shelf.find(&title, r#in, most, page, cancel)
}
#[cfg(feature = "books")]
const _: () = {
    fn __default_most() -> u32 {
        10
    }
    #[derive(
        ::fcp::__private::serde::Deserialize,
        ::fcp::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::fcp::__private::serde")]
    #[schemars(crate = "::fcp::__private::schemars")]
    struct __Arguments {
        ///As printed on the spine.
        title: String,
        ///The subject.
        r#in: Option<Subject>,
        ///The limit.
        #[serde(rename = "maxItems")]
        #[serde(default = "__default_most")]
        most: u32,
        #[serde(flatten)]
        page: Page,
    }
    static TOOL: ::fcp::__private::Tool<Shelf> = ::fcp::__private::Tool {
        name: "find.book",
        aliases: &["lookup"],
        summary: "Find books by their titles.",
        doc: "Find books by their titles.\n\nThe nearest comes first.",
        hints: ::fcp::__private::Hints {
            read_only: true,
            destructive: false,
            idempotent: true,
            open_world: false,
        },
        examples: &[
            ::fcp::__private::Example {
                script: "{\"title\": \"Emma\", \"in\": \"fiction\"}\n> {\"titles\": [\"Emma\"]}",
                line: 6,
            },
        ],
        source: ::fcp::__private::Source {
            file: ::core::file!(),
            line: ::core::line!(),
        },
        input: ::fcp::__private::tool_input::<__Arguments>,
        output: ::fcp::__private::tool_output::<Result<Titles, NoBook>>,
        trouble: ::fcp::__private::tool_trouble::<Shelf, Result<Titles, NoBook>>,
        run: ::fcp::__private::ToolRun::Shared(|state, arguments, cancel| ::fcp::__private::tool_call::<
            Shelf,
            __Arguments,
            Result<Titles, NoBook>,
        >(
            arguments,
            |read| find_book(state, read.title, read.r#in, read.most, read.page, cancel),
        )),
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::RegisteredTool { item : & TOOL }
    }
};
#[cfg(feature = "books")]
#[cfg(test)]
#[test]
fn find_book_examples() {
    ::fcp::testing::tool_examples::<Shelf>("find.book");
}
