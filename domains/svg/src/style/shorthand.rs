//! Values of properties in declarations, including shorthands.

use std::borrow::Cow;

use svgtypes::FontShorthand;

use crate::property;

/// The name of a property as it is compared: in lower case, except that of a custom one.
pub(super) fn canonical(name: &str) -> Cow<'_, str> {
    let is_plain = name.starts_with("--") || !name.contains(|c: char| c.is_ascii_uppercase());
    match is_plain {
        true => name.into(),
        false => name.to_ascii_lowercase().into(),
    }
}

/// The properties in a declaration: its own, and the longhands if it is a shorthand.
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

/// The value that a declaration gives a property, if it does. `font` and `marker` are expanded as
/// in the renderer.
pub(super) fn value_for<'v>(name: &str, value: &'v str, property: &str) -> Option<&'v str> {
    if name == property {
        return Some(value).filter(|value| is_valid(property, value));
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

/// Whether a property can have a value: a word or a hex code that is not a colour or a paint has no
/// effect.
pub(super) fn is_valid(property: &str, value: &str) -> bool {
    let is_color = matches!(
        property,
        "fill" | "stroke" | "color" | "stop-color" | "flood-color" | "lighting-color"
    );
    let value = value.trim();
    !is_color
        || value.contains(['(', '&', ' '])
        || matches!(
            value,
            "none" | "context-fill" | "context-stroke" | "inherit" | "initial" | "unset"
        )
        || fcp::value::Color::read(value).is_some()
}

/// The effect of a keyword that every property accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    /// The parent's value.
    Inherit,
    /// The initial value.
    Initial,
}

impl Keyword {
    /// The keyword that a value is, if it is one; `inherited` tells if the property inherits.
    pub fn of(value: &str, inherited: bool) -> Option<Self> {
        match value {
            "inherit" => Some(Self::Inherit),
            "initial" => Some(Self::Initial),
            "unset" if inherited => Some(Self::Inherit),
            "unset" => Some(Self::Initial),
            _ => None,
        }
    }
}

/// Whether a property is only valid in styles: the renderer does not read it from an attribute, or
/// with another syntax.
pub(super) fn is_style_only(property: &str) -> bool {
    matches!(
        property,
        "font-kerning" | "isolation" | "marker" | "mix-blend-mode" | "transform"
    )
}
