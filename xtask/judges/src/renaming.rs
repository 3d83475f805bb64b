//! The law of `rename` in SVG: an id changes wherever the grammar has an id, and nothing else does.

use fcp::testing::fidelity::Fact;

/// Attributes that list ids.
const LISTS: &[&str] = &[
    "aria-activedescendant",
    "aria-controls",
    "aria-describedby",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
    "aria-labelledby",
    "aria-owns",
    CURRENT_LAYER,
    "viewTarget",
];

/// The attribute of Inkscape's view, which is not an SVG element, with the id of a layer.
const CURRENT_LAYER: &str = "current-layer";

/// Attributes of links that `connect` makes, with the ids of their ends.
const ENDS: &[&str] = &["data-fcp-from", "data-fcp-to"];

const SVG: &str = "{http://www.w3.org/2000/svg}";

/// An id's old and new name.
pub struct Renaming<'a> {
    old: &'a str,
    new: &'a str,
}

impl<'a> Renaming<'a> {
    /// The renaming between two readings: from the one id found only in the first to the one found
    /// only in the second. `None` for another kind of change, or if style sheets must escape the
    /// new id.
    pub fn between(before: &'a [(&str, String)], after: &'a [(&str, String)]) -> Option<Self> {
        let ids = |facts: &'a [(&str, String)]| {
            let ids = facts.iter().filter(|(name, _)| *name == "id");
            ids.map(|(_, value)| value.as_str()).collect::<Vec<_>>()
        };
        let (was, is) = (ids(before), ids(after));
        let mut gone = was.iter().filter(|id| !is.contains(id));
        let mut come = is.iter().filter(|id| !was.contains(id));
        let (old, new) = (gone.next()?, come.next()?);
        let is_alone = gone.next().is_none() && come.next().is_none() && was.len() == is.len();
        let plain = |id: &str| {
            id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && id
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        };
        (is_alone && plain(old) && plain(new)).then_some(Self { old, new })
    }

    /// An attribute after the renaming.
    pub fn attribute(&self, name: &str, value: &str) -> String {
        let Self { old, new } = self;
        let local = name.rsplit('}').next().unwrap_or(name);
        match local {
            _ if ENDS.contains(&name) && value == *old => (*new).to_owned(),
            _ if name.starts_with("data-") => value.to_owned(),
            "id" if value == *old => (*new).to_owned(),
            "href" if value.strip_prefix('#') == Some(old) => format!("#{new}"),
            "begin" | "end" => {
                let times = value.split(';').map(|time| {
                    let bare = time.trim_start();
                    let blank = &time[..time.len() - bare.len()];
                    match bare.strip_prefix(old).filter(|rest| rest.starts_with('.')) {
                        Some(rest) => format!("{blank}{new}{rest}"),
                        None => time.to_owned(),
                    }
                });
                times.collect::<Vec<_>>().join(";")
            }
            _ if LISTS.contains(&local) => {
                let words = value
                    .split(' ')
                    .map(|word| if word == *old { new } else { word });
                words.collect::<Vec<_>>().join(" ")
            }
            _ => self.urls(value),
        }
    }

    /// A value with its `url(#id)` renamed.
    fn urls(&self, value: &str) -> String {
        let mut out = String::new();
        let mut rest = value;
        while let Some((before, after)) = rest.split_once("url(") {
            out.push_str(before);
            out.push_str("url(");
            let open = after.trim_start_matches([' ', '\t', '\n', '"', '\'']);
            out.push_str(&after[..after.len() - open.len()]);
            rest = open;
            let named = open
                .strip_prefix('#')
                .and_then(|id| id.strip_prefix(self.old));
            if let Some(tail) =
                named.filter(|tail| tail.starts_with([' ', '\t', '\n', '"', '\'', ')']))
            {
                out.push('#');
                out.push_str(self.new);
                rest = tail;
            }
        }
        out + rest
    }

    /// The content of a CSS fact after the renaming: selectors, and `url(#id)` in declarations.
    pub fn rule(&self, content: &str) -> String {
        if content.starts_with("declaration ") {
            return self.urls(content);
        }
        let Self { old, new } = self;
        let mut out = String::new();
        let mut rest = content;
        while let Some((before, after)) = rest.split_once(&format!("#{old}")) {
            out.push_str(before);
            let goes_on = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            // A quote inside the content is escaped as in JSON.
            let quoted = before.ends_with("\\\"") || before.ends_with('\'');
            let quoted = quoted && !before.ends_with("href=\\\"");
            let name = if after.starts_with(goes_on) || quoted {
                old
            } else {
                new
            };
            out.push('#');
            out.push_str(name);
            rest = after;
        }
        out.push_str(rest);
        for quote in ["\\\"", "'", ""] {
            let spelled = |id: &str| format!("[id={quote}{id}{quote}]");
            out = out.replace(&spelled(old), &spelled(new));
        }
        out
    }
}

