//! `cards`: each domain as agents see it, committed so that changes show in review.
//!
//! The program of each folder in `domains/` is built and asked: the compact card is the description
//! of its mutation tool, the full card is the output of `help all`. They go to
//! `domains/NAME/card.txt` and `docs/cards/NAME.md`. Structured tools have no compact card. The
//! templates of domains have a `card.txt`, too, which shows the start of a new domain. With
//! `--check` nothing is written; outdated files are named.

mod flag_limits;
mod limits;

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{
    new_domain::TEMPLATES,
    server::Server,
    workspace::{self, Result, text},
};

/// Write the reference cards of all domains to card.txt and docs/cards.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write nothing; fail if files are outdated.
    #[arg(long)]
    pub check: bool,
}

/// The output of a domain's program.
struct Card {
    program: String,
    title: String,
    /// The mutation tool and its description; `None` for structured tools.
    compact: Option<(String, String)>,
    full: String,
}

/// Writes or checks the cards.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    let metadata = workspace::metadata(root, false)?;
    let domains = workspace::domains(root);
    let mut good = true;
    for name in &domains {
        good &= of_domain(root, &metadata, name, args.check)?;
    }
    for folder in TEMPLATES.map(|template| template.folder) {
        if root.join(folder).join("Cargo.toml").is_file() {
            let paths = [format!("{folder}/card.txt")];
            good &= of_package(root, &metadata, folder, &paths, args.check)?;
        }
    }
    good &= tables(root, &metadata, args.check)?;
    good &= limits::page(root, &metadata, &domains, args.check)?;
    for page in workspace::names(&root.join("docs/cards")) {
        let known = domains
            .iter()
            .any(|name| page.strip_suffix(".md") == Some(name));
        if !known {
            println!("docs/cards/{page}: no domain has this name; delete it");
            good = false;
        }
    }
    Ok(good)
}

/// The page of tables.
const TABLES: &str = "docs/tables.md";

/// Writes or checks the tables in docs/tables.md, which are between `<!-- tables of NAME -->` and
/// `<!-- end -->`.
fn tables(root: &Path, metadata: &Value, check: bool) -> Result<bool> {
    let Ok(page) = fs::read_to_string(root.join(TABLES)) else {
        return Ok(true);
    };
    let page = page.replace("\r\n", "\n");
    let mut wanted = String::new();
    let mut rest = page.as_str();
    while let Some((before, after)) = rest.split_once("<!-- tables of ") {
        let own = after
            .split_once(" -->\n")
            .and_then(|(name, after)| Some((name, after.split_once("<!-- end -->")?.1)));
        let Some((name, after)) = own else {
            return Err(format!("{TABLES}: a part does not end with <!-- end -->").into());
        };
        wanted.push_str(before);
        let tables = tables_of(root, metadata, name)?;
        wanted.push_str(&format!("<!-- tables of {name} -->\n{tables}<!-- end -->"));
        rest = after;
    }
    wanted.push_str(rest);
    ensure(root, TABLES, &wanted, check)
}

/// The tables of a domain, as a part of the page.
fn tables_of(root: &Path, metadata: &Value, name: &str) -> Result<String> {
    let (_, program) = workspace::package(root, metadata, &format!("domains/{name}"))?;
    let program = program.ok_or_else(|| format!("domains/{name} has no program"))?;
    let path = workspace::build(root, workspace::PROGRAMS, &program)?;
    let output = Command::new(path)
        .arg("codebook")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    let book: Value = serde_json::from_slice(&output.stdout)?;
    let none = Vec::new();
    let tables = book["schema_map"]["tables"].as_array().unwrap_or(&none);
    let mut out = String::new();
    let own = tables.iter().filter(|table| table["own"] == true);
    for table in own {
        out.push_str(&format!(
            "\n### `{}`\n\n{}\n\n| column | type | |\n|---|---|---|\n",
            text(table, "name"),
            text(table, "doc")
        ));
        for column in table["columns"].as_array().unwrap_or(&none) {
            let line = column.as_str().unwrap_or_default();
            let (head, doc) = line.split_once("  ").unwrap_or((line, ""));
            let (name, kind) = head.split_once(' ').unwrap_or((head, ""));
            let doc = doc.replace('|', "\\|").replace('<', "&lt;");
            out.push_str(&format!("| `{name}` | {kind} | {doc} |\n"));
        }
        if let Some(added) = table["added"].as_str() {
            out.push_str(&format!("\n`INSERT` takes {added}.\n"));
        }
    }
    let kinds = tables.iter().filter(|table| table["own"] != true);
    let kinds: Vec<String> = kinds
        .map(|table| format!("`{}`", text(table, "name")))
        .collect();
    if !kinds.is_empty() {
        out.push_str(&format!(
            "\nEach kind of row is a table too: {}.\n",
            kinds.join(", ")
        ));
    }
    Ok(out)
}

