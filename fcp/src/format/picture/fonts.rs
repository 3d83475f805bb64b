//! The fonts for drawing and measuring texts.

use std::{
    collections::BTreeMap,
    fmt,
    io::Read,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use resvg::usvg::{
    self, FontFamily, FontResolver, FontStretch, FontStyle,
    fontdb::{self, Database, ID},
};
use serde::{Deserialize, Serialize};

use super::{Error, folder, placed};
use crate::diag::shown_path;

/// The bundled families. They are always available.
const SANS: &str = "DejaVu Sans";
const MONO: &str = "DejaVu Sans Mono";

/// The number of font sets kept for later calls.
const KEPT: usize = 4;

/// The most bytes of font files that are kept in memory. Others are mapped by the renderer.
const MOST_IN_MEMORY: u64 = 64 << 20;

/// A set of fonts. The bundled ones, DejaVu Sans, its bold, and DejaVu Sans Mono, are always in it,
/// and come last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fonts {
    /// Folders of font files, searched at any depth. They come first.
    pub dirs: Vec<PathBuf>,
    /// The folder that links to fonts below it may not leave.
    pub root: Option<PathBuf>,
    /// Whether to include the system's fonts.
    pub system: bool,
    /// The families of generic names.
    pub generics: Generics,
}

/// The family for each generic name. If it is `None`, or the family is not available, the system's
/// choice is used, and without one a bundled font.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generics {
    /// For text without a family; default `sans_serif`.
    pub default: Option<String>,
    /// For text whose families are all unavailable; default `sans_serif`.
    pub unknown: Option<String>,
    /// `sans-serif`
    pub sans_serif: Option<String>,
    /// `serif`
    pub serif: Option<String>,
    /// `cursive`
    pub cursive: Option<String>,
    /// `fantasy`
    pub fantasy: Option<String>,
    /// `monospace`
    pub monospace: Option<String>,
}

/// The origin of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A given folder.
    Folder,
    /// The system.
    System,
    /// This program.
    Bundled,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "folder",
            Self::System => "system",
            Self::Bundled => "bundled",
        })
    }
}

/// A font of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Face {
    /// 1…1000; 400 is regular, 700 bold.
    pub weight: u16,
    /// Italic or oblique.
    pub italic: bool,
}

/// A family of fonts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its name in `font-family`.
    pub name: String,
    /// The origin of its first font.
    pub origin: Origin,
    /// Its fonts, lightest first.
    pub faces: Vec<Face>,
}

/// Loaded fonts. At first only their names are in memory; a file is read when a text needs it.
#[derive(Debug)]
pub struct Library {
    /// The fonts, all at the same places and with the same ids in every copy of it.
    database: Mutex<Arc<Database>>,
    /// The bytes of font files that may still be read into memory.
    room: AtomicU64,
    families: BTreeMap<String, Family>,
    /// The name to query the database with, by each name in lower case: a font may have a name in
    /// every language.
    names: BTreeMap<String, String>,
    generics: Known,
    pub(super) placed: Mutex<placed::Known>,
}

/// The families of generic names, all available.
#[derive(Debug)]
struct Known {
    default: String,
    unknown: String,
    sans_serif: String,
    serif: String,
    cursive: String,
    fantasy: String,
    monospace: String,
}

