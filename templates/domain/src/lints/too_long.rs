//! `too-long`

use fcp::prelude::*;

use crate::model::{Checklist, Task};

/// A task that takes more than a day.
#[fcp_lint(weight = 10)]
pub fn too_long(_: &Checklist, _id: Id<Task>, task: &Task) -> Option<String> {
    let long = task.minutes.get() > 8 * 60;
    long.then(|| format!("{} takes more than a day", task.name))
}
