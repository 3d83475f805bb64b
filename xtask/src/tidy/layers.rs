//! Allowed dependencies between the modules of the runtime, and between the crates.

use std::collections::BTreeSet;

use super::{File, Report, Tree, source};
use crate::new_domain::TEMPLATES;

/// The modules that each module of `fcp/src` may name, from the bottom to the top.
const LAYERS: &[(&str, &[&str])] = &[
    ("work", &[]),
    ("diag", &["work"]),
    ("value", &["diag", "work"]),
    ("child", &["threads", "work"]),
    ("worker", &["child", "work"]),
    ("lines", &[]),
    ("signals", &[]),
    ("confined", &[]),
    ("threads", &[]),
    ("memory", &[]),
    ("pattern", &["threads"]),
    ("op", &["diag"]),
    ("model", &["diag", "value", "work"]),
    ("account", &["diag", "model", "value"]),
    ("endpoint", &["account", "diag"]),
    ("format", &["diag", "endpoint", "model", "work", "worker"]),
    ("event", &["diag", "model", "value"]),
    (
        "domain",
        &[
            "account", "diag", "endpoint", "model", "op", "reply", "value",
        ],
    ),
    ("reply", &["diag", "endpoint", "model"]),
    ("table", &["diag", "domain", "model", "value"]),
    (
        "verb",
        &[
            "diag", "domain", "model", "op", "reply", "table", "value", "work",
        ],
    ),
    (
        "sql",
        &[
            "diag", "domain", "endpoint", "model", "pattern", "table", "threads", "value", "verb",
            "work",
        ],
    ),
    (
        "queries",
        &[
            "account", "diag", "domain", "model", "op", "reply", "value", "verb", "work",
        ],
    ),
    (
        "verbs",
        &[
            "account", "diag", "domain", "model", "op", "queries", "reply", "value", "verb", "work",
        ],
    ),
    (
        "card",
        &["diag", "domain", "model", "queries", "sql", "value", "verb"],
    ),
    (
        "session",
        &[
            "account", "card", "diag", "domain", "endpoint", "event", "memory", "model", "op",
            "queries", "reply", "sql", "table", "value", "verb", "work",
        ],
    ),
    ("script", &["diag", "endpoint"]),
    (
        "tool",
        &[
            "confined", "diag", "endpoint", "format", "value", "verb", "work",
        ],
    ),
    (
        "mcp",
        &["diag", "endpoint", "lines", "memory", "op", "tool", "work"],
    ),
    (
        "cli",
        &[
            "diag", "endpoint", "mcp", "memory", "script", "signals", "tool", "worker",
        ],
    ),
    (
        "testing",
        &[
            "account", "card", "diag", "domain", "endpoint", "event", "mcp", "model", "op",
            "queries", "script", "session", "sql", "table", "tool", "value", "verb", "work",
            "worker",
        ],
    ),
];

/// Modules that re-export others to users, and may name all of them.
const FRONTS: &[&str] = &["lib", "macros", "prelude", "__private"];

/// Macros are at the root of the crate; this maps them to their modules.
const MACROS: &[(&str, &str)] = &[
    ("bail", "diag"),
    ("bulk", "reply"),
    ("changed", "reply"),
    ("created", "reply"),
    ("linked", "reply"),
    ("removed", "reply"),
    ("unchanged", "reply"),
];

/// Files that name something their layer may not: file, name, reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "fcp/src/verb/registry.rs",
        "verbs",
        "the universal verbs join the domain's own",
    ),
    (
        "fcp/src/verb/registry.rs",
        "queries",
        "the universal queries join the domain's own",
    ),
    (
        "fcp/src/verb/registry.rs",
        "session",
        "the session's own words are among those that a misspelt one may mean",
    ),
    (
        "fcp/src/card/codebook.rs",
        "session",
        "the card lists the session's own words",
    ),
    (
        "fcp/src/card/compact.rs",
        "session",
        "the card lists the session's own words",
    ),
    (
        "fcp/src/card/full.rs",
        "session",
        "the card lists the session's own words",
    ),
];

