//! Examples and transcripts.

use std::path::Path;

use crate::domain::Domain;
use crate::endpoint::{Config, Endpoint, Flags};
use crate::script;
use crate::session::Session;
use crate::verb::{Registry, Role, Verb};
use crate::worker;

/// Plays the examples of one verb, query or action. Each starts from a new document.
///
/// # Panics
/// The verb is not registered, or a reply differs from the example. The message names the place in
/// the source.
pub fn examples<M: Domain>(role: Role, phrase: &str) {
    let registry = Registry::<M>::build().unwrap_or_else(|error| panic!("{error}"));
    let found = by_role(&registry, role)
        .into_iter()
        .find(|verb| verb.phrase == phrase);
    let Some(verb) = found else {
        panic!("{phrase} is not registered")
    };
    let mut failures = Vec::new();
    for example in verb.examples {
        // Lines hidden on the card are still part of the script.
        let lines = example
            .script
            .lines()
            .map(|line| line.strip_prefix("# ").unwrap_or(line));
        let script: String = lines.flat_map(|line| [line, "\n"]).collect();
        let root = scratch();
        let mut session = session::<M>(root.path());
        let starts =
            script.trim_start().starts_with("! new") || script.trim_start().starts_with("! open");
        if !starts {
            let new = session.act("new");
            assert!(
                !new.is_error,
                "an example starts from new, which failed: {}",
                new.text
            );
        }
        if let Err((line, failure)) = play(&mut session, &script) {
            let line = example.line as usize + line - 1;
            failures.push(format!("{}:{line}\n{failure}", verb.source.file));
        }
    }
    assert!(
        failures.is_empty(),
        "examples of {phrase} are not true:\n{}",
        failures.join("\n")
    );
}

/// The verbs of a role.
pub(super) fn by_role<M: Domain>(registry: &Registry<M>, role: Role) -> Vec<&'static Verb<M>> {
    match role {
        Role::Query => registry.queries().collect(),
        Role::Action => registry.actions().collect(),
        _ => registry.verbs().collect(),
    }
}

/// Plays a transcript in a new folder with copies of the files in `files`. With `FCP_BLESS` set,
/// differing replies are written into the transcript instead.
///
/// # Panics
/// A reply differs from the transcript.
pub fn transcript<M: Domain>(path: &Path, files: Option<&Path>) {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let root = scratch();
    if let Some(files) = files {
        lay_files(root.path(), files);
    }
    let mut session = session::<M>(root.path());
    if std::env::var_os(BLESS).is_some() {
        let renewed = renewed(&mut session, &text);
        if renewed != text {
            std::fs::write(path, renewed)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        return;
    }
    if let Err((line, failure)) = play(&mut session, &text) {
        panic!(
            "{}:{line}\n{failure}\n{BLESS}=1 rewrites the expected replies",
            path.display()
        );
    }
}

/// The variable that makes transcripts be rewritten.
const BLESS: &str = "FCP_BLESS";

/// A transcript with its expected replies updated to the actual ones.
fn renewed(endpoint: &mut dyn Endpoint, text: &str) -> String {
    let steps = script::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let lines: Vec<&str> = text.split('\n').collect();
    let (mut renewed, mut at) = (Vec::new(), 0);
    for step in steps {
        let answer = step.call.play(endpoint);
        let Some(expected) = &step.expected else {
            continue;
        };
        if script::compare(expected, &answer.text).is_ok() {
            continue;
        }
        let is_reply = |line: &&&str| line.starts_with('>');
        let before = lines
            .iter()
            .skip(step.line)
            .take_while(|line| !is_reply(line));
        let from = step.line + before.count();
        let old = lines.iter().skip(from).take_while(is_reply).count();
        renewed.extend(
            lines
                .iter()
                .take(from)
                .skip(at)
                .map(|line| (*line).to_owned()),
        );
        let new = answer.text.lines();
        let new = new.filter(|line| !line.starts_with("  tables: "));
        renewed.extend(new.map(|line| format!("> {line}")));
        at = from + old;
    }
    renewed.extend(lines.iter().skip(at).map(|line| (*line).to_owned()));
    renewed.join("\n")
}

/// Plays every transcript in a folder; returns their number.
///
/// # Panics
/// There is none, or a reply differs from its transcript.
pub fn transcripts<M: Domain>(folder: &Path, files: Option<&Path>) -> usize {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "fcp"))
        .collect();
    paths.sort();
    assert!(
        !paths.is_empty(),
        "{} holds no transcript",
        folder.display()
    );
    paths.iter().for_each(|path| transcript::<M>(path, files));
    paths.len()
}

