//! Statements that write, parsed as far as needed to ask SQLite for their rows and values.

use super::error::Fault;
use super::lex::{self, Kind, Token};
use crate::diag::Span;

/// A statement that writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// `UPDATE TABLE SET COLUMN = EXPR, … [FROM …] [WHERE …]`
    Update {
        /// The table.
        table: String,
        /// The columns, each with its expression and the expression's place.
        sets: Vec<(String, Span)>,
        /// The question for the rows and their new values.
        sql: String,
    },
    /// `DELETE FROM TABLE [WHERE …]`
    Delete {
        /// The table.
        table: String,
        /// The question for the rows.
        sql: String,
    },
    /// `INSERT INTO TABLE(COLUMN, …) VALUES … | SELECT …`
    Insert {
        /// The table.
        table: String,
        /// The columns.
        columns: Vec<String>,
        /// The question for the values of the new rows.
        sql: String,
    },
}

/// Returns whether a text is a question: `SELECT …`, `VALUES …`, or `WITH …` before one.
pub(crate) fn is_question(text: &str) -> bool {
    if !begins(text, &["select", "with"]) {
        return false;
    }
    let tokens = lex::tokens(text);
    let Some(first) = tokens.first() else {
        return false;
    };
    first.is(text, "SELECT") && tokens.len() > 1
        || first.is(text, "WITH")
            && lex::main(text, &tokens).is_some_and(|at| tokens[at].is(text, "SELECT"))
}

/// Returns whether a text is a statement that writes, rather than an op of a domain with the same
/// first word.
pub(crate) fn is_write(text: &str) -> bool {
    if !begins(text, &["delete", "insert", "replace", "update", "with"]) {
        return false;
    }
    let tokens = lex::tokens(text);
    let is = |at: usize, word: &str| {
        tokens
            .get(at)
            .is_some_and(|token: &Token| token.is(text, word))
    };
    let named = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Name))
    };
    match tokens.first() {
        Some(first) if first.is(text, "WITH") => {
            lex::main(text, &tokens).is_some_and(|at| !tokens[at].is(text, "SELECT"))
        }
        _ => {
            is(0, "DELETE") && is(1, "FROM")
                || is(0, "INSERT") && (is(1, "INTO") || is(1, "OR"))
                || is(0, "REPLACE") && is(1, "INTO")
                || is(0, "UPDATE")
                    && (is(1, "OR")
                        || named(1) && tokens.iter().skip(2).any(|token| token.is(text, "SET")))
        }
    }
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
pub(crate) fn without_comments(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let rest = match text.strip_prefix("--") {
            Some(rest) => rest.split_once('\n').or(Some((rest, ""))),
            None => text
                .strip_prefix("/*")
                .and_then(|rest| rest.split_once("*/")),
        };
        match rest {
            Some((_, rest)) => text = rest.trim_start(),
            None => return text,
        }
    }
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
    while tokens
        .last()
        .is_some_and(|token| token.kind == Kind::Mark(';'))
    {
        tokens.pop();
    }
    if tokens.iter().any(|token| token.kind == Kind::Mark(';')) {
        return Err(Fault::new(
            "there is more than one statement; send queries with ?, and each op as its own",
        ));
    }
    super::whole::balanced(text, &tokens).map_err(|error| Fault::new(error.about("")))?;
    let start = match tokens.first() {
        Some(first) if first.is(text, "WITH") => lex::main(text, &tokens).unwrap_or(0),
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
    for word in ["RETURNING", "CONFLICT"] {
        if let Some(token) = reader.top(word) {
            let span = token.span;
            return Err(Fault::new(format!("{} is not supported", span.of(text))));
        }
    }
    match reader.tokens.first() {
        Some(first) if first.is(text, "UPDATE") => reader.update(),
        Some(first) if first.is(text, "DELETE") => reader.delete(),
        _ => reader.insert(),
    }
}

/// The condition of a statement that writes, if it has one.
pub(crate) fn condition(text: &str) -> Option<String> {
    let tokens = lex::tokens(text);
    let own = |token: &&Token| token.depth == 0 && token.is(text, "WHERE");
    let start = tokens.iter().find(own)?.span.end;
    let condition = text.get(start..)?.trim().trim_end_matches(';');
    Some(condition.trim_end().to_owned())
}

