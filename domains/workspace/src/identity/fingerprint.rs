//! The state of a repository, and the bytes that are hashed of it.

use fcp::tool::canonical_string;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// State of HEAD, index and work tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fingerprint {
    /// The commit of HEAD; empty if there is none yet.
    #[schemars(regex(pattern = "^([0-9a-f]{40}|[0-9a-f]{64})?$"))]
    pub head_oid: String,
    /// The tree of the index; empty while a merge is unresolved.
    #[schemars(regex(pattern = "^([0-9a-f]{40}|[0-9a-f]{64})?$"))]
    pub index_oid: String,
    /// SHA-256 of what `git status --porcelain=v1 -z` prints.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub status_hash: String,
}

impl Fingerprint {
    /// Its hashed form: canonical JSON, written by hand, so that no feature of a JSON library can
    /// change the id of a snapshot.
    pub fn canonical(&self) -> String {
        let mut out = String::with_capacity(192);
        for (key, text) in [
            ("{\"head_oid\":", &self.head_oid),
            (",\"index_oid\":", &self.index_oid),
            (",\"status_hash\":", &self.status_hash),
        ] {
            out.push_str(key);
            canonical_string(text, &mut out);
        }
        out.push('}');
        out
    }
}
