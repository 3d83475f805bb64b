//! The reference card.
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::verb::Registry;
pub(crate) fn compact<M: Domain>(_: &Registry<M>) -> String {
    String::new()
}
pub(crate) fn full<M: Domain>(_: &Registry<M>) -> String {
    String::new()
}
pub(crate) fn topic<M: Domain>(_: &Registry<M>, t: &str) -> Result<String> {
    Err(Diagnostic::new(t))
}
pub(crate) fn codebook<M: Domain>(_: &Registry<M>, _: Option<&M>) -> serde_json::Value {
    serde_json::Value::Null
}
pub(crate) fn schema<M: Domain>() -> serde_json::Value {
    serde_json::Value::Null
}
