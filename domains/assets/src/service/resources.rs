//! Schemas and examples as resources, read by their URIs.

use std::time::Duration;

use fcp::tool::{Contents, Resource, Template};

use crate::library::{Example, Library, Schema};

/// Resources do not change while the program runs.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

const SCHEMA: Template = Template {
    start: "synesthetic://schema/",
    variable: "name",
    path: false,
    name: "schema",
    about: "A schema that assets can be validated by.",
    mime: "application/schema+json",
};

const EXAMPLE: Template = Template {
    start: "synesthetic://example/",
    variable: "path",
    path: true,
    name: "example",
    about: "An example of an asset.",
    mime: "application/json",
};

/// The templates of all resources.
pub(crate) const TEMPLATES: &[Template] = &[SCHEMA, EXAMPLE];

/// All resources: schemas, then examples, in the order of listings.
pub(crate) fn list(library: &Library) -> Vec<Resource> {
    let schema = |schema: &Schema| Resource {
        uri: SCHEMA.uri(&schema.name),
        name: schema.name.clone(),
        about: format!("The schema {} {}", schema.name, schema.version)
            .trim_end()
            .to_owned()
            + ".",
        mime: SCHEMA.mime,
    };
    let example = |example: &Example| Resource {
        uri: EXAMPLE.uri(&example.path),
        name: example.component.clone(),
        about: format!("An example of {}.", example.schema),
        mime: EXAMPLE.mime,
    };
    let examples = library.examples().iter();
    let examples = examples
        .filter(|example| example.served.is_ok())
        .map(example);
    library
        .schemas()
        .iter()
        .map(schema)
        .chain(examples)
        .collect()
}

/// The contents of a resource, by URI; for schemas also by `$id`.
pub(crate) fn read(library: &Library, uri: &str) -> Option<Contents> {
    let (served, mime) = match EXAMPLE.value(uri) {
        Some(path) => (library.example(&path)?.served.as_ref().ok()?, EXAMPLE.mime),
        None => {
            let name = SCHEMA.value(uri);
            let by_id = |schema: &&Schema| schema.id.as_deref() == Some(uri);
            let schema = match &name {
                Some(name) => library.schema(name),
                None => library.schemas().iter().find(by_id),
            };
            (&schema?.served, SCHEMA.mime)
        }
    };
    Some(Contents::text(served.text(), mime, FRESH))
}
