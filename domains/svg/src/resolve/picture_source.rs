//! Sources of pictures.

use fcp::prelude::*;

use super::image::{Header, embedded, from_folder, is_embedded, of_data, of_file};
use crate::model::Drawing;

/// A picture in an op: a file below the root, or a data URL.
#[derive(Clone, Debug)]
pub struct PictureSource {
    header: Header,
    address: String,
    file: Option<FileBytes>,
}

impl PictureSource {
    /// The contents of its header.
    #[must_use]
    pub const fn header(&self) -> Header {
        self.header
    }

    /// The address that refers to it, from a folder below the root; with `embed`, a data URL.
    #[must_use]
    pub fn address(&self, embed: bool, folder: &str) -> String {
        match &self.file {
            Some(file) if embed => embedded(self.header, file.bytes()),
            Some(_) => from_folder(folder, &self.address),
            None => self.address.clone(),
        }
    }
}

impl FromArg<Drawing> for PictureSource {
    fn spec() -> ValueSpec {
        ValueSpec::new(
            "PICTURE",
            "a PNG, JPEG, GIF or WebP file, or data:image/…;base64,…",
        )
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        let text = match arg.kind {
            Some(kind) => format!("{kind}:{}", arg.text),
            None => arg.text.to_owned(),
        };
        if is_embedded(&text) {
            return Ok(Self {
                header: of_data(&text)?,
                address: text,
                file: None,
            });
        }
        let file = scope.files.read(&text)?;
        Ok(Self {
            header: of_file(&file)?,
            address: text,
            file: Some(file),
        })
    }
}
