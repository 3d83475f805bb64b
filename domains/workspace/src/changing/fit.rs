//! Matches the sections of a patch with their files.

use fcp::format::patch::{Action, Offset, Reason, Reject, Section, apply, is_binary};

use crate::changing::plan::{Found, Ground, Op, Plan};
use crate::reply::Answer;

/// Matches a section with its file and plans its changes.
pub fn fit(
    plan: &mut Plan,
    ground: &Ground<'_>,
    section: &Section<'_>,
    old: &str,
    new: &str,
    offset: Offset,
) -> Answer<()> {
    let reason = |reason| vec![Reject::of(0, reason)];
    let mut executable = None;
    for mode in section.modes.iter().flatten() {
        match &**mode {
            "100644" => executable = Some(false),
            "100755" => executable = Some(true),
            _ => {
                plan.reject(new, reason(Reason::UnsupportedMode));
                return Ok(());
            }
        }
    }
    // The old mode does not determine the new one.
    if section.modes[1].is_none() {
        executable = None;
    }
    let blocked = match section.action {
        Action::Modify | Action::Delete => None,
        Action::Rename => plan.blocked(ground, new, Some(old))?,
        Action::Create | Action::Copy => plan.blocked(ground, new, None)?,
    };
    if let Some(why) = blocked {
        plan.reject(new, reason(why));
        return Ok(());
    }
    let before = match section.action {
        Action::Create => Vec::new(),
        _ => match ground.read(old)? {
            Found::File(before) => before,
            other => {
                let why = match other {
                    Found::Missing => Reason::NotFound,
                    Found::Link => Reason::UnsupportedMode,
                    _ => Reason::PermissionDenied,
                };
                plan.reject(old, reason(why));
                return Ok(());
            }
        },
    };
    if is_binary(&before) && !section.hunks.is_empty() {
        plan.reject(old, reason(Reason::NotText));
        return Ok(());
    }
    let after = match apply(&before, &section.hunks, offset) {
        Ok(after) => after,
        Err(rejects) => {
            plan.reject(new, rejects);
            return Ok(());
        }
    };
    let hunks = section.hunks.len();
    match section.action {
        Action::Modify => {
            plan.write(new, Some(&before), after, executable);
            plan.note(new, Op::Modify, None, hunks);
        }
        Action::Create => {
            let executable = executable.filter(|executable| *executable);
            plan.write(new, None, after, executable);
            plan.note(new, Op::Create, None, hunks);
        }
        Action::Delete if !after.is_empty() => {
            plan.reject(old, reason(Reason::NotEmptyAfterDelete));
        }
        Action::Delete => {
            plan.remove(old, &before);
            plan.note(old, Op::Delete, None, hunks);
        }
        Action::Rename | Action::Copy => {
            let executable = executable.unwrap_or_else(|| ground.is_executable(old));
            plan.write(new, None, after, executable.then_some(true));
            if section.action == Action::Rename {
                plan.remove(old, &before);
                plan.note(new, Op::Rename, Some(old), hunks);
            } else {
                plan.note(new, Op::Copy, Some(old), hunks);
            }
        }
    }
    Ok(())
}
