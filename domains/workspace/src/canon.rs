//! The two hashed objects, written by hand, so that no feature of a JSON library can change a
//! snapshot id.

use fcp::tool::canonical_string;

use crate::git::Fingerprint;
use crate::hash::Blob;

/// The hashed form of a fingerprint.
pub fn fingerprint(of: &Fingerprint) -> String {
    let mut out = String::with_capacity(192);
    for (key, text) in [
        ("{\"head_oid\":", &of.head_oid),
        (",\"index_oid\":", &of.index_oid),
        (",\"status_hash\":", &of.status_hash),
    ] {
        out.push_str(key);
        canonical_string(text, &mut out);
    }
    out.push('}');
    out
}

/// The hashed form of a manifest. The entries must be in byte order of their paths.
pub fn manifest<'e>(entries: impl Iterator<Item = (&'e str, &'e Blob)>) -> String {
    let mut out = String::from("{\"entries\":[");
    for (at, (path, blob)) in entries.enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str("{\"blob\":\"");
        out.push_str(&blob.to_string());
        out.push_str("\",\"path\":");
        canonical_string(path, &mut out);
        out.push('}');
    }
    out.push_str("]}");
    out
}
