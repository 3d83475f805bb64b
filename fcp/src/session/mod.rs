//! A session: documents, settings and files of one connection, and the four tools that act on them.

mod account;
pub mod actions;
mod batch;
mod blocks;
mod budget;
mod changes;
mod computed;
mod document;
mod echo;
mod excerpt;
pub mod files;
mod first_save;
mod given_setting;
mod growth;
mod left_out;
mod lints;
mod numbered;
mod own_setting;
mod query;
mod repair_trial;
mod running_batch;
mod save_account;
mod settings;
mod split;
mod task;
mod touched;
mod unknown;
mod wrong_tool;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

pub use document::{Document, Done, OpenFile};

pub(crate) use batch::STEERING;
pub(crate) use changes::Told;
pub(crate) use computed::{COMPUTED, EXPRESSIONS};
pub(crate) use settings::SETTINGS;

use crate::account::Account;
use crate::card;
use crate::diag::{Diagnostic, Result, one_line};
use crate::domain::Domain;
use crate::endpoint::{Answer, Config, Endpoint, Policy, Program, Spelling};
use crate::event::Reach;
use crate::model::{ModelExt, Row};
use crate::verb::{Files, Registry, Role};
use crate::work;
use files::Root;
use own_setting::OwnSetting;
use settings::Settings;

/// The number of unsaved documents set aside before the oldest is dropped.
const SET_ASIDE: usize = 4;

/// The program of a domain, for [`cli::main`](crate::cli::main).
#[must_use]
pub const fn program<M: Domain>() -> Program {
    Program {
        flags: M::FLAGS,
        make: endpoint::<M>,
    }
}

/// A session behind the [`Endpoint`] trait: for a transport, or a test of an agent's view.
///
/// # Errors
/// The registry is inconsistent, or the root cannot be opened.
pub fn endpoint<M: Domain>(config: &Config) -> Result<Box<dyn Endpoint>> {
    Ok(Box::new(Session::<M>::new(config)?))
}

/// One connection's documents, settings and files.
pub struct Session<M: Domain> {
    registry: Arc<Registry<M>>,
    config: Config,
    root: Root,
    settings: Settings,
    document: Option<Document<M>>,
    aside: VecDeque<Document<M>>,
    /// The ops of the last rolled-back batch, until something changes.
    held: Option<Vec<String>>,
    /// The answers of the current call so far.
    reported: Vec<String>,
}

impl<M: Domain> Session<M> {
    /// A session without a document.
    ///
    /// # Errors
    /// The registry is inconsistent, or the root cannot be opened.
    pub fn new(config: &Config) -> Result<Self> {
        let registry = Registry::build().map_err(Diagnostic::new)?;
        let root = Root::open(&config.root)?;
        Ok(Self {
            registry: Arc::new(registry),
            config: config.clone(),
            root,
            settings: Settings::new(M::FILE_LIMIT, M::QUIET, OwnSetting::of::<M>()),
            document: None,
            aside: VecDeque::new(),
            held: None,
            reported: Vec::new(),
        })
    }

    /// The files that ops may read.
    fn files(&self) -> Files {
        let (root, limit) = (self.root.clone(), self.settings.file_limit());
        Files::new(move |path| Ok(root.read(path, limit.bytes())?.0))
    }

    /// Reads a file, which ends early if the call has too few steps left for its bytes.
    fn read(&self, bytes: &[u8], path: &str) -> Result<M> {
        work::spend(bytes.len() / READ_A_STEP)?;
        let model = M::read_within(bytes, path, &self.settings.reading())?;
        let rows = model.tables().map(|(_, _, rows)| rows.len());
        work::spend(rows.sum())?;
        Ok(model)
    }

    /// A document for a model that is new to this session.
    fn document_of(&self, mut model: M) -> Document<M> {
        model.configure(&self.config);
        if let Some(before) = &self.document {
            model.inherit(&before.model);
        }
        self.settings.adjust(&mut model);
        let limits = (self.settings.log_bytes(), self.settings.row_limit);
        let document = Document::new(model, limits, &self.registry, self.files());
        document.tables.bound(self.settings.sql);
        document
    }

