//! Parameters that are rows.

use std::collections::HashSet;

use crate::domain::Domain;
use crate::model::{Entity, FieldKind, FieldShape, HasTable, Id, ModelExt, Row};
use crate::op::{Quoted, quoted};
use crate::value::{ValueError, ValueSpec};

use super::resolve::{resolve, resolve_many};
use super::select::{self, Clause};
use super::selected::selected;
use super::{Arg, FromArg, Scope, Takes};

/// An existing row of `T`, given by its name.
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

    /// Their number.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are none; only queries see that.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The selectors that gave them; empty for a name.
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

    /// Their number.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether there are none; only queries see that.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The selectors that gave them; empty for a name.
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

/// One row of any kind.
impl<M: Domain> FromArg<M> for Row {
    const TAKES: Takes = Takes::Reference;

    fn spec() -> ValueSpec {
        ValueSpec::new("REF", "a name, #id, or KIND:NAME")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        let parts: Vec<usize> = M::kinds().map(|(part, _)| part).collect();
        resolve(scope, arg, &parts)
    }
}

impl<M: Domain> Scope<'_, M> {
    /// The row of one of these kinds that a text names, for values that contain a reference:
    /// `REF.right`. An empty list allows any kind.
    ///
    /// # Errors
    /// No row has this name, or several have; the error suggests candidates.
    pub fn row(&self, text: &str, kinds: &[&str]) -> Result<Row, ValueError> {
        let wanted = |kind: &str| kinds.is_empty() || kinds.contains(&kind);
        let parts: Vec<usize> = M::kinds()
            .filter(|(_, shape)| wanted(shape.kind))
            .map(|(part, _)| part)
            .collect();
        resolve(self, &Arg::word(text), &parts)
    }
}

/// The error of an unknown name; if the name can be expressed as a selector, with that selector as
/// the fix.
fn selecting<M: Domain>(error: ValueError, arg: &Arg<'_>, scope: &Scope<'_, M>) -> ValueError {
    // `#9,10` and `#9-12` are ids in the form of a selector's value.
    let ids = arg.text.strip_prefix('#').filter(|_| !arg.quoted);
    let is_list = |ids: &&str| {
        let numbers = ids.split([',', '-']).map(|id| id.trim_start_matches('#'));
        ids.contains([',', '-']) && numbers.map(str::parse::<u32>).all(|id| id.is_ok())
    };
    if let Some(ids) = ids.filter(is_list) {
        return error.fix(format!("@id:{}", ids.replace('#', "")));
    }
    let is_bare = error.missing.is_some() && arg.kind.is_none();
    // A number that could mean another row must not delete anything.
    let is_safe = !(scope.strict && arg.text.starts_with(|c: char| c.is_ascii_digit()));
    let is_sure = is_bare && is_safe;
    match scope.model.selector_for(arg.text).filter(|_| is_sure) {
        Some(selector) => ValueError::sentence(error.about(arg.text)).fix(selector),
        None => error,
    }
}

/// The rows that a word or selectors name, of the table at an index or of any, and the selectors.
///
/// # Errors
/// A name or a selector is wrong, or no rows are left.
pub(super) fn reached<M: Domain>(
    arg: &Arg<'_>,
    scope: &Scope<'_, M>,
    part: Option<usize>,
) -> Result<(Vec<Row>, Vec<Clause>), ValueError> {
    let (mut rows, clauses) = match (arg.picked, part) {
        (Some(picked), Some(part)) => {
            let own = picked.iter().copied().filter(|row| row.part() == part);
            (own.collect(), Vec::new())
        }
        (Some(picked), None) => (picked.to_vec(), Vec::new()),
        _ if !arg.selectors.is_empty() => match select::rows(scope, arg.selectors, part) {
            Ok(rows) => (
                restricted(arg, scope, rows)?,
                select::clauses(arg.selectors),
            ),
            Err(error) => match listed(scope, arg, part) {
                Some(rows) => (rows, Vec::new()),
                None => return Err(error),
            },
        },
        (None, Some(part)) => (of_kind(arg, scope, part)?, Vec::new()),
        (None, None) => {
            let parts: Vec<usize> = M::kinds().map(|(part, _)| part).collect();
            let rows = resolve_many(scope, arg, &parts);
            (
                rows.map_err(|error| selecting(error, arg, scope))?,
                Vec::new(),
            )
        }
    };
    scope.model.ids().sample(&mut rows);
    Ok((rows, clauses))
}

