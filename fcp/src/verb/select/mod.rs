//! Evaluates selectors to rows.
//! Names of rows are resolved elsewhere in `verb`.

mod condition;
mod emptied;
mod pick;

use std::collections::{HashMap, HashSet};

use crate::domain::Domain;
use crate::model::{ModelExt, Row, SelectorKind};
use crate::op::{Quoted, Selector, quote_value};
use crate::value::ValueError;
use crate::work;

use super::{Scope, qualified};
use emptied::emptied;
pub(crate) use pick::kind;
use pick::picks;

/// The rows that a selector picks: a list, or a test applied to each row.
///
/// A list is better if an index provides it, since a test runs on every row.
pub enum Pick<'m> {
    /// These rows.
    Rows(Vec<Row>),
    /// The rows that pass.
    Test(Box<dyn Fn(Row) -> bool + 'm>),
    /// The rows for which the test returns true. Those for which it returns `None` are not picked
    /// by `@not:` either.
    Judged(Box<dyn Fn(Row) -> Option<bool> + 'm>),
    /// These of the rows that all other selectors match.
    Among(Choose<'m>),
    /// The rows of the inner pick, from all rows: beyond those that selectors reach by default.
    Beyond(Box<Self>),
    /// The rows of the inner pick, and an explanation if there are none.
    Told(Box<Self>, Tell<'m>),
}

/// Chooses among rows.
type Choose<'m> = Box<dyn Fn(&[Row]) -> Vec<Row> + 'm>;

/// Explains why a selector picks nothing.
type Tell<'m> = Box<dyn Fn() -> Nothing + 'm>;

/// The explanation of a selector that picks nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nothing {
    /// Existing values: `fills: #eee 2, none 3`.
    pub there: String,
    /// Values for which the selector would pick something. One that a slip of the pen explains is
    /// suggested.
    pub values: Vec<String>,
}

impl<'m> Pick<'m> {
    /// The rows that pass a test.
    pub fn test(test: impl Fn(Row) -> bool + 'm) -> Self {
        Self::Test(Box::new(test))
    }

    /// The rows for which a test returns true; with `@not:`, those for which it returns false.
    pub fn judged(test: impl Fn(Row) -> Option<bool> + 'm) -> Self {
        Self::Judged(Box::new(test))
    }

    /// A choice from the rows that all other selectors match.
    pub fn among(choose: impl Fn(&[Row]) -> Vec<Row> + 'm) -> Self {
        Self::Among(Box::new(choose))
    }

    /// This pick, from all rows: beyond those that selectors reach by default.
    #[must_use]
    pub fn beyond(self) -> Self {
        Self::Beyond(Box::new(self))
    }

    /// This pick, with an explanation for ops in which it picks nothing. The function is only
    /// called then.
    #[must_use]
    pub fn or_tell(self, tell: impl Fn() -> Nothing + 'm) -> Self {
        Self::Told(Box::new(self), Box::new(tell))
    }

    /// The inner pick, and whether it applies to all rows.
    fn reach(self) -> (Self, bool) {
        match self {
            Self::Beyond(inner) => (inner.reach().0, true),
            Self::Told(inner, tell) => {
                let (inner, beyond) = inner.reach();
                (Self::Told(Box::new(inner), tell), beyond)
            }
            pick => (pick, false),
        }
    }

    /// Whether its test may leave a row undecided.
    fn is_judged(&self) -> bool {
        match self {
            Self::Judged(_) => true,
            Self::Told(inner, _) => inner.is_judged(),
            _ => false,
        }
    }

    /// The inner pick, and the explanation for an empty result.
    fn apart(self) -> (Self, Option<Tell<'m>>) {
        match self {
            Self::Told(inner, tell) => (inner.apart().0, Some(tell)),
            pick => (pick, None),
        }
    }
}

/// The rows that a selector reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Those that selectors reach by default.
    Universe,
    /// Those of all tables, without the rows that a table leaves out.
    Tables,
    /// All rows.
    Rows,
}

/// A selector as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its type, lower case: `range`.
    pub name: String,
    /// Its value; empty if it has none.
    pub value: String,
    /// Whether it followed `@not:`.
    pub negated: bool,
}

/// The selectors as written.
pub(super) fn clauses(selectors: &[&Selector<'_>]) -> Vec<Clause> {
    let clause = |selector: &&Selector<'_>| Clause {
        name: selector.kind.to_string(),
        value: selector.value.to_string(),
        negated: selector.negated,
    };
    selectors.iter().map(clause).collect()
}

/// The runtime's own selectors.
pub(crate) const UNIVERSAL: &[(&str, &str)] = &[
    ("all", "@all"),
    ("recent", "@recent[:N|:Nops]"),
    ("type", "@type:KIND[|KIND]"),
    ("id", "@id:12[,15-20]"),
    ("where", "@where:\"SQL\""),
];

