//! Schemas and their validators.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use jsonschema::{Draft, Retrieve, Uri, Validator};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::counted::{add_costs, counted, options};
use super::expansion::{WAYS, is_bounded};
use super::files::{Folder, Found, below, shown, text};
use super::naming::stem;
use super::version::{version, version_text};
use crate::json::{Costs, Json, Raw, Tapes, read};

/// The name of the file with the version of all schemas.
const VERSION_FILE: &str = "version.json";

/// A schema, as read when the program started.
#[derive(Debug)]
pub struct Schema {
    /// Its name: the file's name without `.schema.json` or `.json`.
    pub name: String,
    /// The file's name.
    pub file: String,
    /// Its version, or an empty text if it has none.
    pub version: String,
    /// Its path in listings.
    pub path: String,
    /// Its own address.
    pub id: Option<String>,
    /// The file's content as a tree, made on first use: it takes ten times the memory of the text.
    tree: OnceLock<Json<'static>>,
    /// The content, as served.
    pub served: Raw,
    /// The address of its keywords in errors.
    pub base: String,
    /// Work that the schemas of its folder add to judging.
    pub costs: Costs,
    /// Its validator, or why it does not compile.
    pub validator: Result<Validator<Tapes>, String>,
}

impl Schema {
    /// The file's content.
    pub fn tree(&self) -> &Json<'static> {
        self.tree.get_or_init(|| {
            // It was written from a tree, so it is read again.
            let tree = read(self.served.text());
            tree.map_or(Json::Bool(true), Json::into_owned)
        })
    }
}

/// A schema that is read but not yet compiled.
struct Read {
    found: Found,
    served: Raw,
    id: Option<String>,
    version: String,
    value: Arc<Value>,
    base: String,
}

/// All schemas of a folder, sorted by name, version and path.
pub(super) fn load(folder: &Folder, warnings: &mut Vec<String>) -> Vec<Schema> {
    let root = folder.place.as_path();
    if !root.is_dir() {
        warnings.push(format!(
            "there are no schemas: {} is not a folder",
            folder.named.display()
        ));
        return Vec::new();
    }
    let beside = root.parent().and_then(versions);
    let files = below(folder, false, warnings);
    let mut all: Vec<Read> = Vec::new();
    for found in files.into_iter().filter(|found| found.rest != VERSION_FILE) {
        match one(found, beside.as_deref()) {
            Ok(read) => all.push(read),
            Err(why) => warnings.push(why),
        }
    }
    let shelf = Shelf::of(&all, warnings);
    // One with too many ways is not lent to others either.
    let shelf = Arc::new(shelf.bounded());
    let mut costs = Costs::default();
    all.iter()
        .for_each(|read| add_costs(&mut costs, &read.value));
    let mut schemas: Vec<Schema> = all
        .into_iter()
        .map(|read| schema(&folder.named, read, &shelf, costs))
        .collect();
    schemas.sort_by(|one, other| {
        (&one.name, &one.version, &one.path).cmp(&(&other.name, &other.version, &other.path))
    });
    schemas
}

/// The version in a folder's version file.
fn versions(folder: &Path) -> Option<String> {
    let path = folder.join(VERSION_FILE);
    let found = Found {
        rest: VERSION_FILE.to_owned(),
        path,
    };
    let text = text(&found).ok()?;
    let file = read(&text).ok()?;
    version_text(file.get("schemaVersion")?)
}

fn one(found: Found, beside: Option<&str>) -> Result<Read, String> {
    let text = text(&found).map_err(|why| format!("{}: {why}", found.rest))?;
    let tree = read(&text).map_err(|fault| format!("{}: {fault}", found.rest))?;
    if !matches!(tree, Json::Object(_) | Json::Bool(_)) {
        return Err(format!(
            "{} is not a schema but {}",
            found.rest,
            tree.kind()
        ));
    }
    let served = Raw::written(&tree).map_err(|problem| format!("{}: {problem}", found.rest))?;
    let id = tree.get("$id").and_then(Json::as_str).map(str::to_owned);
    let base = match &id {
        Some(id) => id.trim_end_matches('#').to_owned(),
        None => address(&found.path),
    };
    Ok(Read {
        found,
        id,
        version: version(&tree, beside),
        value: Arc::new(counted(tree.into_value())),
        served,
        base,
    })
}

