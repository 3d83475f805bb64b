//! The full card.

use super::entries::{groups, shared, verb_entry};
use super::{SIGNS, categories, selectors, values};
use crate::domain::Domain;
use crate::model::{EntityShape, FieldKind, ModelExt};
use crate::value::fold;
use crate::verb::{Group, Param, Registry};

/// The full card: every verb, type, value, selector, query and action, and one session from `new` to `save`.
pub fn full<M: Domain>(registry: &Registry<M>) -> String {
    Sections::of(registry).text()
}

/// The parts of the card.
pub(super) struct Sections {
    pub title: String,
    pub parts: Vec<Section>,
}

/// A heading with its entries.
pub(super) struct Section {
    pub heading: String,
    pub topic: &'static str,
    pub intro: Option<String>,
    /// The text before the entries on the brief card.
    pub brief: Option<String>,
    pub entries: Vec<Entry>,
}

/// An entry of the card.
#[derive(Clone)]
pub(super) struct Entry {
    /// Its topic.
    pub name: String,
    /// Other words for it.
    pub also: Vec<String>,
    pub text: String,
    /// Its forms on one line, the shortest first.
    pub forms: Vec<String>,
    /// The text of its topic, if that is longer.
    pub alone: Option<String>,
}

/// The description of the runtime's SQL.
const INTRO: &str = "  SQLite's SQL over the tables. SELECT and WITH are queries; the others are ops, and one step of the log each.
  @where:\"CONDITION\" selects the rows for which a condition over their columns is true, @where:\"SELECT ref FROM …\" those
  that a question names. KEY:=EXPR, or KEY:=\"EXPR with blanks\", computes a value for each selected row from its columns as
  they were before the op; NULL leaves a row as it is. random(), dates and what else differs between runs is not there.";

impl Entry {
    /// `text` is a syntax, followed by its description.
    fn new(name: &str, text: String) -> Self {
        let mut lines = text.lines();
        let syntax = lines.next().unwrap_or_default().trim();
        let doc = lines.next().unwrap_or_default().trim();
        Self {
            name: name.to_owned(),
            also: Vec::new(),
            forms: forms(&[syntax.to_owned()], doc),
            text,
            alone: None,
        }
    }

    /// This entry, its topic with those of the examples that have its name in them.
    fn with_examples(mut self, examples: &[&str]) -> Self {
        let name = self.name.split([':', '=']).next().unwrap_or_default();
        let name = match name {
            "KEY" => ":=",
            name => name,
        };
        let own = examples.iter().filter(|example| example.contains(name));
        let own: Vec<String> = own.map(|example| format!("  {example}\n")).collect();
        if !own.is_empty() {
            self.alone = Some(format!("{}{}", own.concat(), self.text));
        }
        self
    }

    /// The full text of its topic.
    pub fn alone(&self) -> String {
        self.alone.as_ref().unwrap_or(&self.text).clone()
    }

    /// Whether a folded word is its name, with or without the sign of a selector.
    pub fn is_called(&self, wanted: &str) -> bool {
        let name = fold(&self.name);
        name == wanted
            || name.trim_start_matches('@') == wanted
            || self.also.iter().any(|word| fold(word) == wanted)
    }
}

/// The syntaxes with a line of description, which comes before longer forms of a syntax.
pub(super) fn forms(syntaxes: &[String], doc: &str) -> Vec<String> {
    let first = syntaxes.first().cloned().unwrap_or_default();
    if doc.is_empty() {
        return syntaxes.to_vec();
    }
    let sentence = doc.split_once(". ").map_or(doc, |(first, _)| first);
    let sentence = sentence.trim_end_matches('.');
    let short = clause(sentence);
    let mut forms = vec![first.clone(), format!("{first}  {short}")];
    forms.extend(
        syntaxes
            .iter()
            .map(|syntax| format!("{syntax}  {sentence}")),
    );
    forms
}

/// The length of a first description, in bytes.
const SHORT: usize = 40;

/// The shortest part of a sentence that says enough, in bytes.
const CLAUSE: usize = 12;

/// Words before which a sentence can end.
const JOINTS: &[&str] = &[
    "and", "before", "if", "so", "that", "unless", "until", "when", "where", "which", "with",
    "without",
];

/// The beginning of a sentence, up to where it could end, or else with a mark that it goes on.
fn clause(sentence: &str) -> String {
    if sentence.len() <= SHORT {
        return sentence.to_owned();
    }
    let room = sentence.get(..sentence.floor_char_boundary(SHORT + 1));
    let room = room.unwrap_or_default();
    let marks = [": ", "; ", ", ", " ("];
    let ends = marks.iter().flat_map(|mark| room.match_indices(mark));
    let end = ends.map(|(at, _)| at).filter(|end| *end >= CLAUSE).min();
    let words = room.match_indices(' ').map(|(at, _)| at);
    let is_joint = |at: &usize| {
        let next = sentence.get(at + 1..).unwrap_or_default();
        let next = next.split(' ').next().unwrap_or_default();
        JOINTS.contains(&next)
    };
    let joint = words.clone().rfind(is_joint);
    let end = end.or(joint.filter(|end| *end >= CLAUSE));
    match (end, words.clone().next_back()) {
        (Some(end), _) => {
            let clause = sentence.get(..end).unwrap_or(sentence);
            clause.trim_end_matches(',').to_owned()
        }
        (None, Some(last)) => format!("{} …", sentence.get(..last).unwrap_or_default()),
        (None, None) => room.to_owned(),
    }
}

