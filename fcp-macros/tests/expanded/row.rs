// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

#[automatically_derived]
impl ::fcp::__private::TableRow for ShapeRow {
    type Model = Drawing;
    const COLUMNS: &'static [::fcp::__private::Column<Drawing>] = &[
        ::fcp::__private::Column {
            name: "r",
            doc: "Radius, in steps.",
            sql: <u32 as ::fcp::__private::ColumnValue>::SQL,
            set: ::core::option::Option::Some(::fcp::__private::Set::Key("r")),
            by: ::core::option::Option::None,
            shows: &[],
        },
        ::fcp::__private::Column {
            name: "x",
            doc: "Its left side.",
            sql: <Option<f64> as ::fcp::__private::ColumnValue>::SQL,
            set: ::core::option::Option::Some(::fcp::__private::Set::Key("at")),
            by: ::core::option::Option::None,
            shows: &["left"],
        },
        ::fcp::__private::Column {
            name: "area",
            doc: "Area, in squares of a step.",
            sql: <f64 as ::fcp::__private::ColumnValue>::SQL,
            set: ::core::option::Option::Some(
                ::fcp::__private::Set::Own(|model, row, cell| ::fcp::__private::set_column::<
                    Drawing,
                    Self,
                    _,
                >(model, row, cell, set_area)),
            ),
            by: ::core::option::Option::None,
            shows: &[],
        },
        ::fcp::__private::Column {
            name: "visible",
            doc: "Whether it is seen.",
            sql: <bool as ::fcp::__private::ColumnValue>::SQL,
            set: ::core::option::Option::None,
            by: ::core::option::Option::None,
            shows: &[],
        },
    ];
    const PART: ::core::option::Option<usize> = ::core::option::Option::Some(
        <Drawing as ::fcp::__private::HasTable<Shape>>::PART,
    );
    const NAMED: bool = true;
    fn row(&self) -> ::core::option::Option<::fcp::__private::Row> {
        ::core::option::Option::Some(
            ::fcp::__private::Row::new(
                <Drawing as ::fcp::__private::HasTable<Shape>>::PART,
                self.row.number(),
            ),
        )
    }
    fn cell(&self, ix: usize) -> ::fcp::__private::Cell {
        match ix {
            0 => ::fcp::__private::ColumnValue::cell(&self.r),
            1 => ::fcp::__private::ColumnValue::cell(&self.x),
            2 => ::fcp::__private::ColumnValue::cell(&self.area),
            3 => ::fcp::__private::ColumnValue::cell(&self.visible),
            _ => ::fcp::__private::Cell::Null,
        }
    }
}
