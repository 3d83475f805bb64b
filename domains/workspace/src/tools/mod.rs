//! The tools, one per file: arguments, reply, examples.
//! Code that two tools share is in another room.

mod snapshot_catalog;
mod snapshot_changes;
mod snapshot_create;
mod snapshot_diff;
mod snapshot_export;
mod snapshot_file;
mod snapshot_gc;
mod snapshot_grep;
mod snapshot_info;
mod snapshot_list;
mod snapshot_materialize;
mod snapshot_restore;
mod workspace_apply_patch;
mod workspace_delete;
mod workspace_edit;
mod workspace_lease;
mod workspace_write_file;
