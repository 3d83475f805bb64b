//! Builds session actions from their parts: `{"op": "open", "file": "./my song.x"}` is
//! `open "./my song.x"`.

use serde_json::{Map, Value};

use super::decode::text;
use crate::diag::{Diagnostic, Result};
use crate::op::{quote, spell_param};
use crate::tool::noun;

/// An action string, or one built from `op`, a path and further keys.
pub(super) fn action(arguments: &mut Map<String, Value>) -> Result<String> {
    if !arguments.contains_key("op") {
        return text(arguments, "action");
    }
    if arguments.contains_key("action") {
        return Err(Diagnostic::new(
            "both \"action\" and \"op\" are given; send one of them",
        ));
    }
    let mut action = text(arguments, "op")?.trim().to_owned();
    let word = action.to_lowercase();
    let place = match (
        arguments.shift_remove("file"),
        arguments.shift_remove("path"),
    ) {
        (Some(_), Some(_)) => {
            return Err(Diagnostic::new(
                "both \"file\" and \"path\" are given; send one of them",
            ));
        }
        (file, path) => file
            .map(|file| ("file", file))
            .or(path.map(|path| ("path", path))),
    };
    // `new "Title"` and `checkpoint NAME` take their word without a key.
    let bare = match word.as_str() {
        "new" => arguments
            .shift_remove("title")
            .map(|title| ("title", title)),
        "checkpoint" => arguments.shift_remove("name").map(|name| ("name", name)),
        _ => None,
    };
    for (key, value) in [place, bare].into_iter().flatten() {
        action.push(' ');
        action.push_str(&quote(&plain(key, value)?));
    }
    for (key, value) in std::mem::take(arguments) {
        if key.is_empty()
            || !key
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        {
            return Err(Diagnostic::new(format!(
                "\"{key}\" cannot be a key of a session action"
            )));
        }
        let value = plain(&key, value)?;
        action.push(' ');
        action.push_str(&spell_param(&key, &value));
    }
    Ok(action)
}

/// A value as text.
fn plain(key: &str, value: Value) -> Result<String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Bool(yes) => Ok(yes.to_string()),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(Diagnostic::new(format!(
            "\"{key}\" is {}, not a string, number or boolean",
            noun(&other)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn act(json: Value) -> String {
        action(&mut json.as_object().unwrap().clone()).unwrap()
    }

    #[test]
    fn actions_are_spelled_from_their_parts() {
        assert_eq!(act(json!({"action": "save as:./b.x"})), "save as:./b.x");
        assert_eq!(act(json!({"op": "new"})), "new");
        assert_eq!(act(json!({"op": "open", "file": "./a.x"})), "open ./a.x");
        assert_eq!(
            act(json!({"op": "open", "path": "./my \"own\" a.x"})),
            r#"open "./my \"own\" a.x""#
        );
        assert_eq!(
            act(json!({"op": "open", "file": "C:\\music\\a.x"})),
            r#"open "C:\\music\\a.x""#
        );
        assert_eq!(act(json!({"op": "open", "file": "@all"})), r#"open "@all""#);
        assert_eq!(act(json!({"op": "open", "file": "--"})), r#"open "--""#);
        assert_eq!(
            act(json!({"op": "open", "file": "a\nb\tc\rd"})),
            r#"open "a\nb\tc\rd""#
        );
        assert_eq!(act(json!({"op": "open", "file": ""})), r#"open """#);
        assert_eq!(
            act(json!({"op": "save", "as": "./my b.x"})),
            r#"save as:"./my b.x""#
        );
        assert_eq!(
            act(json!({"op": "save", "as": "b.x", "format": "y", "force": true, "level": 2.5})),
            "save as:b.x format:y force:true level:2.5"
        );
        assert_eq!(
            act(json!({"op": "new", "title": "My Song", "tempo": 90})),
            r#"new "My Song" tempo:90"#
        );
        assert_eq!(
            act(json!({"op": "checkpoint", "name": "before fills"})),
            r#"checkpoint "before fills""#
        );
        assert_eq!(act(json!({"op": "undo", "to": "v1"})), "undo to:v1");
    }
}
