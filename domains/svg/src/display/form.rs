//! Differences in the form of a node, which no field shows: white space, quotes, the order of attributes.

use std::borrow::Cow;
use std::collections::HashMap;

use fcp::account::FieldChange;
use fcp::format::encoding::{self, Encoding};
use fcp::value::Cell;

/// The column of these changes, which no table has.
pub const FORM: &str = "form";

/// An element with more attributes finds them by a map.
const FEW: usize = 16;

/// The tags of an element as they are written, or the white space before another node.
#[derive(Default)]
struct Form<'t> {
    lead: &'t str,
    attributes: Vec<Attribute<'t>>,
    /// The places of many attributes, by name.
    places: HashMap<&'t str, usize>,
    /// The white space before the end of the start tag.
    gap: &'t str,
    /// The white space before the end tag, and in it.
    end: [&'t str; 2],
}

struct Attribute<'t> {
    name: &'t str,
    space: &'t str,
    equals: &'t str,
    quote: char,
}

impl<'t> Form<'t> {
    /// Reads the bytes of a node, without those of its children; `None` for a text.
    fn of(text: &'t str) -> Option<Self> {
        let (lead, mut rest) = text.split_once('<')?;
        let mut form = Self::default();
        if !lead.trim().is_empty() {
            return None;
        }
        if rest.starts_with('/') {
            form.end = end(text);
            return Some(form);
        }
        form.lead = lead;
        if rest.starts_with(['!', '?']) {
            return Some(form);
        }
        rest = after(rest, |c| !c.is_whitespace() && !matches!(c, '/' | '>')).1;
        loop {
            let (space, own) = after(rest, char::is_whitespace);
            if let Some(tail) = own.strip_prefix("/>").or(own.strip_prefix('>')) {
                (form.gap, form.end) = (space, end(tail));
                if form.attributes.len() > FEW {
                    let names = form.attributes.iter().map(|own| own.name);
                    form.places = names.zip(0..).collect();
                }
                return Some(form);
            }
            let (name, own) = after(own, |c| !c.is_whitespace() && c != '=');
            let (equals, own) = after(own, |c| c.is_whitespace() || c == '=');
            let quote = own.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            rest = own.get(1..)?.split_once(quote)?.1;
            form.attributes.push(Attribute {
                name,
                space,
                equals,
                quote,
            });
        }
    }

    fn attribute(&self, name: &str) -> Option<&Attribute<'t>> {
        if self.attributes.len() > FEW {
            return self.attributes.get(*self.places.get(name)?);
        }
        self.attributes.iter().find(|own| own.name == name)
    }

    /// The names of the attributes that another element has too, in order.
    fn shared(&self, other: &Self) -> impl Iterator<Item = &'t str> {
        let names = self.attributes.iter().map(|own| own.name);
        names.filter(|name| other.attribute(name).is_some())
    }
}

/// The white space before an end tag, and in it.
fn end(tag: &str) -> [&str; 2] {
    let (before, tag) = after(tag, char::is_whitespace);
    let tag = tag.strip_suffix('>').unwrap_or(tag);
    [before, tag.get(tag.trim_end().len()..).unwrap_or_default()]
}

/// The first characters of a text that `is_in` accepts, and all others.
fn after(text: &str, is_in: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is_in(c)).unwrap_or(text.len()))
}

/// The changes of form between the bytes of a node in two states.
pub fn changes(encoding: Encoding, was: &[u8], is: &[u8]) -> Vec<FieldChange> {
    let (was, is) = (text(encoding, was), text(encoding, is));
    let section = |text: &str| text.trim_start().starts_with("<![CDATA[");
    let sections = [section(&was), section(&is)];
    if sections[0] != sections[1] {
        let names = sections.map(|is| if is { "CDATA section" } else { "text" });
        let form = changed("form", &[names.map(str::to_owned)]);
        return form.into_iter().collect();
    }
    let (Some(then), Some(now)) = (Form::of(&was), Form::of(&is)) else {
        return Vec::new();
    };
    let (mut spaces, mut quotes) = (Vec::new(), Vec::new());
    let mut space = |pair: [&str; 2]| {
        if pair[0] != pair[1] {
            spaces.push(pair.map(|space| format!("{space:?}")));
        }
    };
    space([then.lead, now.lead]);
    let attributes = then.attributes.iter();
    for (own, other) in attributes.filter_map(|own| Some((own, now.attribute(own.name)?))) {
        space([own.space, other.space]);
        space([own.equals, other.equals]);
        if own.quote != other.quote {
            quotes.push([own.quote, other.quote].map(String::from));
        }
    }
    space([then.gap, now.gap]);
    then.end
        .into_iter()
        .zip(now.end)
        .for_each(|(then, now)| space([then, now]));
    let mut order = Vec::new();
    if !then.shared(&now).eq(now.shared(&then)) {
        let names = [(&then, &now), (&now, &then)];
        order.push(names.map(|(own, other)| own.shared(other).collect::<Vec<_>>().join(" ")));
    }
    let all = [
        changed("white space", &spaces),
        changed("quotes", &quotes),
        changed("order of attributes", &order),
    ];
    all.into_iter().flatten().collect()
}

fn text(encoding: Encoding, bytes: &[u8]) -> Cow<'_, str> {
    match encoding.mark() {
        [] => String::from_utf8_lossy(bytes),
        mark => encoding::decode(&[mark, bytes].concat())
            .map_or(Cow::Borrowed(""), |(text, _)| text.into()),
    }
}

/// The first of some differences, and the number of all others.
fn changed(name: &'static str, differing: &[[String; 2]]) -> Option<FieldChange> {
    let ([then, now], others) = differing.split_first()?;
    let mut now = now.clone();
    let cells = [then, &now].map(|text| Cell::Text(text.clone()));
    match others.len() {
        0 => {}
        1 => now.push_str(" and in 1 more place"),
        more => now.push_str(&format!(" and in {more} more places")),
    }
    Some(FieldChange {
        name: name.into(),
        then: Some((then.clone(), None)),
        now: Some((now, None)),
        cells: Some((FORM, cells)),
        ..FieldChange::default()
    })
}
