//! `declarations`

use fcp::prelude::*;

use super::row;
use crate::model::Drawing;
use crate::style::Cascade;

/// The value of a property for an element.
#[derive(FcpRow)]
#[fcp(model = Drawing, part = Drawing::NODES)]
pub struct DeclarationRow {
    pub row: Row,
    /// The property, by its long name.
    #[fcp(by = "style")]
    pub property: String,
    /// The value in effect, as it is written at its source, with the values of custom properties for var().
    #[fcp(by = "style {rows}")]
    pub value: String,
    /// Its origin: attr, style, rule SELECTOR, or from REF.
    #[fcp(by = "style")]
    pub source: String,
}

/// The cascade's value for each element, and its origin; unset properties are left out, and rules in @media and @supports do not count.
#[fcp_table]
pub fn declarations(drawing: &Drawing) -> Vec<DeclarationRow> {
    let styles = drawing.styles();
    let mut cascade = Cascade::new(&styles);
    let mut rows = Vec::new();
    for id in drawing.nodes.elements() {
        let held = cascade.enter(id);
        rows.extend(
            held.values
                .iter()
                .map(|(property, computed)| DeclarationRow {
                    row: row(id),
                    property: property.clone(),
                    value: computed.value.clone().into_owned(),
                    source: computed.origin.label(&drawing.nodes),
                }),
        );
    }
    rows
}
