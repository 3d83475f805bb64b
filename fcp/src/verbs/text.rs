//! `replace` and `insert`: exact source text.

use std::fmt;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::account::{Owner, Pieces};
use crate::diag::{Diagnostic, Result};
use crate::domain::{Domain, TextSite};
use crate::model::{ModelExt, Row};
use crate::op::{OpWord, ParsedOp, quote, spell_param};
use crate::queries::{line_of, show};
use crate::reply::{self, Reply, one_line};
use crate::value::{Text, ValueError, ValueSpec};
use crate::verb::{Arg, Binder, Call, FromArg, Scope, sure_name};
use crate::{bulk, changed, created, unchanged, work};

use super::replace_text;

/// The most places that an error or a reply lists.
const PLACES: usize = 6;
/// The most bytes of a text that a reply shows.
const SHOWN: usize = 60;

/// The expected number of occurrences of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// This number.
    Times(usize),
    /// Any number.
    All,
}

impl<M: Domain> FromArg<M> for Count {
    fn spec() -> ValueSpec {
        ValueSpec::new("N|all", "a number from 1, or all")
    }

    fn from_arg(arg: &Arg<'_>, _: &Scope<'_, M>) -> Result<Self, ValueError> {
        match arg.text.parse::<usize>() {
            Ok(times) if times > 0 => Ok(Self::Times(times)),
            _ if arg.text.eq_ignore_ascii_case("all") => Ok(Self::All),
            _ => Err(ValueError::new("is not a number from 1, or all").fix("all")),
        }
    }
}

/// The bytes of a text that are read or written in the time of one step.
const BYTES_A_STEP: usize = 8;

/// The source of a document, and the owner of each part.
struct Source {
    text: String,
    spans: Vec<(Owner, Range<usize>)>,
}

impl Source {
    fn of<M: Domain>(model: &M) -> Result<Self> {
        let mut pieces = Pieces::of::<M>();
        model.source(&mut pieces)?;
        work::spend(pieces.len() / BYTES_A_STEP)?;
        let mut at = 0;
        let spans = pieces.iter().map(|(owner, bytes)| {
            let start = at;
            at += bytes.len();
            (owner, start..at)
        });
        let spans = spans.collect();
        let text = String::from_utf8(pieces.content().to_vec());
        let text = text.map_err(|_| Diagnostic::new("the file is not text in UTF-8"))?;
        Ok(Self { text, spans })
    }

    /// The line ending of the file.
    fn line_end(&self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text.get(..at).is_some_and(|text| text.ends_with('\r')) => "\r\n",
            _ => "\n",
        }
    }

    /// A text with the file's line endings.
    fn spelled(&self, text: &str) -> String {
        match self.line_end() {
            "\r\n" if !text.contains('\r') => text.replace('\n', "\r\n"),
            _ => text.to_owned(),
        }
    }

    /// The text of a row, from its first piece to its last, and of the rows in it that follow.
    fn range<M: Domain>(&self, model: &M, row: Row) -> Option<Range<usize>> {
        let inside = model.rows(row.part()).map(|rows| rows.inside(row.id()));
        let inside: FxHashSet<u32> = inside.unwrap_or_default().into_iter().collect();
        let is_own = |owner: &Owner| match owner {
            Owner::Row(id) => *id == row.id() || inside.contains(id),
            _ => false,
        };
        let own = || self.spans.iter().filter(|(owner, _)| is_own(owner));
        let (first, last) = (own().next()?, own().next_back()?);
        let is_inner = |owner: &Owner| match owner {
            Owner::Row(id) => model
                .by_id(*id)
                .is_some_and(|inner| is_in(model, inner, row)),
            _ => false,
        };
        let follows = self
            .spans
            .iter()
            .skip_while(|(_, span)| span.end <= last.1.end);
        let inner = follows.take_while(|(owner, _)| is_inner(owner)).last();
        Some(first.1.start..inner.map_or(last.1.end, |(_, span)| span.end))
    }

    /// The row that a byte belongs to.
    fn row_at<M: Domain>(&self, model: &M, at: usize) -> Option<Row> {
        let ix = self.spans.partition_point(|(_, span)| span.end <= at);
        match self.spans.get(ix)? {
            (Owner::Row(id), _) => model.by_id(*id),
            _ => None,
        }
    }

    /// `line 7 (rect card)`
    fn place<M: Domain>(&self, model: &M, at: usize) -> String {
        let line = self
            .text
            .get(..at)
            .unwrap_or_default()
            .matches('\n')
            .count()
            + 1;
        let ix = self.spans.partition_point(|(_, span)| span.end <= at);
        let shown = match self.spans.get(ix) {
            Some((Owner::Row(id), _)) => show(model, *id),
            _ => None,
        };
        match shown {
            Some(shown) if shown.name.is_empty() => format!("line {line} ({})", shown.kind),
            Some(shown) => format!("line {line} ({} {})", shown.kind, shown.name),
            None => format!("line {line}"),
        }
    }
}

