//! Several ops in one text.

use crate::sql::write_statement::is_write;

/// Splits a text into ops at each `;` that is a word of its own or ends a word. In a statement of
/// SQL a quote may begin anywhere, and is written twice within quotes.
pub(super) fn split_ops(text: &str) -> Vec<String> {
    let mut ops = Vec::new();
    let (mut start, mut quote, mut escaped) = (0, None, false);
    let mut previous = ' ';
    let mut is_sql = is_statement(text);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        match (quote, c) {
            (None, ';') if ends => {
                ops.push(&text[start..at]);
                start = at + 1;
                is_sql = is_statement(&text[start..]);
            }
            (None, '"' | '\'')
                if is_sql
                    || previous.is_whitespace()
                    || previous == ':'
                    || text[..at].ends_with(":=") =>
            {
                quote = Some(c);
            }
            (Some(open), _) if c == open && !escaped => quote = None,
            _ => {}
        }
        escaped = quote.is_some() && c == '\\' && !escaped && !is_sql;
        previous = c;
    }
    ops.push(&text[start..]);
    let ops = ops.into_iter().map(str::trim).filter(|op| !op.is_empty());
    ops.map(str::to_owned).collect()
}

/// The bytes of a statement that show that it is one.
const SHOWS: usize = 300;

/// Whether a text begins with a statement that writes.
fn is_statement(text: &str) -> bool {
    let text = text.trim_start();
    let end = text.floor_char_boundary(SHOWS.min(text.len()));
    text.get(..end).is_some_and(is_write)
}
