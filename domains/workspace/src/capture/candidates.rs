//! The files of a work tree: tracked files, and untracked ones that are not ignored.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use fcp::threads::side_by_side;
use schemars::JsonSchema;
use serde::Serialize;

use crate::files::{Dirs, Kind, Stat, below, reading, stat};
use crate::git::{Listing, is_passing};
use crate::reply::{Answer, Code, Failure};
use crate::session::Session;

/// The number of paths checked by one thread at a time.
const FEW: usize = 500;

/// The maximum number of paths passed to git; beyond it, git lists the whole tree.
const NARROW: usize = 100;

/// Files that are left out, by reason.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Skipped {
    /// Symbolic links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symlinks: Option<u64>,
    /// Submodules and nested repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submodules: Option<u64>,
    /// Names that are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub non_utf8: Option<u64>,
    /// Names that no argument can hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unaddressable: Option<u64>,
    /// Files that are too large to be searched or compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_large: Option<u64>,
    /// Files that may not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<u64>,
}

impl Skipped {
    /// Counts a file of many that a limit or a permission leaves out; other failures are returned.
    pub fn leave_out(&mut self, failure: Failure) -> Answer<()> {
        match failure.code {
            Code::TooLarge => count(&mut self.too_large),
            Code::PermissionDenied => count(&mut self.unreadable),
            _ => return Err(failure),
        }
        Ok(())
    }

    /// Whether a limit or a permission left out a file.
    pub const fn is_partial(&self) -> bool {
        self.too_large.is_some() || self.unreadable.is_some()
    }
}

/// Increments a counter.
pub fn count(of: &mut Option<u64>) {
    *of = Some(of.unwrap_or_default() + 1);
}

/// Names in byte order, as git lists them.
#[derive(Debug, Default)]
pub struct Names {
    /// The paths. They may be missing, or be something other than a file.
    pub paths: Vec<String>,
    /// The names left out.
    pub skipped: Skipped,
}

impl Names {
    /// The names at and below several paths without links. The listing is from the fingerprint, so
    /// that git reads only folders that hold nothing tracked, and neither the index nor the tree again.
    pub fn of(session: &Session<'_>, tops: &[String], listing: &Listing) -> Answer<Self> {
        let is_folder = |name: &&OsString| name.as_bytes().ends_with(b"/");
        let (folders, single): (Vec<_>, Vec<_>) = listing.untracked.iter().partition(is_folder);
        let mut out = match &listing.tracked {
            Some(tracked) => tracked.to_vec(),
            None => session.repository.run(["ls-files", "-z", "-c"])?.output()?,
        };
        let tracked = out.len();
        if !folders.is_empty() {
            let arguments = ["ls-files", "-z", "-o", "--exclude-standard"];
            let mut arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
            if folders.len() <= NARROW {
                arguments.push(OsStr::new("--"));
                arguments.extend(folders.iter().map(|folder| folder.as_os_str()));
            }
            out.extend(session.repository.run(arguments)?.output()?);
        }
        for name in single {
            out.extend_from_slice(name.as_bytes());
            out.push(0);
        }
        let end = |byte: &u8| *byte == 0;
        let (tracked, untracked) = out.split_at(tracked);
        let untracked = untracked.split(end).filter(|name| !is_passing(name));
        let mut names = Self::default();
        let all = tracked.split(end).chain(untracked);
        for name in all.filter(|name| !name.is_empty()) {
            let Ok(name) = std::str::from_utf8(name) else {
                count(&mut names.skipped.non_utf8);
                continue;
            };
            if let Some(nested) = name.strip_suffix('/') {
                if tops.iter().any(|top| below(nested, top)) && !session.root.is_closed(nested) {
                    names.paths.push(nested.to_owned());
                }
                continue;
            }
            if !tops.iter().any(|top| below(name, top)) {
                continue;
            }
            if name.starts_with('~') || name.len() > 4096 || session.root.is_closed(name) {
                count(&mut names.skipped.unaddressable);
                continue;
            }
            names.paths.push(name.to_owned());
        }
        names.paths.sort_unstable();
        names.paths.dedup();
        Ok(names)
    }

