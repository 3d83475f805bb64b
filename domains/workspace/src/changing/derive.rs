//! Edits of snapshots: the result is another snapshot, and the disk is not read.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::identity::Blob;
use crate::reply::{Answer, Failure};
use crate::session::Workspace;
use crate::store::{Meta, Snapshot, stamp};

/// A change of one captured file: its new content, or `None` if it is removed, and its new executable
/// flag if that is set.
pub type Edit = (Option<Vec<u8>>, Option<bool>);

/// Applies edits and returns the id of the result, which is stored unless this is a dry run.
pub fn derive(
    workspace: &Workspace,
    root: usize,
    base: &Snapshot,
    base_meta: &Meta,
    edits: BTreeMap<String, Edit>,
    patch: Option<Blob>,
    dry_run: bool,
) -> Answer<Blob> {
    let (store, mut total) = (&workspace.store, base_meta.total_bytes);
    let mut executable: std::collections::BTreeSet<&str> =
        base_meta.executable.iter().map(String::as_str).collect();
    let adding = store.adding()?;
    let (mut pack, mut changes) = (store.pack(), Vec::with_capacity(edits.len()));
    for (path, edit) in &edits {
        if let Some(old) = base.find(path) {
            total = total.saturating_sub(store.size(&old.blob)?);
        }
        let (Some(content), mode) = edit else {
            changes.push((&**path, None));
            executable.remove(&**path);
            continue;
        };
        let blob = Blob::of(content);
        total = total.saturating_add(content.len() as u64);
        changes.push((path, Some(blob)));
        match mode {
            Some(true) => drop(executable.insert(path)),
            Some(false) => drop(executable.remove(&**path)),
            None => {}
        }
        if !dry_run && !store.has(&adding, &blob) {
            let written = pack.add(&blob, content);
            written.map_err(|problem| Failure::internal(problem.to_string()))?;
        }
    }
    let corrupt = || Failure::internal(format!("the store is corrupt: the form of {}", base.id));
    let snapshot = Arc::new(base.with(&changes).ok_or_else(corrupt)?);
    modes_can_be_kept(workspace, &snapshot, &edits)?;
    if dry_run || snapshot.id == base.id {
        return Ok(snapshot.id);
    }
    let meta = Meta {
        files: snapshot.entries.len() as u64,
        total_bytes: total,
        executable: executable.into_iter().map(str::to_owned).collect(),
        roots: vec![workspace.roots[root].path.display().to_string()],
        created_at: stamp(),
        derived_from: Some(base.id.to_string()),
        patch: patch.map(|patch| patch.to_string()),
        ..Meta::default()
    };
    store.keep(&adding, pack)?;
    store.add(&adding, &snapshot, meta)?;
    Ok(snapshot.id)
}

/// Rejects a mode that the result would not have.
///
/// Modes are metadata, which a snapshot gets once: an edit whose result is the base, or another snapshot known already,
/// cannot change them.
fn modes_can_be_kept(
    workspace: &Workspace,
    result: &Snapshot,
    edits: &BTreeMap<String, Edit>,
) -> Answer<()> {
    let Some(known) = workspace.store.meta(&result.id.hex())? else {
        return Ok(());
    };
    for (path, edit) in edits {
        if let (Some(_), Some(executable)) = edit
            && known.is_executable(path) != *executable
        {
            let not = if *executable { "not " } else { "" };
            let why = format!(
                "the result is snapshot {}, in which {path} is {not}executable; the id of a snapshot does not cover modes, so \
                 change this one in mode worktree",
                result.id
            );
            return Err(Failure::invalid("/snapshot_id", why));
        }
    }
    Ok(())
}
