//! Runs the language-neutral fixtures of sessions, selectors, references, batches and replies on
//! the board described in `fixtures/board.md`. `fixtures/README.md` describes their form.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]

#[path = "support/board.rs"]
mod board;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use board::Board;
use fcp::endpoint::{Answer, Config, Endpoint, Policy};
use fcp::script;
use fcp::session::Session;
use serde_json::{Map, Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn read(suite: &str) -> Vec<Value> {
    let path = folder().join(suite).with_extension("json");
    let file: Value = serde_json::from_slice(&fs::read(&path).expect(suite)).expect(suite);
    assert_eq!(file["suite"], suite);
    file["tests"].as_array().expect(suite).clone()
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter()
        .map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}

/// A text, or the pieces of one.
fn pieces(value: &Value) -> String {
    let list = value.as_array().expect("pieces");
    list.iter()
        .map(|piece| match piece.as_str() {
            Some(text) => text.to_owned(),
            None => {
                let times = usize::try_from(piece["times"].as_u64().unwrap()).unwrap();
                piece["repeat"].as_str().unwrap().repeat(times)
            }
        })
        .collect()
}

/// Runs one step. Returns `None` if it only puts a file into the folder.
fn step(session: &mut Session<Board>, root: &Path, step: &Value) -> Option<Answer> {
    Some(match step {
        Value::String(text) => match text.split_at_checked(2) {
            Some(("? ", query)) => session.query(query),
            Some(("! ", action)) => session.act(action),
            _ => session.run(std::slice::from_ref(text), None),
        },
        Value::Array(_) => session.run(&texts(step), None),
        _ if step.get("op").is_some() => session.run(&[pieces(&step["op"])], None),
        _ if step.get("edit").is_some() => {
            session.run(&texts(&step["edit"]), Some(Policy::Isolate))
        }
        _ if step.get("help").is_some() => session.help(step["help"].as_str()),
        _ => {
            let name = step["file"].as_str().expect("a step that is known");
            fs::write(root.join(name), step["text"].as_str().unwrap()).unwrap();
            return None;
        }
    })
}

/// The signs of the lines that have one.
fn signs(text: &str) -> String {
    let mut signs = String::new();
    for line in text.lines() {
        let mut chars = line.chars();
        if let (Some(sign), Some(' ')) = (chars.next(), chars.next())
            && "+~*-@=!?".contains(sign)
        {
            signs.push(sign);
        }
    }
    signs
}

/// The differences between a reply and the expectations.
fn differs(
    wanted: &Map<String, Value>,
    answer: &Answer,
    digests: &mut HashMap<String, String>,
) -> Vec<String> {
    let text = answer.text.as_str();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let mut wrong = Vec::new();
    for (key, value) in wanted {
        let list = || texts(value);
        let holds = match key.as_str() {
            "error" => answer.is_error == *value,
            "signs" => signs(text) == *value,
            "has" => list().iter().all(|part| text.contains(part.as_str())),
            "lacks" => !list().iter().any(|part| text.contains(part.as_str())),
            "text" => script::compare(&list(), text).is_ok(),
            "lines" => rows.len() as u64 == value.as_u64().unwrap(),
            "bytes" => text.len() as u64 <= value.as_u64().unwrap(),
            "rows" => {
                let list = list();
                list.len() == rows.len()
                    && list
                        .iter()
                        .zip(&rows)
                        .all(|(name, row)| row.contains(name.as_str()))
            }
            "digest" => {
                let found = text.lines().next_back().unwrap_or_default().to_owned();
                // Only the hash: counts before it may include things that are not content.
                let hash = found
                    .rsplit_once('#')
                    .map_or(String::new(), |(_, hash)| hash.to_owned());
                let label = value.as_str().unwrap().to_owned();
                let same = digests.get(&label).is_none_or(|known| *known == hash);
                let other = digests
                    .iter()
                    .any(|(known, own)| *known != label && *own == hash);
                digests.entry(label).or_insert_with(|| hash.clone());
                !hash.is_empty() && same && !other
            }
            other => panic!("unknown key {other}"),
        };
        if !holds {
            wrong.push(format!("{key} is not {value}"));
        }
    }
    wrong
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!(
        "fcp-fixtures-{}-{}",
        std::process::id(),
        name.replace(|c: char| !c.is_alphanumeric(), "-")
    ));
    fs::create_dir_all(&path).unwrap();
    path
}

