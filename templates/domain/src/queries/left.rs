//! `left`

use fcp::prelude::*;

use crate::model::{Checklist, Section};

/// Show the minutes of work that a section has left.
///
/// ```fcp
/// # add section Walls
/// # add task Scrape in:Walls minutes:120
/// # add task Paint in:Walls minutes:90
/// # finish Scrape
/// ? left Walls
/// > 90 minutes
/// ```
#[fcp_query]
pub fn left(
    checklist: &Checklist,
    /// The section.
    #[fcp(positional)]
    section: Ref<Section>,
) -> Result<String> {
    let tasks = checklist.tasks.iter().map(|(_, task)| task);
    let open = tasks.filter(|task| task.section == section.id() && !task.done.0);
    let minutes: i64 = open.map(|task| task.minutes.get()).sum();
    Ok(format!("{minutes} minutes"))
}
