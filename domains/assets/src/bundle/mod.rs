//! Bundles schemas that refer to each other into one.
//! Schemas are read in `library`; nothing here reads a file.

mod scan;

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Uri;
use jsonschema::uri::{from_str, resolve_against};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::json::{Json, Members, Pointer, escaped};
use crate::library::{Library, Schema};
use scan::{Spot, at};

/// The address of metaschemas, which every validator knows.
const METASCHEMAS: &str = "json-schema.org/";

/// ASCII characters that must be escaped in a fragment (RFC 3986).
const FRAGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Keywords that set addresses. A bundle has none of them.
const ADDRESSES: [&str; 3] = ["$id", "$anchor", "$dynamicAnchor"];

/// Bundles a schema with all that it refers to: other files go under `$defs`, by their names.
///
/// # Errors
/// The reason why they cannot be bundled.
pub fn bundle(library: &Library, schema: &Schema) -> Result<Json<'static>, String> {
    let mut bundle = Bundle {
        library,
        files: Vec::new(),
        resources: BTreeMap::new(),
        anchors: BTreeMap::new(),
        references: Vec::new(),
    };
    bundle.take(schema, String::new())?;
    let mut rewritten = Vec::new();
    while !bundle.references.is_empty() {
        let known = bundle.resources.len();
        let mut waiting = Vec::new();
        while let Some(reference) = bundle.references.pop() {
            match bundle.follow(&reference)? {
                Target::Here(target) => {
                    rewritten.push((reference.file, reference.pointer, target));
                }
                Target::Outside => {}
                // Its target may be in a file that another reference leads to.
                Target::Unknown => waiting.push(reference),
            }
        }
        if let Some(lost) = waiting.first().filter(|_| bundle.resources.len() == known) {
            return Err(lost.nowhere());
        }
        bundle.references = waiting;
    }
    bundle.together(rewritten)
}

/// The bundle so far.
struct Bundle<'l> {
    library: &'l Library,
    /// The files; the schema itself is first.
    files: Vec<File<'l>>,
    /// Resources by address: the file and a pointer into it.
    resources: BTreeMap<String, (usize, String)>,
    /// Anchors by file, resource and name: a pointer into the file.
    anchors: BTreeMap<(usize, String, String), String>,
    /// References still to be followed.
    references: Vec<Reference>,
}

/// A file of the bundle.
struct File<'l> {
    schema: &'l Schema,
    /// Its place in the bundle, as a JSON pointer.
    place: String,
    /// Pointers to the schemas in it that have been scanned.
    spots: BTreeSet<String>,
}

/// A `$ref`.
struct Reference {
    file: usize,
    pointer: String,
    base: Uri<String>,
    text: String,
}

/// Target of a reference.
enum Target {
    /// A place in the bundle, as a JSON pointer.
    Here(String),
    /// A metaschema: the reference stays as it is.
    Outside,
    /// Unknown so far.
    Unknown,
}

impl Reference {
    fn nowhere(&self) -> String {
        format!("{} does not resolve", self.text)
    }
}

impl<'l> Bundle<'l> {
    /// Adds a file and scans it.
    fn take(&mut self, schema: &'l Schema, place: String) -> Result<usize, String> {
        let file = self.files.len();
        self.files.push(File {
            schema,
            place,
            spots: BTreeSet::new(),
        });
        let dialect = |schema: &'l Schema| schema.tree().get("$schema").and_then(Json::as_str);
        let (own, root) = (
            dialect(schema),
            self.files.first().and_then(|it| dialect(it.schema)),
        );
        if let (Some(own), Some(root)) = (own, root)
            && own.trim_end_matches('#') != root.trim_end_matches('#')
        {
            return Err(format!("{} is of another dialect: {own}", schema.name));
        }
        let base = from_str(&schema.base).map_err(|problem| problem.to_string())?;
        self.resources
            .entry(base.strip_fragment().as_str().to_owned())
            .or_insert_with(|| (file, String::new()));
        self.scan(
            file,
            Spot {
                pointer: String::new(),
                base,
                resource: String::new(),
            },
        )?;
        Ok(file)
    }

    /// Scans a schema and its subschemas.
    fn scan(&mut self, file: usize, first: Spot) -> Result<(), String> {
        let mut open = vec![first];
        while let Some(mut spot) = open.pop() {
            let Some(own) = self.files.get_mut(file) else {
                continue;
            };
            let Some(schema) = at(own.schema.tree(), &spot.pointer) else {
                continue;
            };
            if !own.spots.insert(spot.pointer.clone()) {
                continue;
            }
            let keywords = spot.look(schema)?;
            if keywords.dynamic {
                return Err("the target of $dynamicRef depends on the value".to_owned());
            }
            if keywords.id {
                let address = spot.base.strip_fragment().as_str().to_owned();
                let place = (file, spot.pointer.clone());
                self.resources.entry(address).or_insert(place);
            }
            for anchor in keywords.anchors {
                let key = (file, spot.resource.clone(), anchor.to_owned());
                self.anchors.insert(key, spot.pointer.clone());
            }
            if let Some(text) = keywords.reference {
                self.references.push(Reference {
                    file,
                    pointer: spot.pointer.clone(),
                    base: spot.base.clone(),
                    text: text.to_owned(),
                });
            }
            open.extend(spot.inner(schema));
        }
        Ok(())
    }

