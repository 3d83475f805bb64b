//! Source text in ops: pieces of SVG, and exact replacements.
//! Changes by attribute, style or id are in `edit`.

pub(crate) mod exact_text;
pub(crate) mod fragment;

const CDATA: &str = "<![CDATA[";
const COMMENT: &str = "<!--";

/// The beginning of the CDATA section or the comment that a text is open in at its end.
fn open(mut text: &str) -> Option<&'static str> {
    loop {
        let starts = [(CDATA, "]]>"), (COMMENT, "-->")].into_iter();
        let starts = starts.filter_map(|(start, end)| Some((text.find(start)?, start, end)));
        let (at, start, end) = starts.min()?;
        let inner = text.get(at + start.len()..)?;
        match inner.find(end) {
            Some(at) => text = inner.get(at + end.len()..)?,
            None => return Some(start),
        }
    }
}

/// A text as it is written after `before` in source text: in a tag it is an attribute's value. In
/// a CDATA section and in a comment it is as it is; an end of the section in it is split.
pub fn written(before: &str, text: &str) -> String {
    match open(before) {
        Some(CDATA) => {
            let whole = format!("{before}{text}");
            let start = before.len().saturating_sub(2);
            let (mut raw, mut at) = (String::new(), before.len());
            for (found, _) in whole.get(start..).unwrap_or(text).match_indices("]]>") {
                let end = start + found + 2;
                raw.push_str(whole.get(at..end).unwrap_or_default());
                raw.push_str("]]>");
                raw.push_str(CDATA);
                at = end;
            }
            raw.push_str(whole.get(at..).unwrap_or_default());
            return raw;
        }
        Some(_) => return text.to_owned(),
        None => {}
    }
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
