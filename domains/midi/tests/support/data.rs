//! Files by other people, by name.

use std::collections::BTreeMap;
use std::path::Path;

/// Every file of the folder, by its name in it.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let found = fcp::testing::files(folder, &["mid", "midi", "smf", "kar", "rmi"]);
    let named = found.into_iter().map(|path| {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
        (name.to_owned(), std::fs::read(&path).unwrap())
    });
    named.collect()
}
