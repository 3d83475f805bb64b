//! Texts without percent codes.

/// A text without its codes; nothing if a `%` is none, or if what comes out is no UTF-8.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        if *first == b'%' {
            let code = str::from_utf8(more.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = more.get(2..)?;
        } else {
            bytes.push(*first);
            rest = more;
        }
    }
    String::from_utf8(bytes).ok()
}
