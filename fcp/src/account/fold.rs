//! Changes as lines, with equal ones folded: `~ 1,147 notes: pitch -2, 1.1 to 60.4`.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::shown::Shown;
use super::texts::{differing, short};
use super::units::in_one_unit;
use crate::value::{Cell, thousands};

/// The largest number of lines in a folded listing.
pub const LINES: usize = 60;
/// The number of rows of a kind that are still listed one by one, however many other kinds there
/// are.
const FEW: usize = 12;
/// The largest number of groups of equal changes of one kind with a line each.
const GROUPS: usize = 6;
/// With more groups than [`GROUPS`], a group has its own line if its share of the rows is at least
/// 1 in this number.
const SHARE: usize = 5;
/// The number of rows that a folded line shows as examples.
const EXAMPLES: usize = 2;
/// The largest number of characters of a value on a line.
pub(super) const VALUE: usize = 80;
/// The largest number of characters of a value if few rows changed, but too long ones to show them whole.
const WHOLE: usize = 1000;
/// The largest number of bytes of values that are all shown whole if few rows changed.
const ROOM: usize = 3000;
/// The largest number of changed rows whose values are shown whole.
const WHOLES: usize = 6;

/// A field of a row in two states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldChange {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its text and number before, if it existed.
    pub then: Option<(String, Option<i64>)>,
    /// Its text and number after, if it exists.
    pub now: Option<(String, Option<i64>)>,
    /// The difference, if many rows can have the same one.
    pub step: Option<String>,
    /// The unit of its numbers as a prefix, if only some of its texts are in it.
    pub unit: Option<&'static str>,
    /// The column that shows it and its values there, if they do not follow from its name and its texts.
    pub cells: Option<(&'static str, [Cell; 2])>,
    /// The fields whose texts are equal but whose numbers are not, if it tells of these: their names, and their numbers
    /// before and after.
    pub numbers: Vec<(Cow<'static, str>, [i64; 2])>,
    /// The text that is shown instead of its name and values, if there is one.
    pub words: Option<&'static str>,
}

/// A row that differs.
#[derive(Clone, Debug, PartialEq)]
pub enum RowChange {
    /// It was added: its line.
    Added(Shown, String),
    /// It was removed: its line.
    Removed(Shown, String),
    /// Some of its fields changed.
    Changed(Shown, Vec<FieldChange>),
    /// Its fields are equal, but its bytes are not: those before and after; or only its place among
    /// the others is not.
    Rewritten(Shown, Option<[String; 2]>),
}

impl RowChange {
    pub(crate) const fn row(&self) -> &Shown {
        match self {
            Self::Added(row, _)
            | Self::Removed(row, _)
            | Self::Changed(row, _)
            | Self::Rewritten(row, _) => row,
        }
    }

    pub(crate) const fn row_mut(&mut self) -> &mut Shown {
        match self {
            Self::Added(row, _)
            | Self::Removed(row, _)
            | Self::Changed(row, _)
            | Self::Rewritten(row, _) => row,
        }
    }

    /// The old and new values of its fields.
    fn values(&self) -> impl Iterator<Item = &str> {
        let fields = match self {
            Self::Changed(_, fields) => fields.as_slice(),
            _ => &[],
        };
        let values = fields
            .iter()
            .flat_map(|own| own.then.iter().chain(&own.now));
        values.map(|(text, _)| text.as_str())
    }

    /// The change on one line.
    #[must_use]
    pub fn line(&self) -> String {
        self.line_of(VALUE)
    }

    /// The change on one line, with values of at most `most` characters.
    fn line_of(&self, most: usize) -> String {
        match self {
            Self::Added(_, line) => format!("+ {line}"),
            Self::Removed(_, line) => format!("- {line}"),
            Self::Changed(row, fields) => {
                let fields: Vec<String> = fields.iter().map(|field| field.whole(most)).collect();
                format!("~ {}: {}", row.title(), fields.join(", "))
            }
            Self::Rewritten(row, bytes) => format!("~ {}: {}", row.title(), rewritten(bytes)),
        }
    }

    /// The properties that changes on one line have in common.
    fn key(&self) -> Key<'_> {
        let (sign, steps) = match self {
            Self::Added(..) => ('+', Vec::new()),
            Self::Removed(..) => ('-', Vec::new()),
            Self::Rewritten(_, bytes) => ('=', vec![rewritten(bytes)]),
            Self::Changed(_, fields) => ('~', fields.iter().map(FieldChange::step_value).collect()),
        };
        let names = match self {
            Self::Changed(_, fields) => fields.iter().map(|field| &*field.name).collect(),
            _ => Vec::new(),
        };
        Key {
            kind: &self.row().plural,
            sign,
            names,
            steps,
        }
    }
}

