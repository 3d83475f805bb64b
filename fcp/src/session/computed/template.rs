//! The template of `each`: an op with `{column}`, and the values in it, quoted as their place needs.

use crate::domain::Domain;
use crate::op::{quote, quote_value};
use crate::sql::{Table, as_literal, nearest_column};
use crate::value::{Cell, nearest_word};
use crate::verb::{is_odd_name, qualified};

/// A part of a template.
pub(super) enum Piece {
    /// Literal text.
    Text(String),
    /// The value of a column.
    Value(Value),
}

/// The value of a column, spelled as its place needs it.
pub(super) struct Value {
    column: usize,
    place: Place,
    /// Whether the column is `ref`, whose values are ids where names would not do.
    is_ref: bool,
}

/// The position of a value in the op.
pub(super) enum Place {
    /// In these quotes, as a text or part of one.
    Quoted(char, Inner),
    /// After `key:`, or after the colon of a selector.
    Key,
    /// After `key:=`.
    Expr,
    /// A separate word.
    Word,
    /// Part of a word, with the name of the column and the text before it in the word.
    Part(String, String),
    /// In an SQL statement, in these quotes or in none.
    Sql(Option<char>),
}

/// The language of a quoted text.
pub(super) enum Inner {
    /// A plain text.
    Plain,
    /// SQL, in these quotes of its own or in none.
    Sql(Option<char>),
    /// Source text that an op of this verb takes, and the text before the value.
    Source(String, String),
}

/// A template as it is read.
struct Reading<'t> {
    template: &'t str,
    /// The first word, if it is literal.
    verb: &'t str,
    is_sql: bool,
    /// The open quote of the op or the statement, and the index of the text in it.
    quote: Option<(char, usize)>,
    /// Whether the quoted text is SQL, and the open quote in it.
    inner: Option<Option<char>>,
    /// The index of the first character of the current word.
    word: usize,
}

/// The parts of a template.
pub(super) fn pieces<M: Domain>(
    tables: &[Table<M>],
    template: &str,
    columns: &[String],
) -> Result<Vec<Piece>, (String, Option<String>)> {
    let mut reading = Reading {
        template,
        verb: template.split_whitespace().next().unwrap_or_default(),
        is_sql: crate::sql::write_statement::is_write(template),
        quote: None,
        inner: None,
        word: 0,
    };
    let (mut pieces, mut text) = (Vec::new(), String::new());
    let mut at = 0;
    while let Some(rest) = template.get(at..).filter(|rest| !rest.is_empty()) {
        let c = rest.chars().next().unwrap_or_default();
        let twice = rest.starts_with("{{") || rest.starts_with("}}");
        if c == '{' && !twice {
            let (name, _) = rest[1..]
                .split_once('}')
                .ok_or_else(|| ("a { is not closed; {{ is a brace".to_owned(), None))?;
            let column = column(tables, template, name, columns)?;
            let end = at + name.len() + 2;
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(Piece::Value(Value {
                column,
                place: reading.place::<M>(name, at, end),
                is_ref: name.trim().eq_ignore_ascii_case("ref"),
            }));
            at = end;
            continue;
        }
        text.push(c);
        at += match (twice, c) {
            (true, _) => 2,
            (_, '\\') if reading.quote.is_some() && !reading.is_sql => {
                let escaped = rest[1..].chars().next();
                text.extend(escaped);
                1 + escaped.map_or(0, char::len_utf8)
            }
            _ => {
                reading.pass(c, at);
                c.len_utf8()
            }
        };
    }
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

/// The index of a column.
fn column<M: Domain>(
    tables: &[Table<M>],
    template: &str,
    name: &str,
    columns: &[String],
) -> Result<usize, (String, Option<String>)> {
    let own = |column: &String| column.eq_ignore_ascii_case(name.trim());
    columns.iter().position(own).ok_or_else(|| {
        let own = tables.iter().flat_map(|table| &table.columns);
        let own = nearest_column(name, own.filter(|own| columns.contains(&own.name)));
        let near = own.or_else(|| nearest_word(name, columns.iter().map(String::as_str)));
        let fix = near.map(|near| template.replace(&format!("{{{name}}}"), &format!("{{{near}}}")));
        let list = columns.join(", ");
        let message = format!("the question has no column {name} (columns: {list})");
        (message, fix)
    })
}

impl Reading<'_> {
    /// Passes a character that is not escaped.
    fn pass(&mut self, c: char, at: usize) {
        let before = self.template.get(..at).unwrap_or_default();
        let previous = before.chars().next_back().unwrap_or(' ');
        match (self.quote, c) {
            (Some((mark, _)), _) if mark == c => (self.quote, self.inner) = (None, None),
            (Some(_), '"' | '\'') => match &mut self.inner {
                Some(Some(mark)) if *mark == c => self.inner = Some(None),
                Some(inner @ None) => *inner = Some(c),
                _ => {}
            },
            (None, '"' | '\'')
                if self.is_sql || previous.is_whitespace() || matches!(previous, ':' | '=') =>
            {
                self.quote = Some((c, at + 1));
                let word = self.template.get(self.word..at).unwrap_or_default();
                let is_sql = word.ends_with(":=") || is_condition(word);
                self.inner = (is_sql && !self.is_sql).then_some(None);
            }
            (None, c) if c.is_whitespace() => self.word = at + c.len_utf8(),
            _ => {}
        }
    }

    /// The place of a value between two indices of the template.
    fn place<M: Domain>(&self, name: &str, start: usize, end: usize) -> Place {
        let rest = self.template.get(end..).unwrap_or_default();
        let next = rest.chars().next();
        if self.is_sql {
            return Place::Sql(self.quote.map(|(mark, _)| mark));
        }
        if let Some((mark, open)) = self.quote {
            // A whole source may be in a value; a part of one is a text.
            let is_whole = open == start && next == Some(mark);
            let before = self.template.get(open..start).unwrap_or_default();
            let verb = self.verb.to_lowercase();
            let inner = match self.inner {
                Some(quote) => Inner::Sql(quote),
                None if !is_whole && M::in_source(&verb, before, "").is_some() => {
                    Inner::Source(verb, before.to_owned())
                }
                None => Inner::Plain,
            };
            return Place::Quoted(mark, inner);
        }
        let before = self.template.get(self.word..start).unwrap_or_default();
        match next.is_none_or(char::is_whitespace) {
            true if before.is_empty() => Place::Word,
            true if before.ends_with(":=") => Place::Expr,
            true if before.ends_with(':') => Place::Key,
            _ => Place::Part(name.to_owned(), before.to_owned()),
        }
    }
}