/// The failures of a test, if any.
fn play(test: &Value) -> Option<String> {
    let name = test["name"].as_str().expect("a name");
    let root = scratch(name);
    let mut session = Session::<Board>::new(&Config::at(&root)).unwrap();
    let (steps, expected) = (
        test["input"].as_array().expect(name),
        test["expected"].as_object().expect(name),
    );
    let replies = expected["replies"].as_array().expect(name);
    assert_eq!(steps.len(), replies.len(), "{name}: a reply for each step");
    let (mut digests, mut wrong) = (HashMap::new(), String::new());
    for (sent, wanted) in steps.iter().zip(replies) {
        let answer = step(&mut session, &root, sent);
        let Some(answer) = answer else { continue };
        if let Some(wanted) = wanted.as_object() {
            for problem in differs(wanted, &answer, &mut digests) {
                let shown: String = answer.text.chars().take(600).collect();
                let sent: String = sent.to_string().chars().take(200).collect();
                writeln!(wrong, "    {sent}: {problem}\n{shown}").unwrap();
            }
        } else if answer.is_error {
            // A step without an expected reply is set-up: it must succeed.
            writeln!(wrong, "    {sent}: {}", answer.text).unwrap();
        }
    }
    for (path, there) in expected
        .get("files")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        if root.join(path).is_file() != *there {
            writeln!(wrong, "    file {path} should be there: {there}").unwrap();
        }
    }
    fs::remove_dir_all(&root).unwrap();
    (!wrong.is_empty()).then(|| format!("  {name}\n{wrong}"))
}

fn run(suite: &str, least: usize) {
    let tests = read(suite);
    assert!(
        tests.len() >= least,
        "{suite} has lost tests: {}",
        tests.len()
    );
    let names: HashSet<&str> = tests
        .iter()
        .map(|test| test["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), tests.len(), "{suite}: two tests have one name");
    let failed: Vec<String> = tests.iter().filter_map(play).collect();
    assert!(
        failed.is_empty(),
        "{suite}: {} failed\n{}",
        failed.len(),
        failed.join("\n")
    );
}

#[test]
fn sessions() {
    run("session/lifecycle", 55);
}

#[test]
fn selectors() {
    run("selectors/selectors", 35);
}

#[test]
fn references() {
    run("references/cascade", 30);
}

#[test]
fn policies() {
    run("batches/policies", 26);
}

#[test]
fn amends() {
    run("batches/amend", 12);
}

#[test]
fn plans() {
    run("batches/plan", 9);
}

#[test]
fn replies() {
    run("replies/replies", 55);
}

/// Every rule has a case, and every named case exists.
#[test]
fn the_table_of_rules_names_cases_that_are_there() {
    let text = fs::read_to_string(folder().join("COVERAGE.md")).unwrap();
    let mut suites: HashMap<String, HashSet<String>> = HashMap::new();
    let rows: HashSet<&str> = fcp::testing::contract::rows().map(|row| row.id).collect();
    let mut ruled = HashSet::new();
    for line in text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| Rule"))
    {
        let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
        let [rule, cases] = cells[..] else {
            panic!("{line}")
        };
        ruled.insert(rule);
        for case in cases.split("<br>") {
            if let Some(row) = case.strip_prefix("row ") {
                assert!(rows.contains(row), "{rule}: there is no row {row}");
                continue;
            }
            let (suite, name) = case.trim_start_matches('`').split_once("`: ").expect(case);
            let known = suites.entry(suite.to_owned()).or_insert_with(|| {
                read(suite)
                    .iter()
                    .map(|test| test["name"].as_str().unwrap().to_owned())
                    .collect()
            });
            assert!(
                known.contains(&name.replace("\\|", "|")),
                "{rule}: {suite} has no case {name}"
            );
        }
    }
    for row in rows.into_iter().filter(|row| !row.starts_with('F')) {
        assert!(ruled.contains(row), "{row} has no line");
    }
}

/// The suites must be able to fail.
#[test]
fn a_difference_is_found() {
    let answer = Answer {
        text: "+ lane A\n#1 lane A\n[1l #abcdef]".to_owned(),
        ..Answer::default()
    };
    let wrong = |expected: Value| {
        let mut digests = HashMap::from([("B".to_owned(), "123456]".to_owned())]);
        !differs(expected.as_object().unwrap(), &answer, &mut digests).is_empty()
    };
    for good in [
        json!({ "error": false, "signs": "+", "has": ["lane A"], "lacks": ["B"] }),
        json!({ "rows": ["A"], "lines": 1, "bytes": 40, "digest": "A" }),
    ] {
        assert!(!wrong(good.clone()), "{good}");
    }
    for bad in [
        json!({ "error": true }),
        json!({ "signs": "*" }),
        json!({ "has": ["lane B"] }),
        json!({ "lacks": ["lane A"] }),
        json!({ "text": ["+ lane B"] }),
        json!({ "rows": [] }),
        json!({ "rows": ["B"] }),
        json!({ "lines": 2 }),
        json!({ "bytes": 3 }),
        json!({ "digest": "B" }),
    ] {
        assert!(wrong(bad.clone()), "{bad}");
    }
}
