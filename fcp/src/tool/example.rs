//! Examples of tools: calls and their answers.
//!
//! ```text
//! count {"of": "bolts"}
//! {"name": "bolts"}
//! > {"count": 1}
//! {"nam": "bolts"}
//! ! {"error": {"message": "…"}}
//! ```
//!
//! A call is an object, the arguments of the example's tool; a name before it calls another tool.
//! It may span several lines. The reply follows `> `, an error follows `! `; a call with neither
//! must succeed. The text `"…"` stands for any value.

use serde_json::Value;

/// A call of an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The line that it begins on, from 1.
    pub line: usize,
    /// The tool, if it is not the example's own.
    pub tool: Option<String>,
    /// The arguments.
    pub arguments: Value,
    /// The expected answer, if given.
    pub expected: Option<Expected>,
}

/// The answer of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The structured content.
    pub value: Value,
    /// Whether it is an error.
    pub is_error: bool,
}

/// The calls of an example.
///
/// # Errors
/// A line is neither a call nor an answer; the error has its number.
pub fn steps(script: &str) -> Result<Vec<Step>, (usize, String)> {
    let mut steps: Vec<Step> = Vec::new();
    let mut call = String::new();
    let mut answer: Option<(char, String)> = None;
    let mut start = 1;
    for (at, line) in script.lines().enumerate() {
        let number = at + 1;
        let (sign, rest) = match line.split_at_checked(2) {
            Some(("> ", rest)) => (Some('>'), rest),
            Some(("! ", rest)) => (Some('!'), rest),
            _ => (None, line),
        };
        match sign {
            Some(sign) => {
                if !call.trim().is_empty() {
                    steps.push(step(start, &call)?);
                    call.clear();
                }
                match &mut answer {
                    Some((own, text)) if *own == sign => {
                        text.push('\n');
                        text.push_str(rest);
                    }
                    Some(_) => return Err((number, "a call has one answer".to_owned())),
                    None => {
                        answer = Some((sign, rest.to_owned()));
                        start = number;
                    }
                }
            }
            None if rest.trim().is_empty() => {}
            None => {
                if let Some(answer) = answer.take() {
                    expect(&mut steps, start, answer)?;
                }
                // A call without an answer ends before the next call.
                if !call.trim().is_empty() && step(start, &call).is_ok() {
                    steps.push(step(start, &call)?);
                    call.clear();
                }
                if call.is_empty() {
                    start = number;
                }
                call.push_str(rest);
                call.push('\n');
            }
        }
    }
    if let Some(answer) = answer {
        expect(&mut steps, start, answer)?;
    }
    if !call.trim().is_empty() {
        steps.push(step(start, &call)?);
    }
    Ok(steps)
}

fn step(line: usize, text: &str) -> Result<Step, (usize, String)> {
    let text = text.trim();
    let (tool, arguments) = match text.split_once(char::is_whitespace) {
        Some((tool, arguments)) if !text.starts_with(['{', '[', '"']) => {
            (Some(tool.to_owned()), arguments)
        }
        _ => (None, text),
    };
    let arguments = serde_json::from_str(arguments)
        .map_err(|problem| (line, format!("a call is a JSON object: {problem}")))?;
    Ok(Step {
        line,
        tool,
        arguments,
        expected: None,
    })
}

fn expect(
    steps: &mut [Step],
    line: usize,
    (sign, text): (char, String),
) -> Result<(), (usize, String)> {
    let value = serde_json::from_str(&text)
        .map_err(|problem| (line, format!("an answer is JSON: {problem}")))?;
    let is_error = sign == '!';
    match steps.last_mut() {
        Some(step) => step.expected = Some(Expected { value, is_error }),
        None => return Err((line, "an answer comes after its call".to_owned())),
    }
    Ok(())
}

/// Returns whether an answer is as expected: `"…"` stands for any value.
#[must_use]
pub fn alike(expected: &Value, found: &Value) -> bool {
    let mut open = vec![(expected, found)];
    while let Some((expected, found)) = open.pop() {
        match (expected, found) {
            (Value::String(any), _) if any == "…" => {}
            (Value::Object(expected), Value::Object(found)) => {
                if expected.len() != found.len() {
                    return false;
                }
                for (key, value) in expected {
                    let Some(other) = found.get(key) else {
                        return false;
                    };
                    open.push((value, other));
                }
            }
            (Value::Array(expected), Value::Array(found)) => {
                if expected.len() != found.len() {
                    return false;
                }
                open.extend(expected.iter().zip(found));
            }
            (expected, found) if expected == found => {}
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_and_answers_are_distinguished() {
        let script = "other {\"a\": 1}\n{\n  \"b\": 2\n}\n> {\"c\":\n> 3}\n{}\n! {\"d\": \"…\"}\n\n{\"e\": 4}\n{\"f\": 5}";
        let steps = steps(script).unwrap();
        let shown: Vec<_> = steps
            .iter()
            .map(|step| (step.line, step.tool.as_deref(), step.arguments.clone()))
            .collect();
        assert_eq!(
            shown,
            [
                (1, Some("other"), json!({ "a": 1 })),
                (2, None, json!({ "b": 2 })),
                (7, None, json!({})),
                (10, None, json!({ "e": 4 })),
                (11, None, json!({ "f": 5 })),
            ]
        );
        let expected = |at: usize| steps[at].expected.clone();
        let expect = |value, is_error| Some(Expected { value, is_error });
        assert_eq!(expected(0), None);
        assert_eq!(expected(1), expect(json!({ "c": 3 }), false));
        assert_eq!(expected(2), expect(json!({ "d": "…" }), true));
        assert_eq!(expected(4), None);
    }

    #[test]
    fn lines_of_neither_kind_are_reported_by_number() {
        for (script, line, why) in [
            ("> {}", 1, "an answer comes after its call"),
            ("{}\n> {}\n! {}", 3, "a call has one answer"),
            ("{}\n> {", 2, "an answer is JSON"),
            ("{}\n> 1\nhello", 3, "a call is a JSON object"),
            ("{\"a\": }", 1, "a call is a JSON object"),
        ] {
            let (at, message) = steps(script).unwrap_err();
            assert_eq!(at, line, "{script}");
            assert!(message.contains(why), "{message}");
        }
    }

    #[test]
    fn an_ellipsis_matches_any_value() {
        let pattern = json!({ "id": "…", "n": [1, "…"] });
        assert!(alike(&pattern, &json!({ "n": [1, { "a": 2 }], "id": 7 })));
        for other in [
            json!({ "id": 7, "n": [1] }),
            json!({ "id": 7, "n": [2, 1] }),
            json!({ "n": [1, 1] }),
            json!({ "id": 7, "n": [1, 1], "more": 1 }),
        ] {
            assert!(!alike(&pattern, &other), "{other}");
        }
    }
}
