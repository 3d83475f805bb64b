//! What a declaration says of a property: its own, or that of a shorthand.

use svgtypes::FontShorthand;

use crate::property;

/// The properties that a declaration speaks of: its own, and those that it is short for.
pub(super) fn names(name: &str) -> impl Iterator<Item = &str> {
    let prefix = match name {
        "font" => Some("font-"),
        "marker" => Some("marker-"),
        _ => None,
    };
    let longer = prefix.into_iter().flat_map(|prefix| {
        let all = property::all().iter().map(|known| known.name);
        all.filter(move |long| long.starts_with(prefix))
    });
    std::iter::once(name).chain(longer)
}

/// The value that a declaration gives a property, if it does. `font` and `marker` are taken apart as the renderer does.
pub(super) fn value_for<'v>(name: &str, value: &'v str, property: &str) -> Option<&'v str> {
    if name == property {
        return Some(value);
    }
    match name {
        "marker" => {
            matches!(property, "marker-start" | "marker-mid" | "marker-end").then_some(value)
        }
        "font" if property.starts_with("font-") => {
            let font = FontShorthand::from_str(value).ok()?;
            match property {
                "font-size" => Some(font.font_size),
                "font-family" => Some(font.font_family),
                "font-style" => Some(font.font_style.unwrap_or("normal")),
                "font-variant" => Some(font.font_variant.unwrap_or("normal")),
                "font-weight" => Some(font.font_weight.unwrap_or("normal")),
                "font-stretch" => Some(font.font_stretch.unwrap_or("normal")),
                "font-kerning" => Some("auto"),
                "font-size-adjust" => Some("none"),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a property counts in styles only: the renderer does not read it from an attribute, or reads another syntax
/// there.
pub(super) fn is_style_only(property: &str) -> bool {
    matches!(
        property,
        "font-kerning" | "isolation" | "marker" | "mix-blend-mode" | "transform"
    )
}
