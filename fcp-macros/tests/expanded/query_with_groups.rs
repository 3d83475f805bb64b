// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// List the shapes in a place.
///
/// ```fcp
/// ? pick here
/// > dot
/// ```
pub fn pick(
    drawing: &Drawing,
    name: Name,
    placed: Placement,
    fill: Option<Paint>,
    deep: bool,
    shown: Shown,
    last: Vec<Text>,
) -> Result<Vec<String>> {
    drawing.pick(name, placed, fill, deep, shown, last)
}
const _: () = {
    static VERB: ::fcp::__private::Verb<Drawing> = ::fcp::__private::Verb {
        phrase: "pick",
        aliases: &[],
        category: "Queries",
        summary: "List the shapes in a place.",
        doc: "List the shapes in a place.",
        params: {
            const LISTS: &[&[::fcp::__private::Param]] = &[
                &[
                    ::fcp::__private::Param {
                        name: "name",
                        aliases: &[],
                        place: ::fcp::__private::Place::Word(
                            ::core::option::Option::None,
                        ),
                        takes: <Name as ::fcp::__private::FromArg<Drawing>>::TAKES,
                        required: true,
                        many: false,
                        default: ::core::option::Option::None,
                        doc: "",
                        spec: <Name as ::fcp::__private::FromArg<Drawing>>::spec,
                        group: ::core::option::Option::None,
                    },
                ],
                <Placement as ::fcp::__private::Params<Drawing>>::LIST,
                &[
                    ::fcp::__private::Param {
                        name: "fill",
                        aliases: &[],
                        place: ::fcp::__private::Place::Key,
                        takes: <Paint as ::fcp::__private::FromArg<Drawing>>::TAKES,
                        required: false,
                        many: false,
                        default: ::core::option::Option::None,
                        doc: "",
                        spec: <Paint as ::fcp::__private::FromArg<Drawing>>::spec,
                        group: ::core::option::Option::None,
                    },
                ],
                &[
                    ::fcp::__private::Param {
                        name: "deep",
                        aliases: &[],
                        place: ::fcp::__private::Place::Flag,
                        takes: ::fcp::__private::Takes::Value,
                        required: false,
                        many: false,
                        default: ::core::option::Option::None,
                        doc: "",
                        spec: ::fcp::__private::no_value,
                        group: ::core::option::Option::None,
                    },
                ],
                <Shown as ::fcp::__private::Params<Drawing>>::LIST,
                &[
                    ::fcp::__private::Param {
                        name: "last",
                        aliases: &[],
                        place: ::fcp::__private::Place::Key,
                        takes: <Text as ::fcp::__private::FromArg<Drawing>>::TAKES,
                        required: false,
                        many: true,
                        default: ::core::option::Option::None,
                        doc: "",
                        spec: <Text as ::fcp::__private::FromArg<Drawing>>::spec,
                        group: ::core::option::Option::None,
                    },
                ],
            ];
            const _: () = ::fcp::__private::agree(LISTS, 1, &["limit", "from"]);
            const _: () = ::fcp::__private::agree(LISTS, 2, &["limit", "from"]);
            const _: () = ::fcp::__private::agree(LISTS, 3, &["limit", "from"]);
            const _: () = ::fcp::__private::agree(LISTS, 4, &["limit", "from"]);
            const _: () = ::fcp::__private::agree(LISTS, 5, &["limit", "from"]);
            const ALL: [::fcp::__private::Param; ::fcp::__private::count(LISTS)] = ::fcp::__private::join(
                LISTS,
            );
            &ALL
        },
        examples: &[
            ::fcp::__private::Example {
                script: "? pick here\n> dot",
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
            let a0 = binder.required::<Name>(0);
            let a1 = <Placement as ::fcp::__private::Params<
                Drawing,
            >>::bind(&mut binder, 1);
            let a2 = binder
                .optional::<
                    Paint,
                >(1 + <Placement as ::fcp::__private::Params<Drawing>>::LIST.len());
            let a3 = binder
                .flag(2 + <Placement as ::fcp::__private::Params<Drawing>>::LIST.len());
            let a4 = <Shown as ::fcp::__private::Params<
                Drawing,
            >>::bind(
                &mut binder,
                3 + <Placement as ::fcp::__private::Params<Drawing>>::LIST.len(),
            );
            let a5 = binder
                .many::<
                    Text,
                >(
                    3 + <Placement as ::fcp::__private::Params<Drawing>>::LIST.len()
                        + <Shown as ::fcp::__private::Params<Drawing>>::LIST.len(),
                );
            let (
                ::core::option::Option::Some(a0),
                ::core::option::Option::Some(a1),
                ::core::option::Option::Some(a2),
                ::core::option::Option::Some(a4),
                ::core::option::Option::Some(a5),
                true,
            ) = (a0, a1, a2, a4, a5, binder.is_sound()) else {
                return ::core::result::Result::Err(binder.error());
            };
            ::fcp::__private::listing(pick(model, a0, a1, a2, a3, a4, a5))
        }),
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::Registered { item : & VERB, role :
        ::fcp::__private::Role::Query }
    }
};
#[cfg(test)]
#[test]
fn pick_examples() {
    ::fcp::testing::examples::<Drawing>(::fcp::__private::Role::Query, "pick");
}
