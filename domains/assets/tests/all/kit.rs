//! A toolset to call: in this process, and as the real program in both dialects, which must agree.
//! Every reply is checked against its published schema.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fcp::testing::toolbox;
use fcp::tool::{Cancel, Structured, Toolbox, Tools};
use fcp_assets::Assets;
use fcp_assets::front::LINE_BYTES;
use jsonschema::Validator;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Program, plain};

pub struct Served {
    tools: Toolbox<Assets>,
    program: RefCell<Program>,
    schemas: RefCell<BTreeMap<String, Validator>>,
    _folder: Option<TempDir>,
}

/// The folder with the test library.
pub fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library")
}

impl Served {
    /// The test library.
    pub fn fixture() -> Self {
        Self::at(&fixture())
    }

    /// The library in a folder.
    pub fn at(folder: &Path) -> Self {
        Self {
            tools: toolbox(folder),
            program: RefCell::new(Program::start(folder, &[])),
            schemas: RefCell::default(),
            _folder: None,
        }
    }

    /// A library of schema files, by their names.
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
            ..Self::at(folder_path(&place))
        }
    }

    /// The reply, and whether it is an error.
    pub fn call(&self, tool: &str, arguments: &str) -> (String, bool) {
        let reply = self.tools.carry_out(tool, arguments, &Cancel::never());
        let reply = reply.unwrap_or_else(|| panic!("there is no tool {tool}"));
        let value: Value = serde_json::from_str(&reply.text).unwrap();
        let mut schemas = self.schemas.borrow_mut();
        let schema = schemas.entry(tool.to_owned()).or_insert_with(|| {
            let schema = self.tools.find(tool).unwrap().output();
            jsonschema::draft202012::new(&Value::Object(schema)).unwrap()
        });
        if let Err(problem) = schema.validate(&value) {
            panic!(
                "{tool} answers what its schema does not allow: {problem}: {}",
                reply.text
            );
        }
        self.program_says(tool, arguments, &reply);
        (reply.text, reply.is_error)
    }

    /// Checks that the program gives the same reply in both dialects.
    fn program_says(&self, tool: &str, arguments: &str, reply: &Structured) {
        let mut program = self.program.borrow_mut();
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        // Longer lines are rejected unread.
        if call.len() > LINE_BYTES {
            return;
        }
        let answer: Value = serde_json::from_str(&program.ask(&call)).unwrap();
        let answer = &answer["result"];
        assert_eq!(answer["content"][0]["text"], reply.text, "{call}");
        assert_eq!(
            answer["structuredContent"],
            reply.value().unwrap(),
            "{call}"
        );
        assert_eq!(answer["isError"] == true, reply.is_error, "{call}");
        let takes = &self.tools.find(tool).unwrap().input["properties"];
        let given: Value = serde_json::from_str(arguments).unwrap();
        let Some(given) = given.as_object() else {
            return;
        };
        // The plain dialect ignores unknown members and shortens errors.
        if given.keys().any(|name| takes.get(name).is_none()) {
            return;
        }
        let mut spelled = arguments.to_owned();
        if takes.get("detail").is_some() && !given.contains_key("detail") {
            let comma = if given.is_empty() { "" } else { "," };
            let start = spelled.find('{').unwrap() + 1;
            spelled.insert_str(start, &format!("\"detail\":true{comma}"));
        }
        let answer = program.ask(&plain("1", tool, &spelled));
        let wanted = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{}}}"#, reply.text);
        assert_eq!(answer, wanted, "{spelled}");
    }

    /// The reply, which must not be an error.
    pub fn text(&self, tool: &str, arguments: &str) -> String {
        let (text, is_error) = self.call(tool, arguments);
        assert!(!is_error, "{tool} {arguments}\n{text}");
        text
    }

    /// The reply, which must be an error.
    pub fn refusal(&self, tool: &str, arguments: &str) -> String {
        let (text, is_error) = self.call(tool, arguments);
        assert!(is_error, "{tool} {arguments}\n{text}");
        text
    }

    /// The reply as a value.
    pub fn answer(&self, tool: &str, arguments: &Value) -> Value {
        serde_json::from_str(&self.call(tool, &arguments.to_string()).0).unwrap()
    }

    /// The errors of an asset: path and message of each.
    pub fn faults(&self, schema: &str, asset: &str) -> Vec<(String, String)> {
        let schema = json!(schema);
        let text = self.text(
            "validate_asset",
            &format!(r#"{{"asset":{asset},"schema":{schema},"detail":false}}"#),
        );
        let answer: Value = serde_json::from_str(&text).unwrap();
        let errors = answer["errors"].as_array().unwrap();
        assert_eq!(answer["ok"], errors.is_empty(), "{text}");
        let field = |error: &Value, key: &str| error[key].as_str().unwrap().to_owned();
        let errors = errors.iter();
        errors
            .map(|error| (field(error, "path"), field(error, "msg")))
            .collect()
    }
}

/// The folder that the path of schemas is relative to.
fn folder_path(place: &Path) -> &Path {
    place.ancestors().nth(3).unwrap()
}
