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
  @where:\"CONDITION\" selects, of what selectors reach, the rows for which a condition over their columns is true,
  @where:\"SELECT ref FROM …\" those that a question names. KEY:=EXPR, or KEY:=\"EXPR with blanks\", computes a value for each
  selected row from its columns as they were before the op; NULL leaves a row as it is. random(), dates and what else
  differs between runs is not there.";

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

    /// Whether a folded word is in its syntax, as a key of a verb is.
    pub fn has_in_syntax(&self, wanted: &str) -> bool {
        let syntax = self.text.lines().next().unwrap_or_default();
        let mut words = syntax.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
        words.any(|word| !word.is_empty() && fold(word) == wanted)
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
        let groups = groups(registry);
        let verbs = categories(registry.verbs())
            .into_iter()
            .map(|(category, verbs)| {
                let entries = verbs.into_iter().map(|verb| verb_entry(verb, &groups));
                Section::new(category, "verbs", entries)
            });
        let mut parts: Vec<Section> = verbs.collect();
        parts.extend([
            one_call(),
            sql::<M>(),
            tables(registry),
            shared_parameters(&groups),
            types::<M>(),
            all_values(registry),
            all_selectors(registry),
            queries(registry, &groups),
            actions(registry, &groups),
            settings::<M>(),
            warnings(registry),
            replies(),
            example::<M>(),
        ]);
        // Many domains have none of these.
        let is_rare = |part: &Section| matches!(part.topic, "groups" | "warnings");
        parts.retain(|part| !is_rare(part) || !part.entries.is_empty());
        let domain = M::SHAPE.domain;
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
    fn new(
        heading: impl Into<String>,
        topic: &'static str,
        entries: impl IntoIterator<Item = Entry>,
    ) -> Self {
        Self {
            heading: heading.into(),
            topic,
            intro: None,
            brief: None,
            entries: entries.into_iter().collect(),
        }
    }

    fn with_intro(mut self, intro: impl Into<String>) -> Self {
        self.intro = Some(intro.into());
        self
    }

    fn with_brief(mut self, brief: impl Into<String>) -> Self {
        self.brief = Some(brief.into());
        self
    }

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

fn one_call() -> Section {
    Section::new("One call", "batch", builtin(crate::session::STEERING))
        .with_intro("  The ops of a call run in order; if one fails, all are taken back.")
}

fn sql<M: Domain>() -> Section {
    let computed = builtin(crate::session::COMPUTED).into_iter();
    let entries = computed.chain(builtin(crate::session::EXPRESSIONS));
    let entries = entries.map(|entry| entry.with_examples(M::SQL_EXAMPLES));
    Section::new("SQL", "sql", entries)
        .with_intro(INTRO)
        .with_brief(
            "  @where:\"CONDITION\" selects by columns; KEY:=EXPR computes a value for each row.",
        )
}

fn tables<M: Domain>(registry: &Registry<M>) -> Section {
    let entries = crate::sql::tables_of(registry).into_iter().map(|table| {
        let outline = format!("  {}\n      {}", table.outline, table.doc);
        let columns = table.columns.iter().map(|own| format!("      {own}"));
        let columns: Vec<String> = columns.collect();
        let first: Vec<&str> = table.names.iter().take(2).map(String::as_str).collect();
        let (first, name) = (first.join(", "), &table.name);
        let mut example = format!("  ? SELECT {first} FROM {name} LIMIT 5");
        if let Some(column) = table.written.first() {
            example.push_str(&format!("\n  UPDATE {} SET {column}=… WHERE …", table.name));
        }
        if let Some(added) = &table.added {
            example.push_str(&format!("\n  INSERT INTO {}({added}) VALUES …", table.name));
        }
        Entry {
            alone: Some(format!("{example}\n{outline}\n{}", columns.join("\n"))),
            forms: forms(&[table.name.clone(), table.outline.clone()], table.doc),
            ..Entry::new(&table.name, outline)
        }
    });
    Section::new("Tables", "tables", entries)
        .with_intro("  Read by SELECT; ref is the word by which ops name a row.")
}

fn shared_parameters(groups: &[(Group, Vec<&'static Param>)]) -> Section {
    let entries = groups
        .iter()
        .map(|(group, params)| Entry::new(&group.name.to_lowercase(), shared(group, params)));
    Section::new("Shared parameters", "groups", entries)
}

fn types<M: Domain>() -> Section {
    let is_shown = |part: usize| M::SHAPE.parts.get(part).is_some_and(|part| !part.view);
    let types = M::kinds().filter(|(part, _)| is_shown(*part));
    let entries = types.map(|(_, shape)| Entry::new(shape.kind, kind(shape)));
    Section::new("Types", "types", entries)
}

fn all_values<M: Domain>(registry: &Registry<M>) -> Section {
    let entries = values(registry).into_iter().map(|spec| {
        let mut text = format!("  {}\n      {}", spec.name, spec.doc);
        for choice in spec.choices {
            let aliases = match choice.aliases {
                [] => String::new(),
                aliases => format!(" ({})", aliases.join(", ")),
            };
            let doc = match choice.doc {
                "" => String::new(),
                doc => format!(": {doc}"),
            };
            text.push_str(&format!("\n      {}{aliases}{doc}", choice.word));
        }
        Entry::new(spec.name, text)
    });
    Section::new("Values", "values", entries)
}

fn all_selectors<M: Domain>(registry: &Registry<M>) -> Section {
    let entries = selectors(registry).into_iter().map(|(form, doc)| {
        let name = form.split([':', '[']).next().unwrap_or_default();
        let entry = Entry::new(name, format!("  {form}\n      {doc}"));
        match name {
            "@where" => entry.with_examples(M::SQL_EXAMPLES),
            _ => entry,
        }
    });
    Section::new("Selectors", "selectors", entries).with_intro(
        "  All in an op must match; @not: before one negates it; A|B inside one is either.",
    )
}

fn queries<M: Domain>(registry: &Registry<M>, groups: &[(Group, Vec<&'static Param>)]) -> Section {
    let own = registry.queries().map(|verb| verb_entry(verb, groups));
    let built_in = builtin(crate::queries::BUILTIN).into_iter();
    let built_in = built_in.map(|entry| match &*entry.name {
        "SELECT" => entry.with_examples(M::SQL_EXAMPLES),
        _ => entry,
    });
    let heading = format!("Queries ({}_query)", M::SHAPE.domain);
    Section::new(heading, "queries", own.chain(built_in))
        .with_intro("  Long answers page: limit:N, from:N.")
}

fn actions<M: Domain>(registry: &Registry<M>, groups: &[(Group, Vec<&'static Param>)]) -> Section {
    let own = registry.actions().map(|verb| verb_entry(verb, groups));
    let own: Vec<Entry> = own.collect();
    let mut built_in = builtin(crate::session::actions::BUILTIN);
    built_in.retain(|entry| !own.iter().any(|own| own.name == entry.name));
    for save in built_in.iter_mut().filter(|entry| entry.name == "save") {
        for (key, doc) in M::SAVING {
            save.text.push_str(&format!("\n      {key}: {doc}"));
        }
    }
    let formats = M::FORMATS
        .iter()
        .map(|f| format!("{} (.{}): {}", f.name, f.extensions.join(", ."), f.doc));
    let formats = formats.collect::<Vec<_>>().join("; ");
    let heading = format!("Session ({}_session)", M::SHAPE.domain);
    Section::new(heading, "session", own.into_iter().chain(built_in))
        .with_intro(format!("  Formats: {formats}"))
}

fn settings<M: Domain>() -> Section {
    let entries = builtin(crate::session::SETTINGS).into_iter();
    let entries = entries.chain(builtin(M::SETTINGS));
    Section::new("Settings (set KEY:VALUE)", "settings", entries)
}

fn warnings<M: Domain>(registry: &Registry<M>) -> Section {
    let entries = registry.lints().map(|lint| {
        let text = format!("  {}\n      {}", lint.code, lint.summary);
        Entry::new(lint.code, text)
    });
    Section::new("Warnings", "warnings", entries)
}

fn replies() -> Section {
    Section::new("Replies", "replies", [])
        .with_intro(format!(
            "  {SIGNS}\n  Under an error is try: (send it as it is) or syntax:. The last line is the digest:\n  \
             counts, metrics and a hash that is equal for equal contents."
        ))
        .with_brief(format!("  {SIGNS}"))
}

fn example<M: Domain>() -> Section {
    Section::new("Example", "examples", [])
        .with_intro(indent(M::WORKFLOW))
        .with_brief(indent(M::WORKFLOW))
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
