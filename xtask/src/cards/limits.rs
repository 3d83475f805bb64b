//! The page of limits: every setting and flag that is a limit, the error of exceeding it, and the limits that nothing
//! moves.
//!
//! The programs list the settings, and the errors are real: each limit is exceeded here. The rest is in `flag_limits`.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::{
    ensure,
    flag_limits::{Flags, fixed},
};
use crate::{
    server::Server,
    workspace::{self, Result, text},
};

const PAGE: &str = "docs/limits.md";

/// A way to exceed a limit.
enum Met {
    /// The last of these calls, in a folder with a file `met.svg` or `met.mid` of these bytes.
    By(fn() -> Vec<u8>, &'static [&'static str]),
    /// Exceeding it is not an error; this describes the effect.
    Quietly(&'static str),
}

/// A way to exceed each limit. `! ` marks an action, `? ` a query, the others are ops; `long` is
/// an op of more than a MiB, and `examples` all ops of the codebook, in one call.
const MET: &[(&str, Met)] = &[
    ("op-limit", Met::By(none, &["! new", "long"])),
    (
        "log-limit",
        Met::Quietly("none: the oldest ops can no longer be undone"),
    ),
    (
        "file-limit",
        Met::By(
            || vec![b' '; 3 << 20],
            &["! set file-limit:1", "! open met"],
        ),
    ),
    (
        "reply-limit",
        Met::Quietly(
            "`… N lines left out`; of a picture how large it is, and a smaller one to ask for",
        ),
    ),
    (
        "sql-steps",
        Met::By(
            none,
            &[
                "! new",
                "! set sql-steps:1",
                "? WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n",
            ],
        ),
    ),
    (
        "sql-rows",
        Met::By(
            none,
            &["! new", "! set sql-rows:1", "? SELECT 1 UNION ALL SELECT 2"],
        ),
    ),
    (
        "sql-value",
        Met::By(
            none,
            &["! new", "! set sql-value:1", "? SELECT hex(zeroblob(2000))"],
        ),
    ),
    (
        "sql-memory",
        Met::By(
            none,
            &[
                "! new",
                "! set sql-memory:1",
                "? WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 100000) SELECT count(*) FROM (SELECT i, hex(i) AS h FROM n ORDER BY h)",
            ],
        ),
    ),
    (
        "work-limit",
        Met::By(
            none,
            &[
                "! new",
                "! set work-limit:1",
                "? WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n",
            ],
        ),
    ),
    (
        "row-limit",
        Met::By(none, &["! new", "! set row-limit:1", "examples"]),
    ),
    (
        "depth-limit",
        Met::By(
            || drawing("<g><g><g></g></g></g>"),
            &["! set depth-limit:2", "! open met"],
        ),
    ),
    (
        "node-limit",
        Met::By(
            || drawing("<g/><g/><g/>"),
            &["! set node-limit:2", "! open met"],
        ),
    ),
    (
        "attribute-limit",
        Met::By(
            || drawing("<g a=\"1\" b=\"2\" c=\"3\"/>"),
            &["! set attribute-limit:2", "! open met"],
        ),
    ),
    (
        "rule-limit",
        Met::By(
            || drawing("<style>a{fill:red}b{fill:red}</style><g id=\"x\"/>"),
            &["! set rule-limit:1", "! open met", "? describe x"],
        ),
    ),
    (
        "render-limit",
        Met::By(
            long_to_draw,
            &["! set render-limit:1", "! open met", "? render"],
        ),
    ),
];

fn none() -> Vec<u8> {
    Vec::new()
}

/// Patterns within patterns, each drawn twice for the next.
fn long_to_draw() -> Vec<u8> {
    let patterns = (1..30).map(|at| {
        let fill = format!(
            "<rect width=\"3\" height=\"3\" fill=\"url(#p{})\"/>",
            at - 1
        );
        format!("<pattern id=\"p{at}\" width=\"3\" height=\"3\">{fill}{fill}</pattern>")
    });
    let patterns: String = patterns.collect();
    drawing(&format!(
        "<pattern id=\"p0\" width=\"2\" height=\"2\"><rect width=\"1\" height=\"1\"/></pattern>{patterns}\
         <rect width=\"500\" height=\"500\" fill=\"url(#p29)\"/>"
    ))
}

fn drawing(inner: &str) -> Vec<u8> {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inner}</svg>").into_bytes()
}