/// Crates that only the transport may use.
const TRANSPORT: &[&str] = &["axum", "hyper", "rmcp", "tokio", "tower"];

/// Checks all layers.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    let modules: BTreeSet<&str> = tree.paths.iter().filter_map(|path| module(path)).collect();
    for module in &modules {
        if !FRONTS.contains(module) && !LAYERS.iter().any(|(name, _)| name == module) {
            let path = tree
                .paths
                .iter()
                .find(|path| self::module(path) == Some(module));
            report.add(
                path.map_or("fcp/src", String::as_str),
                1,
                format!("the module {module} is in no layer"),
                "list what it may name in LAYERS of xtask/src/tidy/layers.rs",
            );
        }
    }
    for file in &tree.files {
        if let Some(module) = module(&file.path) {
            layer(file, module, &modules, report);
        }
        transport(file, report);
        between_domains(tree, file, report);
    }
    crates(tree, report);
}

/// The module of the runtime that a file belongs to.
fn module(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("fcp/src/")?;
    let first = rest.split('/').next()?;
    first
        .strip_suffix(".rs")
        .or_else(|| rest.ends_with(".rs").then_some(first))
}

fn layer(file: &File, module: &str, modules: &BTreeSet<&str>, report: &mut Report<'_>) {
    if FRONTS.contains(&module) || file.is_test() {
        return;
    }
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == module) else {
        return;
    };
    let mut used = Vec::new();
    for (at, name) in named(&file.path, file.code()) {
        let owner = MACROS
            .iter()
            .find(|(name_of, _)| *name_of == name)
            .map_or(name, |(_, owner)| owner);
        if owner == module || allowed.contains(&owner) || !modules.contains(owner) {
            continue;
        }
        if EXCEPTIONS
            .iter()
            .any(|(path, name, _)| *path == file.path && *name == owner)
        {
            used.push(owner);
            continue;
        }
        let knows = if allowed.is_empty() {
            "knows no other module".to_owned()
        } else {
            format!("knows only {}", allowed.join(", "))
        };
        report.add(
            &file.path,
            source::line_of(file.code(), at),
            format!("{module} names {owner}, which is not below it: {module} {knows}"),
            format!(
                "pass in what it needs, or move it down; a new direction goes into LAYERS of {}",
                "xtask/src/tidy/layers.rs"
            ),
        );
    }
    for (path, name, _) in EXCEPTIONS {
        if *path == file.path && !used.contains(name) {
            report.add(
                path,
                1,
                format!("it may name {name}, and does not"),
                "take it out of EXCEPTIONS in xtask/src/tidy/layers.rs",
            );
        }
    }
}

/// The names in a runtime file that are at the root of the crate, with their places.
fn named<'a>(path: &str, code: &'a str) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        if !before.is_some_and(|c| c == '$' || c == '_' || c.is_alphanumeric()) {
            first_names(code, at + "crate::".len(), &mut found);
        }
    }
    // A path with as many `super` as the module is deep leads to the root as well.
    let inner = path.strip_prefix("fcp/src/").unwrap_or(path);
    let depth = inner.matches('/').count() + usize::from(!inner.ends_with("/mod.rs"));
    let steps = "super::".repeat(depth);
    for (at, _) in code.match_indices(&steps) {
        let before = code[..at].chars().next_back();
        if !before.is_some_and(|c| c == ':' || c == '_' || c.is_alphanumeric()) {
            first_names(code, at + steps.len(), &mut found);
        }
    }
    found
}

