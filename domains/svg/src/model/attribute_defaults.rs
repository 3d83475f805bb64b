//! Default values of attributes that a DOCTYPE declares. They refer to elements too, and no op
//! changes them but `replace`.

use fcp::format::xml::{Kind, Node};
use fcp::op::quote;
use fcp::prelude::*;

use super::Drawing;
use super::reference::by_name;

impl Drawing {
    /// Checks that no default value of an attribute refers to one of these ids.
    ///
    /// # Errors
    /// If one does.
    pub(crate) fn is_free_of_defaults(&self, ids: &[String]) -> Result<()> {
        let tree = self.nodes.tree();
        let declared = self.nodes.doctype().into_iter();
        for node in declared.flat_map(|doctype| tree.children(doctype)) {
            let Some(Kind::Markup(raw)) = tree.get(node).map(Node::kind) else {
                continue;
            };
            for (name, value) in defaults(raw) {
                let mut references = by_name(name, value).into_iter();
                if let Some(used) = references.find(|own| ids.contains(&own.id)) {
                    let used = used.id;
                    let find = quote(value);
                    bail!("the default value of {name} in the DOCTYPE refers to {used}, and only replace edits it"; try: "? find {find}")
                }
            }
        }
        Ok(())
    }
}

/// The names and default values in `<!ATTLIST rect fill CDATA "red">` (XML 1.0, section 3.3).
fn defaults(raw: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let Some(mut rest) = raw.strip_prefix("<!ATTLIST") else {
        return found;
    };
    // The name of the element is before all others.
    let (mut name, mut words) = (None, 0);
    while let Some(first) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        match first {
            '"' | '\'' => {
                let (value, after) = rest[1..].split_once(first).unwrap_or((&rest[1..], ""));
                found.extend(name.take().map(|name| (name, value)));
                rest = after;
            }
            // The values that an attribute may have.
            '(' => rest = rest.split_once(')').map_or("", |(_, after)| after),
            _ => {
                let end = rest.find([' ', '\t', '\n', '\r', '(', '"', '\'']);
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after;
                words += 1;
                match word {
                    "#REQUIRED" | "#IMPLIED" => name = None,
                    _ if words > 1 && name.is_none() => name = Some(word),
                    _ => {}
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::defaults;

    #[test]
    fn defaults_have_the_names_of_their_attributes() {
        let raw = "<!ATTLIST rect a CDATA #IMPLIED fill CDATA \"url(#g)\"\n b (x|y) 'x' \
                   c NOTATION (n) #REQUIRED d ID #FIXED \"it's\">";
        let expected = [("fill", "url(#g)"), ("b", "x"), ("d", "it's")];
        assert_eq!(defaults(raw), expected);
        assert_eq!(defaults("<!ELEMENT rect (title)>"), []);
    }
}
