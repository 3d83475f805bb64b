//! The tables of a model: those written by the domain, and one for each kind of row.

use std::borrow::Cow;
use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::changes;
use super::write_statement::is_write;
use crate::domain::Domain;
use crate::model::{EntityShape, FieldKind, ModelExt};
use crate::table::{AnyRow, Column as Own, Set, TableDef, Wanted, added_columns};
use crate::value::SqlType;
use crate::verb::{Place, Registry, Verb};

/// A table as SQL sees it.
pub(crate) struct Table<M: Domain> {
    /// Its name, a valid SQL word.
    pub name: String,
    /// Its description, in one sentence.
    pub doc: &'static str,
    /// Its columns, without `ref`.
    pub columns: Vec<Column>,
    /// The part of the model that its rows belong to, if it is only one.
    pub part: Option<usize>,
    /// Whether it has one row for each row of the model.
    pub is_entity: bool,
    /// Whether it has the column `ref`.
    pub is_named: bool,
    /// The source of its rows.
    pub source: Source<M>,
}

/// The source of a table's rows.
pub(crate) enum Source<M: Domain> {
    /// A function of the domain.
    Own(&'static TableDef<M>),
    /// A kind of row, by the index of its part of the model.
    Kind(usize),
    /// The differences from an earlier state: see [`super::changes`].
    Changes,
}

/// The index of a column of [`Domain::position`]: it is not a field.
pub(crate) const POSITION: usize = usize::MAX - 1;

/// A column as SQL sees it.
#[derive(Default)]
pub(crate) struct Column {
    /// Its name, a valid SQL word.
    pub name: String,
    /// Synonyms that repairs recognise.
    pub aliases: &'static [&'static str],
    /// Its description, in one sentence.
    pub doc: &'static str,
    /// Its SQL type.
    pub sql: SqlType,
    /// Its key in `modify`, if it has one.
    pub key: Option<&'static str>,
    /// Whether it has its own setter.
    pub own: bool,
    /// The column of the domain's own table that writes it: the table's name, and the column's
    /// index there.
    pub via: Option<(&'static str, usize)>,
    /// The op that changes the value shown, if the column cannot be written.
    pub by: Option<&'static str>,
    /// The fields of `diff` that it shows under another name.
    pub shows: &'static [&'static str],
    /// The index of the field, or of the column of the row struct.
    pub ix: usize,
    /// The kind of row that it refers to.
    pub refers: Option<&'static str>,
    /// Whether it can be set to NULL.
    pub optional: bool,
}

impl Column {
    /// A column that cannot be written.
    pub fn new(name: String, doc: &'static str, sql: SqlType, ix: usize) -> Self {
        Self {
            name,
            doc,
            sql,
            ix,
            optional: true,
            ..Self::default()
        }
    }

    /// Returns whether it can be written.
    pub const fn is_writable(&self) -> bool {
        self.own || self.key.is_some() || self.via.is_some()
    }
}

impl<M: Domain> Table<M> {
    /// Every table; those written by the domain come first.
    pub fn all(registry: &Registry<M>) -> Vec<Self> {
        let mut tables: Vec<Self> = registry.tables().map(Self::own).collect();
        let mut taken: BTreeSet<String> = tables.iter().map(|table| table.name.clone()).collect();
        for (part, shape) in M::kinds() {
            let table = Self::kind(registry, part, shape);
            // A table written by the domain replaces the one generated for its rows, and makes a
            // generated one without columns superfluous.
            let says_more = |own: &Self| own.is_entity && own.part == Some(part);
            let is_told = table.columns.is_empty() && tables.iter().any(says_more);
            if !is_told && taken.insert(table.name.clone()) {
                tables.push(table);
            }
        }
        if taken.insert(changes::NAME.to_owned()) {
            tables.push(Self {
                name: changes::NAME.to_owned(),
                doc: changes::DOC,
                columns: changes::columns(),
                part: None,
                is_entity: false,
                is_named: true,
                source: Source::Changes,
            });
        }
        tables
    }

    fn own(def: &'static TableDef<M>) -> Self {
        let column = |(ix, own): (usize, &'static Own<M>)| Column {
            key: match own.set {
                Some(Set::Key(key)) => Some(key),
                _ => None,
            },
            own: matches!(own.set, Some(Set::Own(_) | Set::All(_))),
            by: own.by,
            shows: own.shows,
            ..Column::new(word(own.name), own.doc, own.sql, ix)
        };
        Self {
            name: word(def.name),
            doc: def.summary,
            columns: def.columns.iter().enumerate().map(column).collect(),
            part: def.part,
            is_entity: def.entity,
            is_named: def.named,
            source: Source::Own(def),
        }
    }

