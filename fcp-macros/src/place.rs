//! One item, one file, one name.

use std::path::Path;

use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::errors::Errors;

/// Rejects a function in a file of `directory` if their names differ.
///
/// Other files may hold several functions: tests, and domains of three verbs.
pub fn check(ident: &Ident, directory: &str, noun: &str, errors: &Errors) {
    if !proc_macro::is_available() {
        return;
    }
    let Some(file) = ident.span().unwrap().local_file() else {
        return;
    };
    if let Some(wanted) = misplaced(&file, directory, &ident.unraw().to_string()) {
        errors.at(
            ident,
            format!("a {noun} and its file share a name: put this into `{wanted}`, or call it like the file"),
        );
    }
}

/// The file that a function belongs in, if it is in another.
fn misplaced(file: &Path, directory: &str, name: &str) -> Option<String> {
    let within = file.parent()?.file_name()?.to_str()?;
    let stem = file.file_stem()?.to_str()?;
    (within == directory && stem != name).then(|| format!("{directory}/{name}.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_verbs_is_called_like_its_verb() {
        let wanted = |file: &str| misplaced(Path::new(file), "verbs", "add_circle");
        assert_eq!(wanted("src/verbs/add_circle.rs"), None);
        assert_eq!(wanted("tests/toy.rs"), None);
        assert_eq!(
            wanted("src/verbs/mod.rs").as_deref(),
            Some("verbs/add_circle.rs")
        );
    }
}
