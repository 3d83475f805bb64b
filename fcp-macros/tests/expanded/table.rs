// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// Shapes with their areas.
pub fn shapes(drawing: &Drawing, wanted: Wanted<'_>) -> impl Iterator<Item = ShapeRow> {
    drawing.shape_rows(wanted)
}
const _: () = {
    static TABLE: ::fcp::__private::TableDef<Drawing> = ::fcp::__private::TableDef {
        name: "shapes",
        summary: "Shapes with their areas.",
        columns: <ShapeRow as ::fcp::__private::TableRow>::COLUMNS,
        entity: true,
        part: <ShapeRow as ::fcp::__private::TableRow>::PART,
        named: <ShapeRow as ::fcp::__private::TableRow>::NAMED,
        rows: |model, wanted, sink| ::fcp::__private::pour(shapes(model, wanted), sink),
        insert: ::core::option::Option::Some("add shape {name} r:{r}"),
        insert_by: ::core::option::Option::None,
        one_of: "",
        delete: ::core::option::Option::Some(|model, row| ::fcp::__private::remove_row::<
            Drawing,
            ShapeRow,
        >(model, row, erase)),
        delete_all: ::core::option::Option::None,
        insert_all: ::core::option::Option::None,
        file: ::core::file!(),
        line: ::core::line!(),
    };
    ::fcp::__private::inventory::submit! {
        ::fcp::__private::Registered { item : & TABLE, role :
        ::fcp::__private::Role::Table }
    }
};
