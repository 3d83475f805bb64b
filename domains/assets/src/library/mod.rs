//! The served schemas and examples, read once when the program starts.
//! Replies about them are in `tools`.

mod counted;
mod examples;
mod expansion;
mod files;
mod lookup;
mod naming;
mod schemas;
mod version;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::json::{Costs, Json};
use counted::{add_costs, counted};

pub(crate) use counted::{MAPS, VALUES, options};
pub use examples::Example;
pub use files::{FILE_BYTES, FILES};
pub(crate) use files::{Folder, below, shown};
pub use schemas::Schema;
pub(crate) use schemas::{Lender, Shelf};

/// The schema that has two names.
pub const CANONICAL: &str = "synesthetic-asset";

/// Its other name.
pub const ALIAS: &str = "nested-synesthetic-asset";

/// The folder of schemas, unless `SYN_SCHEMAS_DIR` sets another.
pub const SCHEMAS_DIR: &str = "libs/synesthetic-schemas/jsonschema";

/// The folder of examples, unless `SYN_EXAMPLES_DIR` sets another.
pub const EXAMPLES_DIR: &str = "libs/synesthetic-schemas/examples";

/// The folders to read.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The folder of schemas.
    pub schemas: PathBuf,
    /// Whether the folder of schemas was configured, so that it must exist.
    pub schemas_given: bool,
    /// The folder of examples.
    pub examples: PathBuf,
    /// The folder that the other two are relative to.
    pub root: PathBuf,
}

impl Sources {
    /// The folders set by the environment; an empty value counts as unset.
    #[must_use]
    pub fn of(root: impl Into<PathBuf>, get: impl Fn(&str) -> Option<String>) -> Self {
        let given = |name: &str| get(name).filter(|value| !value.is_empty());
        let schemas = given("SYN_SCHEMAS_DIR");
        Self {
            schemas_given: schemas.is_some(),
            schemas: schemas.as_deref().unwrap_or(SCHEMAS_DIR).into(),
            examples: given("SYN_EXAMPLES_DIR")
                .as_deref()
                .unwrap_or(EXAMPLES_DIR)
                .into(),
            root: root.into(),
        }
    }
}

/// The served schemas and examples, and the files that were skipped.
#[derive(Debug)]
pub struct Library {
    /// Sorted by name, version and path.
    schemas: Vec<Schema>,
    /// Sorted by component and path.
    examples: Vec<Example>,
    /// Indices of schemas, by each of their names.
    names: BTreeMap<String, usize>,
    /// Indices of examples, by each accepted path.
    paths: BTreeMap<String, usize>,
    /// The schemas in another form, made on first use.
    closed: OnceLock<Closed>,
    /// The skipped files, each with the reason.
    pub warnings: Vec<String>,
}

/// The schemas without their alternatives.
pub(crate) struct Closed {
    /// By address.
    pub shelf: Arc<Shelf>,
    /// Work that they add to judging.
    pub costs: Costs,
}

impl fmt::Debug for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Closed").finish_non_exhaustive()
    }
}

/// The configured folder of schemas, which is not a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoFolder(pub PathBuf);

impl fmt::Display for NoFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.0.display();
        write!(f, "SYN_SCHEMAS_DIR is {folder}, which is not a folder")
    }
}

impl Library {
    /// Reads the folders. Skips unusable files with a warning.
    ///
    /// # Errors
    /// The folder of schemas was configured and is not a folder.
    pub fn load(sources: &Sources) -> Result<Self, NoFolder> {
        let folder = |named: &PathBuf| Folder {
            named: named.clone(),
            place: sources.root.join(named),
        };
        let schemas = folder(&sources.schemas);
        if sources.schemas_given && !schemas.place.is_dir() {
            return Err(NoFolder(schemas.named));
        }
        let mut warnings = Vec::new();
        let schemas = schemas::load(&schemas, &mut warnings);
        let names = lookup::names(&schemas);
        let shelf = naming::Shelf {
            schemas: &schemas,
            names: &names,
        };
        let name = |asset: Option<&Json<'_>>, file: &str| shelf.name(asset, Some(file));
        let (examples, paths) = examples::load(&folder(&sources.examples), name, &mut warnings);
        Ok(Self {
            schemas,
            examples,
            names,
            paths,
            closed: OnceLock::new(),
            warnings,
        })
    }

    /// All schemas, sorted by name, version and path.
    #[must_use]
    pub fn schemas(&self) -> &[Schema] {
        &self.schemas
    }

    /// The schemas without their alternatives, which `close` removes.
    pub(crate) fn closed(&self, close: impl Fn(Value) -> Value) -> &Closed {
        self.closed.get_or_init(|| {
            let mut costs = Costs::default();
            let schemas = self.schemas.iter().map(|schema| {
                let value = counted(close(schema.tree().to_value()));
                add_costs(&mut costs, &value);
                (schema.base.clone(), schema.file.clone(), value)
            });
            let shelf = Arc::new(Shelf::new(schemas));
            Closed { shelf, costs }
        })
    }

    /// All examples, sorted by component and path.
    #[must_use]
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// The schema with a name, file name or `$id`, or the alias.
    #[must_use]
    pub fn schema(&self, name: &str) -> Option<&Schema> {
        self.shelf().schema(name)
    }

    fn shelf(&self) -> naming::Shelf<'_> {
        naming::Shelf {
            schemas: &self.schemas,
            names: &self.names,
        }
    }

    /// The schema at an address in a reference: by its address or, for another version, its file
    /// name.
    #[must_use]
    pub fn at_address(&self, address: &str) -> Option<&Schema> {
        let first = |own: &dyn Fn(&&Schema) -> bool| {
            let schemas = self.schemas.iter().filter(own);
            schemas.min_by_key(|schema| &schema.file)
        };
        let last = address.rsplit('/').next();
        let named = |schema: &&Schema| {
            let id = schema.id.as_deref().and_then(|id| id.rsplit('/').next());
            last == Some(&schema.file) || id.is_some() && last == id
        };
        first(&|schema| schema.base == address).or_else(|| first(&named))
    }

    /// The names of all schemas, and the alias.
    pub fn schema_names(&self) -> impl Iterator<Item = &str> {
        let alias = self.schema(ALIAS).map(|_| ALIAS);
        let names = self.schemas.iter().map(|schema| schema.name.as_str());
        names.chain(alias)
    }

    /// The example at a path, as in listings or relative to the folder of examples.
    #[must_use]
    pub fn example(&self, path: &str) -> Option<&Example> {
        self.paths.get(path).and_then(|ix| self.examples.get(*ix))
    }
}
