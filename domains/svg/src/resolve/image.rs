//! Raster images in drawings: their types, sizes and embedding.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fcp::prelude::*;
use imagesize::ImageType;

/// The contents of an image file's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its media type: `image/png`.
    pub mime: &'static str,
    /// Its width, in pixels.
    pub width: usize,
    /// Its height, in pixels.
    pub height: usize,
}

impl Header {
    /// Reads the header of a PNG, JPEG, GIF or WebP; `None` for other formats and for a broken
    /// header.
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

/// Encodes an image as a data URL: `data:image/png;base64,…`.
#[must_use]
pub fn embedded(header: Header, bytes: &[u8]) -> String {
    format!("data:{};base64,{}", header.mime, STANDARD.encode(bytes))
}

/// Whether an address contains its data.
#[must_use]
pub fn is_embedded(address: &str) -> bool {
    let scheme = address.trim_start().get(.."data:".len());
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Reads the header of the image in a base64 data URL.
///
/// # Errors
/// If it is not an image in one of these formats.
pub fn of_data(address: &str) -> Result<Header, ValueError> {
    let wrong = || ValueError::sentence("this is not a PNG, JPEG, GIF or WebP in base 64");
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

/// Reads the header of an image file.
///
/// # Errors
/// If it is not an image in one of these formats.
pub fn of_file(file: &FileBytes) -> Result<Header, ValueError> {
    Header::read(file.bytes()).ok_or_else(|| {
        let path = file.path();
        let error = format!("{path} is not a PNG, JPEG, GIF or WebP");
        match path.rsplit_once('.') {
            Some((_, ending)) if ending.eq_ignore_ascii_case("svg") => ValueError::sentence(error)
                .first(format!("raw file:{}", fcp::op::quote_value(path))),
            _ => ValueError::sentence(error),
        }
    })
}

/// The path from the root to a file that a drawing in a folder refers to.
#[must_use]
pub fn in_folder(folder: &str, address: &str) -> String {
    if folder.is_empty() || address.starts_with('/') {
        return address.to_owned();
    }
    format!("{folder}/{address}")
}

/// The path from a drawing in a folder below the root to a file: `../photo.png`. If one of them is
/// not relative to the root, the path stays unchanged.
#[must_use]
pub fn from_folder(folder: &str, path: &str) -> String {
    let (Some(folder), Some(to)) = (steps(folder), steps(path)) else {
        return path.to_owned();
    };
    if folder.is_empty() {
        return path.to_owned();
    }
    let same = folder.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = folder.iter().skip(same).map(|_| "..");
    let down = to.iter().skip(same).copied();
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// The names along a path from the root; `None` if it is absolute or leaves the root.
fn steps(path: &str) -> Option<Vec<&str>> {
    if path.starts_with('/') {
        return None;
    }
    let mut steps = Vec::new();
    for step in path.split('/').filter(|step| !matches!(*step, "" | ".")) {
        if step == ".." {
            steps.pop()?;
        } else {
            steps.push(step);
        }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_referred_to_from_the_folder_of_the_drawing() {
        for (folder, path, address) in [
            ("", "./a.png", "./a.png"),
            ("sub", "a.png", "../a.png"),
            ("sub", "sub/a.png", "a.png"),
            ("./sub/deep", "sub/./other/a.png", "../other/a.png"),
            ("sub", "/photos/a.png", "/photos/a.png"),
            ("sub", "../a.png", "../a.png"),
        ] {
            assert_eq!(from_folder(folder, path), address, "{folder} {path}");
        }
        assert_eq!(in_folder("sub", "../a.png"), "sub/../a.png");
        assert_eq!(in_folder("", "a.png"), "a.png");
    }

    #[test]
    fn headers_determine_types_and_sizes() {
        let png = [
            &b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..],
            &[0, 0, 0, 7, 0, 0, 1, 0, 8, 2, 0, 0, 0],
        ];
        let jpeg = [
            &b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"[..],
            b"\xff\xc0\0\x11\x08\x01\0\0\x07\x03\x01\x22\0\x02\x11\x01\x03\x11\x01",
        ];
        let gif = [&b"GIF89a\x07\0\0\x01\0\0\0"[..], b""];
        let webp = [
            &b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0"[..],
            &[6, 0, 0, 255, 0, 0],
        ];
        for (bytes, mime) in [
            (png, "image/png"),
            (jpeg, "image/jpeg"),
            (gif, "image/gif"),
            (webp, "image/webp"),
        ] {
            let bytes = bytes.concat();
            let found = Header::read(&bytes);
            let wanted = Header {
                mime,
                width: 7,
                height: 256,
            };
            assert_eq!(found, Some(wanted), "{mime}");
            assert_eq!(of_data(&embedded(wanted, &bytes)), Ok(wanted), "{mime}");
        }
        for bytes in [&b""[..], b"GIF89a", b"<svg/>", b"\x89PNG\r\n\x1a\n"] {
            assert_eq!(Header::read(bytes), None, "{bytes:?}");
        }
        for address in ["data:", "data:image/gif,R0", "data:image/gif;base64,-", "x"] {
            assert!(of_data(address).is_err(), "{address}");
        }
    }
}
