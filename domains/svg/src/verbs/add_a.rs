//! `add a`

use fcp::prelude::*;

use crate::create::{Drawn, Sketch, href};
use crate::model::Drawing;
use crate::values::Link;

/// Make an empty hyperlink, which objects go into.
///
/// ```fcp
/// add a id:home href:https://example.com
/// > + a home
/// add rect size:10x10 at:0,0 in:home
/// > + rect rect~1 @(0,0 10x10) in:home
/// add a id:other href:https://example.com/a,
/// > ! href:https://example.com/a, ends like a list
/// >   try: add a id:other href:https://example.com/a
/// add a href:javascript:alert()
/// > ! href: cannot run a script
/// >   try: add a href:#
/// ```
#[fcp_verb(category = "Draw")]
pub fn add_a(
    drawing: &mut Drawing,
    /// Its target.
    href: Link,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let attrs = vec![(self::href(drawing), href.to_string())];
    drawing.create(Sketch::new("a", attrs), &drawn, site)
}
