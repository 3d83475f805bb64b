//! Embedding of pictures, and the files they may come from.

use fcp::prelude::*;
use fcp::verb::Files;

use crate::Drawing;

/// Whether to embed a picture.
#[derive(Clone, Debug)]
pub struct Embed {
    /// Whether it is embedded.
    pub on: bool,
    /// The files that ops may read.
    pub files: Files,
}

impl FromArg<Drawing> for Embed {
    fn spec() -> ValueSpec {
        Switch::SPEC
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        Ok(Self {
            on: Switch::parse(arg.text)?.0,
            files: scope.files.clone(),
        })
    }
}