impl Library {
    /// The library of a set of fonts. It is loaded at the first request and shared by all requests
    /// for the same set.
    ///
    /// # Errors
    /// A folder does not exist.
    pub fn of(fonts: &Fonts) -> Result<Arc<Self>, Error> {
        static LOADED: Mutex<Vec<(Fonts, Arc<Library>)>> = Mutex::new(Vec::new());
        // Data from a thread that panicked is valid: it did one push or one removal.
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, library)) = loaded.iter().find(|(of, _)| of == fonts) {
            return Ok(Arc::clone(library));
        }
        let library = Arc::new(Self::load(fonts)?);
        if loaded.len() >= KEPT {
            loaded.remove(0);
        }
        loaded.push((fonts.clone(), Arc::clone(&library)));
        Ok(library)
    }

    fn load(fonts: &Fonts) -> Result<Self, Error> {
        let mut database = Database::new();
        let mut families = BTreeMap::new();
        // Unused names, so that the system's own settings are recognised.
        for set in [
            Database::set_serif_family,
            Database::set_sans_serif_family,
            Database::set_cursive_family,
            Database::set_fantasy_family,
            Database::set_monospace_family,
        ] {
            set(&mut database, String::new());
        }
        for dir in &fonts.dirs {
            if !dir.is_dir() {
                let message = format!("the fonts folder {} is not there", shown_path(dir));
                return Err(Error::Fonts(message));
            }
            folder::load(&mut database, dir, fonts.root.as_deref());
        }
        let mut listed = list(&database, 0, Origin::Folder, &mut families);
        if fonts.system {
            database.load_system_fonts();
            listed = list(&database, listed, Origin::System, &mut families);
        }
        for font in [
            dejavu::sans::regular(),
            dejavu::sans::bold(),
            dejavu::sans_mono::regular(),
        ] {
            database.load_font_source(fontdb::Source::Binary(Arc::new(font)));
        }
        list(&database, listed, Origin::Bundled, &mut families);
        let mut names = BTreeMap::new();
        for (name, _) in database.faces().flat_map(|face| &face.families) {
            names
                .entry(name.to_lowercase())
                .or_insert_with(|| name.clone());
        }
        let generics = Known::choose(&fonts.generics, &database, &names);
        Ok(Self {
            database: Mutex::new(Arc::new(database)),
            room: AtomicU64::new(MOST_IN_MEMORY),
            families,
            names,
            generics,
            placed: Mutex::default(),
        })
    }

    /// The families whose name contains `part`, in any case, in order of names.
    pub fn families(&self, part: &str) -> impl Iterator<Item = &Family> {
        let part = part.to_lowercase();
        self.families
            .iter()
            .filter(move |(name, _)| name.contains(&part))
            .map(|(_, family)| family)
    }

    /// The renderer's options for a drawing. Families that are not available are noted in `found`.
    pub(super) fn options(self: &Arc<Self>, found: &Arc<Mutex<Found>>) -> usvg::Options<'static> {
        let (library, found) = (Arc::clone(self), Arc::clone(found));
        usvg::Options {
            font_family: self.generics.default.clone(),
            fontdb: Arc::clone(&self.database()),
            font_resolver: FontResolver {
                select_font: Box::new(move |font, database| {
                    let id = library.select(font, &found)?;
                    *database = library.with_data(id);
                    Some(id)
                }),
                select_fallback: FontResolver::default_fallback_selector(),
            },
            ..usvg::Options::default()
        }
    }

    fn database(&self) -> MutexGuard<'_, Arc<Database>> {
        // Data from a thread that panicked is valid: the database is replaced in one step.
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fonts, with the file of this one in memory. The renderer would map it anew for each use,
    /// which takes longer than to lay out a text.
    fn with_data(&self, id: ID) -> Arc<Database> {
        let mut database = self.database();
        let source = database.face(id).map(|face| face.source.clone());
        if let Some(fontdb::Source::File(path)) = source
            && let Some(data) = self.read(&path)
        {
            let mut new = Database::new();
            for face in database.faces() {
                let mut face = face.clone();
                if matches!(&face.source, fontdb::Source::File(own) if *own == path) {
                    face.source = fontdb::Source::Binary(Arc::clone(&data));
                }
                new.push_face_info(face);
            }
            let ids =
                |database: &Database| -> Vec<ID> { database.faces().map(|face| face.id).collect() };
            if ids(&new) == ids(&database) {
                *database = Arc::new(new);
            }
        }
        Arc::clone(&database)
    }

    /// The bytes of a font file, if there is room for them.
    fn read(&self, path: &Path) -> Option<Arc<dyn AsRef<[u8]> + Send + Sync>> {
        let len = std::fs::metadata(path).ok()?.len();
        let room = self.room.load(Ordering::Relaxed).checked_sub(len)?;
        let mut data = Vec::new();
        let file = std::fs::File::open(path).ok()?;
        file.take(len).read_to_end(&mut data).ok()?;
        self.room.store(room, Ordering::Relaxed);
        Some(Arc::new(data))
    }

    fn select(&self, font: &usvg::Font, found: &Mutex<Found>) -> Option<ID> {
        let named = font.families().iter();
        let known = named
            .map(|family| self.name(family))
            .find_map(|name| self.names.get(&name.to_lowercase()));
        let name = known.unwrap_or(&self.generics.unknown);
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            let first = font.families().first().map(|family| self.name(family));
            let wanted = first.unwrap_or_default();
            found.note(format!("no font \"{wanted}\", drawn in {name}"));
        }
        name.clone_into(&mut found.family);
        self.database().query(&fontdb::Query {
            families: &[fontdb::Family::Name(name)],
            weight: fontdb::Weight(font.weight()),
            stretch: stretch(font.stretch()),
            style: style(font.style()),
        })
    }

    fn name<'a>(&'a self, family: &'a FontFamily) -> &'a str {
        match family {
            FontFamily::Serif => &self.generics.serif,
            FontFamily::SansSerif => &self.generics.sans_serif,
            FontFamily::Cursive => &self.generics.cursive,
            FontFamily::Fantasy => &self.generics.fantasy,
            FontFamily::Monospace => &self.generics.monospace,
            FontFamily::Named(name) => name,
        }
    }
}

