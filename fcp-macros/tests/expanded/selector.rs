// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// Shapes that are at least so large.
pub fn big(drawing: &Drawing, least: Option<Radius>) -> Result<Pick<'_>, ValueError> {
    drawing.at_least(least)
}
const _: () = {
    static SELECTOR: ::fcp::__private::SelectorDef<Drawing> = ::fcp::__private::SelectorDef {
        name: "big",
        aliases: &["large"],
        summary: "Shapes that are at least so large.",
        bears_type: true,
        spec: <Radius as ::fcp::__private::FromArg<Drawing>>::spec,
        source: ::fcp::__private::Source {
            file: ::core::file!(),
            line: ::core::line!(),
        },
        pick: |model, arg, scope| {
            let value = ::fcp::__private::maybe_value::<Drawing, Radius>(arg, scope)?;
            big(model, value)
        },
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::Registered { item : & SELECTOR, role :
        ::fcp::__private::Role::Selector }
    }
};
