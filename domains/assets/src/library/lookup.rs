//! What schemas go by.

use std::collections::BTreeMap;

use super::Schema;

/// The places of schemas by name, by file name and by `$id`. Of several the first keeps it, and names go before the rest.
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
