//! Changes of several files by their paths: a directory may take the place of a file, and a file
//! that of a directory whose files are all removed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::refusal::Refusal;
use super::write::{Change, Commit, Digest, Expect, Inner};

/// The planned change of one file.
#[derive(Clone, Debug)]
pub struct Planned<C> {
    /// The hash of its content before the change; `None` if there must be no file.
    pub before: Option<Digest>,
    /// The source of its new content; `None` removes the file.
    pub content: Option<C>,
    /// Whether it is executable afterwards; `None` keeps it as before.
    pub executable: Option<bool>,
}

impl<C> Planned<C> {
    fn expect(&self) -> Expect {
        self.before.map_or(Expect::Absent, Expect::Content)
    }
}

/// The files planned below a path, by their paths from there.
fn inside<'p, C>(
    plan: &'p BTreeMap<String, Planned<C>>,
    path: &str,
) -> impl Iterator<Item = (&'p str, &'p Planned<C>)> {
    let start = format!("{path}/");
    let from = plan.range(start.clone()..);
    from.map_while(move |(own, planned)| Some((own.strip_prefix(&start)?, planned)))
}

impl Commit<'_> {
    /// Writes the new contents of files next to their targets; `read` reads each as it is written.
    /// Directories that files need are made if `make_dirs`.
    ///
    /// # Errors
    /// The system reports an error, another process wrote meanwhile, or `read` fails.
    pub fn stage<C, E: From<Refusal>>(
        &mut self,
        plan: &BTreeMap<String, Planned<C>>,
        make_dirs: bool,
        read: impl Fn(&C) -> Result<Cow<'_, [u8]>, E>,
    ) -> Result<(), E> {
        for (path, planned) in plan {
            if super::above(path).any(|dir| plan.contains_key(dir)) {
                // A directory comes or goes as one.
                continue;
            }
            let (mut fresh, mut gone) = (Vec::new(), Vec::new());
            for (name, inner) in inside(plan, path) {
                match (&inner.content, inner.before) {
                    (Some(content), _) => fresh.push((name, read(content)?, inner.executable)),
                    (None, Some(hash)) => gone.push((name.to_owned(), hash)),
                    (None, None) => {}
                }
            }
            let expect = match gone.is_empty() {
                true => planned.expect(),
                false => Expect::Files(gone),
            };
            if make_dirs && planned.content.is_some() {
                self.make_dirs(path)?;
            }
            let inside: Vec<Inner<'_>> = fresh
                .iter()
                .map(|(name, content, executable)| (*name, &**content, *executable))
                .collect();
            let content = planned.content.as_ref().map(&read).transpose()?;
            self.stage_change(&Change {
                path,
                expect,
                content: content.as_deref(),
                inside: &inside,
                executable: planned.executable,
            })?;
        }
        Ok(())
    }

    /// Plans to remove a file, a link or a directory with all in it, which is as expected.
    ///
    /// # Errors
    /// The system reports an error, or another process wrote meanwhile.
    pub fn remove(&mut self, path: &str, expect: Expect) -> Result<(), Refusal> {
        self.stage_change(&Change {
            path,
            expect,
            content: None,
            inside: &[],
            executable: None,
        })
    }
}
