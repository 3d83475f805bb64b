//! The assets and schemas to validate, compare and patch.

use std::{fmt::Write, fs, path::Path};

use crate::workspace::Result;

const FOLDER: &str = "libs/synesthetic-schemas";

const SHADER: &str = r#""type":"object","required":["name","stage"],"additionalProperties":false,"properties":{"name":{"type":"string"},"stage":{"enum":["vertex","fragment"]},"uniforms":{"type":"array","items":{"type":"object","required":["name","value"],"properties":{"name":{"type":"string"},"value":{"type":["number","boolean"]}}}}}"#;

/// The schema of assets. Its shader is at the target of a reference.
fn schema(reference: &str) -> String {
    format!(
        r#""type":"object","required":["name"],"additionalProperties":false,"properties":{{"name":{{"type":"string","minLength":1}},"shader":{{"anyOf":[{{"$ref":"{reference}"}},{{"type":"null"}}]}},"tags":{{"type":"array","items":{{"type":"string"}}}}}}"#
    )
}

/// The schema of assets in one piece.
pub fn whole() -> String {
    let schema = schema("#/$defs/shader");
    format!(r#"{{{schema},"$defs":{{"shader":{{{SHADER}}}}}}}"#)
}

/// Writes a library of nine schemas and three examples. Returns the schemas' total size in bytes.
pub fn library(folder: &Path) -> Result<usize> {
    let base = "https://schemas.example.test/0.7.0";
    let named = |name: &str, rest: &str| {
        let id = format!(r#""$id":"{base}/{name}.schema.json","version":"0.7.0""#);
        (name.to_owned(), format!("{{{id},{rest}}}"))
    };
    let mut schemas = vec![
        named("synesthetic-asset", &schema("shader.schema.json")),
        named("shader", SHADER),
    ];
    for at in 0..7 {
        let mut rest = r#""type":"object","properties":{"#.to_owned();
        for member in 0..80 {
            let comma = if member > 0 { "," } else { "" };
            write!(
                rest,
                r#"{comma}"member{member}":{{"type":"string","minLength":{member},"maxLength":1000}}"#
            )?;
        }
        rest.push('}');
        schemas.push(named(&format!("filler{at}"), &rest));
    }
    let place = folder.join(FOLDER);
    fs::create_dir_all(place.join("jsonschema"))?;
    fs::create_dir_all(place.join("examples"))?;
    for (name, text) in &schemas {
        fs::write(place.join(format!("jsonschema/{name}.schema.json")), text)?;
    }
    for at in 0..3 {
        let file = format!("examples/SynestheticAsset_Example{at}.json");
        fs::write(place.join(file), asset(2_000))?;
    }
    Ok(schemas.iter().map(|(_, text)| text.len()).sum())
}

/// A valid asset of this many bytes or a few more.
pub fn asset(bytes: usize) -> String {
    let mut asset = r#"{"name":"A","shader":{"name":"s","stage":"vertex","uniforms":["#.to_owned();
    let mut number = 0;
    while asset.len() < bytes {
        let comma = if number > 0 { "," } else { "" };
        asset.push_str(&format!(
            r#"{comma}{{"name":"uniform{number}","value":{number}.25}}"#
        ));
        number += 1;
    }
    asset + "]}}"
}

/// An object of 45 KB. If `changed`, every sixth member differs.
pub fn members(changed: bool) -> String {
    let members = (0..1000).map(|at| {
        let value = if changed && at % 6 == 0 && at < 996 {
            2
        } else {
            1
        };
        format!(r#""member{at:04}":{{"x":{value}.5,"text":"so many {at:03}"}}"#)
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// A call of each tool: name, arguments, number of calls in a round, and a remark.
pub fn calls() -> Vec<(&'static str, String, usize, &'static str)> {
    let asset = asset(8_100);
    let example = format!("{FOLDER}/examples/SynestheticAsset_Example0.json");
    let (base, new) = (members(false), members(true));
    let named = |name: &str| format!(r#"{{"name":"{name}"}}"#);
    let patch =
        r#"[{"op":"replace","path":"/member0000","value":1},{"op":"remove","path":"/member0001"}]"#;
    vec![
        ("list_schemas", "{}".to_owned(), 500, "; goal 33,333"),
        (
            "get_schema",
            named("synesthetic-asset"),
            500,
            "; goal 33,333",
        ),
        ("list_examples", "{}".to_owned(), 500, "; goal 33,333"),
        (
            "get_example",
            format!(r#"{{"path":"{example}"}}"#),
            500,
            ", one of 2 KB",
        ),
        (
            "validate_asset",
            format!(r#"{{"schema":"synesthetic-asset","asset":{asset}}}"#),
            500,
            ", of 8.1 KB; goal 6,000",
        ),
        (
            "validate_many",
            r#"{"examples":"all"}"#.to_owned(),
            200,
            ", the three examples",
        ),
        (
            "diff_assets",
            format!(r#"{{"base":{base},"new":{new}}}"#),
            50,
            ", two of 45 KB",
        ),
        (
            "apply_patch",
            format!(r#"{{"base":{base},"patch":{patch}}}"#),
            50,
            ", to 45 KB",
        ),
        ("bundle_schema", named("synesthetic-asset"), 500, ""),
        (
            "populate_backend",
            format!(r#"{{"asset":{asset}}}"#),
            50,
            ", of 8.1 KB, to a server in this process",
        ),
    ]
}
