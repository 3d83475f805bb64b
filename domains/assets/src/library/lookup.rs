//! The names of schemas.

use std::collections::BTreeMap;

use super::Schema;

/// Indices of schemas by name, file name and `$id`. The first schema keeps a name; names go first.
pub(super) fn names(schemas: &[Schema]) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for (ix, schema) in schemas.iter().enumerate() {
        names.entry(schema.name.clone()).or_insert(ix);
    }
    for (ix, schema) in schemas.iter().enumerate() {
        names.entry(schema.file.clone()).or_insert(ix);
        if let Some(id) = &schema.id {
            names.entry(id.clone()).or_insert(ix);
        }
    }
    names
}
