//! Presentation properties: their names and values, and how files spell them.
//! The values that elements have are in `style`.

mod check;
mod table;

use fcp::value::{ValueError, nearest_word};

/// The values of a property; every property also accepts `inherit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// One of these words.
    Words(&'static [&'static str]),
    /// Some of these words in any order, each once; or the initial value.
    Order(&'static [&'static str]),
    /// A colour.
    Color,
    /// A paint.
    Paint,
    /// 0 to 1, or a percentage.
    Share,
    /// A number of at least this much.
    NumberFrom(u8),
    /// A number of at least 0, or one of these words.
    NumberOr(&'static [&'static str]),
    /// A length.
    Length,
    /// A length, or one of these words.
    LengthOr(&'static [&'static str]),
    /// A length not below 0, or one of these words.
    Size(&'static [&'static str]),
    /// An angle.
    Angle,
    /// An angle, or one of these words.
    AngleOr(&'static [&'static str]),
    /// 1 to 1000, or a word.
    Weight,
    /// Lengths not below 0, separated by commas or whitespace, or `none`.
    Dashes,
    /// `none`, `url(#ID)`, or the bare ID.
    Reference,
    /// A reference, or filter functions.
    Filter,
    /// A transform list in CSS syntax.
    Transform,
    /// Any text.
    Text,
}

/// A presentation property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// Its initial value.
    pub initial: &'static str,
    /// Whether children inherit it.
    pub inherited: bool,
    /// Its values.
    pub takes: ValueKind,
}

/// All properties, in alphabetical order.
#[must_use]
pub fn all() -> &'static [Property] {
    table::ALL
}

/// The property with exactly this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Property> {
    let at = table::ALL
        .binary_search_by(|property| property.name.cmp(name))
        .ok()?;
    table::ALL.get(at)
}

/// The short name of a property, or else its name: `sw` for `stroke-width`.
#[must_use]
pub fn short(name: &str) -> &str {
    let own = table::SHORT.iter().find(|(_, long)| *long == name);
    own.map_or(name, |(short, _)| *short)
}

/// The property for a name in an op: its full or short name such as `sw`, in any case, with `_` for
/// `-`, or as scripts spell it: `strokeWidth`.
///
/// # Errors
/// If there is none; the repair is the nearest name.
pub fn find(name: &str) -> Result<&'static Property, ValueError> {
    let plain = if name.len() <= 64 {
        name.to_ascii_lowercase().replace('_', "-")
    } else {
        String::new()
    };
    let short = table::SHORT.iter().find(|(short, _)| *short == plain);
    let long = short.map_or(plain.as_str(), |(_, long)| long);
    named(long).or_else(|| scripted(name)).ok_or_else(|| {
        let names = table::ALL.iter().map(|property| property.name);
        let names = names.chain(table::SHORT.iter().map(|(short, _)| *short));
        // The property `color` is nearer in letters, but shapes are painted with `fill`.
        let near = match &*plain {
            "colour" => Some("fill"),
            _ => nearest_word(name, names),
        };
        let cut: String = name.chars().take(60).collect();
        ValueError::sentence(format!("no property \"{cut}\"")).maybe_fix(near)
    })
}

/// The property that scripts spell like this: `strokeWidth` is `stroke-width`.
#[must_use]
pub fn scripted(name: &str) -> Option<&'static Property> {
    if name.len() > 64 || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return None;
    }
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    (kebab != name).then(|| named(&kebab)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_its_initial_values_are_values() {
        assert!(table::ALL.is_sorted_by(|a, b| a.name < b.name));
        for property in all() {
            let initial = property.check(property.initial);
            assert_eq!(
                initial.as_deref(),
                Ok(property.initial),
                "{}",
                property.name
            );
            assert_eq!(property.check("inherit").as_deref(), Ok("inherit"));
        }
        for (short, long) in table::SHORT {
            assert!(
                named(long).is_some_and(|property| property.name == *long),
                "{long}"
            );
            assert!(named(short).is_none(), "{short}");
        }
    }

    #[test]
    fn properties_are_found_by_any_name() {
        for (name, wanted) in [
            ("fill", "fill"),
            ("sw", "stroke-width"),
            ("dash", "stroke-dasharray"),
            ("cap", "stroke-linecap"),
            ("join", "stroke-linejoin"),
            ("size", "font-size"),
            ("font", "font-family"),
            ("weight", "font-weight"),
            ("anchor", "text-anchor"),
            ("blend", "mix-blend-mode"),
            ("clip", "clip-path"),
            ("mask", "mask"),
            ("filter", "filter"),
            ("Stroke_Width", "stroke-width"),
        ] {
            assert_eq!(find(name).unwrap().name, wanted);
        }
        for (name, fix) in [
            ("fil", Some("fill")),
            ("strok-width", Some("stroke-width")),
            ("opacty", Some("opacity")),
            ("colour", Some("fill")),
            ("xyzzy", None),
            ("", None),
        ] {
            let error = find(name).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{name}");
            assert_eq!(error.about(name), format!("no property \"{name}\""));
        }
    }
}
