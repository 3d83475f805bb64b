//! What statements may do, and how long.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::hooks::{AuthAction, Authorization};

use crate::work;

/// How many steps of a statement are one of a call: those of SQLite are short.
const STEPS_A_STEP: u64 = 10;

/// How many steps pass between two looks at the count.
pub(super) const STEPS_AT_ONCE: i32 = 1000;

/// Functions of SQLite that look at a whole text in one step; those that are [ours](super::functions) count their own. Statements that call them have shorter texts and fewer steps, so that
/// steps times bytes stay within bounds.
const HEAVY: &[&str] = &[
    "format",
    "hex",
    "lower",
    "printf",
    "quote",
    "regexp",
    "soundex",
    "substr",
    "substring",
    "unhex",
    "unicode",
    "upper",
    "zeroblob",
];

/// Functions whose value depends on more than the document.
const DENIED: &[&str] = &[
    "changes",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "fts3_tokenizer",
    "julianday",
    "last_insert_rowid",
    "load_extension",
    "random",
    "randomblob",
    "sqlite_compileoption_get",
    "sqlite_compileoption_used",
    "sqlite_source_id",
    "sqlite_version",
    "strftime",
    "time",
    "timediff",
    "total_changes",
    "unixepoch",
];

/// Virtual tables of SQLite itself that only read their arguments.
const VIRTUAL: &[&str] = &["json_each", "json_tree"];

/// What is looked at while a statement is prepared and run.
#[derive(Default)]
pub(super) struct Watch {
    /// Everything is allowed: the engine fills its tables.
    pub is_open: bool,
    /// The tables and columns that are read.
    pub reads: Vec<(String, String)>,
    /// What was refused.
    pub denied: Option<Denied>,
    /// The table of rows that an op is about may be read: the engine itself asks.
    pub may_pick: bool,
    /// A function that takes or makes long texts is called.
    pub is_heavy: bool,
    /// How many steps are left.
    pub steps: u64,
    /// They were not enough.
    pub is_spent: bool,
}

/// What a statement may not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// Call this function.
    Function(String),
    /// Read this table.
    Table(String),
    /// Anything but read.
    Write,
}

impl Watch {
    /// Whether a statement may do something.
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
                // What a statement names itself is read through none of SQLite's own tables.
                let own =
                    name.starts_with("sqlite_") || name.starts_with("pragma_") || name == "dbstat";
                let own = own || name == super::engine::PICKED && !self.may_pick;
                if !own || VIRTUAL.contains(&&*name) {
                    return Authorization::Allow;
                }
                Denied::Table(table_name.to_owned())
            }
            AuthAction::Function { function_name } => {
                let name = function_name.to_lowercase();
                self.is_heavy |= HEAVY.contains(&&*name) || name.starts_with("json");
                if !DENIED.contains(&&*name) {
                    return Authorization::Allow;
                }
                Denied::Function(function_name.to_owned())
            }
            _ => Denied::Write,
        };
        self.denied.get_or_insert(denied);
        Authorization::Deny
    }

    /// Counts steps, and those that functions `took`. Says whether there were too many.
    pub fn step(&mut self, took: u64) -> bool {
        self.steps = self.steps.saturating_sub(took + STEPS_AT_ONCE as u64);
        self.is_spent |= self.steps == 0;
        let steps = (took + STEPS_AT_ONCE as u64) / STEPS_A_STEP;
        self.is_spent || work::spend(usize::try_from(steps).unwrap_or(usize::MAX)).is_err()
    }
}

/// The state that is looked at, for one look or change.
pub(super) fn held(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}
