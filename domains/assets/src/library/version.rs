//! The version of a schema.

use crate::json::Json;

/// The version in the schema, or in its `$id`, or in the version file next to its folder, or none.
pub(super) fn version(schema: &Json<'_>, beside: Option<&str>) -> String {
    let keys = ["version", "x-schema-version"];
    let own = keys.iter().find_map(|key| version_text(schema.get(key)?));
    let id = || segment(schema.get("$id")?.as_str()?);
    let version = own.or_else(id);
    version
        .or_else(|| beside.map(str::to_owned))
        .unwrap_or_default()
}

/// A version: a text, or the text of a number.
pub(super) fn version_text(value: &Json<'_>) -> Option<String> {
    match value {
        Json::String(text) | Json::Number(text) => Some(text.clone().into_owned()),
        _ => None,
    }
}

/// The last part of an address that consists of numbers separated by points.
fn segment(id: &str) -> Option<String> {
    let mut parts = id.split('/').rev();
    let numbers = |part: &&str| {
        let mut count = 0;
        let digits = part.split('.').all(|number| {
            count += 1;
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        digits && count > 1
    };
    parts.find(numbers).map(str::to_owned)
}
