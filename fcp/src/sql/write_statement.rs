//! Statements that write, parsed as far as needed to ask SQLite for their rows and values.

use super::error::Fault;
use super::lex::{self, Kind, Token};
use crate::diag::Span;

/// A statement that writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Write {
    /// The table.
    pub table: String,
    /// Its effect.
    pub act: Act,
    /// The question for the rows and their new values, or for the values of new rows.
    pub sql: String,
}

/// The effect of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// `UPDATE TABLE SET COLUMN = EXPR, … [FROM …] [WHERE …]`: the columns, each with its
    /// expression's place.
    Update(Vec<(String, Span)>),
    /// `DELETE FROM TABLE [WHERE …]`
    Delete,
    /// `INSERT INTO TABLE(COLUMN, …) VALUES … | SELECT …`: the columns.
    Insert(Vec<String>),
}

/// Returns whether a text is a question: `SELECT …`, `VALUES …`, or `WITH …` before one.
pub(crate) fn is_question(text: &str) -> bool {
    if !begins(text, &["select", "with"]) {
        return false;
    }
    let tokens = lex::tokens(text);
    match tokens.as_slice() {
        [first, _, ..] if first.is("SELECT") => true,
        [first, ..] if first.is("WITH") => main(&tokens).is_some_and(|own| own.is("SELECT")),
        _ => false,
    }
}

/// Returns whether a text is a statement that writes, rather than an op of a domain with the same
/// first word.
pub(crate) fn is_write(text: &str) -> bool {
    if !begins(text, &["delete", "insert", "replace", "update", "with"]) {
        return false;
    }
    let tokens = lex::tokens(text);
    match tokens.as_slice() {
        [first, ..] if first.is("WITH") => main(&tokens).is_some_and(|own| !own.is("SELECT")),
        [first, next, rest @ ..] => {
            first.is("DELETE") && next.is("FROM")
                || first.is("INSERT") && next.is_any(&["INTO", "OR"])
                || first.is("REPLACE") && next.is("INTO")
                || first.is("UPDATE") && next.is("OR")
                || first.is("UPDATE")
                    && matches!(next.kind, Kind::Word | Kind::Name)
                    && rest.iter().any(|token| token.is("SET"))
        }
        _ => false,
    }
}

/// The main keyword in a statement with common tables.
fn main<'t>(tokens: &'t [Token<'_>]) -> Option<&'t Token<'t>> {
    tokens.get(lex::main(tokens)?)
}

/// The statements of a text, if it has several and all of them write or all of them ask; otherwise
/// the whole text.
pub(crate) fn statements(text: &str) -> Vec<&str> {
    if !text.contains(';') || !(is_write(text) || is_question(text)) {
        return vec![text];
    }
    let tokens = lex::tokens(text);
    let is_end = |token: &&Token| token.depth == 0 && token.kind == Kind::Mark(';');
    let ends = tokens.iter().filter(is_end).map(|token| token.span);
    let (mut parts, mut from) = (Vec::new(), 0);
    for end in ends.chain([Span::new(text.len(), text.len())]) {
        let part = text.get(from..end.start).unwrap_or_default().trim();
        if !lex::tokens(part).is_empty() {
            parts.push(part);
        }
        from = end.end;
    }
    let all_write = parts.iter().all(|part| is_write(part));
    match all_write || parts.iter().all(|part| is_question(part)) {
        true => parts,
        false => vec![text],
    }
}

/// A text without the comments of SQL that it begins with.
pub(crate) fn without_comments<'t>(text: &'t str) -> &'t str {
    let comment = |text: &'t str| match text.strip_prefix("--") {
        Some(rest) => rest.split_once('\n').or(Some((rest, ""))),
        None => text.strip_prefix("/*")?.split_once("*/"),
    };
    let mut text = text.trim_start();
    while let Some((_, rest)) = comment(text) {
        text = rest.trim_start();
    }
    text
}

/// Returns whether a text begins with one of these words. Most texts do not, and are not read
/// further.
fn begins(text: &str, words: &[&str]) -> bool {
    let text = without_comments(text);
    words.iter().any(|word| {
        let first = text
            .get(..word.len())
            .is_some_and(|first| first.eq_ignore_ascii_case(word));
        first && text[word.len()..].starts_with(|c: char| !c.is_alphanumeric() && c != '_')
    })
}

