//! The tools, one per file.
//! Code that two tools share is in another room.

mod apply_patch;
mod bundle_schema;
mod diff_assets;
mod get_example;
mod get_schema;
mod list_examples;
mod list_schemas;
mod populate_backend;
mod validate_asset;
mod validate_many;