/// Writes or checks the cards of one domain; returns whether they are correct now.
pub fn of_domain(root: &Path, metadata: &Value, name: &str, check: bool) -> Result<bool> {
    let folder = format!("domains/{name}");
    let paths = [
        format!("{folder}/card.txt"),
        format!("docs/cards/{name}.md"),
    ];
    of_package(root, metadata, &folder, &paths, check)
}

/// Writes or checks the cards of the package in a folder: first a text file, then a page.
fn of_package(
    root: &Path,
    metadata: &Value,
    folder: &str,
    paths: &[String],
    check: bool,
) -> Result<bool> {
    let (package, program) = workspace::package(root, metadata, folder)?;
    let Some(program) = program else {
        if paths.iter().any(|path| root.join(path).exists()) {
            return Err(format!(
                "{package} has no program any more, but a card; give it one or delete {}",
                paths.join(" and ")
            )
            .into());
        }
        println!("NO CARD for {folder}: {package} has no program yet");
        return Ok(true);
    };
    let path = workspace::build(root, workspace::PROGRAMS, &program)?;
    let card = ask(&path, program)?;
    let mut good = true;
    for (path, text) in paths.iter().zip([card.text(), card.page()]) {
        good &= ensure(root, path, &text, check)?;
    }
    Ok(good)
}

fn ask(path: &Path, program: String) -> Result<Card> {
    // It opens no file, so any folder is fine.
    let mut server = Server::start(path, Path::new("."))?;
    let tools = server.tools()?;
    let mutation = tools.first().ok_or("the server lists no tools")?;
    let help = Command::new(path)
        .args(["help", "all"])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !help.status.success() {
        return Err(format!("{program} help failed").into());
    }
    let compact = || {
        let tool = text(mutation, "name").to_owned();
        (tool, trimmed(text(mutation, "description")))
    };
    Ok(Card {
        program,
        title: text(&server.hello["serverInfo"], "title").to_owned(),
        compact: mutation.get("outputSchema").is_none().then(compact),
        full: trimmed(&String::from_utf8(help.stdout)?),
    })
}

/// A text without trailing whitespace in lines, and without empty lines at either end.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

impl Card {
    fn text(&self) -> String {
        let Self { program, full, .. } = self;
        let Some((tool, compact)) = &self.compact else {
            return format!(
                "# Made by `cargo xtask cards`: the output of `{program} help all`.\n\n{full}\n"
            );
        };
        format!(
            "# Made by `cargo xtask cards` from the output of {program}: the compact card, which describes the tool \
             `{tool}`, then the full card, which is `{program} help all`.\n\n{compact}\n\n{}\n\n{full}\n",
            "-".repeat(80)
        )
    }

    fn page(&self) -> String {
        let Self {
            program,
            title,
            full,
            ..
        } = self;
        let Some((tool, compact)) = &self.compact else {
            return format!(
                "# {title}\n\n<!-- Made by `cargo xtask cards` from the output of {program}. -->\n\n\
                 The tools, which is `{program} help all`:\n\n````text\n{full}\n````\n"
            );
        };
        let bytes = compact.len();
        format!(
            "# {title}\n\n<!-- Made by `cargo xtask cards` from the output of {program}. -->\n\n\
             The compact card, {bytes} bytes, which describes the tool `{tool}`:\n\n````text\n{compact}\n````\n\n\
             The full card, which is `{program} help all` and what the tool `{tool}_help` answers to `all`:\n\n\
             ````text\n{full}\n````\n"
        )
    }
}

/// Writes a generated file; with `check`, returns whether it is up to date.
fn ensure(root: &Path, path: &str, wanted: &str, check: bool) -> Result<bool> {
    let found = fs::read_to_string(root.join(path)).unwrap_or_default();
    // Git may check files out with the system's line endings.
    let found = found.replace("\r\n", "\n");
    if found == wanted {
        return Ok(true);
    }
    if !check {
        workspace::write(&root.join(path), wanted)?;
        println!("wrote {path}");
        return Ok(true);
    }
    let same = found
        .lines()
        .zip(wanted.lines())
        .take_while(|(found, wanted)| found == wanted)
        .count();
    println!(
        "{path}:{}: differs from the program's output\n  output: {}\n  fix: cargo xtask cards",
        same + 1,
        wanted.lines().nth(same).unwrap_or("(nothing more)")
    );
    Ok(false)
}