/// The most levels of rows in rows: parents in a circle end there.
const LEVELS: usize = 64;

/// Whether a row is in another, at any depth.
fn is_in<M: Domain>(model: &M, row: Row, outer: Row) -> bool {
    let parent = |row: &Row| {
        let parent = model.rows(row.part())?.parent(row.id())?;
        model.by_id(parent)
    };
    let rows = std::iter::successors(parent(&row), parent);
    rows.take(LEVELS).any(|own| own == outer)
}

/// `"…"`, shortened
struct Excerpt<'t>(&'t str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.floor_char_boundary(SHOWN);
        let more = if end < self.0.len() { "…" } else { "" };
        let text = self.0.get(..end).unwrap_or_default();
        let text = text.replace("\r\n", "\n").replace('\n', "\\n");
        write!(f, "\"{}{more}\"", one_line(&text))
    }
}

/// Replaces exact source text.
pub(super) fn replace<M: Domain>(model: &mut M, call: &Call<'_, M>) -> Result<Reply> {
    let mut binder = Binder::new(&*model, call);
    let (old, new) = (binder.required::<Text>(0), binder.required::<Text>(1));
    let (within, count) = (binder.optional::<Row>(2), binder.optional::<Count>(3));
    let (Some(old), Some(new), Some(within), Some(count)) = (old, new, within, count) else {
        return Err(binder.error());
    };
    if !binder.is_sound() {
        return Err(binder.error());
    }
    let source = Source::of(&*model)?;
    let (old, new) = (source.spelled(old.as_str()), source.spelled(new.as_str()));
    if old.is_empty() {
        return Err(Diagnostic::new(
            "an empty text cannot be replaced; insert adds text",
        ));
    }
    let range = match within {
        None => 0..source.text.len(),
        Some(row) => source.range(&*model, row).unwrap_or(0..0),
    };
    let looked_in = source.text.get(range.clone()).unwrap_or_default();
    let found: Vec<usize> = looked_in
        .match_indices(&old)
        .map(|(at, _)| range.start + at)
        .collect();
    let wanted = match count.unwrap_or(Count::Times(1)) {
        Count::Times(times) => times,
        Count::All => found.len().max(1),
    };
    let places = |found: &[usize]| {
        let named = found.iter().take(PLACES);
        let mut places: Vec<String> = named.map(|at| source.place(&*model, *at)).collect();
        if found.len() > PLACES {
            places.push(format!("and {} more", found.len() - PLACES));
        }
        places.join(", ")
    };
    if found.is_empty() {
        return Err(missing(&*model, call.op, &source, (&old, range)));
    }
    if found.len() != wanted {
        let message = format!(
            "{} is there {}: {}; count:{} or count:all takes all, in:REF those in a row",
            Excerpt(&old),
            reply::count(found.len(), "time"),
            places(&found),
            found.len()
        );
        let error = Diagnostic::new(message);
        // More places than were asked for are not suggested.
        return Err(match count {
            Some(Count::Times(times)) if times < found.len() => error,
            Some(_) => error.or_try(counted(call.op, found.len())),
            None => {
                let first = found.first().filter(|_| within.is_none());
                let row = first.and_then(|at| source.row_at(&*model, *at));
                let name = row.map(|row| spell_param("in", &sure_name(&*model, row)));
                error.maybe_try(name.map(|name| format!("{} {name}", call.op.raw.trim_end())))
            }
        });
    }
    if old == new {
        return Ok(unchanged!("{} is replaced by itself", Excerpt(&old)));
    }
    let (mut text, mut from) = (String::with_capacity(source.text.len()), 0);
    for at in &found {
        text.push_str(source.text.get(from..*at).unwrap_or_default());
        text.push_str(&new);
        from = at + old.len();
    }
    text.push_str(source.text.get(from..).unwrap_or_default());
    let places = places(&found);
    become_text(model, &text)?;
    let (old, new) = (Excerpt(&old), Excerpt(&new));
    Ok(match found.len() {
        1 => changed!("{old} -> {new} at {places}"),
        n => bulk!("{n} times {old} -> {new} at {places}"),
    })
}