/// The number of a verb's example steps on the card; its topic shows all.
pub(super) const SHOWN: usize = 2;

impl Sections {
    pub fn of<M: Domain>(registry: &Registry<M>) -> Self {
        let domain = M::SHAPE.domain;
        let groups = groups(registry);
        let mut parts = Vec::new();
        for (category, verbs) in categories(registry.verbs()) {
            parts.push(Section {
                heading: category.to_owned(),
                topic: "verbs",
                intro: None,
                brief: None,
                entries: verbs
                    .into_iter()
                    .map(|verb| verb_entry(verb, &groups))
                    .collect(),
            });
        }
        parts.push(Section {
            heading: "One call".to_owned(),
            topic: "batch",
            intro: Some(
                "  The ops of a call run in order; if one fails, all are taken back.".to_owned(),
            ),
            brief: None,
            entries: builtin(crate::session::STEERING),
        });
        parts.push(Section {
            heading: "SQL".to_owned(),
            topic: "sql",
            intro: Some(INTRO.to_owned()),
            brief: Some(
                "  @where:\"CONDITION\" selects by columns; KEY:=EXPR computes a value for each row.".to_owned(),
            ),
            entries: [
                builtin(crate::session::COMPUTED),
                builtin(crate::session::EXPRESSIONS),
            ]
            .concat()
            .into_iter()
            .map(|entry| entry.with_examples(M::SQL_EXAMPLES))
            .collect(),
        });
        let tables = crate::sql::tables_of(registry).into_iter().map(|table| {
            let text = format!("  {}\n      {}", table.outline, table.doc);
            let columns: Vec<String> = table
                .columns
                .iter()
                .map(|own| format!("      {own}"))
                .collect();
            let first = table.names.get(1).map_or("*", String::as_str);
            let mut example = format!("  ? SELECT ref, {first} FROM {} LIMIT 5", table.name);
            if let Some(column) = table.written.first() {
                example.push_str(&format!("\n  UPDATE {} SET {column}=… WHERE …", table.name));
            }
            if let Some(added) = &table.added {
                example.push_str(&format!("\n  INSERT INTO {}({added}) VALUES …", table.name));
            }
            Entry {
                alone: Some(format!(
                    "{example}\n  {}\n      {}\n{}",
                    table.outline,
                    table.doc,
                    columns.join("\n")
                )),
                forms: forms(&[table.name.clone(), table.outline.clone()], table.doc),
                ..Entry::new(&table.name, text)
            }
        });
        parts.push(Section {
            heading: "Tables".to_owned(),
            topic: "tables",
            intro: Some("  Read by SELECT; ref is the word by which ops name a row.".to_owned()),
            brief: None,
            entries: tables.collect(),
        });
        if !groups.is_empty() {
            let group_entry = |(group, params): &(Group, Vec<&Param>)| {
                Entry::new(&group.name.to_lowercase(), shared(group, params))
            };
            parts.push(Section {
                heading: "Shared parameters".to_owned(),
                topic: "groups",
                intro: None,
                brief: None,
                entries: groups.iter().map(group_entry).collect(),
            });
        }
        let types =
            M::kinds().filter(|(part, _)| M::SHAPE.parts.get(*part).is_some_and(|part| !part.view));
        parts.push(Section {
            heading: "Types".to_owned(),
            topic: "types",
            intro: None,
            brief: None,
            entries: types
                .map(|(_, shape)| Entry::new(shape.kind, kind(shape)))
                .collect(),
        });
        let values = values(registry).into_iter().map(|spec| {
            let mut text = format!("  {}\n      {}", spec.name, spec.doc);
            for choice in spec.choices {
                let aliases = if choice.aliases.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", choice.aliases.join(", "))
                };
                let doc = if choice.doc.is_empty() {
                    String::new()
                } else {
                    format!(": {}", choice.doc)
                };
                text.push_str(&format!("\n      {}{aliases}{doc}", choice.word));
            }
            Entry::new(spec.name, text)
        });
        parts.push(Section {
            heading: "Values".to_owned(),
            topic: "values",
            intro: None,
            brief: None,
            entries: values.collect(),
        });
        let forms = selectors(registry).into_iter().map(|(form, doc)| {
            let name = form.split([':', '[']).next().unwrap_or_default();
            let entry = Entry::new(name, format!("  {form}\n      {doc}"));
            match name {
                "@where" => entry.with_examples(M::SQL_EXAMPLES),
                _ => entry,
            }
        });
        parts.push(Section {
            heading: "Selectors".to_owned(),
            topic: "selectors",
            intro: Some(
                "  All in an op must match; @not: before one negates it; A|B inside one is either."
                    .to_owned(),
            ),
            brief: None,
            entries: forms.collect(),
        });
        let queries = registry.queries().map(|verb| verb_entry(verb, &groups));
        let built_in = builtin(crate::queries::BUILTIN).into_iter();
        let built_in = built_in.map(|entry| match &*entry.name {
            "SELECT" => entry.with_examples(M::SQL_EXAMPLES),
            _ => entry,
        });
        parts.push(Section {
            heading: format!("Queries ({domain}_query)"),
            topic: "queries",
            intro: Some("  Long answers page: limit:N, from:N.".to_owned()),
            brief: None,
            entries: queries.chain(built_in).collect(),
        });
        let actions = registry.actions().map(|verb| verb_entry(verb, &groups));
        let own: Vec<Entry> = actions.collect();
        let mut builtin_actions = builtin(crate::session::actions::BUILTIN);
        let saves = builtin_actions
            .iter_mut()
            .filter(|entry| entry.name == "save");
        saves.for_each(|save| {
            for (key, doc) in M::SAVING {
                save.text.push_str(&format!("\n      {key}: {doc}"));
            }
        });
        let rest = builtin_actions
            .into_iter()
            .filter(|entry| !own.iter().any(|own| own.name == entry.name));
        let formats = M::FORMATS
            .iter()
            .map(|f| format!("{} (.{}): {}", f.name, f.extensions.join(", ."), f.doc));
        parts.push(Section {
            heading: format!("Session ({domain}_session)"),
            topic: "session",
            intro: Some(format!(
                "  Formats: {}",
                formats.collect::<Vec<_>>().join("; ")
            )),
            brief: None,
            entries: own.iter().cloned().chain(rest).collect(),
        });
        parts.push(Section {
            heading: "Settings (set KEY:VALUE)".to_owned(),
            topic: "settings",
            intro: None,
            brief: None,
            entries: [builtin(crate::session::SETTINGS), builtin(M::SETTINGS)].concat(),
        });
        let lints: Vec<Entry> = registry
            .lints()
            .map(|lint| {
                Entry::new(
                    lint.code,
                    format!("  {}\n      {}", lint.code, lint.summary),
                )
            })
            .collect();
        if !lints.is_empty() {
            parts.push(Section {
                heading: "Warnings".to_owned(),
                topic: "warnings",
                intro: None,
                brief: None,
                entries: lints,
            });
        }
        parts.push(Section {
            heading: "Replies".to_owned(),
            topic: "replies",
            intro: Some(format!(
                "  {SIGNS}\n  Under an error is try: (send it as it is) or syntax:. The last line is the digest:\n  \
                 counts, metrics and a hash that is equal for equal contents."
            )),
            brief: Some(format!("  {SIGNS}")),
            entries: Vec::new(),
        });
        parts.push(Section {
            heading: "Example".to_owned(),
            topic: "examples",
            intro: Some(indent(M::WORKFLOW)),
            brief: Some(indent(M::WORKFLOW)),
            entries: Vec::new(),
        });
        let title = format!(
            "# {} ({domain})\n\nAn op is VERB TARGET [key:value]…; a value with spaces is quoted. Rows are named by NAME, \
             #id or KIND:NAME,\nor picked by @selectors. In a script ? marks a query and ! a session action. \
             {domain}_help TOPIC shows\nall of a verb, a type, a table, a selector; {domain}_help all is the long card.",
            M::SHAPE.title
        );
        Self { title, parts }
    }

    pub fn text(&self) -> String {
        let mut text = self.title.clone();
        for part in &self.parts {
            text.push_str("\n\n");
            text.push_str(&part.text());
        }
        text.push('\n');
        text
    }
}

