//! From names to rows: the cascade, and the parameters that are rows.

use crate::domain::Domain;
use crate::model::{Entity, FieldKind, FieldShape, HasTable, Id, Level, ModelExt, Row};
use crate::op::{quote, quote_value};
use crate::value::{ValueError, ValueSpec, nearest};

use super::select::{self, Clause};
use super::{Arg, FromArg, Scope, Takes};

/// A row of `T` that is there, given by its name.
#[derive(Debug)]
pub struct Ref<T>(Id<T>);

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ref<T> {}

impl<T> Ref<T> {
    /// The row's id.
    #[must_use]
    pub const fn id(self) -> Id<T> {
        self.0
    }
}

/// Rows of any kind, given by selectors or by name, in order of tables and ids.
#[derive(Clone, Debug)]
pub struct Rows {
    rows: Vec<Row>,
    clauses: Vec<Clause>,
}

impl Rows {
    /// The rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row> {
        self.rows.iter().copied()
    }

    /// How many.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// None: only a query sees that.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The selectors they were given by; none for a name.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
}

/// Rows of `T`, given by selectors, by name, or by the name of the row they refer to.
#[derive(Clone, Debug)]
pub struct Selection<T> {
    ids: Vec<Id<T>>,
    clauses: Vec<Clause>,
}

impl<T> Selection<T> {
    /// The rows' ids, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Id<T>> {
        self.ids.iter().copied()
    }

    /// How many.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ids.len()
    }

    /// None: only a query sees that.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The selectors they were given by; none for a name.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
}

impl<M: Domain + HasTable<T>, T: Entity> FromArg<M> for Ref<T> {
    const TAKES: Takes = Takes::Reference;

    fn spec() -> ValueSpec {
        ValueSpec::new("REF", "a name, #id, or KIND:NAME")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        resolve(scope, arg, &[M::PART]).map(|row| Self(row.of()))
    }
}

impl<M: Domain> FromArg<M> for Rows {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        ValueSpec::new("SEL", "selectors, a name, #id, or KIND:NAME")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        if !arg.selectors.is_empty() {
            let rows = select::rows(scope, arg.selectors, None)?;
            return Ok(Self {
                rows,
                clauses: select::clauses(arg.selectors),
            });
        }
        let parts: Vec<usize> = M::kinds().map(|(part, _)| part).collect();
        Ok(Self {
            rows: resolve_many(scope, arg, &parts)?,
            clauses: Vec::new(),
        })
    }
}

impl<M: Domain + HasTable<T>, T: Entity> FromArg<M> for Selection<T> {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        ValueSpec::new("SEL", "selectors, a name, #id, or KIND:NAME")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        if !arg.selectors.is_empty() {
            let rows = select::rows(scope, arg.selectors, Some(M::PART))?;
            return Ok(Self {
                ids: rows.into_iter().map(Row::of).collect(),
                clauses: select::clauses(arg.selectors),
            });
        }
        // A row that others refer to stands for those: a track for its notes.
        let refers = |field: &FieldShape| match field.kind {
            FieldKind::Refers(kind) => M::kind(kind),
            _ => None,
        };
        let fields = || T::SHAPE.fields.iter().enumerate();
        // Rows may refer to their own kind, and to another kind twice; no row is found twice for it.
        let mut parts = vec![M::PART];
        for part in fields().filter_map(|(_, field)| refers(field)) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let mut ids = Vec::new();
        for row in resolve_many(scope, arg, &parts)? {
            if row.part() == M::PART {
                ids.push(row.of());
                continue;
            }
            let links = fields().filter(|(_, field)| refers(field) == Some(row.part()));
            let links: Vec<usize> = links.map(|(ix, _)| ix).collect();
            let linked = |own: &T| links.iter().any(|ix| own.reference(*ix) == Some(row.id()));
            let table = scope.model.table().iter();
            ids.extend(table.filter(|(_, own)| linked(own)).map(|(id, _)| id));
        }
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() && !scope.may_be_empty {
            return Err(ValueError::new(format!("has no {}", T::SHAPE.plural)));
        }
        Ok(Self {
            ids,
            clauses: Vec::new(),
        })
    }
}

