//! The domain's files: one line per section, and one line per task below it.
//!
//! ```text
//! # Walls
//! - [x] normal 120m Scrape
//! - [ ] high 90m Paint
//! ```
//!
//! A line that is not understood is rejected, so that no save loses it.

use std::collections::BTreeMap;

use fcp::domain::Large;
use fcp::prelude::*;

use crate::model::{Checklist, Priority, Section, Task};

impl Domain for Checklist {
    const NOUN: &'static str = "checklist";
    const FORMATS: &'static [Format] = &[Format {
        name: "checklist",
        extensions: &["checklist"],
        doc: "A line a section or task",
    }];
    const TEXT: bool = true;
    const NESTED: bool = true;
    const LARGE: &'static [Large] = &[Large {
        name: "many sections",
        make: |rows| "# A\n- [ ] low 5m B\n".repeat(rows / 2).into_bytes(),
    }];
    const WORKFLOW: &'static str = "
! new
add section Walls
add task Scrape in:Walls minutes:120
copy Scrape name:Paint priority:high
finish Scrape
modify @in:Walls @minutes:>=60 minutes:600
? left Walls
remove Paint
! undo
! save as:kitchen.checklist
";

    fn read(bytes: &[u8], name: &str) -> Result<Self> {
        let (mut document, mut section) = (Self::default(), None);
        let text = str::from_utf8(bytes);
        let text = text.map_err(|_| Diagnostic::new(format!("{name} is not text")))?;
        for (at, line) in text.lines().enumerate() {
            if let Some(Ok(name)) = line.strip_prefix("# ").map(Name::parse) {
                section = Some(document.sections.insert(Section { name }));
            } else if let Some(task) = section.and_then(|section| task(line, section)) {
                document.tasks.insert(task);
            } else {
                bail!("{name}: line {} is neither a section nor a task", at + 1);
            }
        }
        Ok(document)
    }

    fn write(&self, _format: &str, out: &mut Pieces) -> Result<()> {
        let mut tasks: BTreeMap<Id<Section>, Vec<(Id<Task>, &Task)>> = BTreeMap::new();
        for (id, task) in self.tasks.iter() {
            tasks.entry(task.section).or_default().push((id, task));
        }
        for (id, section) in self.sections.iter() {
            out.row(id, format!("# {}\n", section.name));
            for (row, task) in tasks.remove(&id).into_iter().flatten() {
                let mark = if task.done.0 { "x" } else { " " };
                let (priority, minutes) = (task.priority, task.minutes);
                let line = format!("- [{mark}] {priority} {minutes}m {}\n", task.name);
                out.row(row, line);
            }
        }
        Ok(())
    }
}

/// Parses the line of a task.
fn task(line: &str, section: Id<Section>) -> Option<Task> {
    let (mark, rest) = line.strip_prefix("- [")?.split_once("] ")?;
    let (priority, rest) = rest.split_once(' ')?;
    let (minutes, name) = rest.split_once("m ")?;
    Some(Task {
        name: Name::parse(name).ok()?,
        section,
        minutes: Int::parse(minutes).ok()?,
        priority: Priority::parse(priority).ok()?,
        done: Switch([" ", "x"].iter().position(|known| *known == mark)? == 1),
    })
}