    fn kind(registry: &Registry<M>, part: usize, shape: &'static EntityShape) -> Self {
        // A domain's own `modify` can only change columns for which it has keys.
        let own = registry.verbs().find(|verb| verb.phrase == "modify");
        let changes = |key: &str| {
            own.is_none_or(|verb| {
                let mut params = verb.params.iter();
                params.any(|param| {
                    param.place == Place::Fields
                        || (param.place == Place::Key && param.answers_to(key))
                })
            })
        };
        let fields = shape.fields.iter().enumerate();
        let columns = fields.filter_map(|(ix, field)| {
            let refers = match field.kind {
                FieldKind::Hidden => return None,
                FieldKind::Refers(kind) => Some(kind),
                FieldKind::Value | FieldKind::ReadOnly => None,
            };
            let sql = match refers {
                Some(_) => SqlType::Text,
                None => (field.spec)().sql,
            };
            let is_set = field.kind != FieldKind::ReadOnly && changes(field.name);
            Some(Column {
                aliases: field.aliases,
                key: is_set.then_some(field.name),
                via: via(registry, part, |column| {
                    let is_named = column.name == field.column
                        || column.name == field.name
                        || field.aliases.contains(&column.name);
                    // Otherwise an expression would compute with another value than it sets.
                    is_named && column.sql == sql
                }),
                refers,
                optional: field.optional,
                ..Column::new(word(field.column), field.doc, sql, ix)
            })
        });
        let mut columns: Vec<Column> = columns.collect();
        if let Some((beside, name, doc)) = M::POSITION
            && let Some(at) = columns.iter().position(|column| column.name == beside)
        {
            let column = Column {
                via: via(registry, part, |own| own.name == name),
                optional: false,
                ..Column::new(name.to_owned(), doc, SqlType::Text, POSITION)
            };
            columns.insert(at + 1, column);
        }
        Self {
            name: word(shape.plural),
            doc: shape.doc,
            columns,
            part: Some(part),
            is_entity: true,
            is_named: true,
            source: Source::Kind(part),
        }
    }

