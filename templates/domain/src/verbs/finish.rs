//! `finish`

use fcp::prelude::*;

use crate::model::{Checklist, Task};

/// Mark tasks as done.
///
/// ```fcp
/// # add section Walls
/// # add task Scrape in:Walls
/// # add task Paint in:Walls
/// finish Paint
/// > * Done: 1 task
/// finish @in:Walls
/// > * Done: 2 tasks
/// ```
#[fcp_verb(category = "Tasks")]
pub fn finish(
    checklist: &mut Checklist,
    /// The tasks.
    tasks: Selection<Task>,
) -> Result<Reply> {
    for id in tasks.iter() {
        checklist.tasks.modify(id, |task| task.done.0 = true);
    }
    Ok(changed!("Done: {}", Task::SHAPE.count(tasks.len())))
}
