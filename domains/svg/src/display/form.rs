//! Differences in the form of a node, which no field shows: white space, quotes, the order of attributes.

use std::collections::HashMap;

use fcp::account::FieldChange;
use fcp::format::encoding::{self, Encoding};
use fcp::value::Cell;

/// The column of these changes, which no table has.
pub const FORM: &str = "form";

/// The tags of an element as they are written, or the white space before another node.
#[derive(Default)]
struct Form<'t> {
    lead: &'t str,
    attributes: Vec<Attribute<'t>>,
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

    fn by_name(&self) -> HashMap<&'t str, &Attribute<'t>> {
        let attributes = self.attributes.iter();
        attributes.map(|own| (own.name, own)).collect()
    }

    /// The names of the attributes among some, in order.
    fn names(&self, among: &HashMap<&str, &Attribute<'_>>) -> String {
        let names = self.attributes.iter().map(|own| own.name);
        let names = names.filter(|name| among.contains_key(name));
        names.collect::<Vec<_>>().join(" ")
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
    let text = |bytes: &[u8]| match encoding.mark() {
        [] => String::from_utf8_lossy(bytes).into_owned(),
        mark => encoding::decode(&[mark, bytes].concat()).map_or(String::new(), |(text, _)| text),
    };
    let (was, is) = (text(was), text(is));
    let section = |text: &str| text.trim_start().starts_with("<![CDATA[");
    let names = [&was, &is].map(|text| match section(text) {
        true => "CDATA section".to_owned(),
        false => "text".to_owned(),
    });
    if names.iter().any(|name| name != "text") {
        return changed("form", vec![names]).into_iter().collect();
    }
    let (Some(then), Some(now)) = (Form::of(&was), Form::of(&is)) else {
        return Vec::new();
    };
    let (mut spaces, mut quotes) = (vec![[then.lead, now.lead]], Vec::new());
    let (old, new) = (then.by_name(), now.by_name());
    let attributes = then.attributes.iter();
    for (own, other) in attributes.filter_map(|own| Some((own, new.get(own.name)?))) {
        spaces.extend([[own.space, other.space], [own.equals, other.equals]]);
        quotes.push([own.quote, other.quote].map(String::from));
    }
    spaces.push([then.gap, now.gap]);
    spaces.extend(then.end.into_iter().zip(now.end).map(<[&str; 2]>::from));
    let spaces = spaces.into_iter();
    let spaces = spaces.map(|both| both.map(|space| format!("{space:?}")));
    let order = vec![[then.names(&new), now.names(&old)]];
    let all = [
        changed("white space", spaces.collect()),
        changed("quotes", quotes),
        changed("order of attributes", order),
    ];
    all.into_iter().flatten().collect()
}

/// The first difference among pairs of texts, and the number of all others.
fn changed(name: &'static str, pairs: Vec<[String; 2]>) -> Option<FieldChange> {
    let mut differing = pairs.into_iter().filter(|[then, now]| then != now);
    let [then, mut now] = differing.next()?;
    let cells = [&then, &now].map(|text| Cell::Text(text.clone()));
    match differing.count() {
        0 => {}
        1 => now.push_str(" and in 1 more place"),
        more => now.push_str(&format!(" and in {more} more places")),
    }
    Some(FieldChange {
        name: name.into(),
        then: Some((then, None)),
        now: Some((now, None)),
        cells: Some((FORM, cells)),
        ..FieldChange::default()
    })
}
