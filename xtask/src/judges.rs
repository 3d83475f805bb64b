//! `judges`: the Python that tests hold tables against, with the packages of `xtask/judges`.

use std::path::Path;

use crate::{
    python,
    workspace::{self, Result},
};

/// What the process of the judges needs.
const REQUIREMENTS: &str = include_str!("../judges/src/python/requirements.txt");

/// Makes it beside what cargo builds, where the tests look for it.
pub fn run(root: &Path) -> Result<bool> {
    let metadata = workspace::metadata(root, false)?;
    let python = python::with(&metadata, "judges", REQUIREMENTS)?;
    println!("{}", python.display());
    Ok(true)
}
