//! The limits that flags of the programs move, and those that nothing moves.
//!
//! The programs list their flags in their help, and the errors are real: each limit is exceeded here. The fixed limits
//! are read from their constants in the source.

use std::{fs, path::Path, process::Command};

use fcp::value::thousands;
use serde_json::{Value, json};

use crate::{
    server::Server,
    workspace::{Result, text},
};

/// A way to exceed the limit of a flag.
enum Met {
    /// A program of this domain with this value of the flag, after a call of a tool.
    By(&'static str, &'static str, fn() -> (&'static str, Value)),
    /// A request of more than a MiB to a program with a limit of one.
    Request,
    /// Another row shows the error.
    As(&'static str),
    /// The reply tells in this way that it is exceeded, without an error.
    Told(&'static str),
}

/// A way to exceed the limit of each flag.
const MET: &[(&str, Met)] = &[
    ("max-request", Met::Request),
    (
        "work-limit",
        Met::By("workspace", "1", || {
            let edit = json!({ "path": "a.txt", "old": "ab", "new": "x" });
            ("workspace.edit", json!({ "edits": vec![edit; 1_000] }))
        }),
    ),
    ("reply-limit", Met::By("workspace", "16", file)),
    ("max-inline", Met::By("workspace", "100", file)),
    (
        "max-file",
        Met::By("workspace", "100", || {
            let edit = json!({ "path": "a.txt", "old": "ab", "new": "x" });
            ("workspace.edit", json!({ "edits": [edit] }))
        }),
    ),
    (
        "max-ranged",
        Met::By("workspace", "1000", || {
            ("snapshot.file", json!({ "path": "a.txt", "end_line": 1 }))
        }),
    ),
    (
        "max-searched",
        Met::Told("the file is left out, and counted in `skipped.too_large`"),
    ),
    ("max-files", Met::By("workspace", "1", create)),
    ("max-capture", Met::By("workspace", "100", create)),
    (
        "max-patch",
        Met::By("workspace", "20", || {
            (
                "workspace.apply_patch",
                json!({ "patch": "--- a/a.txt\n+++ /dev/null\n" }),
            )
        }),
    ),
    (
        "max-write",
        Met::By("workspace", "9", || {
            let write = json!({ "path": "b.txt", "content": "0123456789" });
            ("workspace.write_file", write)
        }),
    ),
    (
        "max-touched",
        Met::By("workspace", "1", || ("snapshot.list", json!({}))),
    ),
    ("render-time", Met::As("render-limit")),
];

fn file() -> (&'static str, Value) {
    ("snapshot.file", json!({ "path": "a.txt" }))
}

fn create() -> (&'static str, Value) {
    ("snapshot.create", json!({ "paths": ["."] }))
}

/// The files that the calls are about: a repository without commits.
const FILES: [(&str, &str); 4] = [
    (".git/HEAD", "ref: refs/heads/main\n"),
    (".git/objects/.keep", ""),
    (".git/refs/.keep", ""),
    ("c.txt", "c\n"),
];

/// The error of a limit that no call meets.
const NOT_MET: &str = "–";

/// Limits that nothing moves: the file of the constant, its name, and the limit in words.
const FIXED: &[(&str, &str, &str)] = &[
    ("fcp/src/mcp/message.rs", "VALUES", "values in a request"),
    (
        "domains/assets/src/front/mod.rs",
        "LINE_BYTES",
        "bytes of a request of assets",
    ),
    (
        "domains/assets/src/json/read.rs",
        "DEPTH",
        "levels of an asset",
    ),
    (
        "fcp/src/value/stock.rs",
        "TEXT_LIMIT",
        "bytes of a text in an op",
    ),
    (
        "fcp/src/session/query/page.rs",
        "ANSWER_BYTES",
        "bytes of an answer to a query; a domain may have fewer",
    ),
    (
        "domains/svg/src/syntax/id.rs",
        "LONGEST",
        "bytes of an id in svg",
    ),
    (
        "fcp/src/format/xml/limits.rs",
        "MOST_DEPTH",
        "levels of nested elements that `depth-limit` can admit",
    ),
    (
        "fcp/src/format/picture/render.rs",
        "DEEPEST",
        "levels of nested elements that are drawn",
    ),
    (
        "fcp/src/format/picture/size.rs",
        "WIDEST",
        "pixels of a picture's width",
    ),
    (
        "fcp/src/format/picture/size.rs",
        "MOST_PIXELS",
        "pixels of a picture",
    ),
    (
        "domains/workspace/src/session/lease.rs",
        "HELD",
        "leases of a root",
    ),
];

/// The flags of programs that are limits.
#[derive(Default)]
pub struct Flags(Vec<Row>);

struct Row {
    flag: String,
    /// The value, the default and the description, as cells.
    cells: String,
    domains: Vec<String>,
}

impl Flags {
    /// Adds the flags of a program.
    pub fn add(&mut self, domain: &str, program: &Path) -> Result<()> {
        let help = Command::new(program).args(["serve", "--help"]).output()?;
        for (flag, value, doc) in flags(&String::from_utf8(help.stdout)?) {
            let Some((doc, usual)) = usual(&doc) else {
                continue;
            };
            let cells = format!("| `--{flag} {value}` | {usual} | {doc} |");
            match self.0.iter_mut().find(|row| row.cells == cells) {
                Some(row) => row.domains.push(domain.to_owned()),
                None => self.0.push(Row {
                    flag,
                    cells,
                    domains: vec![domain.to_owned()],
                }),
            }
        }
        Ok(())
    }

    /// The tables, grouped by the domains whose programs have the flags.
    pub fn tables(&self, programs: &[(String, std::path::PathBuf)]) -> Result<String> {
        let mut page = String::new();
        let mut seen: Vec<&[String]> = Vec::new();
        for Row { domains, .. } in &self.0 {
            if seen.contains(&&**domains) {
                continue;
            }
            seen.push(domains);
            let whose = match domains.len() == programs.len() {
                true => "all programs".to_owned(),
                false => domains.join(" and "),
            };
            page.push_str(&format!(
                "\n## Flags of {whose}\n\n| Flag | Default | Limits | Error |\n|---|---|---|---|\n"
            ));
            for row in self.0.iter().filter(|row| row.domains == *domains) {
                page.push_str(&format!(
                    "{} {} |\n",
                    row.cells,
                    words(&row.flag, programs)?
                ));
            }
        }
        Ok(page)
    }
}

/// The flags in a help text, each with the name of its value and its description.
fn flags(help: &str) -> Vec<(String, String, String)> {
    let mut all: Vec<(String, String, String)> = Vec::new();
    for line in help.lines().map(str::trim) {
        let flag = line.strip_prefix("--").and_then(|flag| {
            let (name, rest) = flag.split_once(" <")?;
            let (value, doc) = rest.split_once('>')?;
            Some((name.to_owned(), value.to_owned(), doc.trim().to_owned()))
        });
        match (flag, all.last_mut()) {
            (Some(flag), _) => all.push(flag),
            // Its description may be in lines of its own.
            (None, Some((_, _, doc))) if !line.starts_with('-') => {
                doc.push(' ');
                doc.push_str(line);
            }
            (None, _) => {}
        }
    }
    all
}

/// A description, and the default in it, if that is a number.
fn usual(doc: &str) -> Option<(String, String)> {
    let (doc, rest) = doc.split_once("[default: ")?;
    let (usual, _) = rest.split_once(']')?;
    let is_number = usual.starts_with(|first: char| first.is_ascii_digit());
    is_number.then(|| {
        (
            doc.trim().trim_end_matches('.').to_owned(),
            usual.to_owned(),
        )
    })
}

/// The program's message when the limit of a flag is exceeded.
fn words(flag: &str, programs: &[(String, std::path::PathBuf)]) -> Result<String> {
    let met = MET.iter().find(|(own, _)| *own == flag);
    // A domain of one's own may have limits that no call here meets.
    let Some((_, met)) = met else {
        return Ok(NOT_MET.to_owned());
    };
    let (wanted, value) = match met {
        Met::As(other) => return Ok(format!("that of `{other}`")),
        Met::Told(words) => return Ok((*words).to_owned()),
        // Programs of structured tools have a shorter line on this front.
        Met::Request => (None, "1"),
        Met::By(domain, value, _) => (Some(*domain), *value),
    };
    let is_wanted = |(name, _): &&(String, std::path::PathBuf)| match wanted {
        Some(wanted) => name == wanted,
        None => name != "assets",
    };
    let Some((domain, program)) = programs.iter().find(is_wanted) else {
        return Ok(NOT_MET.to_owned());
    };
    let folder = tempfile::tempdir()?;
    let long = "a".repeat(600_000);
    for (path, text) in FILES.into_iter().chain([("a.txt", &*long)]) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, text)?;
    }
    let flag = format!("--{flag}");
    let message = match met {
        Met::By(_, _, call) => {
            let (tool, arguments) = call();
            let flags = [&*flag, value, "--no-state"];
            let mut server = Server::with(program, folder.path(), &flags)?;
            let params = json!({ "name": tool, "arguments": arguments });
            let (result, _) = server.request("tools/call", params)?;
            text(&result["structuredContent"]["error"], "message").to_owned()
        }
        Met::Request | Met::As(_) | Met::Told(_) => {
            let mut server = Server::with(program, folder.path(), &[&flag, value])?;
            let (answer, _) =
                server.exchange(&json!({ "id": 1, "method": [&*long, &*long] }).to_string())?;
            text(&answer["error"], "message").to_owned()
        }
    };
    match message.contains(&flag) || flag == "--work-limit" {
        true => Ok(format!("`{}`", message.replace('|', "\\|"))),
        false => Err(format!("{domain}: {flag} is not met: {message}").into()),
    }
}

/// The table of limits that nothing moves.
pub fn fixed(root: &Path) -> Result<String> {
    // A project of one domain has them in the packages that it depends on.
    if !root.join("fcp/src").is_dir() {
        return Ok(String::new());
    }
    let mut page =
        String::from("\n## Limits that nothing moves\n\n| Limit | Number |\n|---|---|\n");
    for (path, name, words) in FIXED {
        let source = fs::read_to_string(root.join(path))?;
        let number = constant(&source, name);
        let number = number.ok_or_else(|| {
            format!(
                "{path} has no {name} that is a number; see FIXED in xtask/src/cards/flag_limits.rs"
            )
        })?;
        page.push_str(&format!("| {words} | {} |\n", thousands(number)));
    }
    Ok(page)
}

/// The value of a constant: a number, or `A * B` or `A << B`.
fn constant(source: &str, name: &str) -> Option<usize> {
    let (_, rest) = source.split_once(&format!("const {name}: "))?;
    let (declared, _) = rest.split_once(';')?;
    let (_, value) = declared.split_once(" = ")?;
    let number = |text: &str| text.trim().replace('_', "").parse::<usize>().ok();
    if let Some((number_of, shift)) = value.split_once("<<") {
        return number(number_of)?.checked_shl(u32::try_from(number(shift)?).ok()?);
    }
    value.split('*').map(number).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_their_defaults_are_read_from_help() {
        let help = "Options:\n      --max-file <BYTES>  The largest file [default: 64 MiB].\n      --text <FORM>  A form [default: json].\n\
                    \n      --max-request <MIB>\n          The longest, in MiB\n\n          [default: 64]\n      --images\n          Draw\n";
        let found: Vec<_> = flags(help)
            .into_iter()
            .filter_map(|(flag, value, doc)| Some((flag, value, usual(&doc)?)))
            .collect();
        let row = |flag: &str, value: &str, doc: &str, usual: &str| {
            (
                flag.to_owned(),
                value.to_owned(),
                (doc.to_owned(), usual.to_owned()),
            )
        };
        assert_eq!(
            found,
            [
                row("max-file", "BYTES", "The largest file", "64 MiB"),
                row("max-request", "MIB", "The longest, in MiB", "64"),
            ]
        );
    }

    #[test]
    fn constants_are_computed() {
        let source = "/// A.\npub const A: usize = 64 * 1024;\nconst B: u64 = 16 << 20;\nconst C: u32 = 1_024;\nconst D: u32 = X;\n";
        let of = |name| constant(source, name).map(thousands);
        assert_eq!(of("A").unwrap(), "65,536");
        assert_eq!(of("B").unwrap(), "16,777,216");
        assert_eq!(of("C").unwrap(), "1,024");
        assert_eq!((of("D"), of("E")), (None, None));
    }
}