/// The rows that a word names: one, several between commas, or `*` for all.
fn resolve_many<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    parts: &[usize],
) -> Result<Vec<Row>, ValueError> {
    if scope.may_be_empty && arg.text == "*" && !arg.quoted {
        let rows = scope
            .model
            .tables()
            .filter(|(part, _, _)| parts.contains(part));
        return Ok(rows
            .flat_map(|(part, _, rows)| rows.ids().map(move |id| Row::new(part, id)))
            .collect());
    }
    let whole = resolve(scope, arg, parts);
    // As one name it is called by nobody, and so it is a list.
    let unknown = whole.as_ref().is_err_and(|error| error.missing.is_some());
    if !unknown || !arg.text.contains(',') {
        return whole.map(|row| vec![row]);
    }
    let names: Vec<&str> = arg.text.split(',').collect();
    let mut rows = Vec::new();
    for (ix, name) in names.iter().enumerate() {
        // Each name may have a kind of its own; the first has it in front of the whole list.
        let kind = arg.kind.filter(|_| ix == 0);
        let one = Arg {
            text: name.trim(),
            kind,
            quoted: false,
            ..arg.clone()
        };
        let row = resolve(scope, &one, parts).map_err(|error| {
            let sentence = ValueError::sentence(error.about(name.trim()));
            let list = error.fix.map(|fix| {
                let mut names = names.clone();
                names[ix] = &fix;
                let list = names.join(",");
                match arg.kind.filter(|_| ix > 0) {
                    Some(kind) => format!("{kind}:{list}"),
                    None => list,
                }
            });
            let mut told = sentence.maybe_fix(list);
            (told.missing, told.first) = (error.missing, error.first);
            told
        })?;
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The row of one of the tables `parts` that a word names.
///
/// # Errors
/// No row is called so, or several are; the error names who could have been meant.
pub(crate) fn resolve<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    parts: &[usize],
) -> Result<Row, ValueError> {
    let (kind, name) = qualifier::<M>(arg);
    let kind = kind.filter(|kind| M::kind(kind).is_some());
    named(scope, arg, kind, name, parts).map_err(|mut error| {
        // Who says the kind goes on saying it.
        if let (Some(kind), Some(fix)) = (kind, &mut error.fix)
            && !fix.starts_with('#')
            && !fix.contains(':')
        {
            *fix = format!("{kind}:{fix}");
        }
        error
    })
}

fn named<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    kind: Option<&str>,
    name: &str,
    parts: &[usize],
) -> Result<Row, ValueError> {
    let wanted: Vec<usize> = match kind.and_then(M::kind) {
        None => parts.to_vec(),
        Some(part) if parts.contains(&part) => vec![part],
        Some(part) => {
            let here = parts
                .iter()
                .filter_map(|part| M::SHAPE.parts.get(*part)?.shape)
                .map(|shape| shape.kind);
            let here = here.collect::<Vec<_>>().join(" or ");
            let kind = M::SHAPE
                .parts
                .get(part)
                .and_then(|part| part.shape)
                .map_or("row", |shape| shape.kind);
            return Err(ValueError::sentence(format!(
                "{kind}:{name} is a {kind}, and a {here} is wanted here"
            )));
        }
    };
    let id = by_id(scope, name, &wanted);
    // What is quoted is a name before it is an id.
    if let Some(found) = id.clone().filter(|_| !arg.quoted) {
        return found;
    }
    let at = |text: &str, level| -> Vec<Row> {
        let rows = wanted
            .iter()
            .filter_map(|part| scope.model.rows(*part).map(|rows| (*part, rows)));
        rows.flat_map(|(part, rows)| {
            rows.labelled(text, level)
                .into_iter()
                .map(move |id| Row::new(part, id))
        })
        .collect()
    };
    for level in [Level::Exact, Level::CaseInsensitive, Level::Normalised] {
        match at(name, level).as_slice() {
            [] => {}
            [row] => return Ok(*row),
            several => return Err(ambiguous(scope, name, several)),
        }
    }
    if let Some(found) = id {
        return found;
    }
    match nth(scope, name, &wanted).as_slice() {
        [] => {}
        [row] => return Ok(*row),
        several => return Err(ambiguous(scope, name, several)),
    }
    if let Some(row) = numbered(scope, name, &wanted) {
        return Ok(row);
    }
    match at(name, Level::Prefix).as_slice() {
        [] => Err(unknown(scope, name, &wanted)),
        [row] if scope.strict => {
            let full = sure_word(scope.model, *row);
            Err(ValueError::sentence(format!(
                "\"{name}\" only begins like {full}, which is not enough to delete it"
            ))
            .fix(sure_name(scope.model, *row)))
        }
        [row] => Ok(*row),
        several => Err(ambiguous(scope, name, several)),
    }
}