/// Parses a statement that writes.
pub(crate) fn read(text: &str) -> Result<Write, Fault> {
    let mut tokens = lex::tokens(text);
    while tokens.pop_if(|token| token.is_mark(';')).is_some() {}
    if tokens.iter().any(|token| token.is_mark(';')) {
        return refuse(
            "there is more than one statement; send queries with ?, and each op as its own",
        );
    }
    super::whole_expression::balanced(text, &tokens)
        .map_err(|error| Fault::new(error.about("")))?;
    let start = match tokens.first() {
        Some(first) if first.is("WITH") => lex::main(&tokens).unwrap_or(0),
        _ => 0,
    };
    let with = tokens
        .get(start)
        .map_or("", |token| text.get(..token.span.start).unwrap_or(""));
    let end = tokens.last().map_or(0, |token| token.span.end);
    let reader = Reader {
        text: text.get(..end).unwrap_or(text),
        tokens: tokens.get(start..).unwrap_or_default(),
        with,
    };
    for (word, before) in [("RETURNING", 1), ("CONFLICT", 2)] {
        if let Some(at) = reader.find(before, word) {
            let rest = Span::new(reader.tokens[at - before].span.end, text.len());
            // The row that is there takes the new value in any case, as by DO UPDATE.
            let is_same = reader.find(at, "NOTHING").is_none();
            let fix = is_same.then(|| (rest, String::new()));
            return Err(Fault::new(format!("{word} is not supported")).maybe_fix(fix));
        }
    }
    match reader.tokens.first() {
        Some(first) if first.is("UPDATE") => reader.update(),
        Some(first) if first.is("DELETE") => reader.delete(),
        _ => reader.insert(),
    }
}

/// The condition of a statement that writes, if it has one.
pub(crate) fn condition(text: &str) -> Option<String> {
    let tokens = lex::tokens(text);
    let own = |token: &&Token<'_>| token.depth == 0 && token.is("WHERE");
    let start = tokens.iter().find(own)?.span.end;
    let condition = text.get(start..)?.trim().trim_end_matches(';');
    Some(condition.trim_end().to_owned())
}

/// The main part of a statement, after common tables.
struct Reader<'s> {
    text: &'s str,
    tokens: &'s [Token<'s>],
    with: &'s str,
}