/// `bytes 8f 3c -> 9f 3c`, or that a row moved.
fn rewritten(bytes: &Option<[String; 2]>) -> Cow<'static, str> {
    match bytes {
        Some([was, is]) => format!("bytes {was} -> {is}").into(),
        None => "moved".into(),
    }
}

impl Shown {
    /// `note C4 on Piano at 5.1`
    #[must_use]
    pub fn title(&self) -> String {
        // `circle~2` and `entity:num` already contain their kind.
        let handle = self.name.strip_prefix(&*self.kind);
        let mut title = match handle {
            Some(rest) if rest.starts_with(['~', ':']) => self.name.clone(),
            _ if self.name.is_empty() => self.kind.to_string(),
            _ => format!("{} {}", self.kind, self.name),
        };
        if let Some(place) = &self.place {
            title.push_str(" at ");
            title.push_str(place);
        }
        title
    }
}

impl FieldChange {
    /// `vel 80 -> 90`
    fn whole(&self, most: usize) -> String {
        self.named(&self.values(most))
    }

    /// `80 -> 90`
    fn values(&self, most: usize) -> String {
        if let Some(words) = self.words {
            return words.to_owned();
        }
        let text = |side: &Option<(String, Option<i64>)>| match side {
            // Without a name before it, a text needs quotes to show its ends.
            Some((text, _)) if self.name.is_empty() && needs_quotes(text) => {
                format!("{:?}", short(text, most))
            }
            Some((text, _)) => short(text, most),
            // A value may be spelled `none`.
            None => "nothing".to_owned(),
        };
        match (&self.then, &self.now) {
            (Some((then, _)), Some((now, _))) if let Some(parts) = differing(then, now, most) => {
                parts
            }
            (Some(then), Some(now)) if let Some(unit) = self.unit => {
                let mut sides = [then.clone(), now.clone()];
                in_one_unit(unit, sides.iter_mut());
                let [then, now] = sides;
                format!("{} -> {}", text(&Some(then)), text(&Some(now)))
            }
            (then, now) => format!("{} -> {}", text(then), text(now)),
        }
    }

    /// The text that is equal for all equal changes: `pitch -2`, or both values.
    fn step(&self) -> String {
        self.named(&self.step_value())
    }

    fn step_value(&self) -> Cow<'_, str> {
        match &self.step {
            Some(step) => step.into(),
            None => self.values(VALUE).into(),
        }
    }

    /// A text after the name, if the field has one.
    fn named(&self, text: &str) -> String {
        match &*self.name {
            "" => text.to_owned(),
            _ if self.words.is_some() => text.to_owned(),
            name => format!("{name} {text}"),
        }
    }
}

fn needs_quotes(text: &str) -> bool {
    let open = text.contains(char::is_whitespace) && !text.starts_with('"');
    text.is_empty() || open
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key<'c> {
    kind: &'c str,
    sign: char,
    names: Vec<&'c str>,
    steps: Vec<Cow<'c, str>>,
}

/// The lines of a listing of changes; with whole values if few rows changed.
pub(crate) fn whole_lines(changes: &[RowChange], fold: Option<usize>) -> Vec<String> {
    let lines = counted_lines(changes, fold).into_iter();
    lines.map(|(line, _)| line).collect()
}

/// [`whole_lines`], each with the number of its rows.
pub(crate) fn counted_lines(changes: &[RowChange], fold: Option<usize>) -> Vec<(String, usize)> {
    if changes.len() <= WHOLES {
        let values = changes.iter().flat_map(RowChange::values);
        let (bytes, count) = values.fold((0, 1), |(bytes, count), text| {
            (bytes + text.len(), count + 1)
        });
        let most = match bytes <= ROOM {
            true => ROOM,
            false => (ROOM / count).clamp(VALUE, WHOLE),
        };
        let rows = changes.iter();
        return rows.map(|row| (row.line_of(most), 1)).collect();
    }
    lines(changes, fold)
}

