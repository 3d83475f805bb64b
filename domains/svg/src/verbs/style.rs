//! `style`

use fcp::prelude::*;
use fcp::value::{Color, nearest_word};

use crate::canvas::{BACKGROUND, CanvasChange};
use crate::model::{Drawing, NodeId};
use crate::resolve::StyleTarget;
use crate::style::{self, Via};
use crate::values::Backdrop;

/// Set style properties where they take effect, or in the rule of a class.
///
/// An existing declaration or attribute is changed in place. If a rule would win, `style=` is written. Of a box
/// its shape is filled and stroked, of a link its line. `background` with a fill alone is `canvas background:` if no
/// object has that id.
///
/// ```fcp
/// # raw '<rect id="card" fill="red"/>'
/// style card fill:blue sw:2
/// > * rect card fill red -> blue (attr), stroke-width 1 -> 2 (attr)
/// style card fil:gold
/// > ! style: no property "fil"
/// >   try: style card fill:gold
/// style .hot fill:red
/// > ! no rule .hot
/// >   try: define class id:hot fill:red
/// define class id:hot fill:red
/// style .hot fill:gold
/// > * rule .hot fill red -> gold (0 objects)
/// # add box API id:api size:40x20 at:100,100
/// style api fill:gold
/// > * rect rect~2 fill #e8f0fe -> gold (attr)
/// style background stroke:red
/// > ! Object "background" not found
/// >   try: canvas background:#eee
/// style background fill:#eee
/// > * canvas background #eee
/// ```
#[fcp_verb(category = "Style")]
pub fn style(
    drawing: &mut Drawing,
    /// Elements, or `.CLASS` for its rule.
    #[fcp(positional)]
    target: StyleTarget,
    /// The place for a property that nothing declares yet.
    via: Option<Via>,
    /// The properties, by their names or short ones (`sw`, `dash`, `font`, `size`).
    properties: Keys,
) -> Result<Reply> {
    let values = style::given(&drawing.nodes, "style", &properties)?;
    match target {
        StyleTarget::Elements(rows) => {
            let paint = values
                .iter()
                .all(|(property, _)| style::is_paint(property.name));
            let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
            drawing.only_elements(&ids)?;
            let ids = ids.into_iter().map(|id| match drawing.nodes.painted(id) {
                Some(inner) if paint => inner,
                _ => id,
            });
            let mut ids: Vec<NodeId> = ids.collect();
            ids.dedup();
            let written = drawing.write_styles(&ids, &values, via)?;
            Ok(drawing.restyled(&written))
        }
        StyleTarget::Background => {
            let color = match values.as_slice() {
                [(property, value)] if property.name == "fill" => Color::parse(value).ok(),
                _ => None,
            };
            let Some(color) = color.filter(|_| via.is_none()) else {
                bail!("Object \"{BACKGROUND}\" not found"; try: "canvas background:#eee")
            };
            drawing.change_canvas(&CanvasChange {
                background: Some(Backdrop::Color(color)),
                ..CanvasChange::default()
            })
        }
        StyleTarget::Class(class) => {
            let styles = drawing.styles();
            let known = styles.classes();
            if !known.contains(&class.as_str()) {
                let words: Vec<String> = properties
                    .iter()
                    .map(|one| format!(" {}:{}", one.key(), fcp::op::quote_value(one.value())))
                    .collect();
                let words = words.concat();
                let carried = drawing.nodes.elements().any(|id| {
                    let own = drawing.nodes.attr(id, "class").unwrap_or_default();
                    own.split_ascii_whitespace().any(|own| own == class)
                });
                let near = nearest_word(&class, known.iter().copied()).filter(|_| !carried);
                return Err(match near {
                    Some(near) => Diagnostic::new(format!("no rule .{class}"))
                        .or_try(format!("style .{near}{words}")),
                    None => Diagnostic::new(format!("no rule .{class}"))
                        .or_try(format!("define class id:{class}{words}")),
                });
            }
            let written = drawing.write_rule(&class, &values)?;
            Ok(drawing.rule_restyled(&class, &written))
        }
    }
}
