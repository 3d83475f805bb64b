//! Mutated assets, judged by us and by another validator, the crate `boon`.

use std::collections::BTreeMap;
use std::fs;

use boon::{Compiler, ErrorKind, SchemaIndex, Schemas, ValidationError};
use serde_json::{Value, json};

use fcp::testing::{data, files};

use crate::kit::{Served, fixture};

/// A small random number generator, with the same mutants on every machine.
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// All places in a value, as pointers.
fn places(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut at = 0;
    while at < found.len() {
        let path = found[at].clone();
        match value.pointer(&path).unwrap() {
            Value::Array(items) => found.extend((0..items.len()).map(|ix| format!("{path}/{ix}"))),
            Value::Object(members) => found.extend(
                members
                    .keys()
                    .map(|key| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))),
            ),
            _ => {}
        }
        at += 1;
    }
    found
}

/// A value with one to three changes.
pub fn mutant(asset: &Value, dice: &mut Dice) -> Value {
    let mut asset = asset.clone();
    for _ in 0..=dice.below(3) {
        let places = places(&asset);
        let place = asset
            .pointer_mut(&places[dice.below(places.len())])
            .unwrap();
        match (dice.below(6), place) {
            (0, Value::Object(members)) if !members.is_empty() => {
                let key = members
                    .keys()
                    .nth(dice.below(members.len()))
                    .unwrap()
                    .clone();
                members.shift_remove(&key);
            }
            (1, Value::Object(members)) => {
                members.insert("nmae".to_owned(), json!(1));
            }
            (2, Value::Array(items)) if !items.is_empty() => {
                items.remove(dice.below(items.len()));
            }
            (3, Value::String(text)) => text.clear(),
            (4, Value::Number(number)) => *number = (-1_000_000).into(),
            (_, place) => {
                let others = [
                    json!(null),
                    json!("x"),
                    json!(7),
                    json!([]),
                    json!({}),
                    json!(true),
                ];
                *place = others[dice.below(others.len())].clone();
            }
        }
    }
    asset
}

/// Folders with libraries: ours, and a published one if it is present.
pub fn libraries() -> Vec<std::path::PathBuf> {
    let ours = fixture().join("libs/synesthetic-schemas");
    std::iter::once(ours).chain(data("assets")).collect()
}

/// A library, its schemas by file name, and its example assets.
pub fn library(folder: &std::path::Path) -> (Served, BTreeMap<String, Value>, Vec<Value>) {
    let read = |file: &std::path::PathBuf| fs::read_to_string(file).unwrap();
    let schemas = files(&folder.join("jsonschema"), &["json"]);
    let name = |file: &std::path::Path| file.file_name().unwrap().to_str().unwrap().to_owned();
    let texts: BTreeMap<String, String> = schemas
        .iter()
        .map(|file| (name(file), read(file)))
        .collect();
    let served = Served::schemas(
        texts
            .iter()
            .map(|(name, text)| (name.as_str(), text.clone())),
    );
    let values = texts
        .iter()
        .map(|(name, text)| (name.clone(), serde_json::from_str(text).unwrap()));
    let examples = files(&folder.join("examples"), &["json"]);
    let examples = examples
        .iter()
        .map(|file| serde_json::from_str(&read(file)).unwrap());
    (served, values.collect(), examples.collect())
}

/// Pointers to the errors that have no further causes.
fn leaves(error: &ValidationError<'_, '_>, found: &mut Vec<String>) {
    if !error.causes.is_empty() {
        error.causes.iter().for_each(|cause| leaves(cause, found));
        return;
    }
    let place = error.instance_location.to_string();
    match &error.kind {
        ErrorKind::AdditionalProperties { got } => found.extend(
            got.iter()
                .map(|key| format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"))),
        ),
        _ => found.push(place),
    }
}

#[test]
fn another_validator_says_the_same_of_mutants() {
    let (mut count, mut invalid) = (0, 0);
    for folder in libraries() {
        let (served, values, examples) = library(&folder);
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.set_default_draft(boon::Draft::V2020_12);
        // A reference by file name to another version of a schema is to another address.
        let address = |file: &str| format!("http://library.test/{file}");
        for (file, schema) in &values {
            let mut schema = schema.clone();
            let id = schema
                .as_object_mut()
                .and_then(|members| members.shift_remove("$id"));
            let mut text = schema.to_string();
            if let Some((folder, _)) = id.as_ref().and_then(|id| id.as_str()?.rsplit_once('/')) {
                text = text.replace(&format!("{folder}/"), "");
            }
            compiler
                .add_resource(&address(file), serde_json::from_str(&text).unwrap())
                .unwrap();
        }
        let compiled: BTreeMap<&String, SchemaIndex> = values
            .keys()
            .map(|file| {
                (
                    file,
                    compiler.compile(&address(file), &mut schemas).unwrap(),
                )
            })
            .collect();
        let mut dice = Dice::new(7);
        for at in 0..600 {
            let asset = mutant(&examples[at % examples.len()], &mut dice);
            let own = asset["$schemaRef"]
                .as_str()
                .and_then(|at| at.rsplit('/').next());
            let any = compiled.keys().nth(dice.below(compiled.len())).unwrap();
            let files = own.and_then(|own| compiled.keys().find(|file| own == file.as_str()));
            for file in files.into_iter().chain([any]) {
                let index = compiled[*file];
                let mut judged = asset.clone();
                if let Some(members) = judged.as_object_mut() {
                    members.shift_remove("$schemaRef");
                    let own = values[*file]["properties"].get("$schema");
                    if own.is_none() {
                        members.shift_remove("$schema");
                    }
                }
                let theirs = schemas.validate(&judged, index);
                let ours = served.faults(file, &asset.to_string());
                count += 1;
                assert_eq!(theirs.is_ok(), ours.is_empty(), "{file} {asset}\n{ours:?}");
                let Err(error) = theirs else { continue };
                invalid += 1;
                let mut known = Vec::new();
                leaves(&error, &mut known);
                for (path, msg) in &ours {
                    let below = |leaf: &String| {
                        leaf == path || msg.starts_with("matches ") && leaf.starts_with(path)
                    };
                    assert!(
                        known.iter().any(below),
                        "{file} {asset}\n{path} {msg}\n{known:?}"
                    );
                }
            }
        }
    }
    eprintln!("{count} verdicts on mutants were compared, {invalid} of them bad");
    assert!(invalid > 500, "{invalid}");
}
