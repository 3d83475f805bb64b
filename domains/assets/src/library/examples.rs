//! Examples.

use std::collections::BTreeMap;
use std::path::Path;

use super::files::{below, shown, text};

/// An example, as it was when the program started.
#[derive(Debug)]
pub struct Example {
    /// What it is an example of: the file's name up to its first dot.
    pub component: String,
    /// Where it is, as listings show it.
    pub path: String,
    /// What the file holds; why it holds nothing that can be read.
    pub text: Result<String, String>,
}

impl Example {
    /// The part of the component before its first underscore, in lower case: `shader`.
    #[must_use]
    pub fn stem(&self) -> String {
        let before = self.component.split('_').next().unwrap_or_default();
        before.to_lowercase()
    }
}

/// Every example below a folder, sorted, and their places by the paths they can be asked for by.
pub(super) fn load(
    root: &Path,
    warnings: &mut Vec<String>,
) -> (Vec<Example>, BTreeMap<String, usize>) {
    if !root.is_dir() {
        warnings.push(format!(
            "there are no examples: {} is no folder",
            root.display()
        ));
        return (Vec::new(), BTreeMap::new());
    }
    let found = below(root, true, warnings);
    let mut examples: Vec<(String, Example)> = found
        .into_iter()
        .map(|found| {
            let file = found.rest.rsplit('/').next().unwrap_or_default();
            let example = Example {
                component: file.split('.').next().unwrap_or_default().to_owned(),
                path: shown(root, &found.rest),
                text: text(&found),
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
    // A path as listed goes before one from the folder.
    for (ix, (rest, _)) in examples.iter().enumerate() {
        paths.entry(rest.clone()).or_insert(ix);
    }
    (
        examples.into_iter().map(|(_, example)| example).collect(),
        paths,
    )
}
