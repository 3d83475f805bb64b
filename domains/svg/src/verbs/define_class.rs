//! `define class`

use fcp::prelude::*;

use crate::model::Drawing;
use crate::style;
use crate::syntax::id::ElementId;

/// Make a rule for a class, in the first `<style>` or in a new one.
///
/// ```fcp
/// define class id:hot fill:red sw:2
/// > + class hot fill:red stroke-width:2, in a new <style>
/// define class id:hot fill:gold
/// > ! there is a rule .hot already
/// >   try: style .hot fill:gold
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
    let new = drawing.define_class(id.as_str(), &values)?;
    let declared: Vec<String> = values
        .iter()
        .map(|(property, value)| format!("{}:{}", property.name, drawing.nodes.shown_value(value)))
        .collect();
    Ok(created!("class {id} {}{new}", declared.join(" ")))
}
