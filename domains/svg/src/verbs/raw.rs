//! `raw`

use fcp::prelude::*;

use crate::create::Drawn;
use crate::model::Drawing;
use crate::source::fragment::{Source, insert};
use crate::syntax::id::ElementId;

/// Insert a piece of SVG byte for byte, on a line of its own if its siblings have theirs.
///
/// It is well-formed by itself, its prefixes are bound where it goes, and it has no DOCTYPE and runs no script. Its ids
/// must be free; `prefix:` makes them so, and what refers to them in the piece follows.
///
/// ```fcp
/// raw '<rect id="card" width="40" height="20"/>'
/// > + rect card
/// raw '<use id="twin" href="#card" x="50"/>' before:card
/// > + use twin
/// raw '<g id="card"><use href="#card"/></g>'
/// > ! id:card is already a rect
/// >   try: raw "<g id=\"card\"><use href=\"#card\"/></g>" prefix:p-
/// raw '<g id="card"><use href="#card"/></g>' prefix:p-
/// > + group p-card
/// ? svg p-card
/// > <g id="p-card"><use href="#p-card"/></g>
/// raw '<rect onclick="x()" width="4" height="2"/>'
/// > ! onclick runs a script, which no op writes
/// >   try: raw "<rect width=\"4\" height=\"2\"/>"
/// raw '<g>'
/// > ! line 1 column 1: <g> is never closed
/// >   syntax: raw [XML] [file:FILE] [prefix:ID] [in:REF] [before:REF] [after:REF]
/// ```
#[fcp_verb(category = "Draw")]
pub fn raw(
    drawing: &mut Drawing,
    /// Well-formed XML.
    #[fcp(positional)]
    xml: Option<Text>,
    /// A file that holds it instead.
    file: Option<FileBytes>,
    /// A prefix for its ids.
    prefix: Option<ElementId>,
    #[fcp(flatten)] insertion: Insertion,
) -> Result<Reply> {
    let source = match (&xml, &file) {
        (Some(xml), None) => Source::Text(xml.as_str()),
        (None, Some(file)) => Source::File(file),
        (None, None) => bail!("raw needs XML or file:"; try: "raw '<g/>'"),
        (Some(_), Some(_)) => bail!("raw takes XML or file:, not both"; try: "raw '<g/>'"),
    };
    let Insertion {
        container,
        before,
        after,
    } = insertion;
    let site = Drawn::place(drawing, container.as_ref(), before, after)?;
    let prefix = prefix.as_ref().map(ElementId::as_str);
    let made = insert(drawing, &source, site, prefix)?;
    let made = made.into_iter();
    let elements = made.filter(|id| drawing.nodes.element(*id).is_some());
    let names: Vec<String> = elements.map(|id| drawing.titled(id)).collect();
    Ok(if names.is_empty() {
        created!("no element")
    } else {
        created!("{}", names.join(", "))
    })
}

/// The place of a piece.
#[derive(FcpParams)]
pub struct Insertion {
    /// The container it goes into, in front of all in it; the drawing if left out.
    #[fcp(key = "in")]
    pub container: Option<Spanned<Row>>,
    /// The object it goes directly behind, as seen from the front.
    pub before: Option<Row>,
    /// The object it goes directly in front of.
    pub after: Option<Row>,
}
