//! The font files of a folder.

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use resvg::usvg::fontdb::Database;

/// The deepest level of searched folders.
const DEPTH: usize = 16;

/// The largest number of files and folders that are examined.
const ENTRIES: usize = 20_000;

/// The largest number of fonts in a collection. A file that declares more is not loaded.
const FACES: u32 = 512;

/// The extensions of font files.
const ENDINGS: [&str; 4] = ["ttf", "otf", "ttc", "otc"];

/// Loads the font files below a folder. If it is below `root`, links to places outside the root are
/// not followed.
pub(super) fn load(database: &mut Database, folder: &Path, root: Option<&Path>) {
    let Ok(place) = folder.canonicalize() else {
        return;
    };
    let root = root.and_then(|root| root.canonicalize().ok());
    let root = root.filter(|root| place.starts_with(root));
    let is_inside = |path: &Path| root.as_ref().is_none_or(|root| path.starts_with(root));
    let mut open: Vec<(PathBuf, usize)> = vec![(place, 0)];
    let mut seen = Vec::new();
    let mut left = ENTRIES;
    while let Some((folder, depth)) = open.pop() {
        if depth > DEPTH || seen.contains(&folder) {
            continue;
        }
        // A folder that cannot be read has no fonts.
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        seen.push(folder);
        let mut paths: Vec<PathBuf> = entries
            .take(left)
            .filter_map(|entry| entry.ok()?.path().canonicalize().ok())
            .filter(|path| is_inside(path))
            .collect();
        left -= paths.len().min(left);
        // Sorted, so that the order of fonts is the same on every machine.
        paths.sort();
        let mut folders = Vec::new();
        for path in paths {
            if path.is_dir() {
                folders.push((path, depth + 1));
            } else if is_font(&path) {
                // A file that is not a font is skipped.
                let _ = database.load_font_file(&path);
            }
        }
        open.extend(folders.into_iter().rev());
    }
}

/// Whether a file has a font's extension and does not declare more fonts than it has room for: a
/// loader would try to load as many.
fn is_font(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let ending = ending.map(str::to_ascii_lowercase).unwrap_or_default();
    // Opening a pipe would wait for its writer.
    if !ENDINGS.contains(&&*ending) || !path.is_file() {
        return false;
    }
    let Ok(file) = File::open(path) else {
        return false;
    };
    let length = file.metadata().map_or(0, |about| about.len());
    let mut header = Vec::new();
    if file.take(12).read_to_end(&mut header).is_err() {
        return false;
    }
    match (header.get(..4), header.get(8..12)) {
        (Some(b"ttcf"), Some(&[a, b, c, d])) => {
            let count = u32::from_be_bytes([a, b, c, d]);
            count <= FACES && 12 + 4 * u64::from(count) <= length
        }
        (Some(b"ttcf"), _) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(folder: &Path, root: Option<&Path>) -> usize {
        let mut database = Database::new();
        load(&mut database, folder, root);
        database.len()
    }

    #[test]
    fn the_count_of_a_collection_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let header = |count: u32| {
            let mut bytes = b"ttcf\0\x01\0\0".to_vec();
            bytes.extend(count.to_be_bytes());
            bytes
        };
        for (name, count) in [("a.ttc", u32::MAX), ("b.OTC", 1), ("c.ttf", 513)] {
            fs::write(folder.path().join(name), header(count)).unwrap();
            assert!(!is_font(&folder.path().join(name)), "{name}");
        }
        let mut room = header(2);
        room.extend([0; 8]);
        fs::write(folder.path().join("d.ttc"), room).unwrap();
        assert!(is_font(&folder.path().join("d.ttc")));
        let start = std::time::Instant::now();
        assert_eq!(count(folder.path(), None), 0);
        assert!(start.elapsed().as_secs() < 10);
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_root_are_not_followed() {
        use std::os::unix::fs::symlink;

        let outer = tempfile::tempdir().unwrap();
        let (root, far) = (outer.path().join("root"), outer.path().join("far"));
        let fonts = root.join("fonts");
        fs::create_dir_all(&fonts).unwrap();
        fs::create_dir(&far).unwrap();
        fs::write(far.join("o.ttf"), dejavu::sans::regular()).unwrap();
        fs::write(root.join("i.ttf"), dejavu::sans::bold()).unwrap();
        symlink("../../far/o.ttf", fonts.join("x.ttf")).unwrap();
        symlink("../../far", fonts.join("all")).unwrap();
        symlink("..", fonts.join("round")).unwrap();
        assert_eq!(count(&fonts, Some(&root)), 1);
        // The program's user decides which folders to use.
        assert_eq!(count(&fonts, None), 3);
        assert_eq!(count(&far, Some(&root)), 1);
    }
}
