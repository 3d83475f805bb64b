//! `judges`: the Python that tests check tables with, with the packages of `xtask/judges`.

use std::path::Path;

use crate::{
    python,
    workspace::{self, Result},
};

/// The packages required by the judges' process.
const REQUIREMENTS: &str = include_str!("../judges/src/python/requirements.txt");

/// Makes the Python next to cargo's build output, where the tests look for it.
pub fn run(root: &Path) -> Result<bool> {
    let metadata = workspace::metadata(root, false)?;
    let python = python::with(&metadata, "judges", REQUIREMENTS)?;
    println!("{}", python.display());
    Ok(true)
}
