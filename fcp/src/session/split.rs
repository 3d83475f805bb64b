//! Several ops in one text.

/// Splits a text into ops at each `;` that is a word of its own or ends a word.
pub(super) fn split_ops(text: &str) -> Vec<String> {
    let mut ops = Vec::new();
    let (mut start, mut quote, mut escaped) = (0, None, false);
    let mut previous = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        match (quote, c) {
            (None, ';') if ends => {
                ops.push(&text[start..at]);
                start = at + 1;
            }
            (None, '"' | '\'') if previous.is_whitespace() || previous == ':' => quote = Some(c),
            (Some(open), _) if c == open && !escaped => quote = None,
            _ => {}
        }
        escaped = quote.is_some() && c == '\\' && !escaped;
        previous = c;
    }
    ops.push(&text[start..]);
    let ops = ops.into_iter().map(str::trim).filter(|op| !op.is_empty());
    ops.map(str::to_owned).collect()
}
