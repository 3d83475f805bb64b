//! Repository paths as text.

use fcp::confined::relative;

use crate::reply::{Answer, Failure};

/// Code points that a case-folding HFS+ ignores in names.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// Whether a name is git's own, in any spelling that some file system equates with it.
pub fn is_closed(name: &str) -> bool {
    // Nearly all names end here, before a copy is made.
    if name.is_ascii() && !name.starts_with(['.', 'g', 'G']) {
        return false;
    }
    let plain: String = name.chars().filter(|c| !is_ignorable(*c)).collect();
    let plain = plain.to_ascii_lowercase();
    let stem = plain.split(':').next().unwrap_or_default();
    let stem = stem.trim_end_matches(['.', ' ']);
    stem == ".git" || stem == "git~1"
}

/// Normalizes a path; the root is empty. `pointer` is the place of the argument.
pub fn parse(path: &str, pointer: &str) -> Answer<String> {
    let closed = |name: &str| is_closed(name).then_some("is git's own and closed to all tools");
    let path = relative(path, "the repository", closed);
    path.map_err(|refusal| Failure::from(refusal).about(pointer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Code;

    #[test]
    fn spellings_of_one_path_are_one_path() {
        for path in ["src", "src/", "./src//", ".//src/."] {
            assert_eq!(parse(path, "/path").unwrap(), "src");
        }
        for path in ["", ".", "./"] {
            assert_eq!(parse(path, "/path").unwrap(), "");
        }
        for path in [
            "a..b",
            "foo~",
            "a\\b",
            "a/~b",
            ".gitignore",
            ".github/x",
            "git",
        ] {
            assert_eq!(parse(path, "/path").unwrap(), path);
        }
    }

    #[test]
    fn paths_out_of_the_root_and_into_git_are_refused() {
        for path in [
            "../x",
            "/etc/passwd",
            "~/x",
            "~",
            "a/../../x",
            ".git",
            ".git/config",
            ".GIT/x",
            ".git./x",
            ".git ./x",
            "git~1/x",
            "GIT~1",
            "sub/.git/x",
            ".g\u{200c}it/x",
            ".git::$INDEX_ALLOCATION/x",
            ".git:x",
        ] {
            assert_eq!(
                parse(path, "/path").unwrap_err().code,
                Code::PermissionDenied,
                "{path}"
            );
        }
        for path in ["a\0b", &"x".repeat(256), &"a/".repeat(2100)] {
            assert_eq!(
                parse(path, "/path").unwrap_err().code,
                Code::InvalidArgument
            );
        }
    }
}
