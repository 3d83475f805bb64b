//! `export`

use fcp::diag::Repair;
use fcp::prelude::*;

use crate::model::Drawing;
use crate::render::Framing;

/// An export format.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// A picture.
    Png,
    /// Scalable Vector Graphics.
    Svg,
    /// SVG packed by gzip.
    Svgz,
}

/// Write a picture, or the drawing in another format; the document keeps its own file.
///
/// ```fcp
/// # ! new size:60x40
/// ! export as:small.png width:30
/// > * Exported small.png (…
/// ! export svg as:small.png
/// > ! "small.png" exists already; force overwrites it
/// >   try: export svg as:small-2.png
/// ! export png as:large.png scale:1000
/// > ! …
/// >   try: export png as:large.png width:4096
/// ! export svg as:copy.svg width:30
/// > ! width:, scale:, region: and background: are for png
/// >   syntax: export [EXPORTED] as:TEXT [width:N] [scale:NUMBER] [region:X1,Y1-X2,Y2] [background:COLOR]
/// ```
#[fcp_action]
pub fn export(
    drawing: &Drawing,
    /// The format; by the path's extension if left out.
    #[fcp(positional, key)]
    format: Option<Exported>,
    /// Its path.
    #[fcp(key = "as")]
    path: Spanned<Text>,
    #[fcp(flatten)] framing: Framing,
) -> Result<Vec<u8>> {
    let given = path.get().as_str();
    let name = given.rsplit('/').next().unwrap_or(given);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let of_extension = Exported::parse(&extension.to_lowercase()).ok();
    let Some(format) = format.or(of_extension) else {
        let message = "must end in .png, .svg or .svgz";
        return Err(path.wrong(ValueError::new(message).fix(format!("{stem}.png"))));
    };
    let framed = framing.width.is_some()
        || framing.scale.is_some()
        || framing.region.is_some()
        || framing.background.is_some();
    match format {
        Exported::Png => {
            let picture = drawing.picture(&[], &framing, false);
            Ok(picture.map_err(|error| exported(error, path.op()))?.png)
        }
        _ if framed => {
            bail!("width:, scale:, region: and background: are for png")
        }
        Exported::Svg => drawing.file("svg"),
        Exported::Svgz => drawing.file("svgz"),
    }
}

/// The error of a picture whose repair is a query, with the action in its place.
fn exported(error: Diagnostic, action: &str) -> Diagnostic {
    let (Repair::Try(query) | Repair::Untried(query)) = &error.repair else {
        return error;
    };
    let Some((_, framing)) = query.rsplit_once(' ') else {
        return error;
    };
    let is_kept = |word: &&str| !word.starts_with("width:") && !word.starts_with("scale:");
    let kept: Vec<&str> = action.split_whitespace().filter(is_kept).collect();
    let repair = Repair::Untried(format!("{} {framing}", kept.join(" ")));
    Diagnostic { repair, ..error }
}
