//! Work trees that are large in the most expensive ways.

use fcp::prelude::*;

/// Large toolsets, each large in another way.
pub const LARGE: &[LargeTools] = &[
    LargeTools {
        name: "many files",
        make: |rows| LargeFolder {
            files: (0..rows)
                .map(|at| {
                    (
                        format!("src/d{}/f{at}.txt", at % 100),
                        format!("line {at}\n").into_bytes(),
                    )
                })
                .collect(),
            calls: reads(),
        },
    },
    LargeTools {
        name: "one folder",
        make: |rows| LargeFolder {
            files: (0..rows)
                .map(|at| (format!("src/f{at}.txt"), b"the same\n".to_vec()))
                .collect(),
            calls: reads(),
        },
    },
    LargeTools {
        name: "one long file",
        make: |rows| {
            let lines = 20 * rows;
            let text: String = (0..lines).map(|at| format!("line {}\n", at % 7)).collect();
            let edit =
                r#"{"path": "src/long.txt", "old": "line 1", "new": "line 9", "count": "all"}"#;
            LargeFolder {
                files: vec![("src/long.txt".to_owned(), text.into_bytes())],
                calls: vec![
                    vec![(
                        "snapshot.grep",
                        r#"{"pattern": "line [0-6]", "max_matches": 10000}"#.to_owned(),
                    )],
                    vec![("snapshot.diff", r#"{"path": "."}"#.to_owned())],
                    vec![("workspace.edit", format!(r#"{{"edits": [{edit}]}}"#))],
                ],
            }
        },
    },
];

/// Calls that read a whole tree.
fn reads() -> Vec<Vec<(&'static str, String)>> {
    vec![
        vec![("snapshot.create", r#"{"paths": ["."]}"#.to_owned())],
        vec![(
            "snapshot.list",
            r#"{"depth": 9, "limit": 10000}"#.to_owned(),
        )],
        vec![("snapshot.grep", r#"{"pattern": "line"}"#.to_owned())],
        vec![("snapshot.diff", r#"{"path": "."}"#.to_owned())],
        vec![("snapshot.export", r#"{"paths": ["."]}"#.to_owned())],
        vec![(
            "workspace.delete",
            r#"{"path": "src", "recursive": true}"#.to_owned(),
        )],
    ]
}
