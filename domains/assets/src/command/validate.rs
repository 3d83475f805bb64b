//! `--validate`

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

use fcp::tool::{Cancel, Toolbox, Tools};

use super::Code;
use super::source::{Problem, Source};
use crate::json::Json;
use crate::library::{Folder, below, shown};
use crate::log;
use crate::state::Assets;

/// Prints a line per file and returns the worst outcome. With several files, lines have paths.
pub(super) fn paths(
    tools: &Toolbox<Assets>,
    root: &Path,
    paths: &[&OsStr],
    schema: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<Code> {
    let mut worst = Code::Good;
    for path in paths {
        let source = Source::of(root, path);
        let named = path.to_string_lossy();
        let files = match &source {
            Source::Path(place) => folder(place, Path::new(path)),
            _ => Vec::new(),
        };
        if files.is_empty() {
            let (line, code) = one(tools, &source, &named, schema);
            let path = (paths.len() > 1).then_some(&*named);
            print(out, &line, path)?;
            worst = worst.max(code);
        }
        for (path, source) in files {
            let (line, code) = one(tools, &source, &path, schema);
            print(out, &line, Some(&path))?;
            worst = worst.max(code);
        }
    }
    Ok(worst)
}

/// The files in a folder, or no files if the path is not a folder.
fn folder(place: &Path, named: &Path) -> Vec<(String, Source)> {
    if !place.is_dir() {
        return Vec::new();
    }
    let folder = Folder {
        named: named.to_path_buf(),
        place: place.to_path_buf(),
    };
    let mut warnings = Vec::new();
    let files = below(&folder, true, &mut warnings);
    warnings.iter().for_each(log::line);
    let files = files.into_iter();
    files
        .map(|found| (shown(named, &found.rest), Source::Path(found.path)))
        .collect()
}

/// The line for a file.
fn one(
    tools: &Toolbox<Assets>,
    source: &Source,
    path: &str,
    schema: Option<&str>,
) -> (String, Code) {
    let text = match source.text() {
        Ok(text) => text,
        Err(problem) => return (problem.line(), Code::Unreadable),
    };
    let asset = match Problem::json(&text) {
        Ok(asset) => asset,
        Err(problem) => return (problem.line(), Code::Unreadable),
    };
    let found = || {
        tools.look(|assets| match source {
            Source::Path(_) => {
                let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
                assets.library.schema_of_file(&asset, file)
            }
            _ => assets.library.schema_of(&asset),
        })
    };
    let schema = Json::String(schema.map_or_else(found, str::to_owned).into());
    let arguments = format!(r#"{{"asset":{text},"schema":{schema},"detail":false}}"#);
    let reply = tools.carry_out("validate_asset", &arguments, &Cancel::never());
    let reply = reply.map_or_else(String::new, |reply| reply.text);
    let code = match Problem::json(&reply) {
        Ok(verdict) if verdict.get("ok") == Some(&Json::Bool(true)) => Code::Good,
        _ => Code::Bad,
    };
    (with(&reply, "schema", &schema), code)
}

fn print(out: &mut dyn Write, line: &str, path: Option<&str>) -> io::Result<()> {
    match path {
        None => writeln!(out, "{line}"),
        Some(path) => {
            let path = Json::String(path.into());
            writeln!(out, "{}", with(line, "path", &path))
        }
    }
}

/// An object with one more member.
fn with(object: &str, key: &str, value: &Json<'_>) -> String {
    let members = object.strip_suffix('}').unwrap_or(object);
    format!("{members},\"{key}\":{value}}}")
}
