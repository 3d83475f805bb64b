//! Markers: symbols at the ends and corners of lines.

use fcp::prelude::*;
use fcp::value::{Decimal, Unsigned};

use super::Blueprint;
use crate::model::{Drawing, MADE, NodeId};
use crate::syntax::paint::Paint;
use crate::values::MarkerType;

/// The keys of markers.
pub(super) const KEYS: &[&str] = &["type", "size", "color"];

/// The size of a new marker.
pub const SIZE: &str = "7";

/// Parameters of a marker.
#[derive(FcpParams, Default)]
pub struct MarkerGiven {
    /// Its picture.
    pub r#type: Option<MarkerType>,
    /// Its size, as a multiple of the line's width; 7 if left out.
    pub size: Option<Unsigned<Decimal>>,
    /// Its colour; that of the line if left out.
    pub color: Option<Paint>,
}

impl MarkerGiven {
    /// Applies a key of an op.
    ///
    /// # Errors
    /// If its value is invalid.
    pub fn set(&mut self, keyed: &Keyed) -> Result<()> {
        match keyed.key() {
            "type" => self.r#type = Some(keyed.parse()?),
            "size" => self.size = Some(keyed.parse()?),
            "color" => self.color = Some(keyed.parse()?),
            _ => {}
        }
        Ok(())
    }
}

/// A marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Its shape; `None` if it was drawn by hand.
    kind: Option<MarkerType>,
    size: String,
    color: String,
}

impl Marker {
    /// A marker in the line's colour, seven times as large as the line is wide.
    #[must_use]
    pub fn new(kind: MarkerType) -> Self {
        Self {
            kind: Some(kind),
            size: SIZE.to_owned(),
            color: "context-stroke".to_owned(),
        }
    }

    /// Reads an element and its shape.
    #[must_use]
    pub fn read(drawing: &Drawing, id: NodeId) -> (Self, Vec<NodeId>) {
        let nodes = &drawing.nodes;
        let attr = |name: &str| nodes.attr(id, name).map(std::borrow::Cow::into_owned);
        let kind = attr(MADE).and_then(|made| MarkerType::parse(&made).ok());
        let parts: Vec<NodeId> = nodes
            .tree()
            .children(id)
            .filter(|id| nodes.element(*id).is_some())
            .collect();
        let paint = parts.first().and_then(|part| {
            let own = |name| nodes.attr(*part, name);
            let own = own("stroke").or_else(|| own("fill"));
            own.map(std::borrow::Cow::into_owned)
        });
        let marker = Self {
            kind,
            size: attr("markerWidth").unwrap_or_else(|| "3".to_owned()),
            color: paint.unwrap_or_else(|| "black".to_owned()),
        };
        (marker, parts)
    }

    /// Applies the parameters of an op. `name` is the marker's name.
    ///
    /// # Errors
    /// If its content was drawn by hand.
    pub fn change(&mut self, given: &MarkerGiven, name: &str) -> Result<()> {
        if self.kind.is_none() && given.color.is_some() && given.r#type.is_none() {
            bail!("{name} shows content drawn by hand; style that directly"; try: "? svg {name}")
        }
        self.kind = given.r#type.or(self.kind);
        if let Some(size) = &given.size {
            self.size = size.to_string();
        }
        if let Some(color) = &given.color {
            self.color = color.written();
        }
        Ok(())
    }

    /// The element for it.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        let text = |text: &str| text.to_owned();
        let size = [
            ("markerWidth", self.size.clone()),
            ("markerHeight", self.size.clone()),
        ];
        let Some(kind) = self.kind else {
            return Blueprint {
                attrs: size.into(),
                ..Blueprint::new("marker", [])
            };
        };
        // The point that touches the end of the line: the tip, for an arrow.
        let end = match kind {
            MarkerType::Triangle | MarkerType::Open => "10",
            _ => "5",
        };
        let mut attrs = vec![(MADE, kind.to_string()), ("viewBox", text("0 0 10 10"))];
        attrs.extend([("refX", text(end)), ("refY", text("5"))]);
        attrs.extend(size);
        attrs.push(("orient", text("auto-start-reverse")));
        let filled =
            |d: &str| Blueprint::new("path", [("d", text(d)), ("fill", self.color.clone())]);
        let drawn = |d: &str| {
            Blueprint::new(
                "path",
                [
                    ("d", text(d)),
                    ("fill", text("none")),
                    ("stroke", self.color.clone()),
                    ("stroke-width", text("2")),
                ],
            )
        };
        let content = match kind {
            MarkerType::Triangle => filled("M0,0L10,5L0,10Z"),
            MarkerType::Open => drawn("M1,1L9,5L1,9"),
            MarkerType::Dot => Blueprint::new(
                "circle",
                [
                    ("cx", text("5")),
                    ("cy", text("5")),
                    ("r", text("5")),
                    ("fill", self.color.clone()),
                ],
            ),
            MarkerType::Square => filled("M0,0H10V10H0Z"),
            MarkerType::Diamond => filled("M5,0L10,5L5,10L0,5Z"),
            MarkerType::Bar => drawn("M5,0V10"),
        };
        Blueprint {
            name: "marker",
            attrs,
            children: vec![content],
        }
    }

    /// Its shape, size and colour: `triangle size:7 color:context-stroke`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self.kind {
            Some(kind) => {
                let color = fcp::op::quote_value(&self.color);
                format!("{kind} size:{} color:{color}", self.size)
            }
            None => format!("size:{}", self.size),
        }
    }
}
