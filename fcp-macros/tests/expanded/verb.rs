// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

#[allow(clippy::too_many_arguments)]
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
pub fn add_circle(
    drawing: &mut Drawing,
    name: Name,
    r: Int<1, 999>,
    fill: Paint,
    group: Option<Ref<Group>>,
    note: Vec<Text>,
    words: Vec<Text>,
    force: bool,
) -> Result<Reply> {
    drawing.draw(name, r, fill, group, note, words, force)
}
const _: () = {
    fn __default_fill() -> Paint {
        Paint::Black
    }
    static VERB: ::fcp::__private::Verb<Drawing> = ::fcp::__private::Verb {
        phrase: "add circle",
        aliases: &["draw circle"],
        category: "Shapes",
        summary: "Draw a circle.",
        doc: "Draw a circle.\n\nIt lands on top of everything already in its group.\n\nAn alias does the same:",
        params: &[
            ::fcp::__private::Param {
                name: "name",
                aliases: &[],
                place: ::fcp::__private::Place::Word(::core::option::Option::None),
                takes: <Name as ::fcp::__private::FromArg<Drawing>>::TAKES,
                required: true,
                many: false,
                default: ::core::option::Option::None,
                doc: "Its name in later ops.",
                spec: <Name as ::fcp::__private::FromArg<Drawing>>::spec,
                group: ::core::option::Option::None,
            },
            ::fcp::__private::Param {
                name: "r",
                aliases: &[],
                place: ::fcp::__private::Place::Word(
                    ::core::option::Option::Some("radius"),
                ),
                takes: <Int<1, 999> as ::fcp::__private::FromArg<Drawing>>::TAKES,
                required: true,
                many: false,
                default: ::core::option::Option::None,
                doc: "",
                spec: <Int<1, 999> as ::fcp::__private::FromArg<Drawing>>::spec,
                group: ::core::option::Option::None,
            },
            ::fcp::__private::Param {
                name: "fill",
                aliases: &["color"],
                place: ::fcp::__private::Place::Key,
                takes: <Paint as ::fcp::__private::FromArg<Drawing>>::TAKES,
                required: false,
                many: false,
                default: ::core::option::Option::Some(|| ::std::string::ToString::to_string(
                    &__default_fill(),
                )),
                doc: "",
                spec: <Paint as ::fcp::__private::FromArg<Drawing>>::spec,
                group: ::core::option::Option::None,
            },
            ::fcp::__private::Param {
                name: "in",
                aliases: &[],
                place: ::fcp::__private::Place::Key,
                takes: <Ref<Group> as ::fcp::__private::FromArg<Drawing>>::TAKES,
                required: false,
                many: false,
                default: ::core::option::Option::None,
                doc: "Group to draw into.",
                spec: <Ref<Group> as ::fcp::__private::FromArg<Drawing>>::spec,
                group: ::core::option::Option::None,
            },
            ::fcp::__private::Param {
                name: "note",
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
            ::fcp::__private::Param {
                name: "words",
                aliases: &[],
                place: ::fcp::__private::Place::Rest,
                takes: <Text as ::fcp::__private::FromArg<Drawing>>::TAKES,
                required: false,
                many: true,
                default: ::core::option::Option::None,
                doc: "",
                spec: <Text as ::fcp::__private::FromArg<Drawing>>::spec,
                group: ::core::option::Option::None,
            },
            ::fcp::__private::Param {
                name: "force",
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
        examples: &[
            ::fcp::__private::Example {
                script: "add circle dot 5 fill:red\n> + circle dot r:5 red\n# add group name:Back\nadd circle halo radius:40 in:Back\n> + circle halo r:40 black",
                line: 6,
            },
            ::fcp::__private::Example {
                script: "draw circle dot 5 note:small note:round and so on\n> + circle dot r:5 black",
                line: 16,
            },
        ],
        source: ::fcp::__private::Source {
            file: ::core::file!(),
            line: ::core::line!(),
        },
        deletes: false,
        infix: false,
        run: ::fcp::__private::Run::Edit(|model, call| {
            let mut binder = ::fcp::__private::Binder::new(&*model, call);
            let a0 = binder.required::<Name>(0);
            let a1 = binder.required::<Int<1, 999>>(1);
            let a2 = binder.optional::<Paint>(2);
            let a3 = binder.optional::<Ref<Group>>(3);
            let a4 = binder.many::<Text>(4);
            let a5 = binder.many::<Text>(5);
            let a6 = binder.flag(6);
            let (
                ::core::option::Option::Some(a0),
                ::core::option::Option::Some(a1),
                ::core::option::Option::Some(a2),
                ::core::option::Option::Some(a3),
                ::core::option::Option::Some(a4),
                ::core::option::Option::Some(a5),
                true,
            ) = (a0, a1, a2, a3, a4, a5, binder.is_sound()) else {
                return ::core::result::Result::Err(binder.error());
            };
            add_circle(model, a0, a1, a2.unwrap_or_else(__default_fill), a3, a4, a5, a6)
        }),
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::Registered { item : & VERB, role : ::fcp::__private::Role::Verb
        }
    }
};
#[cfg(test)]
#[test]
fn add_circle_examples() {
    ::fcp::testing::examples::<Drawing>(::fcp::__private::Role::Verb, "add circle");
}
