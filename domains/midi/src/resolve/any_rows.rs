//! Rows of any type, not of notes alone.

use fcp::op::Selector;
use fcp::prelude::*;
use fcp::verb::Takes;

use crate::model::Song;

/// Rows of tracks, of any type if selectors name none: faults of a track are not limited to notes.
#[derive(Clone, Debug)]
pub struct AnyRows(pub Rows);

impl FromArg<Song> for AnyRows {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Rows as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        const TYPED: [&str; 5] = ["type", "cc", "text", "id", "recent"];
        let plain = || <Rows as FromArg<Song>>::from_arg(arg, scope).map(Self);
        let names_type = |selector: &&Selector<'_>| TYPED.contains(&&*selector.kind);
        let any = fcp::op::parse("fix @type:any").ok();
        let Some(any) = any.as_ref().and_then(|op| op.selectors().next()) else {
            return plain();
        };
        if arg.selectors.is_empty() || arg.selectors.iter().any(names_type) {
            return plain();
        }
        let selectors: Vec<&Selector<'_>> = arg.selectors.iter().copied().chain([any]).collect();
        let wide = Arg {
            selectors: &selectors,
            ..arg.clone()
        };
        // Errors are reported about the text as sent.
        <Rows as FromArg<Song>>::from_arg(&wide, scope)
            .map_or_else(|_| plain(), |rows| Ok(Self(rows)))
    }
}
