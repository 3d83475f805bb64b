//! The fragments of URLs that name elements.

/// Spells an id as the fragment of a URL.
#[must_use]
pub fn fragment(id: &str) -> String {
    let mut spelled = String::with_capacity(id.len());
    for c in id.chars() {
        match c {
            '%' => spelled.push_str("%25"),
            c if c.is_ascii_whitespace() || c.is_ascii_control() => {
                spelled.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c => spelled.push(c),
        }
    }
    spelled
}

/// Decodes the percent-encoding of a URL's fragment.
#[must_use]
pub fn decoded(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    let read = percent_encoding::percent_decode_str(fragment).decode_utf8();
    read.map_or_else(|_| fragment.to_owned(), std::borrow::Cow::into_owned)
}