/// The lines of a listing of changes. If `fold` gives their approximate number, equal changes are
/// one line, with their count, the first and the last place, and examples.
fn lines(changes: &[RowChange], fold: Option<usize>) -> Vec<(String, usize)> {
    let Some(room) = fold.filter(|_| changes.len() > FEW) else {
        return changes.iter().map(|row| (row.line(), 1)).collect();
    };
    // Equal changes, in the order of their first rows.
    let mut order: Vec<(Key<'_>, Vec<usize>)> = Vec::new();
    let mut seen: FxHashMap<Key<'_>, usize> = FxHashMap::default();
    for (ix, change) in changes.iter().enumerate() {
        let next = order.len();
        let at = *seen.entry(change.key()).or_insert_with_key(|key| {
            order.push((key.clone(), Vec::new()));
            next
        });
        if let Some((_, rows)) = order.get_mut(at) {
            rows.push(ix);
        }
    }
    // Groups of one kind and with the same fields form a family.
    let mut families: Vec<Vec<(Key<'_>, Vec<usize>)>> = Vec::new();
    let mut family_of: BTreeMap<(&str, char, Vec<&str>), usize> = BTreeMap::new();
    for (key, rows) in order {
        let family = (key.kind, key.sign, key.names.clone());
        let next = families.len();
        let at = *family_of.entry(family).or_insert(next);
        if at == next {
            families.push(Vec::new());
        }
        if let Some(family) = families.get_mut(at) {
            family.push((key, rows));
        }
    }
    let mut lines = Vec::new();
    // The room of one family, so that all have some.
    let most = (room / families.len().max(1)).clamp(1, FEW);
    let row = |ix: &usize| changes.get(*ix);
    for family in families {
        let total: usize = family.iter().map(|(_, rows)| rows.len()).sum();
        let is_changed = family.first().is_some_and(|(key, _)| key.sign == '~');
        if total <= most && (family.len() > 1 || !is_changed || total == 1) {
            let mut rows: Vec<usize> = family.into_iter().flat_map(|(_, rows)| rows).collect();
            rows.sort_unstable();
            let rows = rows.iter().filter_map(row);
            lines.extend(rows.map(|row| (row.line(), 1)));
            continue;
        }
        // The largest groups have their own lines, the others share one.
        let mut groups = family;
        let room = GROUPS.min(most);
        let mut rest: Vec<usize> = Vec::new();
        if groups.len() > room {
            // A group is large by its share: if all values are different, none is.
            let large = |rows: &Vec<usize>| rows.len() * SHARE >= total;
            let (own, others): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|(_, rows)| large(rows));
            groups = own;
            rest = others.into_iter().flat_map(|(_, rows)| rows).collect();
            rest.sort_unstable();
        }
        for (_, rows) in &groups {
            let rows: Vec<&RowChange> = rows.iter().filter_map(row).collect();
            lines.push((group(&rows, true), rows.len()));
        }
        if !rest.is_empty() {
            let rows: Vec<&RowChange> = rest.iter().filter_map(row).collect();
            lines.push((group(&rows, false), rows.len()));
        }
    }
    lines
}

/// Several changes on one line. They are `equal`, or only have the same fields.
fn group(rows: &[&RowChange], equal: bool) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    if rows.len() == 1 {
        return first.line();
    }
    let places = || {
        rows.iter()
            .filter_map(|change| change.row().place.as_deref())
    };
    let ends = places().min_by(natural).zip(places().max_by(natural));
    let span = match ends.filter(|_| places().count() == rows.len()) {
        Some((from, to)) if from == to => format!(", at {from}"),
        Some((from, to)) => format!(", {from} to {to}"),
        None => String::new(),
    };
    let count = format!("{} {}", thousands(rows.len()), first.row().plural);
    let examples = rows.iter().take(EXAMPLES);
    match first {
        RowChange::Added(..) | RowChange::Removed(..) => {
            let sign = if matches!(first, RowChange::Added(..)) {
                '+'
            } else {
                '-'
            };
            let examples: Vec<String> = examples
                .filter_map(|change| change.line().get(2..).map(str::to_owned))
                .collect();
            format!("{sign} {count}{span}; e.g. {}", examples.join("; "))
        }
        RowChange::Rewritten(_, bytes) => {
            let shown = |change: &&RowChange| match equal {
                true => change.row().title(),
                false => change.line().split_off(2),
            };
            let shown: Vec<String> = examples.map(shown).collect();
            let text = match equal {
                true => rewritten(bytes),
                false => "each in its own way".into(),
            };
            format!("~ {count}: {text}{span}; e.g. {}", shown.join("; "))
        }
        RowChange::Changed(_, fields) => {
            let what: Vec<String> = if equal {
                fields.iter().map(FieldChange::step).collect()
            } else {
                (0..fields.len()).map(|ix| range(rows, ix)).collect()
            };
            let examples: Vec<String> = examples
                .filter_map(|change| match change {
                    RowChange::Changed(row, fields) => {
                        let values: Vec<String> =
                            fields.iter().map(|field| field.values(VALUE)).collect();
                        Some(format!("{}: {}", row.title(), values.join(", ")))
                    }
                    _ => None,
                })
                .collect();
            format!(
                "~ {count}: {}{span}; e.g. {}",
                what.join(", "),
                examples.join("; ")
            )
        }
    }
}

