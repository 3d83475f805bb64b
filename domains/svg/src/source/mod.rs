//! Source text in ops: pieces of SVG, and exact replacements.
//! Changes by attribute, style or id are in `edit`.

pub(crate) mod exact_text;
pub(crate) mod fragment;

/// A text as it is written after `before` in source text: in a tag it is an attribute's value.
pub fn written(before: &str, text: &str) -> String {
    let in_tag = before.rfind('<') > before.rfind('>');
    let mut raw = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => raw.push_str("&amp;"),
            '<' => raw.push_str("&lt;"),
            '>' => raw.push_str("&gt;"),
            '"' if in_tag => raw.push_str("&quot;"),
            '\'' if in_tag => raw.push_str("&apos;"),
            '\n' if in_tag => raw.push_str("&#10;"),
            c => raw.push(c),
        }
    }
    raw
}