impl Known {
    fn choose(wanted: &Generics, database: &Database, names: &BTreeMap<String, String>) -> Self {
        let there = |name: &str| names.get(&name.to_lowercase()).cloned();
        let choose = |wanted: &Option<String>, generic: Option<fontdb::Family<'_>>, last: &str| {
            let wanted = wanted.as_deref().and_then(there);
            let system = generic.and_then(|generic| there(database.family_name(&generic)));
            wanted.or(system).unwrap_or_else(|| last.to_owned())
        };
        let sans_serif = choose(&wanted.sans_serif, Some(fontdb::Family::SansSerif), SANS);
        Self {
            default: choose(&wanted.default, None, &sans_serif),
            unknown: choose(&wanted.unknown, None, &sans_serif),
            serif: choose(&wanted.serif, Some(fontdb::Family::Serif), SANS),
            cursive: choose(&wanted.cursive, Some(fontdb::Family::Cursive), SANS),
            fantasy: choose(&wanted.fantasy, Some(fontdb::Family::Fantasy), SANS),
            monospace: choose(&wanted.monospace, Some(fontdb::Family::Monospace), MONO),
            sans_serif,
        }
    }
}

/// The fonts requested while a drawing was read.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The family that was chosen last.
    pub(super) family: String,
    /// One note for each unavailable family.
    pub(super) notes: Vec<String>,
}

impl Found {
    /// More notes than anyone reads.
    const MOST: usize = 100;

    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() < Self::MOST && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Adds the fonts after the first `listed`, and returns the new number of fonts.
fn list(
    database: &Database,
    listed: usize,
    origin: Origin,
    families: &mut BTreeMap<String, Family>,
) -> usize {
    for face in database.faces().skip(listed) {
        // The first name is the English one, if there is one.
        let Some((name, _)) = face.families.first() else {
            continue;
        };
        let family = families
            .entry(name.to_lowercase())
            .or_insert_with(|| Family {
                name: name.clone(),
                origin,
                faces: Vec::new(),
            });
        let face = Face {
            weight: face.weight.0,
            italic: face.style != fontdb::Style::Normal,
        };
        let at = family.faces.partition_point(|other| *other <= face);
        family.faces.insert(at, face);
    }
    database.len()
}

fn style(style: FontStyle) -> fontdb::Style {
    match style {
        FontStyle::Normal => fontdb::Style::Normal,
        FontStyle::Italic => fontdb::Style::Italic,
        FontStyle::Oblique => fontdb::Style::Oblique,
    }
}

fn stretch(stretch: FontStretch) -> fontdb::Stretch {
    match stretch {
        FontStretch::UltraCondensed => fontdb::Stretch::UltraCondensed,
        FontStretch::ExtraCondensed => fontdb::Stretch::ExtraCondensed,
        FontStretch::Condensed => fontdb::Stretch::Condensed,
        FontStretch::SemiCondensed => fontdb::Stretch::SemiCondensed,
        FontStretch::Normal => fontdb::Stretch::Normal,
        FontStretch::SemiExpanded => fontdb::Stretch::SemiExpanded,
        FontStretch::Expanded => fontdb::Stretch::Expanded,
        FontStretch::ExtraExpanded => fontdb::Stretch::ExtraExpanded,
        FontStretch::UltraExpanded => fontdb::Stretch::UltraExpanded,
    }
}
