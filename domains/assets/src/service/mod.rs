//! The domain as the framework sees it: its name, flags and examples, and how it opens and serves. The work itself is
//! done in the rooms below.

mod large;
mod resources;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use fcp::endpoint::{Config, Flag};
use fcp::prelude::*;
use fcp::tool::{Contents, Resource, Template, Toolbox, Tools, Transport};

use crate::backend::Backend;
use crate::command;
use crate::library::{Library, Sources};
use crate::log;
use crate::process::{self, About};
use crate::state::{Assets, DISABLED, REQUIRE_VALIDATION};

impl Toolset for Assets {
    const DOMAIN: &'static str = "assets";
    const TITLE: &'static str = "JSON assets";
    const INSTRUCTIONS: &'static str = "Find schemas with list_schemas and examples with list_examples, read them with \
        get_schema and get_example, write an asset and check it with validate_asset, see with diff_assets what a change \
        is, and store the asset with populate_backend.";
    const FLAGS: &'static [Flag] = &[
        command::VALIDATE,
        command::SCHEMA,
        command::LIST,
        command::DIFF,
        command::BUNDLE,
        REQUIRE_VALIDATION,
    ];
    const SEQUENTIAL: bool = true;
    const LARGE: &'static [LargeTools] = large::LARGE;
    const EXAMPLE_FILES: &'static [(&'static str, &'static str)] = &[
        (
            "libs/synesthetic-schemas/jsonschema/shader.schema.json",
            r#"{
  "$id": "https://schemas.example.test/1.0.0/shader.schema.json",
  "type": "object",
  "required": ["name", "stage"],
  "properties": {
    "name": { "type": "string", "minLength": 1 },
    "stage": { "enum": ["vertex", "fragment"] }
  },
  "additionalProperties": false
}
"#,
        ),
        (
            "libs/synesthetic-schemas/examples/Shader_Example.json",
            "{ \"name\": \"Wave\", \"stage\": \"vertex\" }\n",
        ),
    ];

    const TEMPLATES: &'static [Template] = resources::TEMPLATES;

    fn resources(&self) -> Vec<Resource> {
        resources::list(&self.library)
    }

    fn read(&self, uri: &str) -> Option<Contents> {
        resources::read(&self.library, uri)
    }

    fn shorter(tool: &str) -> &'static str {
        match tool {
            "validate_many" => "send fewer items, or detail: false",
            "validate_asset" => "send detail: false",
            "get_schema" | "bundle_schema" | "get_example" => "read its file, or its resource",
            "diff_assets" | "apply_patch" => "send less of the asset",
            _ => "ask for less",
        }
    }

    fn disabled(&self, tool: &str) -> Option<String> {
        let off = tool == "populate_backend" && self.backend.is_none();
        off.then(|| DISABLED.to_owned())
    }

    fn open(config: &Config) -> Result<Self> {
        let variable = |name: &str| std::env::var(name).ok();
        let library = Library::load(&Sources::of(&config.root, variable)).map_err(|problem| {
            log::setup_failed(&problem);
            Diagnostic::new(problem.to_string())
        })?;
        for warning in &library.warnings {
            log::line(warning);
        }
        Ok(Self {
            backend: Backend::of(variable),
            require_validation: config.flags.has(&REQUIRE_VALIDATION),
            ..Self::of(library)
        })
    }

    fn instead(tools: &Toolbox<Self>, config: &Config) -> io::Result<Option<ExitCode>> {
        command::run(tools, config)
    }

    fn front(tools: &Arc<Toolbox<Self>>, mcp: &Transport<'_>) -> io::Result<()> {
        let about = tools.look(About::of);
        let tools = Arc::clone(tools) as Arc<dyn Tools>;
        process::serve(&tools, &about, mcp)
    }
}
