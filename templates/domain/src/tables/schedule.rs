//! `schedule`

use fcp::prelude::*;

use crate::model::{Checklist, Task};

/// A task, with when it is worked on if all are done in their order.
#[derive(FcpRow)]
#[fcp(model = Checklist)]
pub struct Step {
    pub row: Id<Task>,
    /// The section.
    pub section: Name,
    /// Minutes of work before it, in all sections.
    pub starts: i64,
    /// Minutes of work up to its end; writing it sets how long the task takes.
    #[fcp(set = set_ends)]
    pub ends: i64,
}

/// Tasks in their order, with when each is worked on.
#[fcp_table]
pub fn schedule(checklist: &Checklist) -> impl Iterator<Item = Step> {
    let mut starts = 0;
    let named = |task: &Task| Some(checklist.sections.get(task.section)?.name.clone());
    checklist.tasks.iter().filter_map(move |(row, task)| {
        let (section, before) = (named(task)?, starts);
        starts += task.minutes.get();
        Some(Step {
            row,
            section,
            starts: before,
            ends: starts,
        })
    })
}

fn set_ends(checklist: &mut Checklist, step: &Step, ends: Int<1, 99_999>) -> Result<()> {
    let minutes = Int::parse(&(ends.get() - step.starts).to_string());
    let Ok(minutes) = minutes else {
        bail!("a task takes 1 to 9999 minutes")
    };
    checklist
        .tasks
        .modify(step.row, |task| task.minutes = minutes);
    Ok(())
}
