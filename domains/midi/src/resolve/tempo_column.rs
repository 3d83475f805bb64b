//! The column of tempos in expressions.

use fcp::op::ParsedOp;
use fcp::prelude::*;

/// Rejects `bpm` in an expression for `bpm:`, since rows have it in the column `value`.
///
/// # Errors
/// The expression reads it.
pub fn check(op: &ParsedOp<'_>, key: &str, reads: &dyn Fn(&[&str]) -> bool) -> Result<()> {
    if key != "bpm" || !reads(&["bpm"]) {
        return Ok(());
    }
    let Some(param) = op.params().find(|param| param.key == key) else {
        return Ok(());
    };
    let expr = param.value_span.of(op.raw);
    // In a question it may be a column of `bars`.
    if expr.to_ascii_lowercase().contains("select") {
        return Ok(());
    }
    let error = Diagnostic::new("a tempo has its bpm in the column value");
    Err(error.or_try(param.value_span.replace(op.raw, &renamed(expr))))
}

/// An expression with `value` in place of `bpm`.
fn renamed(expr: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let words = expr.split_inclusive(|c| !is_name(c));
    let renamed = words.map(|word| match word.strip_prefix("bpm") {
        Some(rest) if !rest.starts_with(is_name) => format!("value{rest}"),
        _ => word.to_owned(),
    });
    renamed.collect()
}
