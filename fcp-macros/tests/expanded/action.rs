// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// Make a drawing of N circles.
#[cfg(feature = "samples")]
pub fn sample(circles: Int<1, 99>) -> Result<Drawing> {
    Drawing::sample(circles)
}
#[cfg(feature = "samples")]
const _: () = {
    static VERB: ::fcp::__private::Verb<Drawing> = ::fcp::__private::Verb {
        phrase: "sample",
        aliases: &[],
        category: "Session",
        summary: "Make a drawing of N circles.",
        doc: "Make a drawing of N circles.",
        params: &[
            ::fcp::__private::Param {
                name: "circles",
                aliases: &[],
                place: ::fcp::__private::Place::Key,
                takes: <Int<1, 99> as ::fcp::__private::FromArg<Drawing>>::TAKES,
                required: true,
                many: false,
                default: ::core::option::Option::None,
                doc: "",
                spec: <Int<1, 99> as ::fcp::__private::FromArg<Drawing>>::spec,
                group: ::core::option::Option::None,
            },
        ],
        examples: &[],
        source: ::fcp::__private::Source {
            file: ::core::file!(),
            line: ::core::line!(),
        },
        deletes: false,
        infix: false,
        run: ::fcp::__private::Run::Make(|model, call| {
            let mut binder = ::fcp::__private::Binder::new(model, call);
            let a0 = binder.required::<Int<1, 99>>(0);
            let (::core::option::Option::Some(a0), true) = (a0, binder.is_sound()) else {
                return ::core::result::Result::Err(binder.error());
            };
            sample(a0)
        }),
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::Registered { item : & VERB, role :
        ::fcp::__private::Role::Action }
    }
};
