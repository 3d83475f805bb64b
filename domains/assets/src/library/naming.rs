//! Finds the schema of a value that comes without a schema's name.

use std::collections::BTreeMap;

use super::{ALIAS, CANONICAL, Example, Library, Schema};
use crate::json::Json;

/// The members of an asset that may name its schema, the most reliable first.
const MARKERS: [&str; 3] = ["$schemaRef", "$schema", "schema"];

/// The prefix of the names of files that hold assets.
const ASSETS: &str = "SynestheticAsset";

/// The name of a schema from its file: without `.schema.json` or `.json`.
pub(super) fn stem(file: &str) -> &str {
    let stem = file.strip_suffix(".schema.json");
    stem.or_else(|| file.strip_suffix(".json")).unwrap_or(file)
}

/// The schemas of a library by their names.
#[derive(Clone, Copy)]
pub(super) struct Shelf<'l> {
    pub schemas: &'l [Schema],
    pub names: &'l BTreeMap<String, usize>,
}

impl<'l> Shelf<'l> {
    pub fn schema(&self, name: &str) -> Option<&'l Schema> {
        let name = if name == ALIAS { CANONICAL } else { name };
        self.names.get(name).and_then(|ix| self.schemas.get(*ix))
    }

    /// The name of the loaded schema named by a value or by its file's name.
    pub fn name(&self, asset: Option<&Json<'_>>, file: Option<&str>) -> Option<String> {
        let markers = MARKERS.iter();
        let mut texts = markers.filter_map(|key| asset?.get(key)?.as_str());
        if let Some(name) = texts.find_map(|marker| self.marked(marker)) {
            return Some(name);
        }
        let file = file?;
        let asset = file.starts_with(ASSETS).then_some(ALIAS);
        if let Some(alias) = asset.filter(|name| self.schema(name).is_some()) {
            return Some(alias.to_owned());
        }
        let component = file.split('.').next().unwrap_or_default();
        let kind = component.split('_').next().unwrap_or_default();
        self.schema(&kind.to_lowercase())
            .map(|schema| schema.name.clone())
    }

    /// The schema named by a marker: by its address, or by the last part of a path.
    fn marked(&self, marker: &str) -> Option<String> {
        let last = stem(marker.rsplit('/').next()?);
        if last == ALIAS && self.schema(last).is_some() {
            return Some(ALIAS.to_owned());
        }
        let schema = self.schema(marker).or_else(|| self.schema(last))?;
        Some(schema.name.clone())
    }
}

impl Library {
    /// The schema of an asset sent without a name: the one it names, or else the one for assets.
    #[must_use]
    pub fn schema_of(&self, asset: &Json<'_>) -> String {
        let named = self.shelf().name(Some(asset), None);
        named.unwrap_or_else(|| ALIAS.to_owned())
    }

    /// The schema of a file: the one named by its content, or else the file's own name.
    #[must_use]
    pub fn schema_of_file(&self, asset: &Json<'_>, file: &str) -> String {
        let named = self.shelf().name(Some(asset), Some(file));
        named.unwrap_or_else(|| file.strip_suffix(".json").unwrap_or(file).to_owned())
    }

    /// The examples of a component: by full name, by the part before `_`, or by schema, ignoring
    /// case; `all`, `*` and the empty text mean all.
    pub fn examples_of(&self, component: &str) -> impl Iterator<Item = &Example> {
        let all = matches!(component, "all" | "*" | "");
        let wanted = component.to_lowercase();
        self.examples().iter().filter(move |example| {
            let own = example.component.to_lowercase();
            let kind = own.split('_').next().unwrap_or_default();
            let schema = self.schema(&example.schema);
            all || own == wanted
                || kind == wanted
                || example.schema.to_lowercase() == wanted
                || schema.is_some_and(|schema| schema.name.to_lowercase() == wanted)
        })
    }
}
