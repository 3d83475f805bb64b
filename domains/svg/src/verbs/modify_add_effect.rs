//! `modify … add-effect`

use fcp::prelude::*;

use crate::define::{Effect, Filter};
use crate::model::{Drawing, NodeId};
use crate::values::FilterType;

/// Lay one more effect on what a filter does.
///
/// ```fcp
/// # define filter id:soft type:gaussian-blur std-dev:2
/// modify soft add-effect type:outline width:1 color:navy
/// > * filter soft gaussian-blur std-dev:2, outline width:1 color:navy opacity:1
/// modify soft add-effect type:gaussian-blur
/// > * filter soft gaussian-blur std-dev:2, outline width:1 color:navy opacity:1, gaussian-blur std-dev:5
/// modify soft std-dev:3
/// > ! soft has 2 effects with std-dev:; give effect:
/// >   try: modify soft std-dev:3 effect:1
/// modify soft std-dev:3 effect:3
/// > * filter soft gaussian-blur std-dev:2, outline width:1 color:navy opacity:1, gaussian-blur std-dev:3
/// # add rect id:card size:10x10 at:0,0
/// modify card add-effect type:glow
/// > ! card is a rect, not a filter
/// >   try: style card filter:soft
/// ```
#[fcp_verb(category = "Define", name = "modify add-effect", infix)]
pub fn modify_add_effect(
    drawing: &mut Drawing,
    /// The filter.
    #[fcp(positional)]
    filter: Row,
    /// The effect that it adds.
    #[fcp(key = "type")]
    kind: FilterType,
    /// The settings of the effect.
    settings: Keys,
) -> Result<Reply> {
    let (id, kind) = (NodeId::new(filter.id()), kind.0);
    let (own, name) = (drawing.nodes.kind_name(id), drawing.nodes.name(id));
    if own != "filter" {
        let filters = |id: &NodeId| drawing.nodes.kind_name(*id) == "filter";
        let first = drawing.nodes.elements().find(filters);
        let error = Diagnostic::new(format!("{name} is a {own}, not a filter"));
        return Err(match first {
            Some(first) => {
                error.or_try(format!("style {name} filter:{}", drawing.nodes.name(first)))
            }
            None => error.or_try(format!("define filter id:{name}-filter type:{kind}")),
        });
    }
    let mut effect = Effect::new(kind);
    for keyed in settings.iter() {
        effect.set(keyed)?;
    }
    drawing.add_effect(id, &effect)?;
    let description = Filter::read(drawing, id).describe();
    Ok(changed!("filter {name} {description}"))
}
