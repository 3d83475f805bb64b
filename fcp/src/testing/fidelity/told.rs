//! The comparison of what the table `changes` says of rows with what a judge reads in both files.
//! The query `diff` and the reply to `save` are made from the same differences.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::check::{Both, Complaint, cut};
use super::ledger::Ledger;
use super::reading::{Fact, Judge, Value};
use super::spans::Spans;
use crate::account::{ByOwner, Owner};
use crate::diag::one_line;
use crate::session::Told;
use crate::value::Cell;

/// A change of a row, as `changes` has it.
#[derive(Debug)]
struct Change {
    kind: String,
    /// `TABLE.FIELD`; `None` for a whole row.
    field: Option<String>,
    values: [Option<String>; 2],
}

/// Facts by the position of their first byte.
struct Placed<'f>(Vec<(usize, &'f Fact)>);

impl<'f> Placed<'f> {
    fn of(facts: &'f [Fact]) -> Self {
        let placed = facts.iter();
        let placed = placed.filter_map(|fact| Some((fact.span.as_ref()?.start, fact)));
        let mut placed: Vec<_> = placed.collect();
        placed.sort_by_key(|(start, _)| *start);
        Self(placed)
    }

    /// The facts that begin in some bytes.
    fn inside(&self, ranges: &[Range<usize>]) -> Vec<&'f Fact> {
        let found = ranges.iter().flat_map(|range| {
            let from = self.0.partition_point(|(start, _)| *start < range.start);
            let to = self.0.partition_point(|(start, _)| *start < range.end);
            self.0.get(from..to).unwrap_or_default()
        });
        found.map(|(_, fact)| *fact).collect()
    }
}

/// Checks each row that is claimed or told as changed: a value that differs in the judge's readings
/// is told with what the judge read, and one that does not differ is not told. Returns the number of
/// values compared.
pub(super) fn check(
    judge: &dyn Judge,
    ledger: &Ledger,
    (before, after): Both<'_>,
    owners: &ByOwner,
    told: &[Told],
) -> Result<usize, Complaint> {
    let mut changes = BTreeMap::<u32, Vec<Change>>::new();
    for (id, changed) in told {
        if let Some(id) = id {
            let [table, kind, field, before, after] = &changed.cells;
            let table = text(table).unwrap_or_default();
            changes.entry(*id).or_default().push(Change {
                kind: text(kind).unwrap_or_default(),
                field: text(field).map(|field| format!("{table}.{field}")),
                values: [text(before), text(after)],
            });
        }
    }
    let claimed = ledger.claims.iter().filter_map(|claim| match claim.owner {
        Owner::Row(id) => Some((id, claim.name.as_str())),
        _ => None,
    });
    let names: BTreeMap<u32, &str> = claimed.collect();
    let ids: BTreeSet<u32> = names.keys().chain(changes.keys()).copied().collect();
    let (before, after) = (Placed::of(before), Placed::of(after));
    let whole = |kind: &str| -> Spans {
        let told = changes
            .iter()
            .filter(|(_, changes)| is_whole(changes, kind));
        let hulls = told.filter_map(|(id, _)| {
            let (then, now) = owners.get(&Owner::Row(*id))?;
            let ranges = if kind == "added" { now } else { then };
            Some(ranges.first()?.start..ranges.last()?.end)
        });
        Spans::of(hulls.filter(|_| judge.nests()))
    };
    let whole = [whole("removed"), whole("added")];
    let mut compared = 0;
    for id in ids {
        let Some((then, now)) = owners.get(&Owner::Row(id)) else {
            continue;
        };
        let is_there = [then, now].map(|ranges| !ranges.is_empty());
        let is_inside = |ranges: &[Range<usize>], spans: &Spans| {
            ranges.first().is_some_and(|first| spans.touches(first))
        };
        if is_there == [true, false] && is_inside(then, &whole[0])
            || is_there == [false, true] && is_inside(now, &whole[1])
        {
            continue;
        }
        let mut read = [before.inside(then), after.inside(now)];
        drop_indirect(judge, ledger, &mut read);
        if read.iter().all(Vec::is_empty) {
            continue;
        }
        let changes = changes.get(&id).map_or(&[][..], Vec::as_slice);
        let row = Row {
            judge,
            is_there,
            read: &read,
            changes,
        };
        compared += row.compare().map_err(|problem| {
            let name = names
                .get(&id)
                .map_or_else(|| format!("#{id}"), |name| (*name).to_owned());
            Complaint::new(judge.name(), format!("{name}: {problem}"))
        })?;
    }
    Ok(compared)
}

