//! References by their grammar: the attributes that refer to elements, and the byte ranges of the
//! ids.
//!
//! Equal text alone is not a reference: a colour, `result=` of a filter primitive or `data-*` refer
//! to nothing.

use std::ops::Range;

use fcp::format::xml::Element;

use crate::css;

use super::object::{LINK_FROM, LINK_TO};

/// Attributes with a list of ids, separated by whitespace (WAI-ARIA 1.2, section 6.6; SVG 1.1, section 17.3), or with
/// the id of one layer (Inkscape).
const LISTS: &[&str] = &[
    "aria-activedescendant",
    "aria-controls",
    "aria-describedby",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
    "aria-labelledby",
    "aria-owns",
    "inkscape:current-layer",
    "viewTarget",
];
/// Attributes of links with the id of an end.
pub const ENDS: &[&str] = &[LINK_FROM, LINK_TO];
/// Attributes that may refer to the event of an element: `sun.click+1s` (SMIL 3.0, section 5.4.3).
const TIMES: &[&str] = &["begin", "end"];
/// Attributes whose values may be `url(#id)`: presentation attributes, and those that animate them.
const VALUES: &[&str] = &[
    "by",
    "clip-path",
    "cursor",
    "fill",
    "filter",
    "from",
    "marker",
    "marker-end",
    "marker-mid",
    "marker-start",
    "mask",
    "shape-inside",
    "shape-subtract",
    "stroke",
    "to",
    "values",
];
/// Attributes with the values of an animation.
const ANIMATED: &[&str] = &["by", "from", "to", "values"];
/// Attributes of elements of HTML in a `foreignObject` with a list of ids (HTML, sections 4.9.11,
/// 4.10.4, 4.10.5.4, 4.10.12 and 4.10.18.3), by their elements.
const OF_HTML: &[(&str, &[&str])] = &[
    ("for", &["label", "output"]),
    (
        "form",
        &[
            "button", "fieldset", "input", "object", "output", "select", "textarea",
        ],
    ),
    ("headers", &["td", "th"]),
    ("list", &["input"]),
];
/// Inkscape attributes with one `#id`, or several separated by semicolons.
const FRAGMENTS: &[&str] = &[
    "inkscape:connection-end",
    "inkscape:connection-start",
    "inkscape:path-effect",
    "inkscape:perspectiveID",
];

/// A part of a value that refers to an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The id, with escapes decoded.
    pub id: String,
    /// The bytes that spell it.
    pub span: Range<usize>,
    /// Whether the element must exist, as for `href` and `url(#id)`; otherwise the id is only
    /// mentioned.
    pub refers: bool,
    form: Form,
    /// The quotes of the value that a selector compares with, if it is in one: `[clip-path="url(#id)"]`.
    within: Option<Option<char>>,
}

/// The spelling of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Plain text.
    Plain,
    /// The fragment of a URL.
    Fragment {
        /// Whether nothing in it is percent-encoded. Not all renderers decode it.
        bare: bool,
    },
    /// CSS syntax.
    Css(css::Form),
    /// In a time value: hyphens and dots are escaped with a backslash, or hyphens are plain.
    Time {
        /// Whether hyphens have no backslash.
        bare: bool,
    },
}

impl Reference {
    /// Spells another id in the form of this one.
    #[must_use]
    pub fn spelled(&self, id: &str) -> String {
        let spelled = self.in_value(id);
        match self.within {
            Some(Some(quote)) => css::Form::Quoted(quote).spelled(&spelled),
            Some(None) => css::Form::Selector.spelled(&spelled),
            None => spelled,
        }
    }

    fn in_value(&self, id: &str) -> String {
        match self.form {
            Form::Plain => id.to_owned(),
            Form::Fragment { bare } if bare && id.trim() == id && !id.contains('%') => {
                id.to_owned()
            }
            Form::Fragment { .. } => css::fragment(id),
            Form::Css(form) => form.spelled(id),
            Form::Time { bare } => {
                let mut spelled = String::with_capacity(id.len());
                for c in id.chars() {
                    // An unescaped hyphen starts an offset, and a dot an event (SMIL 3.0, section
                    // 5.4.5).
                    if c == '-' && !bare || c == '.' || c == '\\' {
                        spelled.push('\\');
                    }
                    spelled.push(c);
                }
                spelled
            }
        }
    }

