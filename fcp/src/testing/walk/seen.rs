//! The observable state of a session, and the invariants of a model.

use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::model::{ModelExt, Part, Row};
use crate::session::Session;

/// The depth of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::testing) enum Look {
    /// Data that costs the same for any document: content hash, digest, next id, the last op, the
    /// last rows, status.
    Brief,
    /// Everything: each row, index and answer.
    Full,
}

/// The observable state of a session, from outside and from inside.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::testing) struct Seen {
    look: Look,
    /// The digest and the whole content hash.
    pub digest: String,
    /// State that undo restores: ops, rows, the rows touched last.
    kept: Vec<String>,
    /// State that also shows an undo: whether there is something to redo, the changes, and their
    /// base.
    settled: Vec<String>,
    /// Every row and slot, including cursors and other view state.
    pub content: Vec<String>,
    /// The next id.
    pub ids: u32,
}

/// Queries whose answers undo restores.
const KEPT: &[&str] = &[
    "history 1000000",
    "list @recent",
    "list @recent:5",
    "list @recent:2ops",
    "list",
    "map",
    "stats",
    "warnings",
];

/// The cheap ones among them.
const KEPT_BRIEF: &[&str] = &["history 2", "list @recent:3"];

/// Queries whose answers a failed op does not change.
const SETTLED: &[&str] = &["status", "diff checkpoint:c1", "diff checkpoint:c2"];

/// The cheap ones among them.
const SETTLED_BRIEF: &[&str] = &["status"];

impl Look {
    const fn queries(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Brief => (KEPT_BRIEF, SETTLED_BRIEF),
            Self::Full => (KEPT, SETTLED),
        }
    }
}

impl Seen {
    /// Observes a session.
    pub fn of<M: Domain>(session: &mut Session<M>, look: Look) -> Self {
        let (kept, settled) = look.queries();
        let mut ask = |query: &&str| {
            let text = session.query(query).text;
            // A rolled-back call leaves only the held batch, which the status shows.
            let lines = text
                .lines()
                .filter(|line| !line.starts_with("held for amend"));
            lines.collect::<Vec<_>>().join("\n")
        };
        let kept = kept.iter().map(&mut ask).collect();
        let settled = settled.iter().map(&mut ask).collect();
        let model = session.model();
        Self {
            look,
            digest: digest(session),
            kept,
            settled,
            content: match look {
                Look::Full => model.map(content).unwrap_or_default(),
                Look::Brief => Vec::new(),
            },
            ids: model.map_or(0, |model| model.ids().peek()),
        }
    }

    /// The expected state after an undo led back to this one: the answers that depend on redo are
    /// taken from `wanted`.
    pub fn come_back_to(mut self, wanted: &Self) -> Self {
        self.settled.clone_from(&wanted.settled);
        self
    }

    /// This state except for what depends on how it was reached: the calls, and which of them can
    /// be redone.
    pub fn reached_otherwise(mut self, wanted: &Self) -> Self {
        self.kept.clone_from(&wanted.kept);
        self.come_back_to(wanted)
    }

    /// Checks that two states are equal, and panics with the difference.
    pub fn same(&self, wanted: &Self, what: &dyn Fn() -> String) {
        if self == wanted {
            return;
        }
        panic!("{}\n{}", what(), difference(&self.lines(), &wanted.lines()));
    }

    fn lines(&self) -> Vec<String> {
        let (kept, settled) = self.look.queries();
        let answers = self.kept.iter().chain(&self.settled).map(String::as_str);
        let answers = kept.iter().chain(settled).zip(answers);
        let answers = answers
            .flat_map(|(query, text)| text.lines().map(move |line| format!("? {query}: {line}")));
        [self.digest.clone(), format!("next id {}", self.ids)]
            .into_iter()
            .chain(answers)
            .chain(self.content.iter().cloned())
            .collect()
    }
}

/// The first lines that are in only one of two lists.
fn difference(found: &[String], wanted: &[String]) -> String {
    let new = found.iter().filter(|line| !wanted.contains(line)).take(8);
    let gone = wanted.iter().filter(|line| !found.contains(line)).take(8);
    let shown: Vec<String> = gone
        .map(|line| format!("- {line}"))
        .chain(new.map(|line| format!("+ {line}")))
        .collect();
    shown.join("\n")
}

/// The digest with the whole hash: six digits are too few to compare many states.
pub(in crate::testing) fn digest<M: Domain>(session: &Session<M>) -> String {
    let hash = session.model().map(ModelExt::hash).unwrap_or_default();
    format!("{} {hash:016x}", session.digest().unwrap_or_default())
}

/// Every row and slot as text, rows with the words by which ops name them.
pub(in crate::testing) fn content<M: Domain>(model: &M) -> Vec<String> {
    let mut lines = Vec::new();
    for (ix, shape) in M::SHAPE.parts.iter().enumerate() {
        match model.part(ix) {
            Some(Part::Value(hash)) => lines.push(format!("{} {hash:x}", shape.name)),
            Some(Part::Rows(rows)) => {
                for id in rows.ids() {
                    let fields = rows.shape().fields.iter().enumerate();
                    let fields = fields.map(|(ix, field)| {
                        let value = rows.field(id, ix);
                        let value = value.or(rows.reference(id, ix).map(|id| format!("#{id}")));
                        format!("{}:{}", field.name, value.unwrap_or_default())
                    });
                    lines.push(format!(
                        "{} #{id} {:?} {} in {:?} {:x} {}",
                        shape.name,
                        rows.label(id),
                        model.name_of(Row::new(ix, id)),
                        rows.parent(id),
                        rows.row_hash(id),
                        fields.collect::<Vec<_>>().join(" ")
                    ));
                }
            }
            None => {}
        }
    }
    lines
}

/// Checks that every index equals one rebuilt from the rows.
pub(in crate::testing) fn audit<M: Domain>(model: &M, at: &dyn Fn() -> String) {
    for ix in 0..M::SHAPE.parts.len() {
        if let Some(Part::Rows(rows)) = model.part(ix)
            && let Err(problem) = rows.audit()
        {
            panic!("{}: {problem}", at());
        }
    }
}

/// The bytes that a save would write.
pub(in crate::testing) fn written<M: Domain>(model: &M, at: &dyn Fn() -> String) -> Vec<u8> {
    let format = M::FORMATS.first().map_or("", |format| format.name);
    model
        .file(format)
        .unwrap_or_else(|error| panic!("{}: cannot be saved: {error}", at()))
}

/// The name of a file in the usual format.
pub(in crate::testing) fn file_name<M: Domain>(stem: &str) -> String {
    let format = M::FORMATS.first();
    let extension = format.and_then(|format| format.extensions.first());
    format!("{stem}.{}", extension.unwrap_or(&"out"))
}

/// Checks that saving and opening preserves the content: incrementally updated counts and hashes
/// equal those computed from the rows.
pub(in crate::testing) fn settles<M: Domain>(model: &M, at: &dyn Fn() -> String) {
    if M::FORMATS.is_empty() {
        return;
    }
    let bytes = written(model, at);
    let again = M::read(&bytes, &file_name::<M>("walk"))
        .unwrap_or_else(|error| panic!("{}: what was saved does not open: {error}", at()));
    let model_state = |model: &M| (model.digest_counts(), model.digest_metrics(), model.hash());
    if model_state(&again) != model_state(model) {
        panic!(
            "{}: what was saved opens as something else: {:?} was {:?}\n{}",
            at(),
            model_state(&again),
            model_state(model),
            difference(&content(&again), &content(model))
        );
    }
}
