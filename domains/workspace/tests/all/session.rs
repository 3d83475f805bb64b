//! An agent with only these tools repairs a program while someone else edits other files.
//!
//! It writes the transcript in `docs/workspace.md`:
//! `FCP_BLESS=1 cargo test -p fcp-workspace --test all transcript`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::kit::{Client, Repo, text};

const CART: &str = "\
def total(prices, discount=0):
    \"\"\"The sum of prices, less a discount in percent.\"\"\"
    amount = sum(prices)
    return amount - amount * discount


def parse(line):
    name, price = line.split(\":\")
    return name.strip(), int(price)
";
const TEST: &str = "\
import unittest

from shop.cart import parse, total


class CartTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([100, 50]), 150)

    def test_discount(self):
        self.assertEqual(total([100, 100], discount=10), 180)

    def test_parse(self):
        self.assertEqual(parse(\"tea: 3\"), (\"tea\", 3))
";

/// Replaces everything that differs from one run to the next.
struct Transcript {
    text: String,
    names: Vec<(String, String)>,
    leases: usize,
    prints: usize,
}

impl Transcript {
    fn named(&mut self, value: &Value) -> Value {
        match value {
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| {
                    let value = match (key.as_str(), value) {
                        ("lease_id", Value::String(id)) => self.name(id, 'L'),
                        ("fingerprint", of) => self.name(&of.to_string(), 'F'),
                        (_, value) => self.named(value),
                    };
                    (key.clone(), value)
                })
                .collect(),
            Value::Array(items) => items.iter().map(|item| self.named(item)).collect(),
            other => other.clone(),
        }
    }

    fn name(&mut self, id: &str, kind: char) -> Value {
        if let Some((_, name)) = self.names.iter().find(|(known, _)| known == id) {
            return json!(name);
        }
        let count = if kind == 'L' {
            &mut self.leases
        } else {
            &mut self.prints
        };
        let name = format!("{kind}{count}");
        *count += 1;
        self.names.push((id.to_owned(), name.clone()));
        json!(name)
    }

    fn call(&mut self, client: &mut Client, tool: &str, arguments: Value) -> Value {
        let (reply, error) = client.call(tool, arguments.clone());
        let (sent, heard) = (self.named(&arguments), self.named(&reply));
        let sign = if error { '!' } else { '<' };
        let mut lines = format!(
            "> {tool} {}\n{sign} {}\n",
            crate::kit::canonical(&sent),
            crate::kit::canonical(&heard)
        );
        // Messages contain lease ids, too.
        for (id, name) in &self.names {
            lines = lines.replace(id, name);
        }
        self.text.push_str(&lines);
        reply
    }

    fn comment(&mut self, line: &str) {
        writeln!(self.text, "# {line}").unwrap();
    }
}

/// Runs the tests of a copy, as the owner of the program would.
fn tests_pass(dir: &Path) -> bool {
    let output = Command::new("python3")
        .args(["-m", "unittest", "-q", "tests.test_cart"])
        .current_dir(dir)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    output.status.success()
}

#[test]
fn the_transcript_in_the_documentation_is_a_session_that_works() {
    let repo = Repo::new();
    repo.write("shop/__init__.py", "");
    repo.write("shop/cart.py", CART);
    repo.write("tests/__init__.py", "");
    repo.write("tests/test_cart.py", TEST);
    repo.write("README.md", "# Shop\n");
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "Shop"]);
    let mut client = repo.client();
    let mut log = Transcript {
        text: String::new(),
        names: Vec::new(),
        leases: 1,
        prints: 0,
    };
    assert!(!tests_pass(&repo.root));

    let found = log.call(
        &mut client,
        "snapshot.grep",
        json!({ "pattern": "discount" }),
    );
    let read = log.call(
        &mut client,
        "snapshot.file",
        json!({ "path": "shop/cart.py", "lease_id": found["lease_id"] }),
    );

    log.comment("Another writer adds a line to README.md.");
    repo.write("README.md", "# Shop\n\nA shop.\n");
    let patch = "--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -4 +4 @@\n-    return amount - amount * discount\n+    return amount - amount * discount // 100\n";
    let stale = log.call(
        &mut client,
        "workspace.apply_patch",
        json!({ "patch": patch, "lease_id": read["lease_id"] }),
    );
    assert_eq!(stale["error"]["code"], "STALE_LEASE");
    assert_eq!(
        stale["error"]["details"]["changed_paths"],
        json!(["README.md"])
    );

    log.comment("The file that the patch is for did not move. The agent tries the patch on a snapshot first.");
    let again = log.call(
        &mut client,
        "snapshot.file",
        json!({ "path": "shop/cart.py" }),
    );
    assert_eq!(again["blob"], read["blob"]);
    let base = log.call(&mut client, "snapshot.create", json!({ "paths": ["."] }));
    let tried = log.call(
        &mut client,
        "workspace.apply_patch",
        json!({ "snapshot_id": base["snapshot_id"], "patch": patch }),
    );
    let copy = client.ok(
        "snapshot.materialize",
        json!({ "snapshot_id": tried["snapshot_id"] }),
    );
    log.comment("It lets the tests run in a copy (snapshot.materialize): they pass.");
    assert!(tests_pass(Path::new(&text(&copy["path"]))));
    assert!(!tests_pass(&repo.root), "the disk is as it was");

    log.comment("The other writer adds a file. A lease on the touched file alone still holds.");
    repo.write("NOTES.md", "Open on Monday.\n");
    let scoped = json!({ "patch": patch, "lease_id": again["lease_id"], "stale_scope": "touched" });
    let applied = log.call(&mut client, "workspace.apply_patch", scoped);
    assert_eq!(applied["status"], "applied");
    let diff = log.call(
        &mut client,
        "snapshot.diff",
        json!({ "path": "shop", "lease_id": applied["lease_id"] }),
    );
    assert_eq!(diff["stats"]["files"], 1);
    assert!(tests_pass(&repo.root));
    assert_eq!(
        (repo.text("README.md"), repo.text("NOTES.md")),
        (
            "# Shop\n\nA shop.\n".to_owned(),
            "Open on Monday.\n".to_owned()
        )
    );

    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/workspace.md");
    let document = std::fs::read_to_string(page).unwrap();
    let (head, rest) = document
        .split_once("<!-- transcript -->\n```text\n")
        .unwrap();
    let (committed, tail) = rest.split_once("```\n<!-- end -->").unwrap();
    if std::env::var_os("FCP_BLESS").is_some() {
        let renewed = format!(
            "{head}<!-- transcript -->\n```text\n{}```\n<!-- end -->{tail}",
            log.text
        );
        std::fs::write(page, renewed).unwrap();
        return;
    }
    assert_eq!(committed, log.text, "renew it with FCP_BLESS=1");
}