    /// The reference in the value of a selector's test.
    fn tested(self, test: &css::ByValue) -> Self {
        let at = test.span.start;
        Self {
            span: at + self.span.start..at + self.span.end,
            refers: false,
            within: Some(test.quote),
            ..self
        }
    }

    fn of_css(mention: css::Mention) -> Self {
        Self {
            id: mention.id,
            span: mention.span,
            refers: mention.form.refers(),
            form: Form::Css(mention.form),
            within: None,
        }
    }
}

/// The references in the value of an element's attribute, in order. In a time, each prefix that ends
/// before a dot may be an id, since some programs write dots in ids without escapes; such references
/// overlap.
#[must_use]
pub fn in_attribute(element: &Element, name: &str, value: &str) -> Vec<Reference> {
    if ANIMATED.contains(&name)
        && let Some(animated) = element.attr("attributeName")
    {
        let animated = animated.trim();
        if is_href(animated) {
            return fragments(value, true);
        }
        if LISTS.contains(&animated) {
            let words = split(value, |c| c == ';' || c.is_whitespace());
            return words.filter_map(|word| plain(word, value)).collect();
        }
    }
    if let Some((_, elements)) = OF_HTML.iter().find(|(own, _)| *own == name)
        && elements.contains(&element.local_name())
    {
        return list(value);
    }
    by_name(name, value)
}

/// Ids separated by whitespace.
fn list(value: &str) -> Vec<Reference> {
    let words = split(value, char::is_whitespace);
    words.filter_map(|word| plain(word, value)).collect()
}

/// Whether an attribute of this name is a link.
pub fn is_href(name: &str) -> bool {
    name == "href" || name.ends_with(":href")
}

/// The references in an attribute's value that depend only on its name.
pub fn by_name(name: &str, value: &str) -> Vec<Reference> {
    // No such name begins with another letter.
    if !name.starts_with(['a', 'b', 'c', 'd', 'e', 'f', 'h', 'i', 'm', 's', 't', 'v'])
        && !name.contains(':')
    {
        return Vec::new();
    }
    if is_href(name) {
        return fragment(value, 0, true).into_iter().collect();
    }
    if name == "style" {
        let found = css::in_declarations(value).into_iter();
        return found.map(Reference::of_css).collect();
    }
    if VALUES.binary_search(&name).is_ok() {
        let found = css::in_value(value).into_iter();
        return found.map(Reference::of_css).collect();
    }
    if ENDS.contains(&name) {
        return plain(0..value.len(), value).into_iter().collect();
    }
    if LISTS.contains(&name) {
        return list(value);
    }
    if FRAGMENTS.contains(&name) {
        return fragments(value, false);
    }
    if TIMES.contains(&name) {
        let words = split(value, |c| c == ';');
        return words.flat_map(|word| events(value, word)).collect();
    }
    Vec::new()
}

/// The byte ranges between separators.
fn split(text: &str, separator: impl Fn(char) -> bool) -> impl Iterator<Item = Range<usize>> {
    let base = text.as_ptr() as usize;
    let parts = text.split(separator).map(move |part| {
        let start = part.as_ptr() as usize - base;
        start..start + part.len()
    });
    parts.collect::<Vec<_>>().into_iter()
}

fn plain(span: Range<usize>, value: &str) -> Option<Reference> {
    let id = value.get(span.clone()).filter(|id| !id.is_empty())?;
    Some(Reference {
        id: id.to_owned(),
        span,
        refers: false,
        form: Form::Plain,
        within: None,
    })
}

/// Each `#id` of several that are separated by semicolons.
fn fragments(value: &str, refers: bool) -> Vec<Reference> {
    let words = split(value, |c| c == ';');
    let found = words.filter_map(|word| {
        let text = value.get(word.clone())?;
        fragment(text, word.start, refers)
    });
    found.collect()
}