struct Picked<'m> {
    negated: bool,
    recent: bool,
    any: Vec<Pick<'m>>,
    tell: Option<Tell<'m>>,
}

impl Picked<'_> {
    /// Whether it chooses among the rows that the other selectors match.
    fn chooses(&self) -> bool {
        self.any.iter().any(|pick| matches!(pick, Pick::Among(_)))
    }

    /// The rows that it chooses among these.
    fn choose(&self, rows: &[Row]) -> HashSet<Row> {
        let chosen = self.any.iter().flat_map(|pick| match pick {
            Pick::Among(choose) if work::spend(rows.len()).is_ok() => choose(rows),
            _ => Vec::new(),
        });
        let chosen: HashSet<Row> = chosen.collect();
        match self.negated {
            false => chosen,
            true => {
                let rest = rows.iter().filter(|row| !chosen.contains(row));
                rest.copied().collect()
            }
        }
    }

    /// Whether it picks a row. A row that is judged after the call has no steps left does not hold.
    fn holds(&self, row: Row, sets: &[Option<HashSet<Row>>]) -> bool {
        if work::over().is_some() {
            return false;
        }
        // It is applied after the others.
        if self.chooses() {
            return true;
        }
        let mut undecided = false;
        let mut picks = self.any.iter().zip(sets);
        let count = picks.len();
        let hit = picks.any(|(pick, set)| match (pick, set) {
            (Pick::Test(test), _) => test(row),
            (Pick::Judged(test), _) => test(row).unwrap_or_else(|| {
                undecided = true;
                false
            }),
            (Pick::Rows(rows), None) => rows.contains(&row),
            (Pick::Rows(_), Some(set)) => set.contains(&row),
            (Pick::Among(_) | Pick::Beyond(_) | Pick::Told(..), _) => false,
        });
        let is_over = work::spend(count - picks.len()).is_err();
        match self.negated {
            _ if is_over => false,
            false => hit,
            true => !hit && !undecided,
        }
    }

    /// The rank of each recently touched row, newest first, if that is what it picks.
    fn newest_first(&self) -> Option<HashMap<Row, usize>> {
        let rows = self.named().filter(|_| self.recent)?;
        Some(rows.into_iter().zip(0..).collect())
    }

    /// The rows that it names without a test, if it does.
    fn named(&self) -> Option<Vec<Row>> {
        if self.negated {
            return None;
        }
        let mut named = Vec::new();
        for pick in &self.any {
            match pick {
                Pick::Rows(rows) => named.extend_from_slice(rows),
                _ => return None,
            }
        }
        Some(named)
    }
}

