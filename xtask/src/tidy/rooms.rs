//! The rooms of a domain: the folders of its `src`. A room imports only rooms below it, and no file
//! lies loose beside them.
//!
//! The modules of the runtime are in [`layers`](super::layers).

use std::collections::{BTreeMap, BTreeSet};

use super::{File, Report, Tree, layers::domain, source};

/// The layers of a domain from bottom to top, each with its rooms. A room imports only rooms of lower
/// layers. A file belongs to the longest room that its path begins with.
type Rooms = &'static [&'static [&'static str]];

/// Domains that declare their rooms. In any other the rooms must not name each other in a circle.
const DOMAINS: &[(&str, Rooms)] = &[
    (
        "midi",
        &[
            &["smf", "soundfont"],
            &["values"],
            &["time"],
            &["model"],
            &["model/edit"],
            &["format", "parameters"],
            &["display"],
            &["resolve"],
            &["grid"],
            &["checks", "harmony", "phrase"],
            &["audio", "notation"],
            &["edit/rows"],
            &["edit/bars", "edit/notes", "edit/tracks"],
            ITEMS,
        ],
    ),
    (
        "svg",
        &[
            &["syntax"],
            &["css", "environment", "path", "transform"],
            &["model", "property"],
            &["format", "values"],
            &["render", "style"],
            &["geometry"],
            &["checks", "display"],
            &["canvas"],
            &["resolve"],
            &["moving"],
            &["edit"],
            &["define"],
            &["create"],
            &["animation", "connectors", "source"],
            &["overview"],
            ITEMS,
        ],
    ),
    (
        "assets",
        &[
            &["json", "log"],
            &["answer", "library"],
            &["bundle", "verdict"],
            &["backend", "front"],
            &["state"],
            &["process"],
            &["command"],
            ITEMS,
            &["service"],
        ],
    ),
    (
        "workspace",
        &[
            &["identity"],
            &["reply"],
            &["files", "git"],
            &["store"],
            &["session", "text"],
            &["capture"],
            &["changing", "reading"],
            &["serving"],
            ITEMS,
        ],
    ),
    ("checklist", &[&["model"], &["files"], ITEMS]),
    ("tally", &[&["state"], ITEMS]),
];

/// Rooms whose files hold an item each. No other room names them.
const ITEMS: &[&str] = &[
    "actions",
    "lints",
    "queries",
    "selectors",
    "tables",
    "tools",
    "verbs",
];

/// Files that need no room: the front of the crate, its program, and what a small domain has instead of rooms.
const LOOSE: &[&str] = &["files.rs", "lib.rs", "main.rs", "model.rs", "state.rs"];

/// The place of the declared order.
const WHERE: &str = "DOMAINS of xtask/src/tidy/rooms.rs";

/// A path in code, by its parts from the crate's root, and its place in the file.
type Named<'a> = (usize, Vec<&'a str>);

/// The place of an import between rooms: the file, and the byte in its code.
type Place<'a> = (&'a File, usize);

/// Checks the rooms of every domain.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    let mut domains: BTreeMap<&str, Vec<(&File, &str)>> = BTreeMap::new();
    for file in &tree.files {
        let Some((word, path)) = domain(&file.path) else {
            continue;
        };
        let source = path.strip_prefix("src/").filter(|_| !file.is_test());
        if let Some(path) = source.filter(|path| path.ends_with(".rs")) {
            domains.entry(word).or_default().push((file, path));
        }
    }
    for (word, files) in domains {
        for (file, path) in &files {
            if !path.contains('/') && !LOOSE.contains(path) {
                report.add(
                    &file.path,
                    1,
                    format!("{path} lies loose beside the rooms of {word}"),
                    "move it into the folder whose mod.rs says that it belongs there",
                );
            }
        }
        match DOMAINS.iter().find(|(own, _)| *own == word) {
            Some((_, rooms)) => ordered(rooms, &files, report),
            None => circles(&files, report),
        }
    }
}

/// Reports rooms that import others that are not below them.
fn ordered(rooms: Rooms, files: &[(&File, &str)], report: &mut Report<'_>) {
    let level = |parts: &[&str]| {
        let mut longest = (1..=parts.len()).rev().map(|n| parts[..n].join("/"));
        longest.find_map(|path| {
            let own = rooms.iter().flat_map(|layer| layer.iter());
            let room = own.copied().find(|room| *room == path)?;
            let level = rooms.iter().position(|layer| layer.contains(&room))?;
            Some((level, room))
        })
    };
    let mut unknown = BTreeSet::new();
    for (file, path) in files {
        let parts = module(path);
        let Some((own, room)) = level(&parts) else {
            // Files that gather rooms for callers outside belong to none.
            let is_front = parts.is_empty() || path.ends_with("/mod.rs") && holds(rooms, &parts);
            if !is_front && path.contains('/') && unknown.insert(parts[0]) {
                report.add(
                    &file.path,
                    1,
                    format!("the room {} is in no layer", parts[0]),
                    format!("say where it is, in {WHERE}"),
                );
            }
            continue;
        };
        let mut reported = BTreeSet::new();
        for (at, name) in named(&parts, file.code()) {
            let found = level(&name);
            if found.is_some_and(|(other, other_room)| other < own || other_room == room) {
                continue;
            }
            let other = found.map_or_else(|| name.join("::"), |(_, other)| other.to_owned());
            let line = source::line_of(file.code(), at);
            if !reported.insert((line, other.clone())) {
                continue;
            }
            report.add(
                &file.path,
                line,
                format!("the room {room} names {other}, which is not below it"),
                format!("pass in what it needs, or move it down; the order is in {WHERE}"),
            );
        }
    }
}

