//! Libraries and assets that are large in the most expensive ways.

use fcp::prelude::*;

/// Large toolsets, each large in another way.
pub const LARGE: &[LargeTools] = &[
    LargeTools {
        name: "many schemas",
        make: |rows| {
            LargeFolder {
            files: (0..rows)
                .map(|at| {
                    let path = format!("libs/synesthetic-schemas/jsonschema/s{at}.schema.json");
                    let text = format!(
                        r#"{{"$id": "https://schemas.example.test/1.0.0/s{at}.schema.json", "type": "object"}}"#
                    );
                    (path, text.into_bytes())
                })
                .collect(),
            calls: vec![vec![("list_schemas", "{}".to_owned())]],
        }
        },
    },
    LargeTools {
        name: "large assets",
        make: |rows| {
            let list = |item: &dyn Fn(usize) -> String| {
                let items: Vec<String> = (0..rows).map(item).collect();
                items.join(", ")
            };
            let wrong = list(&|at| format!(r#""k{at}": {at}"#));
            let other = list(&|at| format!(r#""k{at}": {}"#, at + 1));
            let ops = list(&|at| format!(r#"{{"op": "add", "path": "/n{at}", "value": 1}}"#));
            let moves = list(&|_| r#"{"op": "add", "path": "/list/0", "value": 1}"#.to_owned());
            let call = |name, arguments: String| vec![(name, arguments)];
            LargeFolder {
                files: Vec::new(),
                calls: vec![
                    call(
                        "validate_asset",
                        format!(r#"{{"schema": "shader", "asset": {{{wrong}}}}}"#),
                    ),
                    call(
                        "diff_assets",
                        format!(r#"{{"base": {{{wrong}}}, "new": {{{other}}}}}"#),
                    ),
                    call(
                        "apply_patch",
                        format!(r#"{{"base": {{}}, "patch": [{ops}]}}"#),
                    ),
                    call(
                        "apply_patch",
                        format!(r#"{{"base": {{"list": []}}, "patch": [{moves}]}}"#),
                    ),
                ],
            }
        },
    },
    LargeTools {
        name: "many branches",
        make: |rows| {
            let wide = (0..rows / 20).map(|at| format!(r#"{{"const": {at}}}"#));
            let wide: Vec<String> = wide.collect();
            let schema = format!(
                r#"{{"$id": "https://schemas.example.test/1.0.0/wide.schema.json", "anyOf": [{}]}}"#,
                wide.join(", ")
            );
            let path = "libs/synesthetic-schemas/jsonschema/wide.schema.json";
            LargeFolder {
                files: vec![(path.to_owned(), schema.into_bytes())],
                calls: vec![vec![(
                    "validate_asset",
                    r#"{"schema": "wide", "asset": "none"}"#.to_owned(),
                )]],
            }
        },
    },
];
