// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// Take all books away.
///
/// ```json
/// {}
/// > {"books": 0}
/// ```
pub fn clear(shelf: &mut Shelf) -> Result<Count> {
    shelf.clear()
}
const _: () = {
    #[derive(
        ::fcp::__private::serde::Deserialize,
        ::fcp::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::fcp::__private::serde")]
    #[schemars(crate = "::fcp::__private::schemars")]
    struct __Arguments {}
    static TOOL: ::fcp::__private::Tool<Shelf> = ::fcp::__private::Tool {
        name: "clear",
        aliases: &[],
        summary: "Take all books away.",
        doc: "Take all books away.",
        hints: ::fcp::__private::Hints {
            read_only: false,
            destructive: true,
            idempotent: false,
            open_world: false,
        },
        examples: &[
            ::fcp::__private::Example {
                script: "{}\n> {\"books\": 0}",
                line: 4,
            },
        ],
        source: ::fcp::__private::Source {
            file: ::core::file!(),
            line: ::core::line!(),
        },
        input: ::fcp::__private::tool_input::<__Arguments>,
        output: ::fcp::__private::tool_output::<Result<Count>>,
        trouble: ::fcp::__private::tool_trouble::<Shelf, Result<Count>>,
        run: ::fcp::__private::ToolRun::Exclusive(|state, arguments, _| ::fcp::__private::tool_call::<
            Shelf,
            __Arguments,
            Result<Count>,
        >(arguments, |_| clear(state))),
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::RegisteredTool { item : & TOOL }
    }
};
#[cfg(test)]
#[test]
fn clear_examples() {
    ::fcp::testing::tool_examples::<Shelf>("clear");
}