impl Reader<'_> {
    fn is(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(word))
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark(mark))
    }

    /// The name at a token.
    fn name(&self, at: usize, missing: impl Into<String>) -> Result<String, Fault> {
        let name = self.tokens.get(at).and_then(|token| token.name());
        name.ok_or_else(|| Fault::new(missing))
    }

    /// The table at a token: its name, the name that the question uses, and the index of the next
    /// token.
    fn table(&self, at: usize) -> Result<(String, String, usize), Fault> {
        let at = at + 2 * usize::from(self.is(at, "main") && self.is_mark(at + 1, '.'));
        let name = self.name(at, "the name of a table is missing")?;
        let next = at + 1;
        if self.is(next, "AS") {
            let alias = self.name(next + 1, "the name after AS is missing")?;
            return Ok((name, alias, next + 2));
        }
        // AS may be left out before the next keyword.
        match self.tokens.get(next..) {
            Some([alias, end, ..]) if alias.kind == Kind::Word && end.is_any(&["SET", "WHERE"]) => {
                Ok((name, alias.text.to_owned(), next + 1))
            }
            _ => Ok((name.clone(), name, next)),
        }
    }

    /// The text from one token to another, or to the end.
    fn between(&self, start: usize, end: Option<usize>) -> &str {
        let place = |at: usize| self.tokens.get(at).map(|token| token.span.start);
        let whole = self.text.len();
        let start = place(start).unwrap_or(whole);
        let end = end.and_then(place).unwrap_or(whole);
        self.text.get(start..end).unwrap_or("").trim()
    }

    /// The index of a keyword outside brackets, from a token on.
    fn find(&self, from: usize, word: &str) -> Option<usize> {
        let mut own = self.tokens.iter().enumerate().skip(from);
        let found = own.find(|(_, token)| token.depth == 0 && token.is(word));
        found.map(|(at, _)| at)
    }

    /// Rejects clauses that choose rows by their number; the repair does so in a question.
    fn unordered(&self, from: usize, table: &str) -> Result<(), Fault> {
        let mut words = ["ORDER", "LIMIT"].into_iter();
        let Some(first) = words.find_map(|word| self.find(from, word)) else {
            return Ok(());
        };
        let start = self.find(from, "WHERE").unwrap_or(first);
        let (verb, word) = (self.tokens[0].text, self.tokens[first].text);
        let rest = Span::new(self.tokens[start].span.start, self.text.len());
        let rows = format!(
            "WHERE rowid IN (SELECT rowid FROM {table} {})",
            rest.of(self.text)
        );
        let message = format!("{verb} takes no {word}; a SELECT in its WHERE does");
        Err(Fault::new(message).fix(rest, rows))
    }

    fn update(&self) -> Result<Write, Fault> {
        if let [update, or, word, ..] = self.tokens
            && or.is("OR")
        {
            let fault = Fault::new("a value that does not fit fails the op; UPDATE takes no OR");
            return Err(fault.fix(update.span.to(word.span), "UPDATE"));
        }
        let (table, alias, at) = self.table(1)?;
        if !self.is(at, "SET") {
            return refuse(format!("UPDATE {table} needs SET COLUMN = VALUE"));
        }
        self.unordered(at, &table)?;
        let filter = self.find(at, "WHERE");
        let from = self
            .find(at, "FROM")
            .filter(|from| filter.is_none_or(|filter| *from < filter));
        let end = from.or(filter).unwrap_or(self.tokens.len());
        let mut sets = Vec::new();
        for part in self.commas(at + 1, end) {
            self.assignment(part, &table, &mut sets)?;
        }
        let own = lex::name(&alias);
        let mut sql = format!("{}SELECT {own}.rowid", self.with);
        for (column, span) in &sets {
            let (column, value) = (lex::name(column), span.of(self.text));
            sql.push_str(&format!(", {own}.{column}, ({value})"));
        }
        sql.push_str(&format!(" FROM {} AS {own}", lex::name(&table)));
        if let Some(from) = from {
            sql.push_str(&format!(", {}", self.between(from + 1, filter)));
        }
        if let Some(filter) = filter {
            sql.push_str(&format!(" WHERE {}", self.between(filter + 1, None)));
        }
        let act = Act::Update(sets);
        Ok(Write { table, act, sql })
    }

    /// The ranges between commas outside brackets.
    fn commas(&self, start: usize, end: usize) -> Vec<(usize, usize)> {
        let depth = self.tokens.get(start).map_or(0, |token| token.depth);
        let (mut parts, mut from) = (Vec::new(), start);
        for at in start..end {
            if self.is_mark(at, ',') && self.tokens[at].depth == depth {
                parts.push((from, at));
                from = at + 1;
            }
        }
        parts.push((from, end));
        parts
    }

    /// `COLUMN = EXPR`, or `(COLUMN, …) = (EXPR, …)`.
    fn assignment(
        &self,
        (start, end): (usize, usize),
        table: &str,
        sets: &mut Vec<(String, Span)>,
    ) -> Result<(), Fault> {
        // The name of the table may be before the column.
        let start = start + 2 * usize::from(self.is_mark(start + 1, '.'));
        let form = format!("SET of {table} takes COLUMN = VALUE, …");
        let wrong = || Fault::new(&*form);
        let span = |from: usize, to: usize| {
            let own = self.tokens.get(from..to).unwrap_or_default();
            let ends = own.first().zip(own.last()).ok_or_else(wrong)?;
            Ok(ends.0.span.to(ends.1.span))
        };
        let (columns, equals) = if self.is_mark(start, '(') {
            let mut marks = start..end;
            let close = marks.find(|at| self.is_mark(*at, ')')).ok_or_else(wrong)?;
            let names = self.commas(start + 1, close).into_iter();
            let names = names.map(|(from, to)| match to == from + 1 {
                true => self.name(from, &*form),
                false => Err(wrong()),
            });
            (names.collect::<Result<Vec<_>, _>>()?, close + 1)
        } else {
            (vec![self.name(start, &*form)?], start + 1)
        };
        if self.is_mark(equals, ':') && self.is_mark(equals + 1, '=') {
            return Err(Fault::new("UPDATE takes =, not :=").fix(span(equals, equals + 1)?, ""));
        }
        if let Some(sign) = self.tokens.get(equals)
            && matches!(sign.kind, Kind::Mark('+' | '-' | '*' | '/'))
            && self.is_mark(equals + 1, '=')
        {
            let place = span(equals + 2, end)?;
            let value = match end - (equals + 2) {
                1 => place.of(self.text).to_owned(),
                _ => format!("({})", place.of(self.text)),
            };
            let fix = format!("={}{}{value}", self.tokens[start].text, sign.text);
            return Err(wrong().fix(sign.span.to(place), fix));
        }
        if !self.is_mark(equals, '=') {
            return Err(wrong());
        }
        let value = equals + 1;
        let values = match columns.as_slice() {
            [_] => vec![(value, end)],
            _ if self.is_mark(value, '(')
                && self.is_mark(end - 1, ')')
                && !self.is(value + 1, "SELECT") =>
            {
                self.commas(value + 1, end - 1)
            }
            _ => {
                return refuse("several columns take a list of values: SET (a, b) = (1, 2)");
            }
        };
        if values.len() != columns.len() {
            let (columns, values) = (columns.len(), values.len());
            return refuse(format!("{columns} columns have {values} values"));
        }
        for (column, (from, to)) in columns.into_iter().zip(values) {
            if sets
                .iter()
                .any(|(own, _)| own.eq_ignore_ascii_case(&column))
            {
                return refuse(format!("{column} is set twice"));
            }
            sets.push((column, span(from, to)?));
        }
        Ok(())
    }

    fn delete(&self) -> Result<Write, Fault> {
        if !self.is(1, "FROM") {
            return refuse("DELETE needs FROM TABLE");
        }
        let (table, alias, at) = self.table(2)?;
        self.unordered(at, &table)?;
        let rest = self.between(at, None);
        if !rest.is_empty() && !self.is(at, "WHERE") {
            return refuse(format!("DELETE FROM {table} takes WHERE CONDITION"));
        }
        let (own, from) = (lex::name(&alias), lex::name(&table));
        let sql = format!(
            "{}SELECT {own}.rowid FROM {from} AS {own} {rest}",
            self.with
        );
        let act = Act::Delete;
        Ok(Write { table, act, sql })
    }

    fn insert(&self) -> Result<Write, Fault> {
        if !self.is(0, "INSERT") || !self.is(1, "INTO") {
            let into = self
                .find(0, "INTO")
                .filter(|_| self.find(0, "IGNORE").is_none());
            let head = into.map(|into| self.tokens[0].span.to(self.tokens[into].span));
            let fix = head.map(|head| (head, "INSERT INTO".to_owned()));
            let fault = Fault::new("rows are added by INSERT INTO TABLE(COLUMN, …) VALUES (…)");
            return Err(fault.maybe_fix(fix));
        }
        let (table, _, at) = self.table(2)?;
        let closes = |at: &usize| self.is_mark(*at, ')') && self.tokens[*at].depth == 0;
        let close = (at..self.tokens.len()).find(closes);
        let Some(close) = close.filter(|_| self.is_mark(at, '(')) else {
            return refuse(format!(
                "INSERT INTO {table} needs its columns: INSERT INTO {table}(COLUMN, …)"
            ));
        };
        let columns = self.commas(at + 1, close).into_iter();
        let columns = columns.map(|(from, _)| self.name(from, "a column's name is missing"));
        let act = Act::Insert(columns.collect::<Result<_, _>>()?);
        let first = self.tokens.get(close + 1);
        if !first.is_some_and(|own| own.is_any(&["VALUES", "SELECT", "WITH"])) {
            return refuse(format!(
                "INSERT INTO {table}(…) needs VALUES (…) or SELECT …"
            ));
        }
        let sql = format!("{}{}", self.with, self.between(close + 1, None));
        Ok(Write { table, act, sql })
    }
}

