// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

const _: () = {
    fn __default_gap() -> Gap {
        Gap::NONE
    }
    #[automatically_derived]
    impl<__Model: ::fcp::__private::Domain> ::fcp::__private::Params<__Model>
    for Placement
    where
        Ref<Group>: ::fcp::__private::FromArg<__Model>,
        Point: ::fcp::__private::FromArg<__Model>,
        Gap: ::fcp::__private::FromArg<__Model>,
        Name: ::fcp::__private::FromArg<__Model>,
    {
        const LIST: &'static [::fcp::__private::Param] = &::fcp::__private::grouped(
            ::fcp::__private::Group {
                name: "PLACEMENT",
                doc: "The place of a new object.",
            },
            [
                ::fcp::__private::Param {
                    name: "in",
                    aliases: &[],
                    place: ::fcp::__private::Place::Key,
                    takes: <Ref<Group> as ::fcp::__private::FromArg<__Model>>::TAKES,
                    required: false,
                    many: false,
                    default: ::core::option::Option::None,
                    doc: "Container to draw into.",
                    spec: <Ref<Group> as ::fcp::__private::FromArg<__Model>>::spec,
                    group: ::core::option::Option::None,
                },
                ::fcp::__private::Param {
                    name: "at",
                    aliases: &[],
                    place: ::fcp::__private::Place::Key,
                    takes: <Point as ::fcp::__private::FromArg<__Model>>::TAKES,
                    required: true,
                    many: false,
                    default: ::core::option::Option::None,
                    doc: "",
                    spec: <Point as ::fcp::__private::FromArg<__Model>>::spec,
                    group: ::core::option::Option::None,
                },
                ::fcp::__private::Param {
                    name: "gap",
                    aliases: &[],
                    place: ::fcp::__private::Place::Key,
                    takes: <Gap as ::fcp::__private::FromArg<__Model>>::TAKES,
                    required: false,
                    many: false,
                    default: ::core::option::Option::Some(|| ::std::string::ToString::to_string(
                        &__default_gap(),
                    )),
                    doc: "",
                    spec: <Gap as ::fcp::__private::FromArg<__Model>>::spec,
                    group: ::core::option::Option::None,
                },
                ::fcp::__private::Param {
                    name: "class",
                    aliases: &[],
                    place: ::fcp::__private::Place::Key,
                    takes: <Name as ::fcp::__private::FromArg<__Model>>::TAKES,
                    required: false,
                    many: true,
                    default: ::core::option::Option::None,
                    doc: "",
                    spec: <Name as ::fcp::__private::FromArg<__Model>>::spec,
                    group: ::core::option::Option::None,
                },
                ::fcp::__private::Param {
                    name: "hidden",
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
                ::fcp::__private::Param {
                    name: "style",
                    aliases: &[],
                    place: ::fcp::__private::Place::Fields,
                    takes: ::fcp::__private::Takes::Value,
                    required: false,
                    many: true,
                    default: ::core::option::Option::None,
                    doc: "Properties of its style.",
                    spec: ::fcp::__private::no_value,
                    group: ::core::option::Option::None,
                },
            ],
        );
        fn bind(
            binder: &mut ::fcp::__private::Binder<'_, __Model>,
            at: usize,
        ) -> ::core::option::Option<Self> {
            let a0 = binder.optional::<Ref<Group>>(at + 0);
            let a1 = binder.required::<Point>(at + 1);
            let a2 = binder.optional::<Gap>(at + 2);
            let a3 = binder.many::<Name>(at + 3);
            let a4 = binder.flag(at + 4);
            let a5: Keys = binder.others(at + 5);
            let a0 = a0?;
            let a1 = a1?;
            let a2 = a2?;
            let a3 = a3?;
            ::core::option::Option::Some(Self {
                container: a0,
                at: a1,
                gap: a2.unwrap_or_else(__default_gap),
                class: a3,
                hidden: a4,
                style: a5,
            })
        }
    }
};