/// The attributes by name, with their values.
pub fn attributes(facts: &[Fact]) -> Vec<(&str, String)> {
    facts.iter().filter_map(attribute).collect()
}

fn attribute(fact: &Fact) -> Option<(&str, String)> {
    let (name, value) = fact.content.strip_prefix("attribute ")?.split_once('=')?;
    Some((name, serde_json::from_str(value).ok()?))
}

/// Checks that a reading is the earlier one after a renaming.
///
/// # Errors
/// The first difference, if it is not.
pub fn holds(before: &[Fact], after: &[Fact]) -> Result<(), String> {
    let (was, is) = (attributes(before), attributes(after));
    let Some(renaming) = Renaming::between(&was, &is) else {
        return Ok(());
    };
    let (expected, found) = (outline(before, Some(&renaming)), outline(after, None));
    differ(&expected, &found)
}

/// Compares two lists.
///
/// # Errors
/// The first difference, if there is one.
pub fn differ(expected: &[String], found: &[String]) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let same = expected
        .iter()
        .zip(found)
        .take_while(|(a, b)| a == b)
        .count();
    let at = |lines: &[String]| lines.get(same).map_or("the end", String::as_str).to_owned();
    Err(format!(
        "should have left {}, and left {}",
        at(expected),
        at(found)
    ))
}

/// The facts of a reading, with attributes of SVG elements renamed, without DOCTYPE and CSS.
fn outline(facts: &[Fact], renaming: Option<&Renaming<'_>>) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut is_svg, mut in_style) = (false, false);
    for fact in facts {
        let content = &fact.content;
        if let Some(name) = content.strip_prefix("element ") {
            is_svg = name.starts_with(SVG);
            in_style = name.strip_prefix(SVG) == Some("style");
        } else if content == "end" {
            in_style = false;
        }
        if content.starts_with("doctype ") || in_style && content.starts_with("text ") {
            continue;
        }
        lines.push(match (renaming, attribute(fact)) {
            (Some(renaming), Some((name, value))) if is_svg || name.ends_with(CURRENT_LAYER) => {
                format!(
                    "{name}={}",
                    renaming.attribute(name, &value).replace('\\', "")
                )
            }
            (_, Some((name, value))) => format!("{name}={}", value.replace('\\', "")),
            _ => content.clone(),
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const RENAMING: Renaming<'_> = Renaming {
        old: "fab",
        new: "ico",
    };

    #[test]
    fn ids_are_followed_by_their_grammar() {
        for (name, value, renamed) in [
            ("id", "fab", "ico"),
            ("fill", "#fab", "#fab"),
            ("fill", "url( '#fab' ) #fab", "url( '#ico' ) #fab"),
            (
                "style",
                "a:url(#fab);b:url(#fabric)",
                "a:url(#ico);b:url(#fabric)",
            ),
            ("data-x", "url(#fab)", "url(#fab)"),
            ("begin", "x.end; fab.click", "x.end; ico.click"),
            ("aria-labelledby", "fabric fab", "fabric ico"),
            ("viewTarget", "fab", "ico"),
            ("{urn}href", "#fab", "#ico"),
        ] {
            assert_eq!(RENAMING.attribute(name, value), renamed, "{name}={value}");
        }
        let rule = r##"rule "#fab > #fabric, [id=\"fab\"], a[href=\"#fab\"]""##;
        let renamed = r##"rule "#ico > #fabric, [id=\"ico\"], a[href=\"#ico\"]""##;
        assert_eq!(RENAMING.rule(rule), renamed);
        assert_eq!(RENAMING.rule("rule \"#fab\""), "rule \"#ico\"");
        let declaration = r##"declaration "fill: #fab""##;
        assert_eq!(RENAMING.rule(declaration), declaration);
    }
}
