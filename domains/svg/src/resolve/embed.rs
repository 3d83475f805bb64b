//! Whether a picture is embedded, and the files that it may be taken from.

use fcp::prelude::*;
use fcp::verb::Files;

use crate::model::{Drawing, NodeId};
use crate::syntax::image::{embedded, in_folder, is_embedded, of_file};

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

/// The attribute and the address that hold the picture of an image, where they are to; nothing if they do already.
///
/// # Errors
/// It is no image, its file is none that is read, or a picture that has no file is to go out.
pub fn taken_in(
    drawing: &Drawing,
    id: NodeId,
    embed: &Embed,
) -> Result<Option<(&'static str, String)>> {
    let nodes = &drawing.nodes;
    let (kind, name) = (nodes.kind_name(id), nodes.name(id));
    if kind != "image" {
        bail!("{name} is a {kind}, no image"; try: "? list @type:image")
    }
    let Some(address) = nodes.attr(id, &drawing.standing_href(id)) else {
        bail!("{name} has no picture"; try: "? describe {name}")
    };
    match (embed.on, is_embedded(&address)) {
        (true, true) | (false, false) => Ok(None),
        (false, true) => {
            bail!("the picture of {name} has no file of its own"; try: "? describe {name}")
        }
        (true, false) => {
            let read = embed
                .files
                .read(&in_folder(&drawing.folder, address.trim()));
            let file = read.and_then(|file| of_file(&file).map(|header| (header, file)));
            let (header, file) = file.map_err(|error| {
                let wrong = Diagnostic::new(error.about(&address));
                match error.fix {
                    Some(near) => {
                        let href = drawing.standing_href(id);
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