/// Drops the facts with the same bytes in both files whose meaning others have changed.
fn drop_indirect(judge: &dyn Judge, ledger: &Ledger, [then, now]: &mut [Vec<&Fact>; 2]) {
    let bytes = |file: &'_ [u8], fact: &Fact| -> Option<Vec<u8>> {
        let bytes = file.get(fact.span.clone()?)?;
        judge.is_indirect(bytes).then(|| bytes.to_vec())
    };
    let all = |file: &[u8], facts: &[&Fact]| -> BTreeSet<Vec<u8>> {
        facts.iter().filter_map(|fact| bytes(file, fact)).collect()
    };
    let stays = all(&ledger.before, then);
    let stays: BTreeSet<_> = all(&ledger.after, now)
        .intersection(&stays)
        .cloned()
        .collect();
    if stays.is_empty() {
        return;
    }
    let differs =
        |file: &[u8], fact: &Fact| bytes(file, fact).is_none_or(|own| !stays.contains(&own));
    then.retain(|fact| differs(&ledger.before, fact));
    now.retain(|fact| differs(&ledger.after, fact));
}

/// Whether both may be one text in two encodings, or are texts that differ only in characters that no reply
/// shows.
fn is_respelled(read: [Option<&Value>; 2]) -> bool {
    if let [Some(Value::Text(then)), Some(Value::Text(now))] = read {
        let mut then = then.iter().map(|reading| one_line(reading));
        return then.any(|reading| now.iter().any(|other| one_line(other) == reading));
    }
    let [then, now] = read.map(|value| match value {
        Some(Value::Told(text)) => std::slice::from_ref(text),
        Some(Value::Text(readings)) => readings,
        _ => &[],
    });
    then.iter().any(|reading| now.contains(reading))
}

/// Whether a row is told as added or removed.
fn is_whole(changes: &[Change], kind: &str) -> bool {
    let mut changes = changes.iter();
    changes.any(|change| change.kind == kind && change.field.is_none())
}

/// Whether a row is told as added or removed, or each of its parts is: the rules of a style sheet.
fn is_all(changes: &[Change], kind: &str) -> bool {
    let parts = !changes.is_empty() && changes.iter().all(|change| change.kind == kind);
    parts || is_whole(changes, kind)
}

/// The text of a cell; `None` for NULL.
fn text(cell: &Cell) -> Option<String> {
    cell.word().map(Into::into)
}

/// A row in both files, and what is told of it.
struct Row<'r> {
    judge: &'r dyn Judge,
    /// Whether it has bytes in each file.
    is_there: [bool; 2],
    read: &'r [Vec<&'r Fact>; 2],
    changes: &'r [Change],
}

