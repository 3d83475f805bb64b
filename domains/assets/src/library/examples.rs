//! Examples.

use std::collections::BTreeMap;

use super::files::{Folder, below, shown, text};
use crate::json::{Json, Raw, read};

/// An example, as read when the program started.
#[derive(Debug)]
pub struct Example {
    /// The component that it shows: the file's name up to its first dot.
    pub component: String,
    /// The file's name.
    pub file: String,
    /// Its path in listings.
    pub path: String,
    /// The file's content, or the reason why it cannot be served.
    pub served: Result<Raw, String>,
    /// The name of its schema; if no loaded schema fits, a name made from the file's.
    pub schema: String,
}

/// All examples in a folder and its subfolders, sorted, and their indices by accepted paths. `name`
/// returns the schema of a value in a file.
pub(super) fn load(
    folder: &Folder,
    name: impl Fn(Option<&Json<'_>>, &str) -> Option<String>,
    warnings: &mut Vec<String>,
) -> (Vec<Example>, BTreeMap<String, usize>) {
    if !folder.place.is_dir() {
        warnings.push(format!(
            "there are no examples: {} is not a folder",
            folder.named.display()
        ));
        return (Vec::new(), BTreeMap::new());
    }
    let found = below(folder, true, warnings);
    let mut examples: Vec<(String, Example)> = found
        .into_iter()
        .map(|found| {
            let file = found.rest.rsplit('/').next().unwrap_or_default();
            let text = text(&found);
            let tree = text.as_ref().map_err(Clone::clone).and_then(|text| {
                read(text).map_err(|fault| {
                    let (line, column) = fault.place(text);
                    format!("no JSON in line {line}, column {column}: {fault}")
                })
            });
            let schema = name(tree.as_ref().ok(), file);
            let stem = file.strip_suffix(".json").unwrap_or(file);
            let example = Example {
                component: file.split('.').next().unwrap_or_default().to_owned(),
                file: file.to_owned(),
                path: shown(&folder.named, &found.rest),
                served: tree.and_then(|tree| match tree {
                    Json::Object(_) => Raw::written(&tree).map_err(|problem| problem.to_string()),
                    other => Err(format!("expected object, got {}", other.kind())),
                }),
                schema: schema.unwrap_or_else(|| stem.to_owned()),
            };
            (found.rest, example)
        })
        .collect();
    examples.sort_by(|(_, one), (_, other)| {
        (&one.component, &one.path).cmp(&(&other.component, &other.path))
    });
    let mut paths = BTreeMap::new();
    for (ix, (_, example)) in examples.iter().enumerate() {
        paths.insert(example.path.clone(), ix);
    }
    // Paths from listings take precedence over paths relative to the folder.
    for (ix, (rest, _)) in examples.iter().enumerate() {
        paths.entry(rest.clone()).or_insert(ix);
    }
    (
        examples.into_iter().map(|(_, example)| example).collect(),
        paths,
    )
}
