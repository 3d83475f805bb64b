//! Permissions and limits of statements.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::hooks::{AuthAction, Authorization};

use crate::work;

/// The number of SQLite's steps that count as one step of a call: they are short.
const STEPS_A_STEP: u64 = 4;

/// The number of steps between two checks of the count.
pub(super) const STEPS_AT_ONCE: i32 = 1000;

/// SQLite functions that process a whole text in one step; [our own](super::functions) count their
/// steps themselves. Statements that call these get shorter texts and fewer steps, so that steps
/// times bytes stay bounded.
const HEAVY: &str = "concat concat_ws format hex lower octet_length printf quote soundex substr \
                     substring unhex unicode upper zeroblob";

/// The bytes of a text that a heavy function processes in the time of one step, and those of JSON.
const BYTES_A_STEP: [usize; 2] = [128, 16];

/// Functions whose value depends on more than the document, or the beginnings of their names.
const DENIED: &str = "current_ changes date datetime fts3_tokenizer julianday last_insert_rowid \
                      load_extension random randomblob sqlite_ strftime time timediff \
                      total_changes unixepoch";

/// The state of the checks while a statement is prepared and run.
#[derive(Default)]
pub(super) struct Watch {
    /// Everything is allowed: the engine is filling its tables.
    pub is_open: bool,
    /// The tables and columns read.
    pub reads: Vec<(String, String)>,
    /// The refused action.
    pub denied: Option<Denied>,
    /// Whether the table of picked rows may be read: only the engine's own questions may.
    pub may_pick: bool,
    /// The bytes that the slowest called function for long texts processes in a step.
    pub bytes_a_step: Option<usize>,
    /// The remaining steps.
    pub steps: u64,
    /// Whether the steps were used up.
    pub is_spent: bool,
}

/// An action that a statement may not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// Call this function.
    Function(String),
    /// Read this table.
    Table(String),
    /// Anything other than reading.
    Write,
}

impl Watch {
    /// With no limit yet; `is_open` for the engine's own statements.
    pub fn new(is_open: bool) -> Self {
        Self {
            is_open,
            steps: u64::MAX,
            ..Self::default()
        }
    }

    /// Decides whether a statement may take an action.
    pub fn judge(&mut self, action: &AuthAction<'_>, tables: &[String]) -> Authorization {
        if self.is_open {
            return Authorization::Allow;
        }
        let denied = match *action {
            AuthAction::Select | AuthAction::Recursive => return Authorization::Allow,
            AuthAction::Read {
                table_name,
                column_name,
            } => {
                let name = table_name.to_lowercase();
                if tables.contains(&name) {
                    self.reads.push((name, column_name.to_owned()));
                    return Authorization::Allow;
                }
                // Tables named in a statement are never read through SQLite's own tables.
                let own =
                    name.starts_with("sqlite_") || name.starts_with("pragma_") || name == "dbstat";
                let own = own || name == super::engine::PICKED && !self.may_pick;
                if !own {
                    return Authorization::Allow;
                }
                Denied::Table(table_name.to_owned())
            }
            AuthAction::Function { function_name } => {
                let name = function_name.to_lowercase();
                let is_listed = HEAVY.split(' ').any(|own| own == name);
                let [bytes, json] = BYTES_A_STEP;
                let own = name.starts_with("json").then_some(json);
                self.bytes_a_step = own.or(self.bytes_a_step).or(is_listed.then_some(bytes));
                let is = |own: &str| name == own || own.ends_with('_') && name.starts_with(own);
                if !DENIED.split(' ').any(is) {
                    return Authorization::Allow;
                }
                Denied::Function(function_name.to_owned())
            }
            _ => Denied::Write,
        };
        self.denied.get_or_insert(denied);
        Authorization::Deny
    }

    /// Counts a batch of steps, and those that functions `took`. Returns whether the limit is
    /// reached.
    pub fn step(&mut self, took: u64) -> bool {
        self.steps = self.steps.saturating_sub(took + STEPS_AT_ONCE as u64);
        self.is_spent |= self.steps == 0;
        let steps = (took + STEPS_AT_ONCE as u64) / STEPS_A_STEP;
        self.is_spent || work::spend(usize::try_from(steps).unwrap_or(usize::MAX)).is_err()
    }
}

/// The watch, locked for one check or change.
pub(super) fn held(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}