    /// The regular files among the names. `hidden` is told of each that the system does not show.
    pub fn files(
        self,
        session: &Session<'_>,
        hidden: fn(&mut Skipped, Failure) -> Answer<()>,
    ) -> Answer<(Vec<(String, Stat)>, Skipped)> {
        let mut skipped = self.skipped;
        let mut files = Vec::with_capacity(self.paths.len());
        let stats = stats(session, &self.paths)?;
        for (path, stat) in self.paths.into_iter().zip(stats) {
            let stat = match stat {
                Ok(Some(stat)) => stat,
                Ok(None) => continue,
                Err(failure) => {
                    hidden(&mut skipped, failure)?;
                    continue;
                }
            };
            match stat.kind {
                Kind::File => files.push((path, stat)),
                Kind::Link => count(&mut skipped.symlinks),
                Kind::Dir if is_repository(session, &path)? => count(&mut skipped.submodules),
                Kind::Dir | Kind::Special => {}
            }
        }
        Ok((files, skipped))
    }
}

/// The state of each path, checked on several threads: a check waits for the system, not the
/// processor.
fn stats(session: &Session<'_>, paths: &[String]) -> Answer<Vec<Answer<Option<Stat>>>> {
    let dirs = || Dirs::of(&session.root);
    side_by_side(paths.len(), FEW, dirs, |dirs, at| {
        let path = &paths[at];
        Ok(dirs.stat(path).map_err(reading(path)))
    })
}

/// Regular files at and below several paths. A file named explicitly counts even if git ignores it.
pub fn files(
    session: &Session<'_>,
    paths: &[String],
    listing: &Listing,
    hidden: fn(&mut Skipped, Failure) -> Answer<()>,
) -> Answer<(Vec<(String, Stat)>, Skipped)> {
    let (mut tops, mut named) = (Vec::new(), Vec::new());
    let mut missing = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let pointer = format!("/paths/{at}");
        let path = crate::files::parse(path, &pointer)?;
        let place = session.root.resolve(&path, false);
        let place = place.map_err(|refusal| Failure::from(refusal).about(&pointer))?;
        match place.stat {
            None => missing.push(path),
            Some(stat) => match stat.kind {
                Kind::Dir => {
                    enter(session, &place.path, &pointer)?;
                    tops.push(place.path);
                }
                Kind::File => {
                    enter(
                        session,
                        place.path.rsplit_once('/').map_or("", |(dir, _)| dir),
                        &pointer,
                    )?;
                    named.push((place.path, stat));
                }
                Kind::Link => {
                    // A link that leads out is refused as such.
                    session.root.resolve(&path, true)?;
                    return Err(Failure::invalid(
                        &pointer,
                        format!("{path} is a link; name the file that it leads to"),
                    ));
                }
                Kind::Special => {
                    return Err(Failure::denied(format!("{path} is not a regular file")));
                }
            },
        }
    }
    if !missing.is_empty() {
        let message = format!("there is no {}", missing.join(", "));
        return Err(Failure::not_found(message).with("paths", missing));
    }
    let (mut files, skipped) = match tops.is_empty() {
        true => (Vec::new(), Skipped::default()),
        false => Names::of(session, &tops, listing)?.files(session, hidden)?,
    };
    files.extend(named);
    files.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    files.dedup_by(|(a, _), (b, _)| a == b);
    Ok((files, skipped))
}

/// Rejects directories inside other repositories.
fn enter(session: &Session<'_>, dir: &str, pointer: &str) -> Answer<()> {
    match repository_of(session, dir)? {
        None => Ok(()),
        Some(dir) => Err(Failure::invalid(
            pointer,
            format!("{dir} is a repository of its own, whose files cannot be captured from here"),
        )),
    }
}

/// The directory at or above this one that is another repository.
pub fn repository_of<'d>(session: &Session<'_>, dir: &'d str) -> Answer<Option<&'d str>> {
    for dir in crate::files::above(dir)
        .chain([dir])
        .filter(|dir| !dir.is_empty())
    {
        if has_git(session, dir)? {
            return Ok(Some(dir));
        }
    }
    Ok(None)
}

/// Whether a directory in git's list is another repository, or a submodule without its files. Others
/// replace tracked files.
pub fn is_repository(session: &Session<'_>, dir: &str) -> Answer<bool> {
    Ok(session
        .repository
        .submodules
        .contains(&session.root.path.join(dir))
        || has_git(session, dir)?)
}

fn has_git(session: &Session<'_>, dir: &str) -> Answer<bool> {
    Ok(stat(&session.root, &format!("{dir}/.git"))?.is_some())
}