/// The order of places: numbers in them by value, so that `line 9` and `5.1` come before `line 10`
/// and `11.1`. Rows are in the order of the file, which several tracks make another one.
fn natural(one: &&str, other: &&str) -> Ordering {
    fn number<'a>(text: &mut &'a [u8]) -> &'a [u8] {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (own, rest) = text.split_at(digits);
        *text = rest;
        let zeros = own.iter().take_while(|byte| **byte == b'0').count();
        own.split_at(zeros).1
    }
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    loop {
        let (Some((first, rest)), Some((second, left))) = (one.split_first(), other.split_first())
        else {
            return one.len().cmp(&other.len());
        };
        let order = if first.is_ascii_digit() && second.is_ascii_digit() {
            let (a, b) = (number(&mut one), number(&mut other));
            a.len().cmp(&b.len()).then(a.cmp(b))
        } else {
            (one, other) = (rest, left);
            first.cmp(second)
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// A field of many rows: `vel 40..90 -> 28..78`, what all have in common, or the number of its values.
fn range(rows: &[&RowChange], ix: usize) -> String {
    let fields = rows.iter().filter_map(|row| match row {
        RowChange::Changed(_, fields) => fields.get(ix),
        _ => None,
    });
    let fields: Vec<&FieldChange> = fields.collect();
    let Some(first) = fields.first() else {
        return String::new();
    };
    let step = first.step_value();
    if fields.iter().all(|field| field.step_value() == step) {
        return first.step();
    }
    let name = &first.name;
    let unit = first.unit;
    let side = |now: bool| -> Option<[(String, Option<i64>); 2]> {
        let mut values: Vec<(i64, &str)> = Vec::with_capacity(fields.len());
        for field in &fields {
            let value = if now { &field.now } else { &field.then };
            let (text, number) = value.as_ref()?;
            values.push(((*number)?, text));
        }
        let ends = [values.iter().min()?, values.iter().max()?];
        Some(ends.map(|(number, text)| ((*text).to_owned(), Some(*number))))
    };
    let (Some(then), Some(now)) = (side(false), side(true)) else {
        return first.named(&numbers_of_values(&fields));
    };
    let mut sides = [then, now];
    if let Some(unit) = unit {
        in_one_unit(unit, sides.iter_mut().flatten());
    }
    let [then, now] = sides.map(|[(low, least), (high, most)]| match least == most {
        true => low,
        false => {
            let high = unit
                .and_then(|unit| high.strip_prefix(unit))
                .unwrap_or(&high);
            format!("{low}..{high}")
        }
    });
    format!("{name} {then} -> {now}").trim_start().to_owned()
}

/// `30 values -> red`, or that no two rows have the same values.
fn numbers_of_values(fields: &[&FieldChange]) -> String {
    type Side = fn(&FieldChange) -> Option<&str>;
    let sides: [Side; 2] = [
        |field| Some(&*field.then.as_ref()?.0),
        |field| Some(&*field.now.as_ref()?.0),
    ];
    let values = sides.map(|of| {
        let values: BTreeSet<Option<&str>> = fields.iter().map(|field| of(field)).collect();
        values
    });
    if values.iter().all(|values| values.len() == fields.len()) {
        return "each its own".to_owned();
    }
    let [then, now] = values.map(|values| match values.first() {
        Some(only) if values.len() == 1 => {
            only.map_or("nothing".to_owned(), |text| short(text, VALUE))
        }
        _ => format!("{} values", thousands(values.len())),
    });
    format!("{then} -> {now}")
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn places_are_ordered_by_their_numbers() {
        let mut places = [
            "line 10", "11.1", "5.1.240", "5.1", "line 9", "05.2", "5.1.3",
        ];
        places.sort_by(natural);
        assert_eq!(
            places,
            [
                "5.1", "5.1.3", "5.1.240", "05.2", "11.1", "line 9", "line 10"
            ]
        );
    }
}
