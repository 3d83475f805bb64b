//! Attributes that ops do not write by name.

use fcp::prelude::*;

/// Checks that an attribute may be written or removed by its name; `element` is the element's name
/// in the op.
///
/// # Errors
/// If it is an id, or binds a prefix.
pub(crate) fn refused(name: &str, element: &str) -> Result<()> {
    if name == "id" {
        bail!("ids are given by rename, which follows every use"; try: "rename {element} {element}-2")
    }
    if name == "xmlns" || name.starts_with("xmlns:") {
        bail!("{name} binds a prefix, which no op does"; try: "set {element} data-k v")
    }
    Ok(())
}