    fn follow(&mut self, reference: &Reference) -> Result<Target, String> {
        let lost = || reference.nowhere();
        let uri = resolve_against(&reference.base.borrow(), &reference.text);
        let uri = uri.map_err(|problem| problem.to_string())?;
        let address = uri.strip_fragment().as_str().to_owned();
        let (file, resource) = match self.resources.get(&address) {
            Some(found) => found.clone(),
            None => {
                let Some(schema) = self.library.at_address(&address) else {
                    let known = address.contains(METASCHEMAS);
                    return Ok(if known {
                        Target::Outside
                    } else {
                        Target::Unknown
                    });
                };
                let mut files = self.files.iter();
                let taken = files.position(|file| std::ptr::eq(file.schema, schema));
                let file = match taken {
                    Some(file) => file,
                    None => {
                        let place = self.free(&schema.name);
                        self.take(schema, place)?
                    }
                };
                self.resources.insert(address, (file, String::new()));
                (file, String::new())
            }
        };
        let fragment = uri.fragment().map_or("", |fragment| fragment.as_str());
        let fragment = percent_decode_str(fragment).decode_utf8();
        let fragment = fragment.map_err(|_| lost())?;
        let pointer = if fragment.is_empty() || fragment.starts_with('/') {
            format!("{resource}{fragment}")
        } else {
            let key = (file, resource.clone(), fragment.into_owned());
            self.anchors.get(&key).cloned().ok_or_else(lost)?
        };
        let own = self.files.get(file).ok_or_else(lost)?;
        at(own.schema.tree(), &pointer).ok_or_else(lost)?;
        let target = format!("{}{pointer}", own.place);
        // The target may be outside the places that hold schemas.
        let spot = Spot {
            pointer,
            base: uri.strip_fragment().to_owned(),
            resource,
        };
        self.scan(file, spot)?;
        Ok(Target::Here(target))
    }

    /// A free place in the bundle for a file of this name.
    fn free(&self, name: &str) -> String {
        let root = self
            .files
            .first()
            .and_then(|file| file.schema.tree().get("$defs"));
        let mut at = 1;
        loop {
            let name = if at == 1 {
                name.to_owned()
            } else {
                format!("{name}-{at}")
            };
            let place = format!("/$defs/{}", escaped(&name));
            let taken = self.files.iter().any(|file| file.place == place);
            if !taken && root.is_none_or(|defs| defs.get(&name).is_none()) {
                return place;
            }
            at += 1;
        }
    }

    /// Joins the files into one and rewrites their references.
    fn together(self, references: Vec<(usize, String, String)>) -> Result<Json<'static>, String> {
        let mut trees: Vec<Json<'static>> = Vec::new();
        for file in &self.files {
            let mut tree = file.schema.tree().clone();
            for spot in &file.spots {
                let members = Pointer::read(spot).and_then(|spot| tree.at_mut(spot.keys()));
                if let Some(Json::Object(members)) = members {
                    members.retain(|key, _| !ADDRESSES.contains(&key.as_ref()));
                    if !file.place.is_empty() {
                        members.shift_remove("$schema");
                    }
                }
            }
            trees.push(tree);
        }
        for (file, pointer, target) in references {
            let tree = trees.get_mut(file);
            let pointer = Pointer::read(&pointer);
            let members = tree
                .zip(pointer)
                .and_then(|(tree, at)| tree.at_mut(at.keys()));
            if let Some(reference) = members.and_then(|members| members.member("$ref")) {
                *reference =
                    Json::String(format!("#{}", utf8_percent_encode(&target, FRAGMENT)).into());
            }
        }
        let mut trees = trees.into_iter().zip(&self.files);
        let (mut root, _) = trees.next().ok_or("there is no schema")?;
        for (tree, file) in trees {
            let Json::Object(members) = &mut root else {
                break;
            };
            let place = Pointer::read(&file.place);
            let name = place.and_then(|place| Some(place.split()?.1.to_owned()));
            let defs = members.entry("$defs".into());
            let defs = defs.or_insert_with(|| Json::Object(Members::default()));
            if let (Json::Object(defs), Some(name)) = (defs, name) {
                defs.insert(name.into(), tree);
            }
        }
        Ok(root)
    }
}