/// Whether a folder holds rooms.
fn holds(rooms: Rooms, parts: &[&str]) -> bool {
    let folder = format!("{}/", parts.join("/"));
    let mut rooms = rooms.iter().flat_map(|layer| layer.iter());
    rooms.any(|room| room.starts_with(&folder))
}

/// Reports rooms that import each other in a circle.
fn circles(files: &[(&File, &str)], report: &mut Report<'_>) {
    let rooms: BTreeSet<&str> = files
        .iter()
        .filter_map(|(_, path)| module(path).first().copied())
        .collect();
    let mut names: BTreeMap<&str, BTreeMap<&str, Place<'_>>> = BTreeMap::new();
    for (file, path) in files {
        let parts = module(path);
        let Some(own) = parts.first().copied() else {
            continue;
        };
        for (at, name) in named(&parts, file.code()) {
            let other = name.first().and_then(|other| rooms.get(other).copied());
            if let Some(other) = other.filter(|other| *other != own) {
                let known = names.entry(own).or_default();
                known.entry(other).or_insert((*file, at));
            }
        }
    }
    for room in &rooms {
        let Some(circle) = circle(room, &names) else {
            continue;
        };
        // A circle through several rooms is reported at the first of them.
        if circle.iter().min() == Some(room)
            && let Some((file, at)) = names[room].get(circle[1])
        {
            report.add(
                &file.path,
                source::line_of(file.code(), *at),
                format!("the rooms name each other: {}", circle.join(" -> ")),
                "pass in what one of them needs, or move it down",
            );
        }
    }
}

/// The shortest way from a room back to itself.
fn circle<'a>(
    room: &'a str,
    names: &BTreeMap<&'a str, BTreeMap<&'a str, Place<'_>>>,
) -> Option<Vec<&'a str>> {
    let mut ways = vec![vec![room]];
    let mut met = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in names.get(way.last()?).into_iter().flat_map(BTreeMap::keys) {
                let way: Vec<&str> = way.iter().chain([next]).copied().collect();
                if *next == room {
                    return Some(way);
                }
                if met.insert(*next) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

/// The parts of the module that a file of `src` is.
fn module(path: &str) -> Vec<&str> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" => Vec::new(),
        path => path.split('/').collect(),
    }
}

/// The paths of a module, from the crate's root.
fn named<'a>(module: &[&'a str], code: &'a str) -> Vec<Named<'a>> {
    let mut found = Vec::new();
    let is_inside = |at: usize| {
        let before = code[..at].chars().next_back();
        before.is_some_and(|c| matches!(c, '$' | '_' | ':') || c.is_alphanumeric())
    };
    for (at, word) in code.match_indices("crate::") {
        if !is_inside(at) {
            paths(code, at + word.len(), &[], &mut found);
        }
    }
    for (at, _) in code.match_indices("super::") {
        if is_inside(at) {
            continue;
        }
        let (mut from, mut up) = (at, 0);
        while let Some(rest) = code[from..].strip_prefix("super::") {
            from = code.len() - rest.len();
            up += 1;
        }
        let base = &module[..module.len().saturating_sub(up)];
        paths(code, from, base, &mut found);
    }
    found
}

/// Reads the path at an offset, or those of a group, and returns the offset of its end.
fn paths<'a>(code: &'a str, at: usize, before: &[&'a str], found: &mut Vec<Named<'a>>) -> usize {
    if code[at..].starts_with('{') {
        let mut at = at + 1;
        loop {
            at = code.len() - code[at..].trim_start_matches([',', ' ', '\n']).len();
            if code[at..].is_empty() || code[at..].starts_with('}') {
                return (at + 1).min(code.len());
            }
            at = paths(code, at, before, found);
            at += code[at..].find([',', '}']).unwrap_or(code.len() - at);
        }
    }
    let name = source::names(&code[at..]).next();
    let Some((_, name)) = name.filter(|(start, _)| *start == 0) else {
        found.push((at, before.to_vec()));
        return at;
    };
    let own: Vec<&str> = match name {
        "super" => before[..before.len().saturating_sub(1)].to_vec(),
        name => before.iter().copied().chain([name]).collect(),
    };
    let end = at + name.len();
    if code[end..].starts_with("::") {
        return paths(code, end + 2, &own, found);
    }
    found.push((at, own));
    end
}
