//! The cost of calls of structured tools from any text, in large folders.

use std::cell::RefCell;
use std::time::Duration;

use super::costs::{MILLIONS, in_time};
use crate::endpoint::WORK_LIMIT;
use crate::testing::play::{Scratch, lay, scratch};
use crate::testing::time::process_time;
use crate::testing::tool::config;
use crate::tool::{Cancel, LargeFolder, Toolbox, Tools, Toolset};
use crate::work;

/// The most calls of one text.
const CALLS: usize = 4;

/// The large folders of a toolset, which receive any text. The first byte of a text chooses one; each other line is a
/// call: the name of a tool, and its arguments as JSON.
pub struct ToolCosts<S: Toolset> {
    folders: Vec<RefCell<Folder<S>>>,
}

/// A large folder; opened when it is needed, and laid anew after a call that may have changed it.
struct Folder<S: Toolset> {
    content: LargeFolder,
    bytes: usize,
    opened: Option<(Toolbox<S>, Scratch)>,
}

/// The cost of a call.
struct Cost {
    steps: u64,
    took: Duration,
    /// The bytes of the folder, the call and its reply.
    bytes: usize,
}

impl<S: Toolset> ToolCosts<S> {
    /// Folders of about `rows` things.
    #[must_use]
    pub fn new(rows: usize) -> Self {
        let folders = S::LARGE.iter().map(|shape| {
            let content = (shape.make)(rows);
            let sizes = content.files.iter().map(|(_, bytes)| bytes.len());
            let bytes = sizes.sum();
            let opened = None;
            RefCell::new(Folder {
                content,
                bytes,
                opened,
            })
        });
        Self {
            folders: folders.collect(),
        }
    }

    /// Sends a text. Checks that every reply matches its schema, and that a call that exceeds its steps is an error.
    ///
    /// # Panics
    /// The check fails, or a large folder cannot be opened.
    pub fn holds(&self, bytes: &[u8]) {
        self.each(bytes, |_, _| ());
    }

    /// Sends a text, and compares the processor time of each call with the counted steps and the bytes of folder, call
    /// and reply, to find uncounted work.
    ///
    /// # Panics
    /// The comparison fails, or a check of [`holds`](Self::holds).
    pub fn holds_in_time(&self, bytes: &[u8]) {
        self.each(bytes, |call, cost| {
            in_time(&call, cost.took, (cost.steps, cost.bytes));
        });
    }

    fn each(&self, bytes: &[u8], judge: impl Fn(&str, &Cost)) {
        let Some((first, rest)) = bytes.split_first() else {
            return;
        };
        let Some(at) = usize::from(*first).checked_rem(self.folders.len()) else {
            return;
        };
        let mut folder = self.folders[at].borrow_mut();
        let text = String::from_utf8_lossy(rest);
        for line in text.lines().filter(|line| !line.is_empty()).take(CALLS) {
            if let Some(cost) = folder.cost(line) {
                judge(line, &cost);
            }
        }
    }
}

impl<S: Toolset> Folder<S> {
    /// Makes a call. `None` if there is no such tool.
    fn cost(&mut self, line: &str) -> Option<Cost> {
        let (name, arguments) = line.split_once(' ').unwrap_or((line, "{}"));
        let (tools, _) = self.opened.get_or_insert_with(|| open(&self.content));
        let start = process_time();
        let reply = tools.carry_out(name, arguments, &Cancel::never())?;
        let took = process_time().saturating_sub(start);
        let steps = work::last();
        let is_over = steps > MILLIONS * work::MILLION;
        assert!(
            reply.is_error || !is_over,
            "{line}\ntakes {steps} steps and is answered"
        );
        let mut listed = tools.list().into_iter();
        if listed.any(|tool| tool.name == name && !tool.hints.read_only) {
            self.opened = None;
        }
        Some(Cost {
            steps,
            took,
            bytes: self.bytes + line.len() + reply.text.len(),
        })
    }
}

/// Opens a large folder.
fn open<S: Toolset>(content: &LargeFolder) -> (Toolbox<S>, Scratch) {
    let root = scratch();
    lay(root.path(), S::EXAMPLE_FILES.iter().copied());
    let files = content.files.iter();
    lay(root.path(), files.map(|(path, bytes)| (&**path, bytes)));
    let mut config = config::<S>(root.path());
    config.flags = config
        .flags
        .with(&WORK_LIMIT, Some(MILLIONS.to_string().into()));
    let tools = Toolbox::open(&config).unwrap_or_else(|error| panic!("{error}"));
    (tools.checked(), root)
}