/// A session in a folder. Sets flags that begin with `no-`, since results would otherwise depend on
/// the machine.
pub(super) fn session<M: Domain>(root: &Path) -> Session<M> {
    // A test's program does not call the dispatch function that would make it its own worker.
    worker::stay_inside();
    let without = M::FLAGS.iter().filter(|flag| flag.name.starts_with("no-"));
    Session::new(&Config {
        flags: without.fold(Flags::default(), |flags, flag| flags.with(flag, None)),
        ..Config::at(root)
    })
    .unwrap_or_else(|error| panic!("{error}"))
}

/// Plays a script and compares the expected replies. The error has the line number.
pub(super) fn play(endpoint: &mut dyn Endpoint, text: &str) -> Result<(), (usize, String)> {
    let steps = script::parse(text).map_err(|error| (error.line, error.to_string()))?;
    for step in steps {
        let answer = step.call.play(endpoint);
        match &step.expected {
            Some(expected) => {
                if let Err(difference) = script::compare(expected, &answer.text) {
                    return Err((
                        step.line,
                        format!(
                            "{}\n{difference}\nthe whole reply:\n{}",
                            step.call, answer.text
                        ),
                    ));
                }
            }
            // A step without an expected reply is set-up: it must succeed.
            None if answer.is_error => {
                return Err((step.line, format!("{}\n{}", step.call, answer.text)));
            }
            None => {}
        }
    }
    Ok(())
}

/// A folder that is deleted when the test ends.
pub(super) struct Scratch(std::path::PathBuf);

impl Scratch {
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If it cannot be removed, the system cleans it up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Writes files into a folder, by their relative paths. Skips paths that lead out of it.
pub(super) fn lay<'a>(root: &Path, files: impl IntoIterator<Item = (&'a str, impl AsRef<[u8]>)>) {
    for (path, bytes) in files {
        let inside = |part| matches!(part, std::path::Component::Normal(_));
        if !Path::new(path).components().all(inside) {
            continue;
        }
        let path = root.join(path);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| std::fs::write(&path, bytes));
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// A new folder among the system's temporary ones.
pub(super) fn scratch() -> Scratch {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!(
        "fcp-test-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    );
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Scratch(path)
}

/// Plays the blocks of a page whose fence has the label `info`, each in a new folder with copies of
/// the files in `files`; returns their number.
///
/// # Panics
/// A reply differs from its block, or a step without a reply fails.
pub fn blocks<M: Domain>(page: &Path, info: &str, files: &Path) -> usize {
    let text =
        std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let (mut played, mut open, mut failures) = (0, None, Vec::new());
    for (at, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(own)) => open = Some((own == info, at + 2, String::new())),
            (Some((is_own, first, script)), Some(_)) => {
                if *is_own {
                    played += 1;
                    let root = scratch();
                    lay_files(root.path(), files);
                    if let Err((line, failure)) = play(&mut session::<M>(root.path()), script) {
                        let line = *first + line - 1;
                        failures.push(format!("{}:{line}\n{failure}", page.display()));
                    }
                }
                open = None;
            }
            (Some((_, _, script)), None) => script.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    played
}

/// Copies the files of a folder.
fn lay_files(root: &Path, files: &Path) {
    for entry in std::fs::read_dir(files).into_iter().flatten().flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), root.join(entry.file_name()))
                .expect("a file can be copied");
        }
    }
}
