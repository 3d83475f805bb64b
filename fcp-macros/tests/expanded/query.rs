// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// List the shapes of a color.
///
/// ```fcp
/// ? shape-list fill:red
/// > dot
/// ```
pub fn shape_list(
    drawing: &Drawing,
    shapes: Option<Selection<Shape>>,
    fill: Paint,
) -> Result<Vec<String>> {
    drawing.painted(shapes, fill)
}
const _: () = {
    static VERB: ::fcp::__private::Verb<Drawing> = ::fcp::__private::Verb {
        phrase: "shape-list",
        aliases: &[],
        category: "Queries",
        summary: "List the shapes of a color.",
        doc: "List the shapes of a color.",
        params: &[
            ::fcp::__private::Param {
                name: "shapes",
                aliases: &[],
                place: ::fcp::__private::Place::Word(::core::option::Option::None),
                takes: <Selection<Shape> as ::fcp::__private::FromArg<Drawing>>::TAKES,
                required: false,
                many: false,
                default: ::core::option::Option::None,
                doc: "",
                spec: <Selection<Shape> as ::fcp::__private::FromArg<Drawing>>::spec,
                group: ::core::option::Option::None,
            },
            ::fcp::__private::Param {
                name: "fill",
                aliases: &[],
                place: ::fcp::__private::Place::Key,
                takes: <Paint as ::fcp::__private::FromArg<Drawing>>::TAKES,
                required: true,
                many: false,
                default: ::core::option::Option::None,
                doc: "",
                spec: <Paint as ::fcp::__private::FromArg<Drawing>>::spec,
                group: ::core::option::Option::None,
            },
        ],
        examples: &[
            ::fcp::__private::Example {
                script: "? shape-list fill:red\n> dot",
                line: 4,
            },
        ],
        source: ::fcp::__private::Source {
            file: ::core::file!(),
            line: ::core::line!(),
        },
        deletes: false,
        infix: false,
        run: ::fcp::__private::Run::Ask(|model, call| {
            let mut binder = ::fcp::__private::Binder::new(model, call);
            let a0 = binder.optional::<Selection<Shape>>(0);
            let a1 = binder.required::<Paint>(1);
            let (
                ::core::option::Option::Some(a0),
                ::core::option::Option::Some(a1),
                true,
            ) = (a0, a1, binder.is_sound()) else {
                return ::core::result::Result::Err(binder.error());
            };
            ::fcp::__private::listing(shape_list(model, a0, a1))
        }),
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::Registered { item : & VERB, role :
        ::fcp::__private::Role::Query }
    }
};
#[cfg(test)]
#[test]
fn shape_list_examples() {
    ::fcp::testing::examples::<Drawing>(::fcp::__private::Role::Query, "shape-list");
}
