//! Scripts, which no op writes: every verb rejects text that would run one.

use fcp::format::xml::Element;

/// The scheme of addresses that are scripts.
const SCHEME: &str = "javascript:";

/// The reason why an attribute would run a script, as a sentence: `onclick runs a script`. `None`
/// if it would not.
#[must_use]
pub fn in_attribute(name: &str, value: &str) -> Option<String> {
    let is_handler = name
        .get(..2)
        .is_some_and(|on| on.eq_ignore_ascii_case("on"));
    // An animation sets the attribute that it names to each of its values, separated by `;`.
    let names_handler = name == "attributeName"
        && value
            .trim()
            .get(..2)
            .is_some_and(|on| on.eq_ignore_ascii_case("on"));
    let is_scripted = match name {
        "values" => value.split(';').any(is_script),
        _ => is_script(value),
    };
    let runs = is_handler || names_handler || is_scripted;
    runs.then(|| format!("{name} runs a script"))
}

/// The reason why an element or one of its attributes would run a script, not counting its content.
#[must_use]
pub fn in_element(element: &Element) -> Option<String> {
    if element.local_name().eq_ignore_ascii_case("script") {
        return Some(format!("<{}> runs a script", element.name()));
    }
    let mut values = element.values();
    values.find_map(|(name, value)| in_attribute(name, &value))
}

/// Whether an address is a script. Browsers ignore invisible characters before the scheme.
fn is_script(address: &str) -> bool {
    let seen = address
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control());
    let scheme: String = seen.take(SCHEME.len()).collect();
    scheme.eq_ignore_ascii_case(SCHEME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_detected() {
        for (name, value, wanted) in [
            ("onclick", "x", Some("onclick runs a script")),
            ("ONLOAD", "x", Some("ONLOAD runs a script")),
            ("href", " java\tscript:alert(1)", Some("href runs a script")),
            (
                "xlink:href",
                "JavaScript:x",
                Some("xlink:href runs a script"),
            ),
            ("values", "#a; javascript:x", Some("values runs a script")),
            (
                "attributeName",
                "onclick",
                Some("attributeName runs a script"),
            ),
            ("href", "https://example.com/javascript:", None),
            ("on", "x", Some("on runs a script")),
            ("data-on", "x", None),
            ("o", "x", None),
            ("class", "größe", None),
        ] {
            assert_eq!(
                in_attribute(name, value).as_deref(),
                wanted,
                "{name}={value}"
            );
        }
        let element = |name: &str| Element::new(name).unwrap();
        assert!(in_element(&element("script")).is_some());
        assert!(in_element(&element("svg:script")).is_some());
        assert!(in_element(&element("g")).is_none());
        let link = element("a").with("href", "javascript:x").unwrap();
        assert!(in_element(&link).is_some());
    }
}
