//! The table `changes`: the differences from the opened state, or from a checkpoint. Every domain
//! has it.

use super::schema::Column;
use super::write_statement::{is_question, is_write};
use crate::model::Row;
use crate::value::{Cell, SqlType};

/// Its name.
pub(super) const NAME: &str = "changes";

/// Its description, in one sentence.
pub(super) const DOC: &str =
    "Differences from the document as it was opened, or from a checkpoint (set since:NAME).";

/// A row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    /// The row of the model that differs, if it still exists.
    pub row: Option<Row>,
    /// The word by which ops name it; for a removed row, its last one.
    pub name: Option<String>,
    /// The columns after `ref`.
    pub cells: [Cell; 5],
}

/// Its columns, without `ref`.
pub(super) fn columns() -> Vec<Column> {
    const COLUMNS: [(&str, SqlType, &str); 5] = [
        (
            "tbl",
            SqlType::Text,
            "The table that has the value as it is written; the kind of a part of the file that is in no table.",
        ),
        ("kind", SqlType::Text, "added, removed or changed."),
        (
            "field",
            SqlType::Text,
            "The column that changed; of a row that is a name and a value, the name (the attribute, the property, of a rule SELECTOR PROPERTY); the field of diff if no column shows it; NULL for a whole row.",
        ),
        (
            "before",
            SqlType::Any,
            "Its value before, as a SELECT then gave it; of more than 1000 bytes the part that differs, in a row for each; of a row that is gone, its line.",
        ),
        (
            "after",
            SqlType::Any,
            "Its value now; of a new row, its line.",
        ),
    ];
    let columns = COLUMNS.into_iter().enumerate();
    let columns = columns.map(|(ix, (name, sql, doc))| Column::new(name.to_owned(), doc, sql, ix));
    columns.collect()
}

/// Returns whether a text may read the table: it is SQL or contains some, and mentions the table's
/// name.
pub(crate) fn may_read(text: &str) -> bool {
    let holds = |word: &str| {
        let mut windows = text.as_bytes().windows(word.len());
        windows.any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
    };
    // The name first: hardly any op has it. Then `@where:`, also within `@not:`, computed values,
    // and `each`.
    holds(NAME)
        && (is_question(text) || is_write(text) || ["where:", ":=", "each"].into_iter().any(holds))
}

#[cfg(test)]
mod tests {
    use super::may_read;

    #[test]
    fn only_sql_that_names_the_table_may_read_it() {
        for text in [
            "SELECT * FROM changes",
            "with c as (select * from Changes) select * from c",
            "DELETE FROM cards WHERE ref IN (SELECT ref FROM changes)",
            "modify @where:\"SELECT ref FROM changes\" pts:2",
            "list @not:where:\"SELECT ref FROM changes\"",
            "each \"SELECT ref FROM changes\" \"remove {ref}\"",
            "modify @all pts:=\"(SELECT count(*) FROM changes)\"",
        ] {
            assert!(may_read(text), "{text}");
        }
        for text in [
            "card \"Changes of plan\" Todo",
            "find changes",
            "insert '<!-- changes -->' last:a",
            "SELECT * FROM cards",
        ] {
            assert!(!may_read(text), "{text}");
        }
    }
}