/// The rows that `NAME~2` names: in each table the second of those that share a name letter by letter.
fn nth<M: Domain>(scope: &Scope<'_, M>, name: &str, wanted: &[usize]) -> Vec<Row> {
    let place = |n: &str| n.parse::<usize>().ok()?.checked_sub(1);
    let Some((base, place)) = name
        .rsplit_once('~')
        .and_then(|(base, n)| Some((base, place(n)?)))
    else {
        return Vec::new();
    };
    for level in [Level::Exact, Level::CaseInsensitive, Level::Normalised] {
        let mut hits = Vec::new();
        for (part, rows) in wanted
            .iter()
            .filter_map(|part| scope.model.rows(*part).map(|rows| (*part, rows)))
        {
            let sharing = rows.labelled(base, level);
            let label = sharing.first().and_then(|id| rows.label(*id));
            let one_name = sharing.iter().all(|id| rows.label(*id) == label);
            if sharing.len() > 1 && one_name {
                hits.extend(sharing.get(place).map(|id| Row::new(part, *id)));
            }
        }
        if !hits.is_empty() {
            return hits;
        }
    }
    Vec::new()
}

/// A name that resolves to this row and no other, whatever else is called so: its own name, `KIND:NAME` or `#id`.
fn sure_name<M: Domain>(model: &M, row: Row) -> String {
    let id = format!("#{}", row.id());
    let Some(rows) = model.rows(row.part()) else {
        return id;
    };
    let Some(label) = rows.label(row.id()).filter(|label| !label.is_empty()) else {
        return id;
    };
    // What would be read as something else than a name.
    let odd = |c: char| matches!(c, ':' | ',' | '"' | '\'' | '\\') || c.is_control();
    if label.contains(odd) || label.starts_with(['#', '@', '=']) || matches!(&*label, "*" | "none")
    {
        return id;
    }
    let name = model.name_of(row);
    let called = |text: &str, but: usize| {
        let others = M::kinds().filter(|(part, _)| *part != but);
        let mut rows = others.filter_map(|(part, _)| model.rows(part));
        rows.any(|rows| !rows.labelled(text, Level::Normalised).is_empty())
    };
    // Some other row may be called `NAME~2` outright.
    if rows.ordinal(row.id()).is_some() && called(&name, usize::MAX) {
        return id;
    }
    if called(&label, row.part()) {
        format!("{}:{name}", model.kind_of(row))
    } else {
        name
    }
}

/// A word of an op that names this row and no other.
pub(crate) fn sure_word<M: Domain>(model: &M, row: Row) -> String {
    let name = sure_name(model, row);
    qualified::<M>(&name).unwrap_or_else(|| quote(&name).into_owned())
}

/// `KIND:NAME` spelled so that the name is quoted where it must be; nothing for a text that is no such thing.
pub(super) fn qualified<M: Domain>(text: &str) -> Option<String> {
    let (kind, name) = text.split_once(':')?;
    M::kind(kind)?;
    Some(format!("{kind}:{}", quote_value(name)))
}

/// The kind and the name of `KIND:NAME`, wherever the colon was seen.
fn qualifier<'a, M: Domain>(arg: &Arg<'a>) -> (Option<&'a str>, &'a str) {
    if arg.kind.is_some() || arg.quoted {
        return (arg.kind, arg.text);
    }
    match arg.text.split_once(':') {
        Some((kind, name)) if M::kind(kind).is_some() => (Some(kind), name),
        _ => (None, arg.text),
    }
}

