//! `define gradient`

use fcp::prelude::*;

use crate::define::{Gradient, GradientGiven};
use crate::model::Drawing;
use crate::syntax::id::ElementId;
use crate::values::Transforms;

/// Make a gradient, to fill or stroke with.
///
/// After `@` comes the opacity of a colour. Places are parts of the box of what uses it: `0,0` is its upper left corner, `1,1` or `100%,100%` its lower right one.
///
/// ```fcp
/// define gradient id:sunset colors:#ff7e5f,#feb47b
/// > + gradient sunset linear 0%:#ff7e5f 100%:#feb47b, in a new <defs>
/// define gradient id:sky type:linear colors:"0%:blue; 60%:skyblue; 100%:white" angle:90
/// > + gradient sky linear 0%:blue 60%:skyblue 100%:white
/// define gradient id:glow type:radial colors:gold,red@30% center:40%,40% r:60%
/// > + gradient glow radial 0%:gold 100%:red@30% center:40%,40% r:60%
/// modify sunset colors:red,gold angle:45
/// > * gradient sunset linear 0%:red 100%:gold angle:45
/// define gradient id:sunset colors:red,blue
/// > ! id:sunset is already a gradient
/// >   try: define gradient id:sunset-2 colors:red,blue
/// define gradient id:dusk colors:rde,blue
/// > ! no colour "rde"
/// >   try: define gradient id:dusk colors:"red; blue"
/// define gradient id:dusk
/// > ! gradient needs colors:
/// >   try: define gradient id:dusk colors:red,blue
/// define gradient id:dusk colors:red,blue r:5
/// > ! r: is for a radial gradient
/// >   try: define gradient id:dusk colors:red,blue r:5 type:radial
/// ```
#[fcp_verb(category = "Define")]
pub fn define_gradient(
    drawing: &mut Drawing,
    /// Its id.
    id: Spanned<ElementId>,
    #[fcp(flatten)] given: GradientGiven,
    /// Its transforms.
    transform: Option<Transforms>,
) -> Result<Reply> {
    let Some(colors) = &given.colors else {
        bail!("gradient needs colors:"; add: "colors:red,blue")
    };
    drawing.is_free(&id, "gradient", "")?;
    let mut gradient = Gradient::new();
    gradient.change(&given)?;
    gradient.color(colors);
    if let Some(transform) = &transform {
        gradient.transform(transform);
    }
    let description = gradient.made();
    let (defs, new) = drawing.defs()?;
    drawing.build(id.get().as_str(), &gradient.blueprint(), defs)?;
    Ok(created!("gradient {} {description}{new}", id.get()))
}
