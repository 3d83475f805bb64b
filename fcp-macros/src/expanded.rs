//! The expansion of one item of each kind, committed so that changes of expansions show in review.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Item, Meta};

const HEAD: &str = "// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.\n\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expanded")
}

/// Takes the macro off an item, as the compiler does before it calls the macro.
fn attribute(attrs: &mut Vec<Attribute>, name: &str) -> TokenStream {
    let at = attrs.iter().position(|attr| attr.path().is_ident(name));
    match attrs.remove(at.expect("the item has its macro")).meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    }
}

fn expand(name: &str, source: &str) -> String {
    let file = syn::parse_file(source).expect("an item of Rust");
    let item = file.items.into_iter().next().expect("an item");
    // `verb_with_group` is a verb, too.
    let name = name.split('_').next().expect("a name");
    let tokens = match item {
        Item::Fn(mut item) => {
            let attribute = attribute(&mut item.attrs, &format!("fcp_{name}"));
            let item = item.into_token_stream();
            match name {
                "verb" => crate::verb::expand(attribute, item),
                "query" => crate::query::expand(attribute, item),
                "action" => crate::action::expand(attribute, item),
                "tool" => crate::tool::expand(attribute, item),
                "table" => crate::table::expand(attribute, item),
                "selector" => crate::selector::expand(attribute, item),
                _ => crate::lint::expand(attribute, item),
            }
        }
        item => {
            let item = item.into_token_stream();
            match name {
                "value" => crate::value::expand(item),
                "entity" => crate::entity::expand(item),
                "row" => crate::row::expand(item),
                "params" => crate::params::expand(item),
                _ => crate::model::expand(item),
            }
        }
    };
    let file = syn::parse2(tokens).expect("what is emitted is Rust");
    format!("{HEAD}{}", prettyplease::unparse(&file))
}

#[test]
fn expansions_are_as_committed() {
    let bless = std::env::var_os("FCP_BLESS").is_some();
    let mut stale = Vec::new();
    let items = std::fs::read_dir(folder().join("items")).expect("the items");
    for item in items {
        let path = item.expect("an item").path();
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name");
        let source = std::fs::read_to_string(&path).expect("the item can be read");
        let expanded = expand(name, &source);
        let committed = folder().join(format!("{name}.rs"));
        if std::fs::read_to_string(&committed).is_ok_and(|text| text == expanded) {
            continue;
        }
        if bless {
            std::fs::write(&committed, expanded).expect("the expansion can be written");
        } else {
            stale.push(name.to_owned());
        }
    }
    assert!(
        stale.is_empty(),
        "the expansions of {} changed; `FCP_BLESS=1 cargo test -p fcp-macros expansions` writes them, and the diff is for \
         review",
        stale.join(", ")
    );
}

#[test]
fn expansions_name_nothing_but_the_private_module() {
    for entry in std::fs::read_dir(folder()).expect("the expansions") {
        let path = entry.expect("an expansion").path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("the expansion can be read");
        for (at, _) in text.match_indices("::fcp::") {
            let rest = &text[at..];
            assert!(
                rest.starts_with("::fcp::__private::") || rest.starts_with("::fcp::testing::"),
                "{}: {}",
                path.display(),
                rest.lines().next().unwrap_or_default()
            );
        }
    }
}
