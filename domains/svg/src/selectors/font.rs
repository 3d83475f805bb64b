//! `@font`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::style::{Styles, tallied};

/// Texts by a family of their computed font.
#[fcp_selector]
pub fn font(drawing: &Drawing, family: Text) -> Pick<'_> {
    let styles = drawing.styles();
    let wanted = plain(family.as_str());
    let pick = Pick::test(move |row| {
        let id = NodeId::new(row.id());
        is_text(&styles, id) && {
            let own = styles.computed(id, "font-family").value;
            own.split(',').any(|own| plain(own) == wanted)
        }
    });
    pick.or_tell(|| {
        let styles = drawing.styles();
        tallied(
            "fonts",
            &styles.values("font-family", |id| is_text(&styles, id)),
        )
    })
}

fn is_text(styles: &Styles<'_>, id: NodeId) -> bool {
    styles.is_graphic(id) && styles.nodes().kind_name(id) == "text"
}

/// A family's name without its quotes, in lower case.
fn plain(family: &str) -> String {
    family.trim().trim_matches(['"', '\'']).to_lowercase()
}