/// Whether a quote after this begins a condition of SQL.
fn is_condition(word: &str) -> bool {
    let word = word.strip_prefix('@').unwrap_or_default().to_lowercase();
    word.strip_prefix("not:").unwrap_or(&word) == "where:"
}

/// The op for a row; `None` if one of its values is NULL.
///
/// # Errors
/// A value would not stay in the word it is part of.
pub(super) fn filled<M: Domain>(
    model: &M,
    pieces: &[Piece],
    cells: &[Cell],
) -> Result<Option<String>, String> {
    let mut text = String::new();
    for piece in pieces {
        let own = match piece {
            Piece::Text(own) => {
                text.push_str(own);
                continue;
            }
            Piece::Value(own) => own,
        };
        let cell = cells.get(own.column).unwrap_or(&Cell::Null);
        let Some(word) = cell.word() else {
            return Ok(None);
        };
        text.push_str(&match &own.place {
            Place::Quoted(mark, inner) => {
                let source = match inner {
                    Inner::Plain => None,
                    Inner::Sql(quote) => Some(in_sql(cell, &word, *quote)),
                    Inner::Source(verb, before) => M::in_source(verb, before, &word),
                };
                escaped(source.as_deref().unwrap_or(&word), *mark).into()
            }
            Place::Key | Place::Word
                if is_several(&word) || !own.is_ref && is_odd_name(model, &word) =>
            {
                force_quote(&word).into()
            }
            Place::Key => quote_value(&word).into_owned().into(),
            Place::Word => match qualified::<M>(&word).filter(|_| own.is_ref) {
                Some(named) => named.into(),
                None => quote(&word).into_owned().into(),
            },
            Place::Expr if matches!(cell, Cell::Text(_)) => {
                force_quote(&in_sql(cell, &word, None)).into()
            }
            Place::Expr => word,
            Place::Part(_, before) if stays(before, &word) => word,
            Place::Part(name, _) => {
                let shown: String = word.chars().take(60).collect();
                let shown = crate::reply::one_line(&shown).into_owned();
                return Err(format!(
                    "{{{name}}} is part of a word, where {shown:?} would be read as more than a text; put quotes around the whole"
                ));
            }
            Place::Sql(quote) => in_sql(cell, &word, *quote).into(),
        });
    }
    Ok(Some(text))
}

/// Whether a text could be read as several names, or as all rows.
fn is_several(word: &str) -> bool {
    word == "*" || word.contains(['|', ','])
}

/// Whether a value stays a part of its word, and the word what it is.
fn stays(before: &str, word: &str) -> bool {
    let breaks = |c: char| c.is_whitespace() || c.is_control();
    let begins = before.is_empty() || before.ends_with([':', '=']);
    let is_several = before.starts_with('@') && is_several(word);
    let is_quoted = begins && word.starts_with(['"', '\'', '@', '=']);
    let is_param = !before.contains(':') && word.contains(':');
    !(word.contains(breaks) || is_quoted || is_param || is_several)
}

/// A value in SQL, in quotes or outside of them.
fn in_sql(cell: &Cell, word: &str, quote: Option<char>) -> String {
    match (quote, cell) {
        (Some(mark), _) => word.replace(mark, &format!("{mark}{mark}")),
        (None, Cell::Text(text)) => as_literal(text),
        (None, _) => word.to_owned(),
    }
}

/// A text between quotes of an op.
fn escaped(text: &str, mark: char) -> String {
    let text = text.replace('\\', "\\\\");
    text.replace(mark, &format!("\\{mark}"))
}

/// A text in quotes.
pub(super) fn force_quote(text: &str) -> String {
    format!("\"{}\"", escaped(text, '"'))
}