/// Writes or checks the page.
pub fn page(root: &Path, metadata: &Value, domains: &[String], check: bool) -> Result<bool> {
    let mut page = String::from(
        "# Limits\n\n<!-- Made by `cargo xtask cards` from the answers of the programs. -->\n\n\
         A call that meets a limit fails as a whole and changes nothing. The error names the setting that moves the limit. \
         Two limits have no error: undo forgets its oldest ops, and a long reply leaves lines out. Settings are of a \
         document's session; flags are of a program, and of structured tools they are all there is.\n\n\
         `help all` and the resource `codebook` are outside `reply-limit`: they are the same text in every call, whatever the \
         document holds, and of no use in part. Help without a topic has at most 12 KB, and a topic at most 4 KB.\n",
    );
    let mut rows: Vec<String> = Vec::new();
    let (mut flags, mut programs) = (Flags::default(), Vec::new());
    for name in domains {
        let (_, program) = workspace::package(root, metadata, &format!("domains/{name}"))?;
        let Some(program) = program else { continue };
        let path = workspace::build(root, workspace::PROGRAMS, &program)?;
        flags.add(name, &path)?;
        programs.push((name.clone(), path.clone()));
        let folder = tempfile::tempdir()?;
        let mut server = Server::start(&path, folder.path())?;
        let tools = server.tools()?;
        let is_structured = |tool: &Value| tool.get("outputSchema").is_some();
        if tools.first().is_none_or(is_structured) {
            continue;
        }
        let listed = answer_to(&mut server, name, "! set")?;
        let mut own = Vec::new();
        for limit in listed.lines().filter_map(Limit::of) {
            // A limit shared by all domains is shown once, unless its number differs here.
            let row = limit.row();
            if rows.contains(&row) {
                continue;
            }
            rows.push(row.clone());
            let words = words(&path, name, &limit.key)?;
            own.push(format!("{row} {} |", words.replace('|', "\\|")));
        }
        if !own.is_empty() {
            let title = match page.contains("## ") {
                false => "All domains".to_owned(),
                true => format!("Of {name} alone"),
            };
            page.push_str(&format!(
                "\n## {title}\n\n| Setting | Default | Limits | Error |\n|---|---|---|---|\n{}\n",
                own.join("\n")
            ));
        }
    }
    page.push_str(&flags.tables(&programs)?);
    page.push_str(&fixed(root)?);
    ensure(root, PAGE, &page, check)
}

/// A setting with a numeric value.
struct Limit {
    key: String,
    usual: String,
    doc: String,
}

impl Limit {
    /// Parses a line such as `op-limit:1  the longest op, in MiB (1)`; `None` if it is not a limit.
    fn of(line: &str) -> Option<Self> {
        let (setting, doc) = line.split_once("  ")?;
        let (key, value) = setting.split_once(':')?;
        let is_number = |text: &str| text.parse::<u64>().is_ok();
        // The default may be after the description.
        let usual = doc.strip_suffix(')').and_then(|doc| doc.rsplit_once(" ("));
        let (doc, usual) = usual
            .filter(|(_, usual)| is_number(usual))
            .map_or((doc, value), |(doc, usual)| (doc, usual));
        is_number(usual).then(|| Self {
            key: key.to_owned(),
            usual: usual.to_owned(),
            doc: doc.replace('|', "\\|"),
        })
    }

    fn row(&self) -> String {
        format!("| `{}` | {} | {} |", self.key, self.usual, self.doc)
    }
}

/// The program's message when a limit is exceeded.
fn words(program: &Path, domain: &str, key: &str) -> Result<String> {
    let met = MET.iter().find(|(own, _)| *own == key);
    let Some((_, met)) = met else {
        return Err(format!(
            "there is no call that meets {key}; add it to MET in xtask/src/cards/limits.rs"
        )
        .into());
    };
    let (bytes, calls) = match met {
        Met::Quietly(words) => return Ok((*words).to_owned()),
        Met::By(bytes, calls) => (bytes(), calls),
    };
    let folder = tempfile::tempdir()?;
    let file = match domain {
        "midi" => "met.mid",
        _ => "met.svg",
    };
    fs::write(folder.path().join(file), bytes)?;
    let mut server = Server::start(program, folder.path())?;
    let mut answer = String::new();
    for call in *calls {
        answer = answer_to(&mut server, domain, &call.replace("met", file))?;
    }
    let named = format!("set {key}:");
    let line = answer.lines().find(|line| line.contains(&named));
    let line = line.ok_or_else(|| format!("{domain}: {key} is not met: {answer}"))?;
    let line = line.trim_start_matches("! ");
    // In a call of several ops, the numbers of those that failed are before the message.
    let message = line
        .strip_prefix("ops ")
        .and_then(|line| line.split_once(": "));
    let line = message.map_or(line, |(_, message)| message);
    // Only the line that names the setting is shown.
    Ok(format!("`{}`", line.replace('`', "'")))
}

/// The answer of a tool to a call.
fn answer_to(server: &mut Server, domain: &str, call: &str) -> Result<String> {
    let long = "long ".repeat(300_000);
    let (tool, arguments) = match call.split_at_checked(2) {
        Some(("! ", action)) => ("_session", json!({ "action": action })),
        Some(("? ", query)) => ("_query", json!({ "q": query })),
        _ if call == "examples" => {
            let uri = json!({ "uri": format!("fcp://{domain}/codebook") });
            let (book, _) = server.request("resources/read", uri)?;
            let book: Value = serde_json::from_str(text(&book["contents"][0], "text"))?;
            let lines = workspace::list(&book["schema_map"], "examples").iter();
            let ops = lines.filter_map(Value::as_str);
            let ops: Vec<&str> = ops.filter(|line| !line.starts_with(['?', '!'])).collect();
            // Each op that fails leaves the others to be tried.
            let ops: Vec<&str> = std::iter::once("batch isolate").chain(ops).collect();
            ("", json!({ "ops": ops }))
        }
        _ => ("", json!({ "ops": [long] })),
    };
    let params = json!({ "name": format!("{domain}{tool}"), "arguments": arguments });
    let (result, _) = server.request("tools/call", params)?;
    Ok(text(&result["content"][0], "text").to_owned())
}
