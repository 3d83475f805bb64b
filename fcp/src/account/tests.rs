//! Tests of accounts, with files of a few pieces.

use super::{Account, Owner, Pieces, Touched};
use crate::model::{Id, Slot};

#[derive(crate::FcpModel)]
#[fcp(domain = "none", title = "Nothing")]
struct Lines {
    title: Slot<String>,
}

/// A file of rows, one per line: their ids and texts.
fn file(rows: &[(u32, &str)]) -> Pieces {
    let mut out = Pieces::of::<Lines>();
    out.rest(rows.len().to_string());
    for (id, text) in rows {
        out.neighbours("\n");
        out.row(Id::<()>::new(*id), text);
    }
    out
}

fn account(then: &[(u32, &str)], now: &[(u32, &str)], touched: &[u32]) -> Account {
    let then = file(then);
    let mut rows = Touched::default();
    touched.iter().for_each(|id| rows.row(*id));
    Account::of(&then, &file(now), &rows, |owner| format!("{owner:?}"))
}

fn owners(account: &Account) -> Vec<Owner> {
    account.changes.iter().map(|change| change.owner).collect()
}

#[test]
fn equal_files_have_no_changes() {
    let rows = [(1, "one"), (2, "two")];
    let account = account(&rows, &rows, &[]);
    assert!(account.changes.is_empty() && account.faults.is_empty());
    assert_eq!(account.summary(), "bytes: none changed, 9 the same");
}

#[test]
fn a_touched_row_may_differ_and_is_listed() {
    let account = account(
        &[(1, "one"), (2, "two"), (3, "three")],
        &[(1, "one"), (2, "tw0"), (3, "three")],
        &[2],
    );
    assert!(account.faults.is_empty());
    assert_eq!(owners(&account), [Owner::Row(2)]);
    assert_eq!(
        account.summary(),
        "bytes: 1 changed in 1 place, 14 the same"
    );
}

#[test]
fn an_untouched_row_that_differs_is_a_fault() {
    let account = account(
        &[(1, "one"), (2, "two"), (3, "three")],
        &[(1, "one"), (2, "tw0"), (3, "three ")],
        &[2],
    );
    assert_eq!(account.faults.len(), 1);
    assert_eq!(account.faults[0].owner, Owner::Row(3));
}

#[test]
fn a_lost_row_and_a_new_order_of_untouched_rows_are_faults() {
    let then = [(1, "one"), (2, "two"), (3, "three")];
    for now in [
        &[(1, "one"), (3, "three")][..],
        &[(2, "two"), (1, "one"), (3, "three")],
        &[(1, "one"), (2, "two"), (3, "three"), (4, "four")],
    ] {
        assert!(!account(&then, now, &[]).faults.is_empty(), "{now:?}");
        assert!(!account(&then, now, &[7]).faults.is_empty(), "{now:?}");
    }
}

#[test]
fn added_and_removed_rows_are_listed_with_all_their_bytes() {
    let account = account(
        &[(1, "one"), (2, "two"), (3, "three")],
        &[(1, "one"), (3, "three"), (4, "four")],
        &[2, 4],
    );
    assert!(account.faults.is_empty(), "{:?}", account.faults);
    assert_eq!(owners(&account), [Owner::Row(2), Owner::Row(4)]);
    assert_eq!(account.places, 2);
}

#[test]
fn a_moved_row_is_the_only_one_that_differs() {
    let account = account(
        &[(1, "one"), (2, "two"), (3, "three"), (4, "four")],
        &[(3, "three"), (1, "one"), (2, "two"), (4, "four")],
        &[3],
    );
    assert!(account.faults.is_empty(), "{:?}", account.faults);
    assert_eq!(owners(&account), [Owner::Row(3)]);
}

#[test]
fn a_separator_between_untouched_rows_may_not_differ() {
    let then = file(&[(1, "one"), (2, "two")]);
    let mut now = Pieces::of::<Lines>();
    now.rest("2");
    now.neighbours("\n");
    now.row(Id::<()>::new(1), "one");
    now.neighbours("\r\n");
    now.row(Id::<()>::new(2), "two");
    let mut touched = Touched::default();
    touched.row(9);
    let account = Account::of(&then, &now, &touched, |_| String::new());
    assert_eq!(account.faults.len(), 1);
    assert_eq!(account.faults[0].owner, Owner::Neighbours);
}