    /// The model of the open document.
    #[must_use]
    pub fn model(&self) -> Option<&M> {
        self.document.as_ref().map(|document| &document.model)
    }

    /// The digest of the open document.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        self.document.as_ref().map(Document::digest)
    }

    /// Checks that the incrementally updated warnings equal those of a complete scan.
    pub(crate) fn audit(&self) -> Result<(), String> {
        let document = self.document.as_ref();
        document.map_or(Ok(()), |document| document.findings.audit(&document.model))
    }

    /// The bytes of the rows and parts that ops changed since the file was opened: their places in
    /// that file and in what a save would write.
    pub(crate) fn touched_bytes(&self) -> Result<crate::account::InBoth> {
        let document = self.document.as_ref();
        document.map_or_else(|| Ok(Default::default()), Document::touched_bytes)
    }

    /// See [`Document::bytes_by_owner`].
    pub(crate) fn bytes_by_owner(&self) -> Result<crate::account::ByOwner> {
        let document = self.document.as_ref();
        document.map_or_else(|| Ok(Default::default()), Document::bytes_by_owner)
    }

    /// See [`Document::differences`]. `None` after the first save was undone and replaced: then changes
    /// are only counted.
    pub(crate) fn differences(&mut self, since: Option<&str>) -> Result<Option<Vec<Told>>, String> {
        let Some(document) = &mut self.document else {
            return Ok(None);
        };
        match since {
            Some(name) if document.log.since(name).is_err() => Ok(None),
            _ => document.differences(&self.registry, since).map(Some),
        }
    }

    /// The open document.
    pub(crate) const fn open_document(&self) -> Option<&Document<M>> {
        self.document.as_ref()
    }

    /// The rows that the last op added, changed or removed.
    pub(crate) fn last_rows(&self) -> BTreeSet<Row> {
        let document = self.document.as_ref();
        document.map(Document::last_rows).unwrap_or_default()
    }

    /// The reach of undo and redo in the open document.
    #[must_use]
    pub fn reach(&self) -> Reach {
        let document = self.document.as_ref();
        document.map_or_else(Reach::default, |document| document.log.reach())
    }

    /// The memory that undo holds in all documents, in bytes.
    #[must_use]
    pub fn log_weight(&self) -> usize {
        let documents = self.document.iter().chain(&self.aside);
        documents.map(|document| document.log.weight()).sum()
    }

    /// All verbs, queries, actions and selectors.
    #[must_use]
    pub fn registry(&self) -> &Registry<M> {
        &self.registry
    }
}

/// The answer of a tool that needs a document if none is open. `sign` names the session tool if the
/// call went to another one.
fn no_document(sign: &str) -> Answer {
    let error = Diagnostic::new("no document is open").or_try(format!("{sign}new \"Untitled\""));
    Answer {
        text: error.to_string(),
        is_error: true,
        ..Answer::default()
    }
}

