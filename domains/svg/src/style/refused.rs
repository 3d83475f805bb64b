//! Attributes that no op writes by name.

use fcp::prelude::*;

/// That an attribute may be written or removed by its name; `element` is what the op calls the element.
///
/// # Errors
/// It is an id, binds a prefix, or runs a script.
pub(crate) fn refused(name: &str, element: &str) -> Result<()> {
    if name == "id" {
        bail!("ids are given by rename, which follows every use"; try: "rename {element} {element}-2")
    }
    if name == "xmlns" || name.starts_with("xmlns:") {
        bail!("{name} binds a prefix, which no op does"; try: "set {element} data-k v")
    }
    let bytes = name.as_bytes();
    if bytes
        .get(..2)
        .is_some_and(|on| on.eq_ignore_ascii_case(b"on"))
    {
        bail!("{name} runs a script, which no op writes"; try: "set {element} data-k v")
    }
    Ok(())
}