/// The rows that all selectors match, in order of tables and ids; only those of the table `part`, if one is given.
///
/// # Errors
/// A selector is unknown or its value invalid, or no rows are left (unless that is allowed).
pub(super) fn rows<M: Domain>(
    scope: &Scope<'_, M>,
    selectors: &[&Selector<'_>],
    part: Option<usize>,
) -> Result<Vec<Row>, ValueError> {
    let mut picked = Vec::with_capacity(selectors.len());
    let mut reach = Reach::Universe;
    // A question names its rows, but next to other selectors it only narrows them.
    let narrows = |selector: &&&Selector<'_>| selector.kind != "where" && !selector.negated;
    let most = match selectors.iter().any(|selector| narrows(&selector)) {
        true => Reach::Tables,
        false => Reach::Rows,
    };
    let condition_parts = match part {
        Some(part) => vec![part],
        None => named_parts::<M>(selectors),
    };
    for (ix, selector) in selectors.iter().enumerate() {
        let (any, own) = picks(scope, selector, &condition_parts).map_err(|error| {
            let mut error = listed(scope, selector, error);
            error.selector = u16::try_from(ix).ok();
            // The fix of a value becomes the whole selector with that value.
            error.selector_fix = error.selector_fix.or(error
                .fix
                .take()
                .map(|fix| respell::<M>(selector, &fix).into()));
            error
        })?;
        // A negated condition holds for rows of its table too, wherever they are.
        let is_condition = selector.kind == "where";
        let judges = is_condition && any.iter().all(Pick::is_judged);
        let own = match is_condition {
            true => own.min(most),
            false => own,
        };
        if !selector.negated || judges {
            reach = reach.max(own);
        }
        let mut tell = None;
        let any = any.into_iter().map(|pick| {
            let (pick, own) = pick.apart();
            tell = own.or(tell.take());
            pick
        });
        let any = any.collect();
        picked.push(Picked {
            negated: selector.negated,
            recent: selector.kind == "recent",
            any,
            tell,
        });
    }
    let marked = M::SHAPE.parts.iter().any(|part| part.universe);
    let reached = |row: Row| reach == Reach::Rows || scope.model.in_universe(row);
    let within = |row: Row| match part {
        Some(part) => row.part() == part && reached(row),
        None => {
            let shape = M::SHAPE.parts.get(row.part());
            let is_wide = reach >= Reach::Tables || !marked;
            reached(row) && (is_wide || shape.is_some_and(|part| part.universe))
        }
    };
    let mut found = filter(scope, &picked, &within);
    if let Some(spent) = work::over() {
        return Err(ValueError::sentence(spent.to_string()));
    }
    // A query lists recently touched rows in that order; a verb works in the order of the document.
    if scope.may_be_empty
        && let Some(newest) = picked.iter().find_map(Picked::newest_first)
    {
        found.sort_by_key(|row| newest.get(row));
    }
    if !found.is_empty() || scope.may_be_empty {
        return Ok(found);
    }
    Err(emptied(scope, selectors, &picked, (&within, part)))
}

/// The tables that the first `@type:` names; none if one of its names is not a table.
fn named_parts<M: Domain>(selectors: &[&Selector<'_>]) -> Vec<usize> {
    let mut types = selectors
        .iter()
        .filter(|selector| selector.kind == "type" && !selector.negated);
    let Some(first) = types.next() else {
        return Vec::new();
    };
    let parts = first.value.split('|').map(|name| kind::<M>(name, true));
    parts.collect::<Result<_, _>>().unwrap_or_default()
}

/// The same error; if the value is a list with commas that are not supported, with `|` instead. A
/// fix of the whole value without commas would drop part of it.
fn listed<M: Domain>(
    scope: &Scope<'_, M>,
    selector: &Selector<'_>,
    mut error: ValueError,
) -> ValueError {
    let commas = |text: &str| text.matches(',').count();
    let count = commas(&selector.value);
    let kept = error.fix.as_deref().is_some_and(|fix| commas(fix) == count);
    let is_plain = selector.quoted == Quoted::No && error.selector_fix.is_none();
    if count == 0 || kept || !is_plain {
        return error;
    }
    let list = selector.value.replace(',', "|");
    let other = Selector {
        value: (&*list).into(),
        ..selector.clone()
    };
    error.fix = match picks(scope, &other, &[]) {
        Ok(_) => Some(list),
        Err(next) => next.fix.filter(|fix| fix.matches('|').count() == count),
    };
    error
}

fn filter<M: Domain>(
    scope: &Scope<'_, M>,
    picked: &[Picked<'_>],
    within: &dyn Fn(Row) -> bool,
) -> Vec<Row> {
    let sets: Vec<Vec<Option<HashSet<Row>>>> = picked
        .iter()
        .map(|p| {
            let set = |pick: &Pick<'_>| match pick {
                Pick::Rows(rows) if rows.len() > 8 => Some(rows.iter().copied().collect()),
                _ => None,
            };
            p.any.iter().map(set).collect()
        })
        .collect();
    let holds = |row: Row| {
        within(row)
            && picked
                .iter()
                .zip(&sets)
                .all(|(picked, sets)| picked.holds(row, sets))
    };
    let named = picked.iter().filter_map(Picked::named).min_by_key(Vec::len);
    let all = || scope.model.tables().map(|(_, _, rows)| rows.len()).sum();
    // If the budget is used up, the caller notices.
    if work::spend(named.as_ref().map_or_else(all, Vec::len)).is_err() {
        return Vec::new();
    }
    let mut found = match named {
        Some(mut rows) => {
            rows.retain(|row| scope.model.has(*row) && holds(*row));
            scope.model.arrange(&mut rows);
            rows
        }
        None => {
            let rows = scope.model.tables();
            rows.flat_map(|(part, _, rows)| rows.ids().map(move |id| Row::new(part, id)))
                .filter(|r| holds(*r))
                .collect()
        }
    };
    let choosing = picked.iter().filter(|picked| picked.chooses());
    let chosen: Vec<HashSet<Row>> = choosing.map(|picked| picked.choose(&found)).collect();
    found.retain(|row| chosen.iter().all(|chosen| chosen.contains(row)));
    found
}

fn spell<M: Domain>(selector: &Selector<'_>) -> String {
    respell::<M>(selector, &selector.value)
}

fn respell<M: Domain>(selector: &Selector<'_>, value: &str) -> String {
    let not = if selector.negated { "not:" } else { "" };
    let value = if value.is_empty() && !selector.has_value {
        String::new()
    } else {
        let value = qualified::<M>(value).unwrap_or_else(|| quote_value(value).into_owned());
        format!(":{value}")
    };
    format!("@{not}{}{value}", selector.kind)
}

/// The card's form of a selector made from a field.
pub(crate) fn field_form(name: &str, kind: SelectorKind, value: &str) -> String {
    match kind {
        SelectorKind::Equal => format!("@{name}:{value}"),
        SelectorKind::Range => format!("@{name}:{value}[-{value}]"),
    }
}