impl Section {
    fn text(&self) -> String {
        let mut text = format!("## {}", self.heading);
        let entries = self.entries.iter().map(|entry| entry.text.as_str());
        for part in self.intro.as_deref().into_iter().chain(entries) {
            text.push('\n');
            text.push_str(part);
        }
        text
    }
}

fn builtin(table: &[(&str, &str)]) -> Vec<Entry> {
    let entry = |(syntax, doc): &(&str, &str)| {
        let name = syntax.split(' ').next().unwrap_or_default();
        Entry::new(name, format!("  {syntax}\n      {doc}"))
    };
    table.iter().map(entry).collect()
}

/// A type with its fields.
fn kind(shape: &EntityShape) -> String {
    let mut text = format!("  {}\n      {}", shape.kind, shape.doc);
    for field in shape.fields {
        let value = match field.kind {
            FieldKind::Hidden => continue,
            FieldKind::Refers(kind) => kind.to_uppercase(),
            FieldKind::Value | FieldKind::ReadOnly => (field.spec)().name.to_owned(),
        };
        let read_only = if field.kind == FieldKind::ReadOnly {
            " (shown only)"
        } else {
            ""
        };
        text.push_str(&format!(
            "\n      {}:{value}{read_only}  {}",
            field.name, field.doc
        ));
    }
    text
}

fn indent(text: &str) -> String {
    text.trim()
        .lines()
        .map(|line| format!("  {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