impl Row<'_> {
    /// Compares the row, and returns the number of values that the judge read.
    fn compare(&self) -> Result<usize, String> {
        match self.is_there {
            [true, false] if self.is_emptied() => {}
            [true, false] if !is_all(self.changes, "removed") => {
                return Err(self.untold("is gone"));
            }
            [false, true] if !is_all(self.changes, "added") => return Err(self.untold("is new")),
            [true, true] => {}
            _ => return Ok(0),
        }
        let contents = |facts: &[&Fact]| -> Vec<(String, Option<u64>)> {
            let free = facts.iter().filter(|fact| self.judge.is_free(fact));
            free.map(|fact| (fact.content.clone(), fact.position))
                .collect()
        };
        let [then, now] = self.read;
        if self.changes.is_empty() && contents(then) != contents(now) {
            return Err(self.untold("differs"));
        }
        let [then, now] = [then, now].map(|facts| -> BTreeMap<Cow<'static, str>, Value> {
            self.judge.values_of(facts).into_iter().collect()
        });
        let names: BTreeSet<&Cow<'static, str>> = then.keys().chain(now.keys()).collect();
        let empty = Value::Told(String::new());
        let rest = self.is_emptied().then_some(&empty);
        for name in &names {
            self.value(name, [then.get(*name), now.get(*name).or(rest)])?;
        }
        Ok(names.len())
    }

    /// Whether it has no bytes any more, and is told to be empty: a text without characters.
    fn is_emptied(&self) -> bool {
        let mut changes = self.changes.iter();
        self.is_there == [true, false]
            && changes
                .any(|change| change.kind == "changed" && change.values[1].as_deref() == Some(""))
    }

    fn value(&self, name: &str, read: [Option<&Value>; 2]) -> Result<(), String> {
        let own = |change: &&Change| {
            let field = change.field.as_deref();
            field.is_some_and(|field| name.split('|').any(|own| own == field))
        };
        let told: Vec<&Change> = self.changes.iter().filter(own).collect();
        let [then, now] = read;
        let in_parts = matches!(then.or(now), Some(Value::Parts(_))) && !self.changes.is_empty();
        if then != now && told.is_empty() && !in_parts && !is_respelled(read) {
            return Err(self.untold(&format!("{name} {} -> {}", shown(then), shown(now))));
        }
        // A long value is told in parts.
        let [change] = told.as_slice() else {
            return Ok(());
        };
        let agrees = |told: &Option<String>, read: Option<&Value>| match read {
            None => told.is_none(),
            Some(Value::Told(read) | Value::Parts(read)) => told.as_ref().is_some_and(|told| {
                // Of a long value, the part that differs, after its place.
                let part = told.split_once(": …").map_or(&**told, |(_, part)| part);
                let part = part.trim_start_matches('…').trim_end_matches('…');
                told == read || part.len() < told.len() && read.contains(part)
            }),
            Some(Value::Other(_) | Value::Text(_)) => told.is_some(),
        };
        let [was, is] = &change.values;
        if then == now || !agrees(was, then) || !agrees(is, now) {
            return Err(format!(
                "{name} is told as {} -> {}, and is {} -> {}",
                word(was),
                word(is),
                shown(then),
                shown(now)
            ));
        }
        Ok(())
    }

    fn untold(&self, difference: &str) -> String {
        let told = self.changes.iter().map(|change| {
            let Change {
                kind,
                field,
                values: [was, is],
            } = change;
            format!("{kind} {} {} -> {}", word(field), word(was), word(is))
        });
        let told: Vec<String> = told.collect();
        let [then, now] = self.read;
        let content = |facts: &[&Fact]| -> String {
            let facts = facts.iter().map(|fact| match fact.position {
                Some(at) => format!("{} @{at}", fact.content),
                None => fact.content.clone(),
            });
            cut(&facts.collect::<Vec<_>>().join(", "))
        };
        format!(
            "{difference}, which changes does not say ({}): {} -> {}",
            told.join("; "),
            content(then),
            content(now)
        )
    }
}