/// `#id`, with optional whitespace around it.
fn fragment(text: &str, at: usize, refers: bool) -> Option<Reference> {
    let trimmed = text.trim();
    let id = trimmed.strip_prefix('#').filter(|id| !id.is_empty())?;
    let start = at + text.len() - text.trim_start().len() + 1;
    // An inline view or pointer is not an id, but may name one.
    if id.starts_with("svgView(") || id.starts_with("xpointer(") {
        let span = pointed(id)?;
        return Some(Reference {
            id: id.get(span.clone())?.to_owned(),
            span: start + span.start..start + span.end,
            refers: false,
            form: Form::Plain,
            within: None,
        });
    }
    Some(Reference {
        id: css::decoded(id),
        span: start..start + id.len(),
        refers,
        form: Form::Fragment {
            bare: !id.contains('%'),
        },
        within: None,
    })
}

/// The bytes of the id in `svgView(viewTarget(id))` and `xpointer(id('id'))` (SVG 1.1, sections
/// 17.2.2 and 17.3.2).
fn pointed(view: &str) -> Option<Range<usize>> {
    let quoted = |c: char| matches!(c, '\'' | '"') || c.is_whitespace();
    let mut starts = ["viewTarget(", "xpointer(id("].into_iter();
    let start = starts.find_map(|word| Some(view.find(word)? + word.len()))?;
    let inner = view.get(start..)?.split_once(')')?.0;
    let from = inner.len() - inner.trim_start_matches(quoted).len();
    let to = inner.trim_end_matches(quoted).len();
    (from < to).then(|| start + from..start + to)
}

/// The possible ids in `id.event` in a time.
fn events(value: &str, word: Range<usize>) -> Vec<Reference> {
    let text = value.get(word.clone()).unwrap_or_default();
    let start = word.start + text.len() - text.trim_start().len();
    let text = text.trim();
    // An offset or a clock time.
    if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let (mut id, mut escaped, mut bare) = (String::new(), false, false);
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
            id.push(c);
            continue;
        }
        match c {
            '\\' => {
                escaped = true;
                continue;
            }
            '(' | '+' => break,
            '-' => bare = true,
            '.' if !id.is_empty() => {
                found.push(Reference {
                    id: id.clone(),
                    span: start..start + at,
                    refers: false,
                    form: Form::Time { bare },
                    within: None,
                });
            }
            _ => {}
        }
        id.push(c);
    }
    found
}

/// The edits that replace ids in a value's references, for all ids that `new` maps: byte ranges and
/// new texts.
pub fn edits(
    references: Vec<Reference>,
    new: impl Fn(&str) -> Option<String>,
) -> Vec<(Range<usize>, String)> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for reference in references {
        let after = edits
            .last()
            .is_none_or(|(last, _)| last.end <= reference.span.start);
        if let Some(id) = new(&reference.id).filter(|_| after) {
            edits.push((reference.span.clone(), reference.spelled(&id)));
        }
    }
    edits
}

/// Applies such edits to a text.
#[must_use]
pub fn edited(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let (mut edited, mut at) = (String::with_capacity(text.len()), 0);
    for (span, new) in edits {
        if let (Some(before), Some(_)) = (text.get(at..span.start), text.get(span.clone())) {
            edited.push_str(before);
            edited.push_str(new);
            at = span.end;
        }
    }
    edited.push_str(text.get(at..).unwrap_or_default());
    edited
}

/// An attribute's value with new ids in its references, if `new` maps any of them.
pub fn followed(
    element: &Element,
    name: &str,
    value: &str,
    new: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let edits = edits(in_attribute(element, name, value), new);
    (!edits.is_empty()).then(|| edited(value, &edits))
}

/// The references in a style sheet's text.
#[must_use]
pub fn in_sheet(text: &str) -> Vec<Reference> {
    let sheet = css::in_sheet(text);
    let mut found: Vec<Reference> = sheet.mentions.into_iter().map(Reference::of_css).collect();
    for test in sheet.by_values {
        let value = text.get(test.span.clone()).unwrap_or_default();
        let tested = by_name(&test.name, value).into_iter();
        found.extend(tested.map(|one| one.tested(&test)));
    }
    found.sort_by_key(|one| one.span.start);
    found
}

