//! The schemas and examples that are served: read once, when the program starts, and not again.

mod examples;
mod files;
mod lookup;
mod schemas;
mod version;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use examples::Example;
pub use files::{FILE_BYTES, FILES};
pub use schemas::Schema;

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
}

impl Sources {
    /// Those that the environment names; an empty name is none.
    #[must_use]
    pub fn of(get: impl Fn(&str) -> Option<String>) -> Self {
        let given = |name: &str| get(name).filter(|value| !value.is_empty());
        let schemas = given("SYN_SCHEMAS_DIR");
        Self {
            schemas_given: schemas.is_some(),
            schemas: schemas.as_deref().unwrap_or(SCHEMAS_DIR).into(),
            examples: given("SYN_EXAMPLES_DIR")
                .as_deref()
                .unwrap_or(EXAMPLES_DIR)
                .into(),
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

impl Library {
    /// Reads the folders. A file that cannot be used is passed over, and told of.
    ///
    /// # Errors
    /// The folder of schemas was named and is none.
    pub fn load(sources: &Sources) -> Result<Self, NoFolder> {
        if sources.schemas_given && !sources.schemas.is_dir() {
            return Err(NoFolder(sources.schemas.clone()));
        }
        let mut warnings = Vec::new();
        let schemas = schemas::load(&sources.schemas, &mut warnings);
        let names = lookup::names(&schemas);
        let (examples, paths) = examples::load(&sources.examples, &mut warnings);
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
        let name = if name == ALIAS { CANONICAL } else { name };
        self.names.get(name).and_then(|ix| self.schemas.get(*ix))
    }

    /// The example at a path, as listings show it or from the folder of examples.
    #[must_use]
    pub fn example(&self, path: &str) -> Option<&Example> {
        self.paths.get(path).and_then(|ix| self.examples.get(*ix))
    }
}
