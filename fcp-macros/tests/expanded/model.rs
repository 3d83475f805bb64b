// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

/// A change of a [`Drawing`].
#[derive(::fcp::__private::serde::Serialize, ::fcp::__private::serde::Deserialize)]
#[serde(crate = "::fcp::__private::serde")]
pub enum DrawingEvent
where
    Shape: ::fcp::__private::Entity,
    Slot<u8>: ::fcp::__private::Journaled,
{
    /// In [`Drawing::shapes`].
    #[serde(rename = "shapes")]
    Shapes(<Table<Shape> as ::fcp::__private::Journaled>::Change),
    /// In [`Drawing::zoom`].
    #[serde(rename = "zoom")]
    Zoom(<Slot<u8> as ::fcp::__private::Journaled>::Change),
}
#[automatically_derived]
impl ::core::clone::Clone for DrawingEvent
where
    Shape: ::fcp::__private::Entity,
    Slot<u8>: ::fcp::__private::Journaled,
{
    fn clone(&self) -> Self {
        match self {
            Self::Shapes(change) => Self::Shapes(::core::clone::Clone::clone(change)),
            Self::Zoom(change) => Self::Zoom(::core::clone::Clone::clone(change)),
        }
    }
}
#[automatically_derived]
impl ::core::fmt::Debug for DrawingEvent
where
    Shape: ::fcp::__private::Entity,
    Slot<u8>: ::fcp::__private::Journaled,
{
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Self::Shapes(change) => f.debug_tuple("Shapes").field(change).finish(),
            Self::Zoom(change) => f.debug_tuple("Zoom").field(change).finish(),
        }
    }
}
#[automatically_derived]
impl ::core::cmp::PartialEq for DrawingEvent
where
    Shape: ::fcp::__private::Entity,
    Slot<u8>: ::fcp::__private::Journaled,
{
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shapes(one), Self::Shapes(other)) => one == other,
            (Self::Zoom(one), Self::Zoom(other)) => one == other,
            _ => false,
        }
    }
}
#[automatically_derived]
impl ::core::default::Default for Drawing
where
    Shape: ::fcp::__private::Entity,
    Slot<u8>: ::fcp::__private::Journaled,
{
    fn default() -> Self {
        let ids = ::fcp::__private::Ids::default();
        Self {
            shapes: <Table<Shape> as ::fcp::__private::Journaled>::attach(&ids),
            zoom: <Slot<u8> as ::fcp::__private::Journaled>::attach(&ids),
        }
    }
}
#[automatically_derived]
#[allow(unused_variables)]
impl ::fcp::__private::Model for Drawing
where
    Shape: ::fcp::__private::Entity,
    Slot<u8>: ::fcp::__private::Journaled,
{
    type Event = DrawingEvent;
    const SHAPE: &'static ::fcp::__private::ModelShape = &::fcp::__private::ModelShape {
        domain: "svg",
        title: "SVG drawings",
        parts: &[
            ::fcp::__private::PartShape {
                name: "shapes",
                count: ::core::option::Option::Some("s"),
                view: false,
                hidden: false,
                universe: true,
                shape: <Table<Shape> as ::fcp::__private::Journaled>::SHAPE,
            },
            ::fcp::__private::PartShape {
                name: "zoom",
                count: ::core::option::Option::None,
                view: true,
                hidden: false,
                universe: false,
                shape: <Slot<u8> as ::fcp::__private::Journaled>::SHAPE,
            },
        ],
    };
    fn ids(&self) -> &::fcp::__private::Ids {
        ::fcp::__private::ids(
            &[
                ::fcp::__private::Journaled::ids(&self.shapes),
                ::fcp::__private::Journaled::ids(&self.zoom),
            ],
        )
    }
    fn part(&self, ix: usize) -> ::core::option::Option<::fcp::__private::Part<'_>> {
        match ix {
            0 => {
                ::core::option::Option::Some(
                    ::fcp::__private::Journaled::part(&self.shapes),
                )
            }
            1 => {
                ::core::option::Option::Some(
                    ::fcp::__private::Journaled::part(&self.zoom),
                )
            }
            _ => ::core::option::Option::None,
        }
    }
    fn rows_mut(
        &mut self,
        ix: usize,
    ) -> ::core::option::Option<&mut dyn ::fcp::__private::AnyTable> {
        match ix {
            0 => ::fcp::__private::Journaled::rows_mut(&mut self.shapes),
            1 => ::fcp::__private::Journaled::rows_mut(&mut self.zoom),
            _ => ::core::option::Option::None,
        }
    }
    fn schemas(
        generator: &mut ::fcp::__private::schemars::SchemaGenerator,
    ) -> ::std::vec::Vec<(&'static str, ::fcp::__private::schemars::Schema)> {
        ::std::vec![
            ("shapes", < Table < Shape > as ::fcp::__private::Journaled >
            ::schema(generator)), ("zoom", < Slot < u8 > as ::fcp::__private::Journaled >
            ::schema(generator))
        ]
    }
    fn drain(&mut self) -> ::std::vec::Vec<DrawingEvent> {
        let mut events = ::std::vec::Vec::new();
        ::fcp::__private::Journaled::drain_into(
            &mut self.shapes,
            &mut events,
            DrawingEvent::Shapes,
        );
        ::fcp::__private::Journaled::drain_into(
            &mut self.zoom,
            &mut events,
            DrawingEvent::Zoom,
        );
        events
    }
    fn forget(&mut self) {
        ::fcp::__private::Journaled::forget(&mut self.shapes);
        ::fcp::__private::Journaled::forget(&mut self.zoom);
    }
    fn reverse(&mut self, event: &DrawingEvent) {
        match event {
            DrawingEvent::Shapes(change) => {
                ::fcp::__private::Journaled::reverse(&mut self.shapes, change)
            }
            DrawingEvent::Zoom(change) => {
                ::fcp::__private::Journaled::reverse(&mut self.zoom, change)
            }
        }
    }
    fn replay(&mut self, event: &DrawingEvent) {
        match event {
            DrawingEvent::Shapes(change) => {
                ::fcp::__private::Journaled::replay(&mut self.shapes, change)
            }
            DrawingEvent::Zoom(change) => {
                ::fcp::__private::Journaled::replay(&mut self.zoom, change)
            }
        }
    }
    fn row_of(
        event: &DrawingEvent,
    ) -> ::core::option::Option<(::fcp::__private::Row, ::fcp::__private::Fate)> {
        match event {
            DrawingEvent::Shapes(change) => {
                ::fcp::__private::row_of(
                    0,
                    <Table<Shape> as ::fcp::__private::Journaled>::row_of(change),
                )
            }
            DrawingEvent::Zoom(change) => {
                ::fcp::__private::row_of(
                    1,
                    <Slot<u8> as ::fcp::__private::Journaled>::row_of(change),
                )
            }
        }
    }
    fn weight(event: &DrawingEvent) -> usize {
        match event {
            DrawingEvent::Shapes(change) => {
                <Table<Shape> as ::fcp::__private::Journaled>::weight(change)
            }
            DrawingEvent::Zoom(change) => {
                <Slot<u8> as ::fcp::__private::Journaled>::weight(change)
            }
        }
    }
    fn line(
        &self,
        row: ::fcp::__private::Row,
    ) -> ::core::option::Option<::std::string::String> {
        match row.part() {
            0 => ::fcp::__private::line::<Self, Shape>(self, row, shape_line),
            _ => ::core::option::Option::None,
        }
    }
}
#[automatically_derived]
impl ::fcp::__private::HasTable<Shape> for Drawing
where
    Shape: ::fcp::__private::Entity,
    Slot<u8>: ::fcp::__private::Journaled,
{
    const PART: usize = 0;
    fn table(&self) -> &Table<Shape> {
        &self.shapes
    }
    fn table_mut(&mut self) -> &mut Table<Shape> {
        &mut self.shapes
    }
}
