//! A toolset to call, whose every reply is held against its published schema.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fcp::testing::toolbox;
use fcp::tool::{Cancel, Toolbox, Tools};
use fcp_assets::Assets;
use jsonschema::Validator;
use serde_json::{Value, json};
use tempfile::TempDir;

pub struct Served {
    tools: Toolbox<Assets>,
    schemas: RefCell<BTreeMap<String, Validator>>,
    _folder: Option<TempDir>,
}

/// The folder that the library of the tests lies under.
pub fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library")
}

/// Other people's files, or nothing and a loud word.
pub fn data(folder: &str) -> Option<PathBuf> {
    let found = std::env::var_os("FCP_DATA").map(|data| Path::new(&data).join(folder));
    let found = found.filter(|path| path.is_dir());
    if found.is_none() {
        eprintln!("NOTHING WAS CHECKED: there is no folder {folder} in what FCP_DATA names");
    }
    found
}

/// Every file below a folder that ends in `.json`, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

impl Served {
    /// The library of the tests.
    pub fn fixture() -> Self {
        Self::of(toolbox(&fixture()))
    }

    pub fn of(tools: Toolbox<Assets>) -> Self {
        Self {
            tools,
            schemas: RefCell::default(),
            _folder: None,
        }
    }

    /// Files of schemas, by their names.
    pub fn schemas<'f>(files: impl IntoIterator<Item = (&'f str, String)>) -> Self {
        let folder = TempDir::new().unwrap();
        let place = folder.path().join("libs/synesthetic-schemas/jsonschema");
        fs::create_dir_all(&place).unwrap();
        fs::create_dir(place.with_file_name("examples")).unwrap();
        for (name, text) in files {
            fs::write(place.join(name), text).unwrap();
        }
        Self {
            _folder: Some(folder),
            ..Self::of(toolbox(folder_path(&place)))
        }
    }

    /// What is answered, and whether that is an error.
    pub fn call(&self, tool: &str, arguments: &str) -> (String, bool) {
        let reply = self.tools.carry_out(tool, arguments, &Cancel::never());
        let reply = reply.unwrap_or_else(|| panic!("there is no tool {tool}"));
        let value: Value = serde_json::from_str(&reply.text).unwrap();
        let mut schemas = self.schemas.borrow_mut();
        let schema = schemas.entry(tool.to_owned()).or_insert_with(|| {
            let schema = self.tools.find(tool).unwrap().output.clone();
            jsonschema::draft202012::new(&Value::Object(schema)).unwrap()
        });
        if let Err(problem) = schema.validate(&value) {
            panic!(
                "{tool} answers what its schema does not allow: {problem}: {}",
                reply.text
            );
        }
        (reply.text, reply.is_error)
    }

    /// What is answered, if it is no error.
    pub fn text(&self, tool: &str, arguments: &str) -> String {
        let (text, is_error) = self.call(tool, arguments);
        assert!(!is_error, "{tool} {arguments}\n{text}");
        text
    }

    /// The error.
    pub fn refusal(&self, tool: &str, arguments: &str) -> String {
        let (text, is_error) = self.call(tool, arguments);
        assert!(is_error, "{tool} {arguments}\n{text}");
        text
    }

    /// What is answered, read.
    pub fn answer(&self, tool: &str, arguments: &Value) -> Value {
        serde_json::from_str(&self.call(tool, &arguments.to_string()).0).unwrap()
    }

    /// What is wrong with an asset: path and message of each.
    pub fn faults(&self, schema: &str, asset: &str) -> Vec<(String, String)> {
        let schema = json!(schema);
        let text = self.text(
            "validate_asset",
            &format!(r#"{{"asset":{asset},"schema":{schema},"detail":false}}"#),
        );
        let answer: Value = serde_json::from_str(&text).unwrap();
        let errors = answer["errors"].as_array().unwrap();
        assert_eq!(answer["ok"], errors.is_empty(), "{text}");
        let told = |error: &Value, key: &str| error[key].as_str().unwrap().to_owned();
        let errors = errors.iter();
        errors
            .map(|error| (told(error, "path"), told(error, "msg")))
            .collect()
    }
}

/// The folder that the path of schemas is relative to.
fn folder_path(place: &Path) -> &Path {
    place.ancestors().nth(3).unwrap()
}
