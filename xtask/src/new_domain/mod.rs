//! `new-domain`: creates a domain's crate from a working one in `templates`, and its card.
//!
//! A template is a crate like any other, so that it cannot become outdated. Its name is replaced by
//! the new domain's name: in the crate, the model, the files it reads, and the tools it serves.

mod attempt;
mod name;
mod outside;

use std::path::{Path, PathBuf};

use crate::{
    cards,
    names::capital,
    tidy::source,
    workspace::{self, Result, cargo, list, text},
};
use attempt::Attempt;

/// A crate that new domains are copied from.
pub struct Template {
    /// Its folder.
    pub folder: &'static str,
    /// Its name.
    pub word: &'static str,
    /// Next steps in a new domain, after its tests.
    next: &'static [&'static str],
    /// A command that demonstrates it.
    shows: &'static str,
}

/// A domain of documents that ops edit.
const DOCUMENTS: Template = Template {
    folder: "templates/domain",
    word: "checklist",
    next: &["define a document and its reading: src/model.rs, src/files.rs"],
    shows: "repl",
};
/// A domain of structured tools.
const TOOLS: Template = Template {
    folder: "templates/tools",
    word: "tally",
    next: &[
        "define the tools' state: src/state.rs",
        "a tool is a file of src/tools, and its line in src/tools/mod.rs",
    ],
    shows: "help",
};

/// All templates.
pub const TEMPLATES: [Template; 2] = [DOCUMENTS, TOOLS];

/// The generated card of the template; a new domain gets its own.
const CARD: &str = "card.txt";

/// Create a domain: a working crate, with its tests and its card.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The name: one word of lower-case letters and digits.
    name: String,
    /// Make a crate of its own in this folder, outside the workspace.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Create a domain of structured tools, JSON in and out, instead of documents.
    #[arg(long)]
    tools: bool,
}

/// Creates the crate and prints the next steps. If anything fails, all changes are undone.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    let name = args.name.as_str();
    let template = if args.tools { &TOOLS } else { &DOCUMENTS };
    let files = template.files(root)?;
    name::legal(name, &template.words(&files))?;
    let metadata = workspace::metadata(root, false)?;
    let package = format!("fcp-{name}");
    if let Some(taken) = list(&metadata, "packages")
        .iter()
        .find(|own| text(own, "name") == package)
    {
        let manifest = Path::new(text(taken, "manifest_path"));
        let manifest = manifest.strip_prefix(root).unwrap_or(manifest);
        return Err(format!("{package} is taken by {}", manifest.display()).into());
    }
    match &args.out {
        Some(folder) => outside(root, template, name, &files, folder),
        None => inside(root, template, name, &files),
    }
}

/// Creates a member of the workspace.
fn inside(
    root: &Path,
    template: &Template,
    name: &str,
    files: &[(String, String)],
) -> Result<bool> {
    let folder = format!("domains/{name}");
    let page = format!("docs/cards/{name}.md");
    for taken in [&folder, &page] {
        if root.join(taken).exists() {
            return Err(format!("{name:?} is taken: there is {taken}").into());
        }
    }
    let mut attempt = Attempt::new(root.join(&folder))?;
    attempt.keep(root.join("Cargo.lock"));
    attempt.keep(root.join(&page));
    template.fill(&root.join(&folder), name, files)?;
    let metadata = workspace::metadata(root, false)?;
    cards::of_domain(root, &metadata, name, false)?;
    attempt.succeeded();
    println!("{folder}: a domain that works");
    println!("next:");
    println!("  cargo test -p fcp-{name}");
    println!("  cargo run -p fcp-{name} -- {}", template.shows);
    for step in template.next {
        println!("  {step}");
    }
    if template.word == DOCUMENTS.word {
        println!("  cargo xtask new-verb {name} \"PHRASE\"");
    }
    println!("  cargo xtask cards");
    Ok(true)
}

/// Creates a standalone crate that refers to the runtime by path.
fn outside(
    root: &Path,
    template: &Template,
    name: &str,
    files: &[(String, String)],
    folder: &Path,
) -> Result<bool> {
    let mut attempt = Attempt::new(std::path::absolute(folder)?)?;
    let folder = folder.canonicalize()?;
    if folder.starts_with(root.join("domains")) {
        return Err("domains/ is for members of the workspace; leave --out out".into());
    }
    let mut files = files.to_vec();
    for (path, text) in &mut files {
        if path == "Cargo.toml" {
            *text = outside::manifest(root, text)?;
        }
    }
    files.extend(outside::beside(root)?);
    template.fill(&folder, name, &files)?;
    attempt.succeeded();
    println!("{}: a domain that works", folder.display());
    println!("next, there:");
    println!("  cargo test");
    println!("  cargo run -- {}", template.shows);
    for step in template.next {
        println!("  {step}");
    }
    Ok(true)
}

impl Template {
    /// The template's files, by their paths in it.
    fn files(&self, root: &Path) -> Result<Vec<(String, String)>> {
        let start = format!("{}/", self.folder);
        let mut files = Vec::new();
        for path in workspace::files(root) {
            if let Some(own) = path.strip_prefix(&start).filter(|own| *own != CARD) {
                files.push((own.to_owned(), workspace::read(&root.join(&path))?));
            }
        }
        if files.is_empty() {
            return Err(format!("there is no {} to begin with", self.folder).into());
        }
        Ok(files)
    }

    /// The names used in its code, in lower case, except for its own name.
    fn words(&self, files: &[(String, String)]) -> Vec<String> {
        let sources = files.iter().filter(|(path, _)| path.ends_with(".rs"));
        let mut words: Vec<String> = sources
            .flat_map(|(_, text)| {
                let code = source::masked(text).code;
                let names = source::names(&code).map(|(_, name)| name.to_lowercase());
                names.collect::<Vec<_>>()
            })
            .filter(|word| word != self.word)
            .collect();
        words.sort();
        words.dedup();
        words
    }

    /// Writes the files with the domain's name, and formats them, as its length affects line
    /// breaks.
    fn fill(&self, folder: &Path, name: &str, files: &[(String, String)]) -> Result<()> {
        let named = |text: &str| {
            text.replace(self.word, name)
                .replace(&capital(self.word), &capital(name))
        };
        for (path, text) in files {
            workspace::write(&folder.join(named(path)), &named(text))?;
        }
        let formatted = cargo(folder).arg("fmt").output()?;
        if !formatted.status.success() {
            let problem = String::from_utf8_lossy(&formatted.stderr);
            return Err(format!("cargo fmt failed: {}", problem.trim()).into());
        }
        Ok(())
    }
}
