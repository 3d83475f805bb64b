//! The verbs, a file each.

mod chord;
mod copy;
mod fix_damage;
mod marker;
mod modify;
mod modify_track;
mod note;
mod remove;
mod repeat;
mod tempo;
mod time_sig;
mod track_add;
mod track_remove;
mod track_rename;
mod transpose;
