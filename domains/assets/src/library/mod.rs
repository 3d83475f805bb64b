//! The schemas and examples that are served: read once, when the program starts, and not again.

mod examples;
mod files;
mod lookup;
mod naming;
mod schemas;
mod version;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use crate::json::Json;

pub use examples::Example;
pub use files::{FILE_BYTES, FILES};
pub(crate) use files::{Folder, below, shown};
pub use schemas::Schema;
pub(crate) use schemas::{Lender, Shelf};

/// The schema that goes by two names.
pub const CANONICAL: &str = "synesthetic-asset";

/// Its other name.
pub const ALIAS: &str = "nested-synesthetic-asset";

/// Where schemas are, unless `SYN_SCHEMAS_DIR` says where.
pub const SCHEMAS_DIR: &str = "libs/synesthetic-schemas/jsonschema";

/// Where examples are, unless `SYN_EXAMPLES_DIR` says where.
pub const EXAMPLES_DIR: &str = "libs/synesthetic-schemas/examples";

/// Which folders to read.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The folder of schemas.
    pub schemas: PathBuf,
    /// It was asked for by name, so it has to be there.
    pub schemas_given: bool,
    /// The folder of examples.
    pub examples: PathBuf,
    /// What the other two are relative to.
    pub root: PathBuf,
}

impl Sources {
    /// Those that the environment names; an empty name is none.
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

/// What is served, and what was passed over when it was read.
#[derive(Debug)]
pub struct Library {
    /// Sorted by name, version and path.
    schemas: Vec<Schema>,
    /// Sorted by component and path.
    examples: Vec<Example>,
    /// The places of schemas, by each name they go by.
    names: BTreeMap<String, usize>,
    /// The places of examples, by each path they can be asked for by.
    paths: BTreeMap<String, usize>,
    /// What was passed over, and why.
    pub warnings: Vec<String>,
}

/// Why there is no library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoFolder(pub PathBuf);

impl fmt::Display for NoFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.0.display();
        write!(f, "SYN_SCHEMAS_DIR is {folder}, which is no folder")
    }
}

impl Library {
    /// Reads the folders. A file that cannot be used is passed over, and told of.
    ///
    /// # Errors
    /// The folder of schemas was named and is none.
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
            warnings,
        })
    }

    /// All schemas, sorted by name, version and path.
    #[must_use]
    pub fn schemas(&self) -> &[Schema] {
        &self.schemas
    }

    /// All examples, sorted by component and path.
    #[must_use]
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// The schema that a name, a file's name, an `$id` or the alias means.
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

    /// The schema that an address means in references: its own, or that of another version, by the name of the file.
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

    /// The names of all schemas, and the other name of one.
    pub fn schema_names(&self) -> impl Iterator<Item = &str> {
        let alias = self.schema(ALIAS).map(|_| ALIAS);
        let names = self.schemas.iter().map(|schema| schema.name.as_str());
        names.chain(alias)
    }

    /// The example at a path, as listings show it or from the folder of examples.
    #[must_use]
    pub fn example(&self, path: &str) -> Option<&Example> {
        self.paths.get(path).and_then(|ix| self.examples.get(*ix))
    }
}
