//! Embedding of pictures, and the files they may come from.

use fcp::prelude::*;
use fcp::verb::Files;

use super::image::{embedded, in_folder, is_embedded, of_file};
use crate::model::{Drawing, NodeId};

/// Whether to embed a picture.
#[derive(Clone, Debug)]
pub struct Embed {
    /// Whether it is embedded.
    pub on: bool,
    /// The files that ops may read.
    pub files: Files,
}

impl Embed {
    /// The attribute and the data URL that embed an image's file; `None` if it is as wanted already.
    ///
    /// # Errors
    /// If the element is not an image, its file is not readable, or an embedded picture should become a
    /// file.
    pub fn embedding(
        &self,
        drawing: &Drawing,
        id: NodeId,
    ) -> Result<Option<(&'static str, String)>> {
        let nodes = &drawing.nodes;
        let (kind, name) = (nodes.kind_name(id), nodes.name(id));
        if kind != "image" {
            bail!("{name} is a {kind}, not an image"; try: "? list @type:image")
        }
        let Some(address) = nodes.attr(id, &drawing.href_name(id)) else {
            bail!("{name} has no picture"; try: "? describe {name}")
        };
        match (self.on, is_embedded(&address)) {
            (true, true) | (false, false) => Ok(None),
            (false, true) => {
                bail!("the picture of {name} has no file of its own"; try: "? describe {name}")
            }
            (true, false) => {
                let read = self.files.read(&in_folder(&drawing.folder, address.trim()));
                let file = read.and_then(|file| of_file(&file).map(|header| (header, file)));
                let (header, file) = file.map_err(|error| {
                    let wrong = Diagnostic::new(error.about(&address));
                    match error.fix {
                        Some(near) => {
                            let href = drawing.href_name(id);
                            let near = fcp::op::quote(&near).into_owned();
                            wrong.or_try(format!("set {name} {href} {near}"))
                        }
                        None => wrong.or_try(format!("? describe {name}")),
                    }
                })?;
                Ok(Some(("href", embedded(header, file.bytes()))))
            }
        }
    }
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