/// The row that a bare number names, of a kind whose rows are counted.
fn numbered<M: Domain>(scope: &Scope<'_, M>, name: &str, wanted: &[usize]) -> Option<Row> {
    let place = name.parse::<usize>().ok()?.checked_sub(1)?;
    let counted = |part: &&usize| {
        let shape = M::SHAPE.parts.get(**part).and_then(|part| part.shape);
        shape.is_some_and(|shape| M::NUMBERED.contains(&shape.kind))
    };
    let mut parts = wanted.iter().filter(counted);
    let (Some(part), None) = (parts.next(), parts.next()) else {
        return None;
    };
    scope
        .model
        .rows(*part)?
        .ids()
        .nth(place)
        .map(|id| Row::new(*part, id))
}

/// The row behind `#12`.
fn by_id<M: Domain>(
    scope: &Scope<'_, M>,
    name: &str,
    wanted: &[usize],
) -> Option<Result<Row, ValueError>> {
    let digits = name.strip_prefix('#')?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row = digits.parse().ok().and_then(|id| scope.model.by_id(id));
    Some(match row {
        None => Err(ValueError::sentence(format!("{name} not found"))),
        Some(row) if wanted.contains(&row.part()) => Ok(row),
        Some(row) => {
            let kind = scope.model.kind_of(row);
            let here = wanted
                .first()
                .and_then(|part| M::SHAPE.parts.get(*part)?.shape)
                .map_or("row", |s| s.kind);
            Err(ValueError::sentence(format!(
                "{name} is a {kind}, and a {here} is wanted here"
            )))
        }
    })
}

fn ambiguous<M: Domain>(scope: &Scope<'_, M>, name: &str, rows: &[Row]) -> ValueError {
    let mut names: Vec<String> = rows
        .iter()
        .take(6)
        .map(|row| sure_word(scope.model, *row))
        .collect();
    let first = rows.first().map(|row| sure_name(scope.model, *row));
    if rows.len() > names.len() {
        names.push(format!("{} more", rows.len() - names.len()));
    }
    ValueError::sentence(format!("\"{name}\" could be {}", names.join(", "))).maybe_fix(first)
}

fn unknown<M: Domain>(scope: &Scope<'_, M>, name: &str, wanted: &[usize]) -> ValueError {
    let labelled: Vec<usize> = wanted
        .iter()
        .copied()
        .filter(|part| {
            M::SHAPE
                .parts
                .get(*part)
                .and_then(|part| part.shape)
                .is_some_and(|shape| shape.labelled)
        })
        .collect();
    let labels: Vec<String> = labelled
        .iter()
        .filter_map(|part| scope.model.rows(*part))
        .flat_map(|rows| {
            rows.labels()
                .map(std::borrow::Cow::into_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    let near = nearest(name, labels.iter().map(String::as_str), 3);
    let kind = match labelled.as_slice() {
        [part] => M::SHAPE
            .parts
            .get(*part)
            .and_then(|part| part.shape)
            .map_or("row", |shape| shape.kind),
        _ => "row",
    };
    let mut title = kind.chars();
    let title: String = title
        .next()
        .map(|c| c.to_uppercase().chain(title).collect())
        .unwrap_or_default();
    let shown: String = name.chars().take(60).collect();
    let mut message = format!("{title} \"{shown}\" not found");
    if near.len() > 1 {
        message.push_str(&format!(" (near: {})", near.join(", ")));
    }
    let error = ValueError::sentence(message).lacking(name);
    let row_of = |label: &&str| {
        let hit = |part: &usize| {
            let ids = scope.model.rows(*part)?.labelled(label, Level::Exact);
            ids.first().map(|id| Row::new(*part, *id))
        };
        labelled.iter().find_map(hit)
    };
    match (
        near.first().and_then(row_of),
        M::make(scope.model, kind, name),
    ) {
        (Some(row), _) => error.fix(sure_name(scope.model, row)),
        (None, Some(op)) => error.first(op),
        (None, None) => error,
    }
}