/// Characters that need no escape in a file's address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A file's address.
fn address(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    format!("file://{}", utf8_percent_encode(&path, PATH))
}

fn schema(root: &Path, read: Read, shelf: &Arc<Shelf>, costs: Costs) -> Schema {
    let file = read.found.rest.clone();
    let lender = Lender(Arc::clone(shelf));
    let options = options(shelf.draft(&read.value), read.base.clone(), lender);
    let validator = match is_bounded(shelf, &read.value) {
        true => options
            .build(&read.value)
            .map_err(|error| error.to_string()),
        false => Err(format!(
            "under unevaluatedProperties or unevaluatedItems, more than {WAYS} ways of references lead to its schemas"
        )),
    };
    Schema {
        name: stem(&file).to_owned(),
        path: shown(root, &read.found.rest),
        version: read.version,
        id: read.id,
        tree: OnceLock::new(),
        served: read.served,
        base: read.base,
        costs,
        validator,
        file,
    }
}

/// All schemas by address. Nothing else is ever fetched.
pub(crate) struct Shelf {
    addresses: Shared,
    /// By file name and by the last part of the `$id`.
    names: Shared,
}

/// Schemas with any number of keys: a tree takes some ten times the memory of its text.
type Shared = HashMap<String, Arc<Value>>;

impl Shelf {
    fn of(all: &[Read], warnings: &mut Vec<String>) -> Self {
        let (mut addresses, mut names) = (HashMap::new(), HashMap::new());
        for read in all {
            if addresses.contains_key(&read.base) {
                warnings.push(format!(
                    "{} has the $id of another schema, which keeps it",
                    read.found.rest
                ));
            }
            for address in [read.base.clone(), address(&read.found.path)] {
                addresses
                    .entry(address)
                    .or_insert_with(|| Arc::clone(&read.value));
            }
            let last = read.id.as_deref().and_then(|id| id.rsplit('/').next());
            for name in [Some(read.found.rest.as_str()), last].into_iter().flatten() {
                names
                    .entry(name.to_owned())
                    .or_insert_with(|| Arc::clone(&read.value));
            }
        }
        Self { addresses, names }
    }

    /// Schemas by their addresses and file names.
    pub fn new(all: impl Iterator<Item = (String, String, Value)>) -> Self {
        let (mut addresses, mut names) = (HashMap::new(), HashMap::new());
        for (address, file, value) in all {
            let value = Arc::new(value);
            let last = address.rsplit('/').next().unwrap_or_default().to_owned();
            for name in [file, last] {
                names.entry(name).or_insert_with(|| Arc::clone(&value));
            }
            addresses.entry(address).or_insert(value);
        }
        Self { addresses, names }
    }

    /// This shelf, without the schemas that cannot be compiled in bounded time.
    fn bounded(mut self) -> Self {
        let bounded = |value: &Value| is_bounded(&self, value);
        let unbounded = |map: &Shared| -> Vec<String> {
            let all = map.iter().filter(|(_, value)| !bounded(value));
            all.map(|(key, _)| key.clone()).collect()
        };
        let (addresses, names) = (unbounded(&self.addresses), unbounded(&self.names));
        self.addresses.retain(|key, _| !addresses.contains(key));
        self.names.retain(|key, _| !names.contains(key));
        self
    }

    /// 2020-12, unless the schema names another. A loaded metaschema is detected when it is
    /// compiled.
    pub fn draft(&self, schema: &Value) -> Option<Draft> {
        match Draft::Draft202012.detect(schema) {
            Draft::Unknown => {
                let address = schema.get("$schema").and_then(Value::as_str);
                let loaded = address.is_some_and(|address| self.find(address).is_some());
                (!loaded).then_some(Draft::Draft202012)
            }
            known => Some(known),
        }
    }

    /// The schema at an address or, for another version of it, by the last part of the address.
    pub(super) fn find(&self, address: &str) -> Option<&Value> {
        let by_name = || self.names.get(address.rsplit('/').next()?);
        self.addresses
            .get(address)
            .or_else(by_name)
            .map(|shared| &**shared)
    }
}

/// Retrieves schemas from the shelf.
pub(crate) struct Lender(pub Arc<Shelf>);

impl Retrieve for Lender {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let found = self.0.find(uri.as_str()).cloned();
        found.ok_or_else(|| format!("there is no schema at {uri}").into())
    }
}
