//! Pictures that drawings hold: what they are, how large they are, and how they are embedded.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fcp::prelude::*;
use imagesize::ImageType;

/// What a picture's header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its media type: `image/png`.
    pub mime: &'static str,
    /// How wide it is, in pixels.
    pub width: usize,
    /// How high it is, in pixels.
    pub height: usize,
}

impl Header {
    /// Reads the header of a PNG, JPEG, GIF or WebP; nothing of any other, or where it is broken.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mime = match imagesize::image_type(bytes).ok()? {
            ImageType::Png => "image/png",
            ImageType::Jpeg => "image/jpeg",
            ImageType::Gif => "image/gif",
            ImageType::Webp => "image/webp",
            _ => return None,
        };
        let size = imagesize::blob_size(bytes).ok()?;
        let (width, height) = (size.width, size.height);
        (width > 0 && height > 0).then_some(Self {
            mime,
            width,
            height,
        })
    }
}

/// A picture as the text of an address: `data:image/png;base64,…`.
#[must_use]
pub fn embedded(header: Header, bytes: &[u8]) -> String {
    format!("data:{};base64,{}", header.mime, STANDARD.encode(bytes))
}

/// Whether an address holds what it leads to.
#[must_use]
pub fn is_embedded(address: &str) -> bool {
    let scheme = address.trim_start().get(.."data:".len());
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The header of the picture that an address holds in base 64.
///
/// # Errors
/// It is no picture that is read.
pub fn of_data(address: &str) -> Result<Header, ValueError> {
    let wrong = || ValueError::sentence("this holds no PNG, JPEG, GIF or WebP in base 64");
    let (kind, data) = address.split_once(',').ok_or_else(wrong)?;
    if !kind.trim_end().to_ascii_lowercase().ends_with(";base64") {
        return Err(wrong());
    }
    let data: Vec<u8> = data
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let bytes = STANDARD.decode(data).map_err(|_| wrong())?;
    Header::read(&bytes).ok_or_else(wrong)
}

/// The header of the picture that a file holds.
///
/// # Errors
/// It is no picture that is read.
pub fn of_file(file: &FileBytes) -> Result<Header, ValueError> {
    Header::read(file.bytes()).ok_or_else(|| {
        let path = file.path();
        let error = format!("{path} is no PNG, JPEG, GIF or WebP");
        match path.rsplit_once('.') {
            Some((_, ending)) if ending.eq_ignore_ascii_case("svg") => ValueError::sentence(error)
                .first(format!("raw file:{}", fcp::op::quote_value(path))),
            _ => ValueError::sentence(error),
        }
    })
}
