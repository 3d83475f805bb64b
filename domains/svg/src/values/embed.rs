//! Whether a picture is embedded, and the files that it may be taken from.

use fcp::prelude::*;
use fcp::verb::Files;

use crate::Drawing;

/// `on`: a picture goes into the drawing.
#[derive(Clone, Debug)]
pub struct Embed {
    /// It does.
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
