// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// A shape too small to be seen.
pub fn tiny_shape(drawing: &Drawing, id: Id<Shape>, shape: &Shape) -> Option<String> {
    drawing.tiny(id, shape)
}
const _: () = {
    static LINT: ::fcp::__private::Lint<Drawing> = ::fcp::__private::Lint {
        code: "tiny-shape",
        summary: "A shape too small to be seen.",
        weight: 10,
        source: ::fcp::__private::Source {
            file: ::core::file!(),
            line: ::core::line!(),
        },
        check: ::fcp::__private::Check::Row {
            part: <Drawing as ::fcp::__private::HasTable<Shape>>::PART,
            look: |model, id| ::fcp::__private::check::<
                Drawing,
                Shape,
            >(model, id, tiny_shape),
        },
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::Registered { item : & LINT, role : ::fcp::__private::Role::Lint
        }
    }
};
