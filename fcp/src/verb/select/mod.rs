//! From selectors to rows.

mod pick;

use std::collections::{HashMap, HashSet};

use crate::domain::Domain;
use crate::model::{ModelExt, Row, SelectorKind};
use crate::op::{Quoted, Selector, quote_value};
use crate::value::ValueError;
use crate::work;

use super::{Scope, qualified};
pub(crate) use pick::kind;
use pick::picks;

/// What a selector picks: rows it can name at once, or a test that each row passes or fails.
///
/// Rows are better where an index has them, since a test is put to every row.
pub enum Pick<'m> {
    /// These rows.
    Rows(Vec<Row>),
    /// The rows that pass.
    Test(Box<dyn Fn(Row) -> bool + 'm>),
    /// The rows of which the test says yes. Those of which it says neither are not picked behind `@not:` either.
    Judged(Box<dyn Fn(Row) -> Option<bool> + 'm>),
    /// Of the rows that all other selectors match, these.
    Among(Choose<'m>),
    /// What this picks, and among all rows: beyond those that selectors reach by themselves.
    Beyond(Box<Self>),
    /// What this picks, and what to say where that is nothing.
    Told(Box<Self>, Tell<'m>),
}

/// What chooses among rows.
type Choose<'m> = Box<dyn Fn(&[Row]) -> Vec<Row> + 'm>;

/// What a selector says when it picks nothing.
type Tell<'m> = Box<dyn Fn() -> Nothing + 'm>;

/// What there is where a selector picks nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nothing {
    /// What there is instead: `fills: #eee 2, none 3`.
    pub there: String,
    /// A value for which the selector would pick something.
    pub instead: Option<String>,
}

impl<'m> Pick<'m> {
    /// The rows that pass a test.
    pub fn test(test: impl Fn(Row) -> bool + 'm) -> Self {
        Self::Test(Box::new(test))
    }

    /// The rows of which a test says yes; behind `@not:`, those of which it says no.
    pub fn judged(test: impl Fn(Row) -> Option<bool> + 'm) -> Self {
        Self::Judged(Box::new(test))
    }

    /// What is left of the rows that all other selectors match.
    pub fn among(choose: impl Fn(&[Row]) -> Vec<Row> + 'm) -> Self {
        Self::Among(Box::new(choose))
    }

    /// The same among all rows, beyond those that selectors reach by themselves.
    #[must_use]
    pub fn beyond(self) -> Self {
        Self::Beyond(Box::new(self))
    }

    /// The same, with words for an op in which it picks nothing. They are only asked for then.
    #[must_use]
    pub fn or_tell(self, tell: impl Fn() -> Nothing + 'm) -> Self {
        Self::Told(Box::new(self), Box::new(tell))
    }

    /// What is picked, and whether among all rows.
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

    /// What is picked, and what is said where that is nothing.
    fn apart(self) -> (Self, Option<Tell<'m>>) {
        match self {
            Self::Told(inner, tell) => (inner.apart().0, Some(tell)),
            pick => (pick, None),
        }
    }
}

/// A selector as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its type, lower case: `range`.
    pub name: String,
    /// Its value; empty if it has none.
    pub value: String,
    /// It stood behind `@not:`.
    pub negated: bool,
}

/// The selectors as they were written.
pub(super) fn clauses(selectors: &[&Selector<'_>]) -> Vec<Clause> {
    let clause = |selector: &&Selector<'_>| Clause {
        name: selector.kind.to_string(),
        value: selector.value.to_string(),
        negated: selector.negated,
    };
    selectors.iter().map(clause).collect()
}

/// The selectors of the runtime's own.
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
    /// What chooses among the rows that other selectors match, if it is such a one.
    fn chooses(&self) -> bool {
        self.any.iter().any(|pick| matches!(pick, Pick::Among(_)))
    }

    /// What it chooses of rows.
    fn choose(&self, rows: &[Row]) -> HashSet<Row> {
        let chosen = self.any.iter().flat_map(|pick| match pick {
            Pick::Among(choose) => choose(rows),
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

    fn holds(&self, row: Row, sets: &[Option<HashSet<Row>>]) -> bool {
        // It has its turn when the others have had theirs.
        if self.chooses() {
            return true;
        }
        let mut undecided = false;
        let hit = self
            .any
            .iter()
            .zip(sets)
            .any(|(pick, set)| match (pick, set) {
                (Pick::Test(test), _) => test(row),
                (Pick::Judged(test), _) => test(row).unwrap_or_else(|| {
                    undecided = true;
                    false
                }),
                (Pick::Rows(rows), None) => rows.contains(&row),
                (Pick::Rows(_), Some(set)) => set.contains(&row),
                (Pick::Among(_) | Pick::Beyond(_) | Pick::Told(..), _) => false,
            });
        match self.negated {
            false => hit,
            true => !hit && !undecided,
        }
    }

    /// The places of the rows that were touched last, the newest first, if that is what it picks.
    fn newest_first(&self) -> Option<HashMap<Row, usize>> {
        let rows = self.named().filter(|_| self.recent)?;
        Some(rows.into_iter().zip(0..).collect())
    }

    /// The rows it names, if it does so without a test.
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
/// A selector is unknown, its value is none, or (unless that may be) nothing is left.
pub(super) fn rows<M: Domain>(
    scope: &Scope<'_, M>,
    selectors: &[&Selector<'_>],
    part: Option<usize>,
) -> Result<Vec<Row>, ValueError> {
    let mut picked = Vec::with_capacity(selectors.len());
    let mut typed = false;
    let condition_part = part.or_else(|| named_part::<M>(selectors));
    for (ix, selector) in selectors.iter().enumerate() {
        let (any, bears_type) = picks(scope, selector, condition_part).map_err(|error| {
            let mut error = listed(scope, selector, error);
            error.selector = u16::try_from(ix).ok();
            // The fix of a value is the whole selector with that value.
            error.selector_fix = error.selector_fix.or(error
                .fix
                .take()
                .map(|fix| respell::<M>(selector, &fix).into()));
            error
        })?;
        typed |= bears_type && !selector.negated;
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
    let reached = |row: Row| {
        let table = scope.model.rows(row.part());
        typed || table.is_none_or(|rows| rows.in_universe(row.id()))
    };
    let within = |row: Row| match part {
        Some(part) => row.part() == part && reached(row),
        None => {
            let shape = M::SHAPE.parts.get(row.part());
            reached(row) && (typed || !marked || shape.is_some_and(|part| part.universe))
        }
    };
    let mut found = filter(scope, &picked, &within);
    if let Some(spent) = work::over() {
        return Err(ValueError::sentence(spent.to_string()));
    }
    // A query shows what was touched last in that order; a verb works in the order of the document.
    if scope.may_be_empty
        && let Some(newest) = picked.iter().find_map(Picked::newest_first)
    {
        found.sort_by_key(|row| newest.get(row));
    }
    if !found.is_empty() || scope.may_be_empty {
        return Ok(found);
    }
    Err(emptied(scope, selectors, &picked, &within))
}

/// The table whose rows `@type:` names, if it names rows of one.
fn named_part<M: Domain>(selectors: &[&Selector<'_>]) -> Option<usize> {
    let mut types = selectors
        .iter()
        .filter(|selector| selector.kind == "type" && !selector.negated);
    let first = types.next()?;
    kind::<M>(&first.value, true).ok()
}

/// The same error where a list has commas that takes none, with `|` in their place. A fix of the whole that has no commas
/// leaves some of it out.
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
    error.fix = match picks(scope, &other, None) {
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
    // Whoever asked looks at what is over.
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

/// The error for selectors that leave nothing: which one emptied the set, and what there was before it.
fn emptied<M: Domain>(
    scope: &Scope<'_, M>,
    selectors: &[&Selector<'_>],
    picked: &[Picked<'_>],
    within: &dyn Fn(Row) -> bool,
) -> ValueError {
    let count = |rows: &[Row]| {
        let mut kinds: Vec<String> = Vec::new();
        for (part, shape) in M::kinds() {
            let mut counts: Vec<(&str, usize)> = Vec::new();
            for row in rows.iter().filter(|row| row.part() == part) {
                let kind = scope.model.kind_of(*row);
                match counts.iter_mut().find(|(own, _)| *own == kind) {
                    Some((_, n)) => *n += 1,
                    None => counts.push((kind, 1)),
                }
            }
            kinds.extend(counts.into_iter().map(|(kind, n)| shape.count_of(kind, n)));
        }
        kinds.join(", ")
    };
    for (ix, selector) in selectors.iter().enumerate() {
        if !filter(scope, &picked[..=ix], within).is_empty() {
            continue;
        }
        let alone = || filter(scope, &picked[ix..=ix], within).is_empty();
        if let Some(tell) = &picked[ix].tell
            && !selector.negated
            && alone()
        {
            let Nothing { there, instead } = tell();
            let spelled = spell::<M>(selector);
            let mut error = ValueError::sentence(format!("{spelled} matches nothing ({there})"));
            error.selector = u16::try_from(ix).ok();
            return error.fix_selector(instead.map(|value| respell::<M>(selector, &value)));
        }
        let before = filter(scope, &picked[..ix], within);
        let instead = match (before.is_empty(), ix) {
            (true, _) => "there is nothing to select".to_owned(),
            (false, 0) => format!("there are {}", count(&before)),
            (false, _) => format!("the selectors before it match {}", count(&before)),
        };
        return ValueError::sentence(format!(
            "{} matches nothing; {instead}",
            spell::<M>(selector)
        ));
    }
    ValueError::sentence("nothing matches")
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

/// How a selector made from a field is shown on the card.
pub(crate) fn field_form(name: &str, kind: SelectorKind, value: &str) -> String {
    match kind {
        SelectorKind::Equal => format!("@{name}:{value}"),
        SelectorKind::Range => format!("@{name}:{value}[-{value}]"),
    }
}