    /// A value as written in a statement, or the text that lacks its quotes: a word that is not a column.
    pub fn or_text<'v>(&self, value: &'v str) -> Cow<'v, str> {
        let is_word = value.chars().all(|c| c.is_alphanumeric() || c == '-')
            && value.starts_with(char::is_alphabetic);
        match is_word && self.column(value).is_none() && !value.eq_ignore_ascii_case("null") {
            true => super::as_literal(value).into(),
            false => value.into(),
        }
    }

    /// The rows of a domain's own table as structs with these columns, for their setters.
    pub fn structs(&self, model: &M, wanted: &[&str]) -> Structs {
        let mut rows = Vec::new();
        if let Source::Own(def) = self.source {
            (def.rows)(model, Wanted::new(wanted), &mut |row| rows.push(row));
        }
        Structs(rows)
    }

    /// Returns whether the domain wrote it.
    pub const fn is_own(&self) -> bool {
        matches!(self.source, Source::Own(_))
    }

    /// The domain's own verb that adds its rows, if they are not added by their fields.
    pub fn adder(&self, registry: &Registry<M>) -> Option<&'static str> {
        let Source::Kind(part) = self.source else {
            return None;
        };
        let shape = M::SHAPE.parts.get(part)?.shape?;
        let phrase = format!("add {}", shape.kind);
        let own = registry.verbs().find(|verb| {
            verb.phrase == phrase || verb.aliases.contains(&&*phrase) || verb.phrase == shape.kind
        });
        own.map(|verb| verb.phrase)
    }

    /// The columns of a new row for `INSERT`, each with its alternatives; empty if rows cannot be
    /// added.
    pub fn added(&self, registry: &Registry<M>) -> Vec<Vec<&str>> {
        let columns = self.columns.iter();
        match self.source {
            Source::Own(def) => def.insert.map(added_columns).unwrap_or_default(),
            Source::Kind(_) if self.adder(registry).is_none() => {
                let set = columns.filter(|column| column.key.is_some());
                set.map(|column| vec![&*column.name]).collect()
            }
            Source::Kind(_) | Source::Changes => Vec::new(),
        }
    }

    /// The column that names its rows, if that can be written.
    pub fn label(&self) -> Option<&str> {
        let shape = M::SHAPE.parts.get(self.part?)?.shape?;
        let label = shape.fields.iter().find(|field| field.label)?;
        let column = self.named(label.column)?;
        (self.is_entity && column.is_writable()).then_some(&*column.name)
    }

    /// The verbs of the domain that add or remove its rows, by their phrases: `bars insert`.
    pub fn verbs<'r>(&self, registry: &'r Registry<M>, acts: &[&str]) -> Vec<&'r Verb<M>> {
        let shape = self.part.and_then(|part| M::SHAPE.parts.get(part)?.shape);
        let kind = shape.map_or("", |shape| shape.kind);
        let nouns = [&*self.name, self.name.trim_end_matches('s'), kind];
        let of_table = |verb: &&Verb<M>| {
            let words = verb.phrase.split_once(' ');
            words.is_some_and(|(one, other)| {
                let is = |noun: &str, act: &str| nouns.contains(&noun) && acts.contains(&act);
                is(one, other) || is(other, one)
            })
        };
        registry.verbs().filter(of_table).collect()
    }

    /// The verbs that change what its columns show.
    pub fn changers(&self) -> Vec<&'static str> {
        let by = self.columns.iter().filter_map(|column| column.by);
        let verbs = by.filter(|by| !is_write(by));
        let verbs = verbs.map(|by| by.split(' ').next().unwrap_or_default());
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
        let verbs: IndexSet<&str> = verbs.filter(|verb| verb.bytes().all(is_letter)).collect();
        verbs.into_iter().collect()
    }

    /// The setter of a column, if it has its own.
    pub fn setter(&self, column: &Column) -> Option<&'static Set<M>> {
        match self.source {
            Source::Own(def) => def.columns.get(column.ix)?.set.as_ref(),
            _ => None,
        }
    }

    /// Returns whether `DELETE` can remove its rows.
    pub const fn is_removable(&self) -> bool {
        match self.source {
            Source::Own(def) => def.entity || def.delete.is_some() || def.delete_all.is_some(),
            Source::Kind(_) => true,
            Source::Changes => false,
        }
    }

    /// The names of the columns that can be written.
    pub fn writable(&self) -> Vec<&str> {
        let columns = self.columns.iter().filter(|column| column.is_writable());
        columns.map(|column| &*column.name).collect()
    }

    /// The column of this name, ignoring case.
    pub fn named(&self, name: &str) -> Option<&Column> {
        self.columns.get(self.column(name)?)
    }

    /// The index of the column of this name, ignoring case.
    pub fn column(&self, name: &str) -> Option<usize> {
        let own = |column: &Column| column.name.eq_ignore_ascii_case(name);
        self.columns.iter().position(own)
    }

    /// The names of its columns, `ref` first.
    pub fn names(&self) -> Vec<&str> {
        let names = self.columns.iter().map(|column| &*column.name);
        let first = self.is_named.then_some("ref");
        first.into_iter().chain(names).collect()
    }

    /// `notes(ref, pitch, vel)`
    pub fn outline(&self) -> String {
        format!("{}({})", self.name, self.names().join(", "))
    }
}

/// The rows of a domain's own table as structs.
#[derive(Default)]
pub(crate) struct Structs(Vec<Box<dyn AnyRow>>);

impl Structs {
    /// The row with this number, from 1.
    pub fn get(&self, number: i64) -> Option<&dyn AnyRow> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.0.get(at).map(|row| &**row)
    }

    /// The rows and their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (i64, &dyn AnyRow)> {
        (1..).zip(self.0.iter().map(|row| &**row))
    }
}

/// The column of a domain's own table with a row for each row of the model, this part's included,
/// that can be written and `fits`.
fn via<M: Domain>(
    registry: &Registry<M>,
    part: usize,
    fits: impl Fn(&Own<M>) -> bool,
) -> Option<(&'static str, usize)> {
    let covers = |def: &&TableDef<M>| def.entity && def.part.is_none_or(|own| own == part);
    let own = |column: &Own<M>| column.set.is_some() && fits(column);
    registry.tables().filter(covers).find_map(|def| {
        let ix = def.columns.iter().position(own)?;
        Some((def.name, ix))
    })
}

/// A name as a valid SQL word.
fn word(name: &str) -> String {
    name.replace(|c: char| !c.is_alphanumeric(), "_")
}
