//! Removal of files and directories.

use schemars::JsonSchema;
use serde::Serialize;

use crate::changing::expected::{Expected, check, check_other};
use crate::changing::plan::{Found, Ground, Status};
use crate::files::{Expect, is_nested, may_empty, not_in_git_dir, walk};
use crate::identity::Blob;
use crate::reply::{Answer, Failure};
use crate::session::Session;

/// The removed files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Deleted {
    /// That it was.
    pub status: Status,
    /// Nothing was removed, because that was asked for.
    pub dry_run: bool,
    /// The path.
    pub path: String,
    /// All that went, sorted.
    pub deleted: Vec<String>,
}

pub fn remove(session: &Session<'_>, path: &str, expect: Expect) -> Answer<()> {
    let mut commit = session.commit()?;
    commit.remove(path, expect)?;
    Ok(commit.finish()?)
}

/// The error of a directory that is not to be removed with all in it.
pub fn whole(path: &str) -> Failure {
    let message =
        format!("{path} is a directory; send recursive: true to remove all that is in it");
    Failure::invalid("/recursive", message)
}

/// Checks the file that a link leads to, which is the content that was read through it.
pub fn check_link(
    session: &Session<'_>,
    asked: &str,
    path: &str,
    expected: Expected,
) -> Answer<()> {
    let is_read = matches!(expected, Some(Some(_)));
    let place = session.root.resolve(asked, true).ok();
    let place = place.filter(|_| is_read);
    let ground = Ground::Worktree(&session.root, session.workspace.limits.file);
    match place.map(|place| ground.read(&place.path)).transpose()? {
        Some(Found::File(content)) => check(path, expected, Some(Blob::of(&content))),
        _ => check_other(path, expected, "a link"),
    }
}

/// All files in a directory, if it may be removed.
pub fn directory(session: &Session<'_>, path: &str) -> Answer<(Expect, Vec<String>)> {
    let disk = |problem: std::io::Error| match problem.kind() {
        std::io::ErrorKind::InvalidData => Failure::denied(format!(
            "{path} holds a name that is not UTF-8, which no reply can list; nothing was removed"
        )),
        _ => Failure::disk(path, "listing", &problem),
    };
    let dir = session.root.dir(path).map_err(disk)?;
    let files = walk(&dir).map_err(disk)?;
    if is_nested(&session.root, path, &files) {
        return Err(Failure::denied(format!(
            "{path} is or holds a repository of its own; nothing was removed"
        )));
    }
    let inside = files.iter().map(|file| format!("{path}/{}", file.path));
    let inside: Vec<String> = inside.collect();
    not_in_git_dir(&session.root, inside.iter().map(String::as_str), |_| false)?;
    if !may_empty(&session.root, path, &files).map_err(disk)? {
        return Err(Failure::denied(format!(
            "{path} has a directory that may not be written; nothing was removed"
        )));
    }
    let names = files.iter().map(|file| file.path.clone()).collect();
    Ok((Expect::Dir(files), names))
}
