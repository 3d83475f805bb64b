//! `@channel`

use fcp::prelude::*;

use crate::model::Song;
use crate::values::{Channel, Several};

/// Rows on a channel, 1 to 16.
#[fcp_selector(alias = "ch")]
pub fn channel(song: &Song, channels: Several<Channel>) -> Pick<'_> {
    Pick::test(move |row| {
        song.channel_of(row)
            .is_some_and(|own| channels.contains(&own))
    })
}