/// The names after a path: one, or those of a group.
fn first_names<'a>(code: &'a str, at: usize, found: &mut Vec<(usize, &'a str)>) {
    let rest = &code[at..];
    let Some(group) = rest.strip_prefix('{') else {
        found.extend(
            source::names(rest)
                .next()
                .filter(|(start, _)| *start == 0)
                .map(|(_, name)| (at, name)),
        );
        return;
    };
    let (mut depth, mut first) = (1, true);
    for (start, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => first = true,
            c if first && depth == 1 && !c.is_whitespace() => {
                first = false;
                let name = source::names(&group[start..]).next();
                if let Some((0, name)) = name {
                    found.push((at + 1 + start, name));
                }
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
}

/// Only `fcp/src/mcp` may use the protocol's crates.
fn transport(file: &File, report: &mut Report<'_>) {
    let watched = (file.path.starts_with("fcp/src/") && !file.path.starts_with("fcp/src/mcp/"))
        || file.path.starts_with("fcp-macros/src/")
        || domain(&file.path).is_some_and(|(_, path)| path.starts_with("src/"));
    if !watched {
        return;
    }
    for (at, name) in source::names(file.code()) {
        if TRANSPORT.contains(&name) {
            report.add(
                &file.path,
                source::line_of(file.code(), at),
                format!("{name} is named outside fcp/src/mcp"),
                "go through fcp::endpoint; only fcp/src/mcp knows the protocol",
            );
        }
    }
}

/// Domains must not depend on each other.
fn between_domains(tree: &Tree, file: &File, report: &mut Report<'_>) {
    let Some((own, _)) = domain(&file.path) else {
        return;
    };
    if file.masked.is_none() {
        return;
    }
    let others: BTreeSet<String> = tree
        .paths
        .iter()
        .filter_map(|path| domain(path))
        .filter(|(name, _)| *name != own)
        .map(|(name, _)| format!("fcp_{}", name.replace('-', "_")))
        .collect();
    for (at, name) in source::names(file.code()) {
        if others.contains(name) {
            report.add(
                &file.path,
                source::line_of(file.code(), at),
                format!("the domain {own} names the domain crate {name}"),
                "what two domains need belongs into fcp",
            );
        }
    }
}

/// The domain of a file, and its path there. The templates count as domains.
pub(super) fn domain(path: &str) -> Option<(&str, &str)> {
    let within = |folder: &str| path.strip_prefix(folder)?.strip_prefix('/');
    let mut templates = TEMPLATES.iter();
    let template = templates.find_map(|template| Some((template.word, within(template.folder)?)));
    template.or_else(|| path.strip_prefix("domains/")?.split_once('/'))
}

/// The same check on the manifests of the crates.
fn crates(tree: &Tree, report: &mut Report<'_>) {
    let manifests = tree.files.iter().filter(|file| {
        file.path.ends_with("/Cargo.toml")
            && (domain(&file.path).is_some()
                || ["fcp/", "fcp-macros/"]
                    .iter()
                    .any(|folder| file.path.starts_with(folder)))
    });
    for file in manifests {
        let mut section = "";
        for (at, line) in file.text.lines().enumerate() {
            if line.starts_with('[') {
                section = line;
            }
            let key = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if !section.contains("dependencies") || key.is_empty() {
                continue;
            }
            let of_domain = tree
                .paths
                .iter()
                .filter_map(|path| domain(path))
                .any(|(name, _)| key == format!("fcp-{name}"));
            let problem = if of_domain && domain(&file.path).is_some() {
                Some("a domain needs a domain")
            } else if of_domain {
                Some("the runtime needs a domain")
            } else if file.path.starts_with("fcp-macros/")
                && key == "fcp"
                && !section.contains("dev-")
            {
                Some("the macros need the runtime, which needs them")
            } else if TRANSPORT.contains(&key) && !file.path.starts_with("fcp/") {
                Some("only the runtime speaks the protocol")
            } else {
                None
            };
            if let Some(problem) = problem {
                report.add(
                    &file.path,
                    at + 1,
                    format!("{problem}: {key}"),
                    "take the dependency out; the directions are domains -> fcp -> fcp-macros",
                );
            }
        }
    }
}