/// The main part of a statement, after common tables.
struct Reader<'s> {
    text: &'s str,
    tokens: &'s [Token],
    with: &'s str,
}

impl Reader<'_> {
    /// The first occurrence of a keyword outside brackets.
    fn top(&self, word: &str) -> Option<Token> {
        let mut own = self.tokens.iter().filter(|token| token.depth == 0);
        own.find(|token| token.is(self.text, word)).copied()
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.is(self.text, word))
    }

    /// The table at a token: its name, the name that the question uses, and the index of the next
    /// token.
    fn table(&self, at: usize) -> Result<(String, String, usize), Fault> {
        let name = self.tokens.get(at).and_then(|token| token.name(self.text));
        let name = name.ok_or_else(|| Fault::new("the name of a table is missing"))?;
        let next = at + 1;
        if self.is(next, "AS") {
            let alias = self
                .tokens
                .get(next + 1)
                .and_then(|token| token.name(self.text));
            let alias = alias.ok_or_else(|| Fault::new("the name after AS is missing"))?;
            return Ok((name, alias, next + 2));
        }
        // AS may be left out before the next keyword.
        if let Some(token) = self.tokens.get(next)
            && token.kind == Kind::Word
            && ["SET", "WHERE"].iter().any(|word| self.is(next + 1, word))
        {
            return Ok((name, token.span.of(self.text).to_owned(), next + 1));
        }
        Ok((name.clone(), name, next))
    }

    fn from(&self, name: &str, alias: &str) -> String {
        match name == alias {
            true => lex::name(name),
            false => format!("{} AS {}", lex::name(name), lex::name(alias)),
        }
    }

    /// The text from one token to another, or to the end.
    fn between(&self, start: usize, end: Option<usize>) -> &str {
        let start = self
            .tokens
            .get(start)
            .map_or(self.text.len(), |token| token.span.start);
        let end = end
            .and_then(|end| self.tokens.get(end))
            .map_or(self.text.len(), |token| token.span.start);
        self.text.get(start..end).unwrap_or("").trim()
    }

    /// The index of a keyword outside brackets, from a token on.
    fn find(&self, from: usize, word: &str) -> Option<usize> {
        let mut own = self.tokens.iter().enumerate().skip(from);
        own.find(|(_, token)| token.depth == 0 && token.is(self.text, word))
            .map(|(at, _)| at)
    }

    fn update(&self) -> Result<Write, Fault> {
        if self.is(1, "OR") {
            return Err(Fault::new(
                "UPDATE OR … is not supported; a value that does not fit fails the op",
            ));
        }
        let (table, alias, at) = self.table(1)?;
        if !self.is(at, "SET") {
            return Err(Fault::new(format!(
                "UPDATE {table} needs SET COLUMN = VALUE"
            )));
        }
        for word in ["ORDER", "LIMIT"] {
            if self.find(at, word).is_some() {
                return Err(Fault::new(format!(
                    "UPDATE takes no {word}; choose rows by WHERE ref IN (SELECT ref FROM {table} …)"
                )));
            }
        }
        let filter = self.find(at, "WHERE");
        let from = self
            .find(at, "FROM")
            .filter(|from| filter.is_none_or(|filter| *from < filter));
        let end = from.or(filter).unwrap_or(self.tokens.len());
        let mut sets = Vec::new();
        for (start, stop) in self.commas(at + 1, end) {
            self.assignment((start, stop), &table, &mut sets)?;
        }
        let own = lex::name(&alias);
        let mut sql = format!("{}SELECT {own}.rowid", self.with);
        for (column, span) in &sets {
            sql.push_str(&format!(
                ", {own}.{}, ({})",
                lex::name(column),
                span.of(self.text)
            ));
        }
        sql.push_str(&format!(" FROM {}", self.from(&table, &alias)));
        if let Some(from) = from {
            sql.push_str(&format!(", {}", self.between(from + 1, filter)));
        }
        if let Some(filter) = filter {
            sql.push_str(&format!(" WHERE {}", self.between(filter + 1, None)));
        }
        Ok(Write::Update { table, sets, sql })
    }

    /// The ranges between commas outside brackets.
    fn commas(&self, start: usize, end: usize) -> Vec<(usize, usize)> {
        let depth = self.tokens.get(start).map_or(0, |token| token.depth);
        let (mut parts, mut from) = (Vec::new(), start);
        for at in start..end {
            let token = self.tokens.get(at);
            if token.is_some_and(|token| token.depth == depth && token.kind == Kind::Mark(',')) {
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
        let wrong = || Fault::new(format!("SET of {table} takes COLUMN = VALUE, …"));
        let span = |from: usize, to: usize| {
            let first = self
                .tokens
                .get(from)
                .filter(|_| from < to)
                .ok_or_else(wrong)?;
            let last = self.tokens.get(to - 1).ok_or_else(wrong)?;
            Ok(Span::new(first.span.start, last.span.end))
        };
        let mark = |at: usize, mark: char| {
            self.tokens
                .get(at)
                .is_some_and(|token| token.kind == Kind::Mark(mark))
        };
        let mut columns = Vec::new();
        let equals = if mark(start, '(') {
            let close = (start..end).find(|at| mark(*at, ')')).ok_or_else(wrong)?;
            for (from, to) in self.commas(start + 1, close) {
                let name = self.tokens.get(from).filter(|_| to == from + 1);
                columns.push(
                    name.and_then(|token| token.name(self.text))
                        .ok_or_else(wrong)?,
                );
            }
            close + 1
        } else {
            let name = self
                .tokens
                .get(start)
                .and_then(|token| token.name(self.text));
            columns.push(name.ok_or_else(wrong)?);
            start + 1
        };
        if mark(equals, ':') && mark(equals + 1, '=') {
            let from = self.tokens.get(equals).ok_or_else(wrong)?.span;
            return Err(
                Fault::new("UPDATE takes =, not :=").fix(Span::new(from.start, from.end), "")
            );
        }
        let sign = self.tokens.get(equals).filter(|sign| {
            matches!(sign.kind, Kind::Mark('+' | '-' | '*' | '/')) && mark(equals + 1, '=')
        });
        if let (Some(sign), Some(column)) = (sign, self.tokens.get(start)) {
            let value = span(equals + 2, end)?;
            let whole = Span::new(sign.span.start, value.end);
            let sign = sign.span.of(self.text);
            let value = value.of(self.text);
            let value = match end - (equals + 2) {
                1 => value.to_owned(),
                _ => format!("({value})"),
            };
            let fix = format!("={}{sign}{value}", column.span.of(self.text));
            return Err(wrong().fix(whole, fix));
        }
        if !mark(equals, '=') {
            return Err(wrong());
        }
        let value = equals + 1;
        if columns.len() == 1 {
            let column = columns.pop().ok_or_else(wrong)?;
            return add(sets, column, span(value, end)?);
        }
        let is_list = mark(value, '(') && mark(end - 1, ')') && !self.is(value + 1, "SELECT");
        if !is_list {
            return Err(Fault::new(
                "several columns take a list of values: SET (a, b) = (1, 2)",
            ));
        }
        let values = self.commas(value + 1, end - 1);
        if values.len() != columns.len() {
            return Err(Fault::new(format!(
                "{} columns have {} values",
                columns.len(),
                values.len()
            )));
        }
        for (column, (from, to)) in columns.into_iter().zip(values) {
            add(sets, column, span(from, to)?)?;
        }
        Ok(())
    }

    fn delete(&self) -> Result<Write, Fault> {
        if !self.is(1, "FROM") {
            return Err(Fault::new("DELETE needs FROM TABLE"));
        }
        let (table, alias, at) = self.table(2)?;
        let rest = self.between(at, None);
        if !rest.is_empty() && !self.is(at, "WHERE") {
            return Err(Fault::new(format!(
                "DELETE FROM {table} takes WHERE CONDITION"
            )));
        }
        for word in ["ORDER", "LIMIT"] {
            if self.find(at, word).is_some() {
                return Err(Fault::new(format!(
                    "DELETE takes no {word}; choose rows by WHERE ref IN (SELECT …)"
                )));
            }
        }
        let own = lex::name(&alias);
        let sql = format!(
            "{}SELECT {own}.rowid FROM {} {rest}",
            self.with,
            self.from(&table, &alias)
        );
        Ok(Write::Delete { table, sql })
    }

    fn insert(&self) -> Result<Write, Fault> {
        if !self.is(0, "INSERT") || !self.is(1, "INTO") {
            return Err(Fault::new(
                "rows are added by INSERT INTO TABLE(COLUMN, …) VALUES (…)",
            ));
        }
        let (table, _, at) = self.table(2)?;
        let open = self
            .tokens
            .get(at)
            .is_some_and(|token| token.kind == Kind::Mark('('));
        let close = (at..self.tokens.len()).find(|at| {
            self.tokens
                .get(*at)
                .is_some_and(|token| token.kind == Kind::Mark(')') && token.depth == 0)
        });
        let (true, Some(close)) = (open, close) else {
            return Err(Fault::new(format!(
                "INSERT INTO {table} needs its columns: INSERT INTO {table}(COLUMN, …)"
            )));
        };
        let mut columns = Vec::new();
        for (from, _) in self.commas(at + 1, close) {
            let name = self
                .tokens
                .get(from)
                .and_then(|token| token.name(self.text));
            columns.push(name.ok_or_else(|| Fault::new("a column's name is missing"))?);
        }
        let rest = self.between(close + 1, None);
        let first = close + 1;
        if !["VALUES", "SELECT", "WITH"]
            .iter()
            .any(|word| self.is(first, word))
        {
            return Err(Fault::new(format!(
                "INSERT INTO {table}(…) needs VALUES (…) or SELECT …"
            )));
        }
        let sql = format!("{}{rest}", self.with);
        Ok(Write::Insert {
            table,
            columns,
            sql,
        })
    }
}

fn add(sets: &mut Vec<(String, Span)>, column: String, span: Span) -> Result<(), Fault> {
    if sets
        .iter()
        .any(|(own, _)| own.eq_ignore_ascii_case(&column))
    {
        return Err(Fault::new(format!("{column} is set twice")));
    }
    sets.push((column, span));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(text: &str) -> String {
        match read(text) {
            Ok(
                Write::Update { sql, .. } | Write::Delete { sql, .. } | Write::Insert { sql, .. },
            ) => sql,
            Err(fault) => fault.message().to_owned(),
        }
    }

    #[test]
    fn writes_become_questions() {
        for (text, expected) in [
            (
                "UPDATE notes SET vel=round(vel*0.8), dur = max(1, dur) WHERE bar IN (1,2)",
                r#"SELECT "notes".rowid, "notes"."vel", (round(vel*0.8)), "notes"."dur", (max(1, dur)) FROM "notes" WHERE bar IN (1,2)"#,
            ),
            (
                "update notes as n set (a, b) = (n.b, 'x, y') from tracks t where t.track = n.track;",
                r#"SELECT "n".rowid, "n"."a", (n.b), "n"."b", ('x, y') FROM "notes" AS "n", tracks t WHERE t.track = n.track"#,
            ),
            ("DELETE FROM notes", r#"SELECT "notes".rowid FROM "notes" "#),
            (
                "WITH q AS (SELECT 1 AS a) DELETE FROM notes WHERE a IN q",
                r#"WITH q AS (SELECT 1 AS a) SELECT "notes".rowid FROM "notes" WHERE a IN q"#,
            ),
            (
                "INSERT INTO notes(a, \"b\") VALUES (1, 2), (3, 4)",
                "VALUES (1, 2), (3, 4)",
            ),
            ("UPDATE notes SET a=1, A=2", "A is set twice"),
            (
                "UPDATE notes SET a=1 LIMIT 1",
                "UPDATE takes no LIMIT; choose rows by WHERE ref IN (SELECT ref FROM notes …)",
            ),
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
