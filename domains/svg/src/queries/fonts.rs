//! `fonts`

use fcp::format::picture::Library;
use fcp::prelude::*;

use crate::model::Drawing;

/// List the families of fonts that texts are drawn with, with their weights and where they come from.
///
/// ```fcp
/// ? fonts
/// > DejaVu Sans 400 700 (bundled)
/// > DejaVu Sans Mono 400 (bundled)
/// ? fonts mono
/// > DejaVu Sans Mono 400 (bundled)
/// ? fonts Futura
/// > nothing matches
/// ```
#[fcp_query]
pub fn fonts(
    drawing: &Drawing,
    /// Part of their name.
    #[fcp(positional)]
    name: Option<Text>,
) -> Result<Vec<String>> {
    let library = Library::of(&drawing.host.fonts);
    let library = library.map_err(|error| Diagnostic::new(error.to_string()))?;
    let name = name.as_ref().map_or("", Text::as_str);
    let families = library.families(name).map(|family| {
        let faces = family.faces.iter().map(|face| {
            let slant = if face.italic { " italic" } else { "" };
            format!("{}{slant}", face.weight)
        });
        let mut faces: Vec<String> = faces.collect();
        faces.dedup();
        let (name, origin) = (&family.name, family.origin);
        format!("{name} {} ({origin})", faces.join(" "))
    });
    Ok(families.collect())
}