/// The rows among `rows` that the op's word in the format's own selector language selects, too, if
/// it has one.
fn restricted<M: Domain>(
    arg: &Arg<'_>,
    scope: &Scope<'_, M>,
    mut rows: Vec<Row>,
) -> Result<Vec<Row>, ValueError> {
    if arg.text.is_empty() {
        return Ok(rows);
    }
    let parts: Vec<usize> = M::kinds().map(|(part, _)| part).collect();
    let Some(selected) = selected(scope, arg, &parts) else {
        return Ok(rows);
    };
    let selected: HashSet<Row> = selected?.into_iter().collect();
    rows.retain(|row| selected.contains(row));
    match rows.is_empty() && !scope.may_be_empty {
        true => Err(ValueError::sentence(format!(
            "none of the selected rows is {}",
            quoted(arg.text)
        ))),
        false => Ok(rows),
    }
}

/// The rows of a list that begins with a selector, `@type:lyric,Verse`: the same as of `Verse,@type:lyric`. `None` if
/// its words do not name rows.
fn listed<M: Domain>(scope: &Scope<'_, M>, arg: &Arg<'_>, part: Option<usize>) -> Option<Vec<Row>> {
    let [selector] = arg.selectors else {
        return None;
    };
    let text = selector.span.of(arg.op);
    // After another selector a name may be a value: `@track:Keys,Low` are the notes of two tracks.
    let is_plain = selector.kind == "type" && selector.quoted == Quoted::No && !selector.negated;
    let (first, names) = text.split_once(',').filter(|_| is_plain)?;
    let parts: Vec<usize> = match part {
        Some(part) => vec![part],
        None => M::kinds().map(|(part, _)| part).collect(),
    };
    let list = format!("{names},{first}");
    let mut rows = resolve_many(scope, &Arg::word(&list), &parts).ok()?;
    scope.model.arrange(&mut rows);
    Some(rows)
}

/// The rows of a table that a word names. A row that others refer to represents those: a track
/// represents its notes.
fn of_kind<M: Domain>(
    arg: &Arg<'_>,
    scope: &Scope<'_, M>,
    part: usize,
) -> Result<Vec<Row>, ValueError> {
    let Some(table) = scope.model.rows(part) else {
        return Ok(Vec::new());
    };
    let refers = |field: &FieldShape| match field.kind {
        FieldKind::Refers(kind) => M::kind(kind),
        _ => None,
    };
    let fields = || table.shape().fields.iter().enumerate();
    // Rows may refer to their own kind, and to another kind twice; each row is still found once.
    let mut parts = vec![part];
    for target in fields().filter_map(|(_, field)| refers(field)) {
        if !parts.contains(&target) {
            parts.push(target);
        }
    }
    let mut ids = Vec::new();
    let rows = resolve_many(scope, arg, &parts);
    for row in rows.map_err(|error| selecting(error, arg, scope))? {
        if row.part() == part {
            ids.push(row.id());
            continue;
        }
        let links = fields().filter(|(_, field)| refers(field) == Some(row.part()));
        let links: Vec<usize> = links.map(|(ix, _)| ix).collect();
        let linked = |id: &u32| {
            let mut own = links.iter().map(|ix| table.reference(*id, *ix));
            own.any(|target| target == Some(row.id()))
        };
        ids.extend(table.ids().filter(linked));
    }
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() && !scope.may_be_empty {
        return Err(ValueError::new(format!("has no {}", table.shape().plural)));
    }
    Ok(ids.into_iter().map(|id| Row::new(part, id)).collect())
}

impl<M: Domain> FromArg<M> for Rows {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        ValueSpec::new("SEL", "selectors, a name, #id, or KIND:NAME")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        reached(arg, scope, None).map(|(rows, clauses)| Self { rows, clauses })
    }
}

impl<M: Domain + HasTable<T>, T: Entity> FromArg<M> for Selection<T> {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        ValueSpec {
            part: Some(M::PART),
            ..ValueSpec::new("SEL", "selectors, a name, #id, or KIND:NAME")
        }
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        let (rows, clauses) = reached(arg, scope, Some(M::PART))?;
        let ids = rows.into_iter().map(Row::of).collect();
        Ok(Self { ids, clauses })
    }
}
