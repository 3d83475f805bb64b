//! `define filter`

use fcp::prelude::*;

use crate::define::{Effect, filter};
use crate::model::Drawing;
use crate::syntax::id::ElementId;
use crate::values::FilterType;

/// Make a filter of one effect; `modify FILTER add-effect` lays more on it.
///
/// ```fcp
/// define filter id:drop_shadow type:gaussian-blur std-dev:5
/// > + filter drop_shadow gaussian-blur std-dev:5, in a new <defs>
/// define filter id:shade type:drop-shadow offset:2,3 opacity:30%
/// > + filter shade drop-shadow offset:2,3 std-dev:4 color:#000 opacity:30%
/// define filter id:old type:sepia amount:0.8
/// > + filter old sepia amount:0.8
/// modify old amount:50%
/// > * filter old sepia amount:50%
/// define filter id:soft type:gausian std-dev:5
/// > ! filter type "gausian"
/// >   try: define filter id:soft type:gaussian-blur std-dev:5
/// define filter id:shine type:glow dx:2
/// > ! glow has no dx:
/// >   syntax: define filter id:ID type:EFFECT [KEY:VALUE…]
/// define filter id:old type:glow color:gold
/// > ! id:old is already a filter
/// >   try: define filter id:old-2 type:glow color:gold
/// ```
#[fcp_verb(category = "Define")]
pub fn define_filter(
    drawing: &mut Drawing,
    /// Its id.
    id: Spanned<ElementId>,
    /// Its effect.
    r#type: FilterType,
    /// The settings of the effect.
    settings: Keys,
) -> Result<Reply> {
    let mut effect = Effect::new(r#type.0);
    for keyed in settings.iter() {
        effect.set(keyed)?;
    }
    let description = effect.describe();
    drawing.is_free(&id, "filter", "")?;
    let (defs, new) = drawing.defs()?;
    drawing.build(id.get().as_str(), &filter::blueprint(&effect), defs)?;
    Ok(created!("filter {} {description}{new}", id.get()))
}