/// Makes a document write a text, or returns why it cannot.
fn become_text<M: Domain>(model: &mut M, text: &str) -> Result<()> {
    work::spend(text.len() / BYTES_A_STEP)?;
    match model.rewrite(text) {
        Some(rewritten) => rewritten?,
        None => replace_text::rewrite(model, text)?,
    }
    let mut pieces = Pieces::of::<M>();
    model.source(&mut pieces)?;
    if pieces.content() == text.as_bytes() {
        return Ok(());
    }
    let written = String::from_utf8_lossy(pieces.content());
    let same = written
        .bytes()
        .zip(text.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    let line = |text: &str| {
        let start = text.floor_char_boundary(same);
        let start = text
            .get(..start)
            .and_then(|head| head.rfind('\n'))
            .map_or(0, |at| at + 1);
        text.get(start..)
            .and_then(|rest| rest.lines().next())
            .unwrap_or_default()
            .to_owned()
    };
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    if sorted(text) == sorted(&written) {
        return Err(Diagnostic::new(format!(
            "a {} writes {} in another place: after the lines like it",
            M::NOUN,
            Excerpt(&line(text))
        )));
    }
    Err(Diagnostic::new(format!(
        "a {} does not keep this text as it is: {} would be written as {}",
        M::NOUN,
        Excerpt(&line(text)),
        Excerpt(&line(&written))
    )))
}

/// The op with a count.
fn counted(op: &ParsedOp<'_>, count: usize) -> String {
    match op.params().find(|param| param.key == "count") {
        Some(param) => param.value_span.replace(op.raw, &count.to_string()),
        None => format!("{} count:{count}", op.raw.trim_end()),
    }
}

/// The error of a missing text. The repair is the op with the text as the file has it, if that
/// differs only in whitespace or case.
fn missing<M: Domain>(
    model: &M,
    op: &ParsedOp<'_>,
    source: &Source,
    (old, range): (&str, Range<usize>),
) -> Diagnostic {
    let is_part = range.len() < source.text.len();
    let elsewhere: Vec<usize> = match is_part {
        true => source
            .text
            .match_indices(old)
            .map(|(at, _)| at)
            .take(2)
            .collect(),
        false => Vec::new(),
    };
    let message = match elsewhere.as_slice() {
        [] => format!("the source has no {}", Excerpt(old)),
        [at, ..] => format!(
            "{} is not there, but at {}",
            Excerpt(old),
            source.place(model, *at)
        ),
    };
    let error = Diagnostic::new(message);
    let text = source.text.get(range).unwrap_or_default();
    // Without the format's escapes.
    let escaped = |text: &str| M::in_source("replace", "", text);
    let known = escaped(old).filter(|known| known != old && text.contains(known.as_str()));
    if known.is_some() && elsewhere.is_empty() {
        return error.or_try(respelled(op, |_, text| escaped(text)));
    }
    // Line breaks whose escapes were escaped again are whitespace too.
    let plain = |text: &str| text.replace(r"\n", "\n").replace(r"\t", "\t");
    let spelled = plain(old);
    let words: Vec<String> = spelled.split_whitespace().map(regex::escape).collect();
    if words.is_empty() || !elsewhere.is_empty() {
        return error;
    }
    let pattern = format!("(?i){}", words.join(r"\s+"));
    let built = regex::RegexBuilder::new(&pattern)
        .size_limit(1 << 20)
        .build();
    let Ok(built) = built else { return error };
    let mut found = built.find_iter(text);
    let (Some(near), None) = (found.next(), found.next()) else {
        return error;
    };
    error.or_try(respelled(op, |ix, text| match ix {
        0 => Some(near.as_str().replace("\r\n", "\n")),
        _ => (spelled != old).then(|| plain(text)),
    }))
}

/// The op with its two texts in another spelling, by their index.
fn respelled(op: &ParsedOp<'_>, spell: impl Fn(usize, &str) -> Option<String>) -> String {
    let given = op.words.iter().filter_map(|word| match word {
        OpWord::Positional(word) => Some(word),
        _ => None,
    });
    let given: Vec<_> = given.take(2).collect();
    let mut repair = op.raw.to_owned();
    // The second text first: its span is valid as long as the first is as it was.
    for (ix, word) in given.into_iter().enumerate().rev() {
        if let Some(text) = spell(ix, &word.text) {
            repair = word.span.replace(&repair, &quote(&text));
        }
    }
    repair
}

/// Inserts source text.
pub(super) fn insert<M: Domain>(model: &mut M, call: &Call<'_, M>) -> Result<Reply> {
    let mut binder = Binder::new(&*model, call);
    let text = binder.required::<Text>(0);
    let sites: [fn(Row) -> TextSite; 4] = [
        TextSite::First,
        TextSite::Last,
        TextSite::Before,
        TextSite::After,
    ];
    let mut given = Vec::new();
    for (ix, site) in sites.into_iter().enumerate() {
        match binder.optional::<Row>(ix + 1) {
            Some(row) => given.extend(row.map(site)),
            None => return Err(binder.error()),
        }
    }
    let (Some(text), true) = (text, binder.is_sound()) else {
        return Err(binder.error());
    };
    let site = match given.as_slice() {
        [] => TextSite::End,
        [site] => *site,
        _ => {
            let message = "first:, last:, before: and after: each set the place; give one";
            return Err(Diagnostic::new(message));
        }
    };
    let rows = match model.insert_source(text.as_str(), site) {
        Some(rows) => rows?,
        None => insert_lines(model, text.as_str(), site)?,
    };
    let named = rows.iter().take(PLACES).map(|row| line_of(&*model, *row));
    let mut named: Vec<String> = named.collect();
    if rows.len() > PLACES {
        named.push(format!("and {} more", rows.len() - PLACES));
    }
    Ok(match named.is_empty() {
        true => created!("{}", Excerpt(text.as_str())),
        false => created!("{}", named.join("; ")),
    }
    .about(rows))
}

/// Inserts text on separate lines, for formats whose rows are lines.
fn insert_lines<M: Domain>(model: &mut M, text: &str, site: TextSite) -> Result<Vec<Row>> {
    let source = Source::of(&*model)?;
    let whole = match site {
        TextSite::First(row)
        | TextSite::Last(row)
        | TextSite::Before(row)
        | TextSite::After(row) => source.range(&*model, row),
        TextSite::End => Some(0..source.text.len()),
    };
    let Some(whole) = whole else {
        return Err(Diagnostic::new("this row has no text of its own"));
    };
    let head = source.text.get(whole.clone()).unwrap_or_default();
    let first_line = head.find('\n').map_or(whole.end, |at| whole.start + at + 1);
    let at = match site {
        TextSite::Before(_) => whole.start,
        TextSite::First(_) => first_line,
        TextSite::Last(_) | TextSite::After(_) | TextSite::End => whole.end,
    };
    let end = source.line_end();
    let mut lines = source.spelled(text);
    if !lines.ends_with('\n') {
        lines.push_str(end);
    }
    if at > 0
        && !source
            .text
            .get(..at)
            .is_some_and(|text| text.ends_with('\n'))
    {
        lines.insert_str(0, end);
    }
    let before = model.ids().peek();
    let mut new = source.text.clone();
    new.insert_str(at, &lines);
    become_text(model, &new)?;
    let kinds: Vec<usize> = M::kinds().map(|(part, _)| part).collect();
    let rows = kinds.into_iter().flat_map(|part| {
        let ids = model.rows(part).into_iter().flat_map(|rows| rows.ids());
        ids.filter(|id| *id >= before)
            .map(move |id| Row::new(part, id))
            .collect::<Vec<_>>()
    });
    Ok(rows.collect())
}
