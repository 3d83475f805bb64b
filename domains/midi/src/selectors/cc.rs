//! `@cc`

use fcp::prelude::*;

use crate::model::{ControlChange, Song};
use crate::values::{Controller, Several};

/// Control changes of a controller, by name or number.
#[fcp_selector(bears_type)]
pub fn cc(song: &Song, controllers: Several<Controller>) -> Pick<'_> {
    Pick::test(move |row| {
        let control = song.row_as::<ControlChange>(row);
        let number = control.and_then(|control| Controller::new(control.number));
        number.is_some_and(|number| controllers.contains(&number))
    })
}