fn refuse<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::new(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(text: &str) -> String {
        match read(text) {
            Ok(Write { sql, .. }) => sql,
            Err(fault) => fault.message.to_owned(),
        }
    }

    #[test]
    fn writes_become_questions() {
        for (text, expected) in [
            (
                "UPDATE main.notes SET notes.vel=round(vel*0.8), dur = max(1, dur) WHERE bar IN (1,2)",
                r#"SELECT "notes".rowid, "notes"."vel", (round(vel*0.8)), "notes"."dur", (max(1, dur)) FROM "notes" AS "notes" WHERE bar IN (1,2)"#,
            ),
            (
                "update notes as n set (a, b) = (n.b, 'x, y') from tracks t where t.track = n.track;",
                r#"SELECT "n".rowid, "n"."a", (n.b), "n"."b", ('x, y') FROM "notes" AS "n", tracks t WHERE t.track = n.track"#,
            ),
            (
                "DELETE FROM notes",
                r#"SELECT "notes".rowid FROM "notes" AS "notes" "#,
            ),
            (
                "WITH q AS (SELECT 1 AS a) DELETE FROM notes WHERE a IN q",
                r#"WITH q AS (SELECT 1 AS a) SELECT "notes".rowid FROM "notes" AS "notes" WHERE a IN q"#,
            ),
            (
                "INSERT INTO notes(a, \"b\") VALUES (1, 2), (3, 4)",
                "VALUES (1, 2), (3, 4)",
            ),
            ("UPDATE notes SET a=1, A=2", "A is set twice"),
            (
                "DELETE FROM notes; DELETE FROM tracks",
                "there is more than one statement; send queries with ?, and each op as its own",
            ),
            (
                "INSERT INTO notes VALUES (1)",
                "INSERT INTO notes needs its columns: INSERT INTO notes(COLUMN, …)",
            ),
        ] {
            assert_eq!(sql(text), expected, "{text}");
        }
    }

    #[test]
    fn ops_of_a_domain_are_not_writes() {
        for op in [
            "insert '<rect/>' first:g",
            "delete Paint",
            "update Paint minutes:3",
            "replace \"a\" \"b\"",
            "with me",
        ] {
            assert!(!is_write(op), "{op}");
        }
        for op in [
            "insert into a(b) values (1)",
            "Delete from a",
            "update a set b=1",
            "with c as (select 1) update a set b=1",
        ] {
            assert!(is_write(op), "{op}");
        }
        assert!(is_question("with c as (select 1) select * from c") && !is_question("select"));
    }
}
