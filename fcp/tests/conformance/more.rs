//! Features for the contract's rows that the board lacks: arrows, a verb and a key with aliases, a
//! verb `define`.

use fcp::prelude::*;

use crate::board::{Board, Lane, Link};

/// Make one card wait for another, and say who looks after it.
///
/// ```fcp
/// # add lane Todo
/// # add card Paint in:Todo
/// # add card Hang in:Todo
/// connect Paint -> Hang note:dry
/// > ~ Paint -> Hang
/// connect Hang <-> Paint
/// > ~ Hang <-> Paint
/// ```
#[fcp_verb(category = "Cards", alias = "wire")]
pub fn connect(
    board: &mut Board,
    /// The cards, and an arrow between them.
    #[fcp(rest)]
    ends: Vec<Text>,
    /// A note on the first.
    #[fcp(alias = "why")]
    note: Option<Text>,
) -> Result<Reply> {
    let [from, arrow, to] = ends.as_slice() else {
        bail!("two cards, and an arrow between them");
    };
    let card = |name: &Text| {
        let mut cards = board.cards.iter();
        let found = cards.find(|(_, card)| card.name.to_string() == name.to_string());
        found.map(|(id, _)| id)
    };
    let (Some(one), Some(other)) = (card(from), card(to)) else {
        bail!("no such card");
    };
    board.links.insert(Link {
        from: one,
        to: other,
    });
    board.cards.modify(one, |card| card.note = note);
    Ok(linked!("{from} {arrow} {to}"))
}

/// Say what lanes there are.
///
/// ```fcp
/// define Later
/// > + lane Later
/// ```
#[fcp_verb(category = "Board")]
pub fn define(
    board: &mut Board,
    /// Its name.
    #[fcp(positional)]
    name: Name,
) -> Result<Reply> {
    let reply = created!("lane {name}");
    board.lanes.insert(Lane { name });
    Ok(reply)
}