impl<M: Domain> Endpoint for Session<M> {
    fn domain(&self) -> &'static str {
        M::SHAPE.domain
    }

    fn title(&self) -> &'static str {
        M::SHAPE.title
    }

    fn card(&self) -> String {
        card::compact(&self.registry)
    }

    fn tables_card(&self, room: usize) -> String {
        card::tables_card(&self.registry, room)
    }

    fn run(&mut self, ops: &[String], policy: Option<Policy>) -> Answer {
        let answer = work::within(self.settings.steps(), || {
            self.task(&self.lines(ops), policy)
        });
        self.settings.budget().fit(answer)
    }

    fn query(&mut self, query: &str) -> Answer {
        let answer = work::within(self.settings.steps(), || self.ask(query));
        let answer = self.without_ops(answer, Role::Query);
        self.settings.budget().fit(answer)
    }

    fn act(&mut self, action: &str) -> Answer {
        let answer = work::within(self.settings.steps(), || self.action(action));
        let answer = self.without_ops(answer, Role::Action);
        self.settings.budget().fit(answer)
    }

    fn help(&mut self, topic: Option<&str>) -> Answer {
        match topic.map(str::trim).filter(|topic| !topic.is_empty()) {
            None => Answer {
                text: card::brief(&self.registry),
                ..Answer::default()
            },
            Some(topic) => match card::topic(&self.registry, topic) {
                Ok(text) => Answer {
                    text,
                    ..Answer::default()
                },
                Err(error) => Answer {
                    text: error.to_string(),
                    is_error: true,
                    ..Answer::default()
                },
            },
        }
    }

    fn codebook(&self) -> serde_json::Value {
        card::codebook(&self.registry, self.model())
    }

    fn schema(&self) -> serde_json::Value {
        card::schema::<M>()
    }

    fn document(&self) -> String {
        match &self.document {
            None => "no document is open".to_owned(),
            Some(document) => {
                let map = query::map(&document.model, &self.registry);
                let text = format!("{map}\n{}", document.digest());
                let answer = Answer {
                    text,
                    ..Answer::default()
                };
                self.settings.budget().fit(answer).text
            }
        }
    }

    fn account(&mut self) -> Result<Option<Account>> {
        let document = self.document.as_ref();
        document.map_or(Ok(None), Document::whole_account)
    }

    fn sql(&mut self, path: &str, statement: &str, format: Spelling) -> Answer {
        let answer = self.bounded(|session| {
            let opened = session.action(&format!("open {}", crate::op::quote(path)));
            match opened.is_error {
                true => Ok(opened),
                false => session.sql_answer(statement, format),
            }
        });
        // Rows for a program are complete. What SQL may take in memory bounds them.
        match format {
            Spelling::Table => self.settings.budget().fit(answer),
            Spelling::Csv | Spelling::Json => answer,
        }
    }

    fn check(&mut self, path: &str) -> Answer {
        let answer = self.bounded(|session| session.inspect(path));
        self.settings.budget().fit(answer)
    }
}

/// The bytes of a file that become rows in the time of one step.
const READ_A_STEP: usize = 16;

fn failed(text: String) -> Answer {
    Answer {
        text,
        is_error: true,
        ..Answer::default()
    }
}

impl<M: Domain> Session<M> {
    /// Answers within the limit of steps of a call.
    fn bounded(&mut self, answer: impl FnOnce(&mut Self) -> Result<Answer>) -> Answer {
        work::within(self.settings.steps(), || {
            let answer = answer(self);
            match work::over() {
                Some(spent) => failed(spent.to_string()),
                None => answer.unwrap_or_else(|error| failed(error.to_string())),
            }
        })
    }

    /// The summary of a file, and whether a save would reproduce it exactly.
    fn inspect(&self, path: &str) -> Result<Answer> {
        let (bytes, _) = self.root.read(path, self.settings.file_bytes())?;
        let model = self.read(&bytes, path)?;
        let format = model
            .format_read()
            .or_else(|| actions::format_of::<M>(path))
            .unwrap_or(M::FORMATS.first().map_or("", |format| format.name));
        let mut document = self.document_of(model);
        let headline = document.model.headline();
        let mut lines = vec![format!("{}: {}", one_line(path), one_line(&headline))];
        for (_, shape, rows) in document.model.tables() {
            if !rows.is_empty() && !shape.view {
                lines.push(format!("  {}", rows.shape().count(rows.len())));
            }
        }
        lines.extend(self.settings.shown(document.warnings(None)));
        lines.push(document.digest());
        let written = document.model.file(format)?;
        let mut is_error = false;
        lines.push(if written == bytes {
            format!("a save gives it back byte by byte ({} bytes)", bytes.len())
        } else {
            let again = self.read(&written, path)?;
            let again = self.document_of(again);
            is_error = again.digest() != document.digest();
            if is_error {
                "! a save would change the content".to_owned()
            } else {
                format!(
                    "a save gives the same content in other bytes ({} for {})",
                    written.len(),
                    bytes.len()
                )
            }
        });
        Ok(Answer {
            text: lines.join("\n"),
            is_error,
            ..Answer::default()
        })
    }
}
