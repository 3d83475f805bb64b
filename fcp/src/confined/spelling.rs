//! Paths as callers write them.

use super::refusal::{Kind, Refusal};

/// The maximum length of a path, and of one name in it, in bytes.
const LONGEST: (usize, usize) = (4096, 255);

/// Normalizes a path from a caller to names with `/` between; the root is empty.
///
/// `root` is its name in messages. `closed` is the reason why no path may have a name, or `None`.
///
/// ```
/// use fcp::confined::relative;
///
/// let closed = |name: &str| (name == ".git").then_some("git's own");
/// assert_eq!(relative("./src//a.ts", "the repository", closed).unwrap(), "src/a.ts");
/// for path in ["/a", "../a", "~/a", "a/.git/b", "a\0b"] {
///     assert!(relative(path, "the repository", closed).is_err());
/// }
/// ```
///
/// # Errors
/// It leads out of the root, has a closed name, or is too long for a path.
pub fn relative(
    path: &str,
    root: &str,
    closed: impl Fn(&str) -> Option<&'static str>,
) -> Result<String, Refusal> {
    let invalid = |message: String| Refusal::new(Kind::Invalid, message);
    let too_long = |what: &str, bytes: usize, most: usize| {
        invalid(format!("{what} has {bytes} bytes, over {most}"))
    };
    if path.contains('\0') {
        return Err(invalid("the path holds a NUL; leave it out".to_owned()));
    }
    if path.len() > LONGEST.0 {
        return Err(too_long("the path", path.len(), LONGEST.0));
    }
    if path.starts_with('/') {
        let message = format!("{path} is absolute; send a path relative to {root}");
        return Err(Refusal::denied(message));
    }
    let mut names = Vec::new();
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        if name.len() > LONGEST.1 {
            return Err(too_long("a name in the path", name.len(), LONGEST.1));
        }
        let refused = match closed(name) {
            _ if name == ".." => "has a `..`; send the path without it",
            _ if names.is_empty() && name.starts_with('~') => {
                "begins with `~`, which is not expanded here; send a relative path"
            }
            Some(why) => why,
            None => {
                names.push(name);
                continue;
            }
        };
        return Err(Refusal::denied(format!("{path} {refused}")));
    }
    Ok(names.join("/"))
}
