//! D21: files.

use std::fs;

use super::Row;
use crate::testing::contract::case::Case;
use crate::testing::contract::verdict::{Proved, fail, holds};

pub(super) const ROWS: &[Row] = &[Row {
    id: "D21",
    rule: "No path leads out of the root; a save is whole or not at all, and writes over no file that changed on disk; new forgets the path.",
    proof: "Saves to ../, to an absolute path and through a link are refused; a changed file is kept until save force; save after new is an error with a path to try.",
    restated: &["M3"],
    prove: files,
}];

fn files(case: &Case<'_>) -> Proved {
    let (mut talk, ops) = case.grown(1, 1)?;
    let file = &case.known.file;
    let root = case.folder();
    let outside = std::env::temp_dir().join(format!("fcp-outside-{}-{file}", std::process::id()));
    let mut ways = vec![
        format!("../{file}"),
        format!("a/../../{file}"),
        outside.display().to_string(),
    ];
    #[cfg(unix)]
    {
        let link = root.join("link");
        std::os::unix::fs::symlink(std::env::temp_dir(), link).map_err(fail)?;
        ways.push(format!(
            "link/{}",
            outside
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        ));
    }
    for way in &ways {
        talk.act(&format!("save as:\"{way}\""))?.bad()?;
        talk.act(&format!("open \"{way}\""))?.bad()?;
        holds!(!outside.exists(), "save as:{way} wrote outside of the root");
    }
    let none = talk.act("save")?.bad()?;
    holds!(
        none.repair().is_some_and(|repair| repair.contains("as:")),
        "save without a path suggests none: {}",
        none.text
    );
    talk.acts(&format!("save as:{file}"))?;
    let saved = fs::read(root.join(file)).map_err(fail)?;
    talk.does(&ops[..1])?;
    fs::write(root.join(file), b"somebody else").map_err(fail)?;
    talk.act("save")?.bad()?;
    let kept = fs::read(root.join(file)).map_err(fail)?;
    holds!(
        kept == b"somebody else",
        "save wrote over a file that had changed on disk"
    );
    talk.acts("save force")?;
    let forced = fs::read(root.join(file)).map_err(fail)?;
    holds!(
        forced != saved && forced != kept,
        "save force did not write"
    );
    let entries = fs::read_dir(root).map_err(fail)?.flatten();
    let names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let left = names.iter().find(|name| *name != file && *name != "link");
    holds!(
        left.is_none(),
        "a save leaves {} behind",
        left.map_or("", String::as_str)
    );
    talk.acts(&case.known.new)?;
    talk.does(&case.known.good[..1])?;
    talk.act("save")?.bad()?;
    let now = fs::read(root.join(file)).map_err(fail)?;
    holds!(
        now == forced,
        "save after new wrote over the file that was open before"
    );
    Ok(())
}
