//! `define class`

use fcp::prelude::*;

use crate::Drawing;
use crate::id::ElementId;
use crate::style;

/// Make a rule for a class, in the first `<style>` or in a new one.
///
/// ```fcp
/// define class fill:red
/// > ! define class needs id:ID
/// >   syntax: define class id:ID [KEY:VALUE…]
/// ```
#[fcp_verb(category = "Define")]
pub fn define_class(
    drawing: &mut Drawing,
    /// The class.
    id: ElementId,
    /// The properties, as `style` takes them.
    properties: Keys,
) -> Result<Reply> {
    let values = style::given(&drawing.nodes, "define class", &properties)?;
    drawing.define_class(id.as_str(), &values)?;
    let told: Vec<String> = values
        .iter()
        .map(|(property, value)| format!("{}:{}", property.name, drawing.nodes.shown_value(value)))
        .collect();
    Ok(created!("class {id} {}", told.join(" ")))
}
