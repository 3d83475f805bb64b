// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

#[automatically_derived]
#[allow(unused_variables)]
impl ::fcp::__private::Entity for Shape {
    type Index = ByRadius;
    const KIND: &'static str = "shape";
    const SHAPE: &'static ::fcp::__private::EntityShape = {
        static SHAPE: ::fcp::__private::EntityShape = ::fcp::__private::EntityShape {
            kind: "shape",
            plural: "marks",
            doc: "A mark on the canvas.",
            fields: &[
                ::fcp::__private::FieldShape {
                    name: "name",
                    column: "name",
                    aliases: &[],
                    doc: "",
                    kind: ::fcp::__private::FieldKind::Value,
                    optional: false,
                    label: true,
                    selector: ::core::option::Option::None,
                    content: true,
                    position: ::core::option::Option::None,
                    spec: ::fcp::__private::values::<Name>().spec,
                },
                ::fcp::__private::FieldShape {
                    name: "fill",
                    column: "fill",
                    aliases: &[],
                    doc: "Its paint.",
                    kind: ::fcp::__private::FieldKind::Value,
                    optional: true,
                    label: false,
                    selector: ::core::option::Option::Some((
                        "fill",
                        ::fcp::__private::SelectorKind::Equal,
                    )),
                    content: true,
                    position: ::core::option::Option::None,
                    spec: ::fcp::__private::values::<Paint>().spec,
                },
                ::fcp::__private::FieldShape {
                    name: "r",
                    column: "r",
                    aliases: &["radius"],
                    doc: "",
                    kind: ::fcp::__private::FieldKind::Value,
                    optional: true,
                    label: false,
                    selector: ::core::option::Option::Some((
                        "r",
                        ::fcp::__private::SelectorKind::Range,
                    )),
                    content: true,
                    position: ::core::option::Option::None,
                    spec: ::fcp::__private::values::<Radius>().spec,
                },
                ::fcp::__private::FieldShape {
                    name: "in",
                    column: "group",
                    aliases: &[],
                    doc: "",
                    kind: ::fcp::__private::FieldKind::Refers(
                        <Group as ::fcp::__private::Entity>::KIND,
                    ),
                    optional: true,
                    label: false,
                    selector: ::core::option::Option::Some((
                        "in",
                        ::fcp::__private::SelectorKind::Equal,
                    )),
                    content: true,
                    position: ::core::option::Option::None,
                    spec: ::fcp::__private::reference_spec,
                },
                ::fcp::__private::FieldShape {
                    name: "folded",
                    column: "folded",
                    aliases: &[],
                    doc: "",
                    kind: ::fcp::__private::FieldKind::Value,
                    optional: false,
                    label: false,
                    selector: ::core::option::Option::None,
                    content: false,
                    position: ::core::option::Option::None,
                    spec: ::fcp::__private::values::<Switch>().spec,
                },
                ::fcp::__private::FieldShape {
                    name: "version",
                    column: "version",
                    aliases: &[],
                    doc: "",
                    kind: ::fcp::__private::FieldKind::ReadOnly,
                    optional: true,
                    label: false,
                    selector: ::core::option::Option::None,
                    content: true,
                    position: ::core::option::Option::None,
                    spec: ::fcp::__private::values::<u8>().spec,
                },
                ::fcp::__private::FieldShape {
                    name: "bytes",
                    column: "bytes",
                    aliases: &[],
                    doc: "",
                    kind: ::fcp::__private::FieldKind::Hidden,
                    optional: true,
                    label: false,
                    selector: ::core::option::Option::None,
                    content: true,
                    position: ::core::option::Option::None,
                    spec: ::fcp::__private::no_value,
                },
                ::fcp::__private::FieldShape {
                    name: "indent",
                    column: "indent",
                    aliases: &[],
                    doc: "",
                    kind: ::fcp::__private::FieldKind::Hidden,
                    optional: true,
                    label: false,
                    selector: ::core::option::Option::None,
                    content: false,
                    position: ::core::option::Option::None,
                    spec: ::fcp::__private::no_value,
                },
            ],
            parent: ::core::option::Option::Some(
                <Group as ::fcp::__private::Entity>::KIND,
            ),
            labelled: true,
            addable: true,
            sorts: &[],
        };
        &SHAPE
    };
    fn label(&self) -> ::core::option::Option<::std::borrow::Cow<'_, str>> {
        ::fcp::__private::Label::label(&self.name)
    }
    fn parent(&self) -> ::core::option::Option<u32> {
        self.group.map(::fcp::__private::Id::number)
    }
    fn field(&self, ix: usize) -> ::core::option::Option<::std::string::String> {
        match ix {
            0 => {
                ::core::option::Option::Some(
                    (::fcp::__private::values::<Name>().show)(&self.name),
                )
            }
            1 => {
                ::core::option::Option::Some(
                    (::fcp::__private::values::<Paint>().show)(&self.fill),
                )
            }
            2 => self.r.as_ref().map(::fcp::__private::values::<Radius>().show),
            4 => {
                ::core::option::Option::Some(
                    (::fcp::__private::values::<Switch>().show)(&self.folded),
                )
            }
            5 => {
                ::core::option::Option::Some(
                    (::fcp::__private::values::<u8>().show)(&self.version),
                )
            }
            _ => ::core::option::Option::None,
        }
    }
    fn reference(&self, ix: usize) -> ::core::option::Option<u32> {
        match ix {
            3 => self.group.map(::fcp::__private::Id::number),
            _ => ::core::option::Option::None,
        }
    }
    fn set(
        &mut self,
        ix: usize,
        input: ::fcp::__private::FieldInput<'_>,
    ) -> ::core::result::Result<(), ::fcp::__private::ValueError> {
        match ix {
            0 => {
                self.name = (::fcp::__private::values::<Name>().read)(input)?;
                ::core::result::Result::Ok(())
            }
            1 => {
                self.fill = (::fcp::__private::values::<Paint>().read)(input)?;
                ::core::result::Result::Ok(())
            }
            2 => {
                self.r = (::fcp::__private::values::<Radius>().read_option)(input)?;
                ::core::result::Result::Ok(())
            }
            3 => {
                self.group = (::fcp::__private::optional_reference)(input)?;
                ::core::result::Result::Ok(())
            }
            4 => {
                self.folded = (::fcp::__private::values::<Switch>().read)(input)?;
                ::core::result::Result::Ok(())
            }
            _ => ::core::result::Result::Err(::fcp::__private::fixed(Self::SHAPE, ix)),
        }
    }
    fn build(
        input: &dyn Fn(
            usize,
        ) -> ::core::option::Option<::fcp::__private::FieldInput<'static>>,
    ) -> ::core::result::Result<Self, ::fcp::__private::Build> {
        ::core::result::Result::Ok(Self {
            name: ::fcp::__private::given(
                input(0),
                0,
                ::fcp::__private::values::<Name>().read,
            )?,
            fill: ::fcp::__private::given_or(
                input(1),
                1,
                ::fcp::__private::values::<Paint>().read,
                || Paint::Black,
            )?,
            r: ::fcp::__private::given_or(
                input(2),
                2,
                ::fcp::__private::values::<Radius>().read_option,
                || ::core::option::Option::None,
            )?,
            group: ::fcp::__private::given_or(
                input(3),
                3,
                ::fcp::__private::optional_reference,
                || ::core::option::Option::None,
            )?,
            folded: ::fcp::__private::given(
                input(4),
                4,
                ::fcp::__private::values::<Switch>().read,
            )?,
            version: 1,
            bytes: Vec::new(),
            indent: ::core::option::Option::None,
        })
    }
    fn select(
        ix: usize,
        text: &str,
    ) -> ::core::result::Result<
        ::fcp::__private::RowTest<Self>,
        ::fcp::__private::ValueError,
    > {
        match ix {
            1 => {
                ::fcp::__private::equal(
                    text,
                    |row: &Self| ::core::option::Option::Some(&row.fill),
                )
            }
            2 => ::fcp::__private::range(text, |row: &Self| row.r.as_ref()),
            _ => {
                ::core::result::Result::Err(
                    ::fcp::__private::no_selector(Self::SHAPE, ix),
                )
            }
        }
    }
    fn content(&self, hasher: &mut dyn ::core::hash::Hasher) {
        ::fcp::__private::feed(&self.name, hasher);
        ::fcp::__private::feed(&self.fill, hasher);
        ::fcp::__private::feed(&self.r, hasher);
        ::fcp::__private::feed(&self.group.is_some(), hasher);
        ::fcp::__private::feed(&self.version, hasher);
        ::fcp::__private::feed(&self.bytes, hasher);
    }
}
