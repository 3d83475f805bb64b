//! Snapshots as resources: the manifest, a bundle, a file.

use std::time::Duration;

use fcp::format::patch::is_binary;
use fcp::tool::{Contents, Resource, Template};

use crate::identity::Blob;
use crate::session::Workspace;
use crate::store::Meta;
use crate::text::{json, tar};

/// A snapshot never changes.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

/// The maximum number of listed snapshots.
const LISTED: usize = 1000;

const SNAPSHOT: Template = Template {
    start: "snapshot://",
    variable: "hex",
    path: false,
    name: "snapshot",
    about: "The manifest of a snapshot by the hex digits of its id; with ?format=tar or ?format=json all of it.",
    mime: "application/json",
};

const FILE: Template = Template {
    start: "snapshot://{hex}/",
    variable: "path",
    path: true,
    name: "snapshot file",
    about: "A file of a snapshot, by the hex digits of its id and the percent-encoded path.",
    mime: "application/octet-stream",
};

/// The templates of all resources.
pub const TEMPLATES: &[Template] = &[SNAPSHOT, FILE];

/// The URI of a manifest.
pub fn manifest_uri(id: &Blob) -> String {
    format!("{}{}", SNAPSHOT.start, id.hex())
}

/// The manifests of all roots' snapshots.
pub fn list(workspace: &Workspace) -> Vec<Resource> {
    let own = |meta: &Meta| workspace.roots.iter().any(|root| meta.is_of(&root.path));
    let all = workspace.store.all().unwrap_or_default().into_iter();
    let metas = all.filter_map(|hex| Some((workspace.store.meta(&hex).ok()??, hex)));
    let metas = metas.filter(|(meta, _)| own(meta)).take(LISTED);
    metas
        .map(|(meta, hex)| Resource {
            uri: format!("{}{hex}", SNAPSHOT.start),
            name: meta
                .label
                .clone()
                .unwrap_or_else(|| hex.chars().take(12).collect()),
            about: format!(
                "A snapshot of {} files, {} bytes.",
                meta.files, meta.total_bytes
            ),
            mime: SNAPSHOT.mime,
        })
        .collect()
}

/// The contents of a resource, by URI.
pub fn read(workspace: &Workspace, uri: &str) -> Option<Contents> {
    let rest = uri.strip_prefix(SNAPSHOT.start)?;
    let (rest, format) = match rest.split_once("?format=") {
        Some((rest, format)) => (rest, Some(format)),
        None => (rest, None),
    };
    let (hex, path) = match rest.split_once('/') {
        Some((hex, _)) => (hex, Some(FILE.value(uri)?)),
        None => (rest, None),
    };
    let id = format!("sha256:{hex}");
    let mut roots = workspace.roots.iter();
    let snapshot = roots
        .find_map(|root| workspace.store.snapshot(&id, &root.path).ok())?
        .0;
    let bundle = |format| {
        let mut all = Vec::new();
        let mut out = |piece: &[u8]| all.extend_from_slice(piece);
        match format {
            "tar" => tar(&workspace.store, &snapshot, &mut out),
            _ => json(&workspace.store, &snapshot, &mut out),
        }
        .ok()?;
        Some(all)
    };
    match (path, format) {
        (None, None) => Some(Contents::text(
            snapshot.manifest().to_owned(),
            SNAPSHOT.mime,
            FRESH,
        )),
        (None, Some("json")) => Some(Contents::text(
            String::from_utf8(bundle("json")?).ok()?,
            SNAPSHOT.mime,
            FRESH,
        )),
        (None, Some("tar")) => Some(Contents::blob(bundle("tar")?, "application/x-tar", FRESH)),
        (Some(path), None) => {
            let content = workspace.store.content(&snapshot.find(&path)?.blob).ok()?;
            let is_text = !is_binary(&content) && str::from_utf8(&content).is_ok();
            Some(match is_text {
                true => Contents::text(String::from_utf8(content).ok()?, "text/plain", FRESH),
                false => Contents::blob(content, FILE.mime, FRESH),
            })
        }
        _ => None,
    }
}