fn word(text: &Option<String>) -> String {
    text.as_deref().map_or_else(|| "NULL".to_owned(), cut)
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None => "NULL".to_owned(),
        Some(Value::Told(text) | Value::Other(text) | Value::Parts(text)) => cut(text),
        Some(Value::Text(readings)) => cut(&readings.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ledger::Claim;
    use super::*;
    use crate::sql::changes::Changed;

    #[test]
    fn texts_that_differ_in_what_no_reply_shows_are_told_by_their_bytes() {
        let text = |text: &str| Value::Text(vec![text.to_owned()]);
        let same = |one: &str, other: &str| is_respelled([Some(&text(one)), Some(&text(other))]);
        assert!(same("a\u{1e}", "a\u{1}") && !same("a\u{1e}", "b\u{1e}"));
    }

    /// Reads `NAME=VALUE` on each line, in any file.
    struct Lines;

    impl Judge for Lines {
        fn name(&self) -> &'static str {
            "lines"
        }

        fn read(&mut self, bytes: &[u8]) -> Result<Vec<Fact>, String> {
            let mut at = 0;
            let lines = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
            let facts = lines.split_inclusive('\n').map(|line| {
                let start = at;
                at += line.len();
                Fact::at(line.trim().to_owned(), start..start + line.len())
            });
            Ok(facts.collect())
        }

        fn values_of(&self, row: &[&Fact]) -> Vec<(Cow<'static, str>, Value)> {
            let values = row.iter().filter_map(|fact| fact.content.split_once('='));
            let named = values.map(|(name, value)| {
                let name = format!("lines.{name}").into();
                (name, Value::Told(value.to_owned()))
            });
            named.collect()
        }
    }

    fn says(field: Option<&str>, kind: &str, values: [Option<&str>; 2]) -> Told {
        let cell = |text: Option<&str>| text.map_or(Cell::Null, |text| Cell::Text(text.to_owned()));
        let [before, after] = values.map(cell);
        let cells = [
            cell(Some("lines")),
            cell(Some(kind)),
            cell(field),
            before,
            after,
        ];
        let changed = Changed {
            row: None,
            name: None,
            cells,
        };
        (Some(1), changed)
    }

    /// Compares two states of row 1, which is all of the file.
    fn compared(before: &str, after: &str, changes: &[Told]) -> Result<usize, String> {
        let whole = |text: &str| Vec::from_iter((!text.is_empty()).then_some(0..text.len()));
        let ledger = Ledger {
            before: before.into(),
            after: after.into(),
            claims: vec![Claim {
                owner: Owner::Row(1),
                name: "line 1".to_owned(),
                before: whole(before),
                after: whole(after),
            }],
            ..Ledger::default()
        };
        let owners = ByOwner::from_iter([(Owner::Row(1), (whole(before), whole(after)))]);
        let (then, now) = (
            Lines.read(before.as_bytes())?,
            Lines.read(after.as_bytes())?,
        );
        let done = check(&Lines, &ledger, (&then, &now), &owners, changes);
        done.map_err(|complaint| complaint.problem)
    }

    #[test]
    fn each_difference_is_told_with_its_values_and_nothing_else_is() {
        let vel = |values| says(Some("vel"), "changed", values);
        let good = [vel([Some("1"), Some("2")])];
        assert_eq!(compared("vel=1\nch=5\n", "vel=2\nch=5\n", &good), Ok(2));
        let is_wrong = |before, after, changes: &[Told]| {
            let problem = compared(before, after, changes).unwrap_err();
            assert!(
                problem.contains("vel") || problem.contains("is "),
                "{problem}"
            );
        };
        is_wrong("vel=1\n", "vel=2\n", &[]);
        is_wrong("vel=1\n", "vel=2\n", &[vel([Some("1"), Some("3")])]);
        is_wrong("vel=1\n", "vel=2\n", &[vel([None, Some("2")])]);
        is_wrong("vel=1\n", "vel=1\n", &good);
        is_wrong(
            "vel=1\nch=5\n",
            "vel=2\nch=6\n",
            &[says(Some("ch"), "changed", [Some("5"), Some("6")])],
        );
        is_wrong("", "vel=1\n", &[]);
        is_wrong("vel=1\n", "", &good);
        let gone = says(None, "removed", [Some("line"), None]);
        assert_eq!(compared("vel=1\n", "", &[gone]), Ok(0));
    }
}