/// The ids that an element refers to, with `href` or `url(#…)`.
#[must_use]
pub fn targets(element: &Element) -> Vec<String> {
    let values = element.values();
    values
        .flat_map(|(name, value)| aims(element, name, &value))
        .collect()
}

/// The ids that an attribute of an element refers to.
#[must_use]
pub fn aims(element: &Element, name: &str, value: &str) -> Vec<String> {
    let found = in_attribute(element, name, value).into_iter();
    found.filter(|one| one.refers).map(|one| one.id).collect()
}

/// The ids that the value of a property refers to, with `url(#id)`.
#[must_use]
pub fn url_ids(value: &str) -> Vec<String> {
    css::in_value(value).into_iter().map(|one| one.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_name_elements_by_their_grammar() {
        assert!(VALUES.is_sorted());
        for (name, value, ids) in [
            ("href", " #a ", vec!["a"]),
            ("xlink:href", "#a%20b", vec!["a b"]),
            ("href", "x.svg#a", vec![]),
            ("href", "#svgView(viewBox(0,0,1,1))", vec![]),
            ("fill", "url(#a) #fab", vec!["a"]),
            ("fill", "#fab", vec![]),
            ("style", "fill:#fab;mask:url(#a)", vec!["a"]),
            ("to", "url(#a)", vec!["a"]),
            ("values", "url(#a);url(#b)", vec!["a", "b"]),
            ("result", "url(#a)", vec![]),
            ("in", "a", vec![]),
            ("data-x", "url(#a)", vec![]),
            ("id", "a", vec![]),
            ("begin", "a.click+1s; 0.5s;b\\-c.end", vec!["a", "b-c"]),
            ("begin", "a-b.click", vec!["a-b"]),
            ("begin", "wallclock(1.5)", vec![]),
            ("end", "a.b.click", vec!["a", "a.b"]),
            ("aria-labelledby", " a  b", vec!["a", "b"]),
            ("viewTarget", "a b", vec!["a", "b"]),
            ("inkscape:current-layer", "a", vec!["a"]),
            ("data-fcp-from", "a", vec!["a"]),
            ("inkscape:path-effect", "#a;#b", vec!["a", "b"]),
            ("inkscape:label", "#a", vec![]),
        ] {
            let found = by_name(name, value);
            let have: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
            assert_eq!(have, ids, "{name} {value}");
        }
    }

    #[test]
    fn ids_are_escaped_for_their_place() {
        let new = |id: &str| (id == "a" || id == "a-b").then(|| "x-y.z".to_owned());
        for (name, value, wanted) in [
            ("href", " #a", " #x-y.z"),
            ("begin", "a.click", "x\\-y\\.z.click"),
            ("begin", "a-b.click", "x-y\\.z.click"),
            ("begin", "0s; a\\-b.end+1s", "0s; x\\-y\\.z.end+1s"),
            ("aria-owns", "c a", "c x-y.z"),
            ("fill", "url( '#a' ) #abc", "url( '#x-y.z' ) #abc"),
        ] {
            let edits = edits(by_name(name, value), new);
            assert_eq!(edited(value, &edits), wanted);
        }
        assert!(edits(by_name("fill", "#a"), new).is_empty());
        for (sheet, wanted) in [
            (
                "[clip-path=\"url(#a)\"],[clip-path='url(\"#a\")']{}",
                "[clip-path=\"url(#x-y.z)\"],[clip-path='url(\"#x-y.z\")']{}",
            ),
            (
                "[aria-labelledby=a],[aria-owns~='a'],[aria-owns='c a']{}",
                "[aria-labelledby=x-y\\.z],[aria-owns~='x-y.z'],[aria-owns='c x-y.z']{}",
            ),
            (
                "set[begin='a.click'],#a{}",
                r"set[begin='x\\-y\\.z.click'],#x-y\.z{}",
            ),
            ("[data-x=a],[fill='#a'],[class=a]{}", ""),
        ] {
            let edits = edits(in_sheet(sheet), new);
            let edited = edited(sheet, &edits);
            assert_eq!(if edits.is_empty() { "" } else { &edited }, wanted);
        }
    }
}
