//! The target of a file to be written.

use schemars::JsonSchema;
use serde::Serialize;

use crate::changing::plan::Status;
use crate::files::{Kind, Place, above, stat};
use crate::reply::{Answer, Failure};
use crate::session::Ready;

/// A file that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    /// That it was.
    pub status: Status,
    /// Nothing was written, because that was asked for.
    pub dry_run: bool,
    /// Its path, without links.
    pub path: String,
    /// Its content.
    pub blob: String,
    /// Its bytes.
    pub size: u64,
    /// There was no such file.
    pub created: bool,
}

/// Finds the target of a file, which need not exist. Follows links.
pub fn target(ready: &Ready<'_>, asked: &str, create_dirs: bool) -> Answer<Place> {
    match ready {
        Ready::Snapshot(snapshot, ..) => {
            if let Some(file) = above(asked).find(|above| snapshot.find(above).is_some()) {
                return Err(Failure::invalid(
                    "/path",
                    format!("{file} is a file in the snapshot"),
                ));
            }
            if snapshot.find(asked).is_none() && snapshot.below(asked).next().is_some() {
                return Err(Failure::invalid(
                    "/path",
                    format!("{asked} is a directory in the snapshot"),
                ));
            }
            Ok(Place {
                path: asked.to_owned(),
                stat: None,
                links: Vec::new(),
            })
        }
        Ready::Worktree(session) => {
            let place = session.root.resolve(asked, true)?;
            match place.stat.map(|stat| stat.kind) {
                Some(Kind::Dir) => {
                    return Err(Failure::invalid("/path", format!("{asked} is a directory")));
                }
                Some(Kind::Special) => {
                    return Err(Failure::denied(format!("{asked} is not a regular file")));
                }
                _ => {}
            }
            for dir in above(&place.path) {
                match stat(&session.root, dir)?.map(|stat| stat.kind) {
                    Some(Kind::Dir) => {}
                    Some(_) => {
                        return Err(Failure::invalid(
                            "/path",
                            format!("{dir} is not a directory"),
                        ));
                    }
                    None if create_dirs => break,
                    None => {
                        return Err(Failure::not_found(format!(
                            "there is no directory {dir}; send create_dirs: true to make it"
                        )));
                    }
                }
            }
            Ok(place)
        }
    }
}
