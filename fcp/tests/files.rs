//! Reading and saving under a root, as a session does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use fcp::diag::Diagnostic;
use fcp::session::files::{Expect, FileError, Root, Stamp};

const NEW: Expect = Expect::New { or: None };

struct Place {
    dir: tempfile::TempDir,
    root: Root,
}

impl Place {
    /// A root `root` with `song.mid` and `sub/deep.svg`, next to `outside/secret.svg`.
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("root/sub")).unwrap();
        fs::create_dir(at("outside")).unwrap();
        fs::write(at("root/song.mid"), "song").unwrap();
        fs::write(at("root/sub/deep.svg"), "deep").unwrap();
        fs::write(at("outside/secret.svg"), "secret").unwrap();
        let root = Root::open(at("root")).unwrap();
        Self { dir, root }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    fn read(&self, path: &str) -> Result<String, String> {
        match self.root.read(path, 1000) {
            Ok((bytes, _)) => Ok(String::from_utf8(bytes).unwrap()),
            Err(error) => Err(self.say(path, error)),
        }
    }

    fn stamp(&self, path: &str) -> Stamp {
        self.root.read(path, 1000).unwrap().1
    }

    fn write(&self, path: &str, text: &str, expected: &Expect) -> Result<Stamp, String> {
        self.root
            .write(path, text.as_bytes(), expected)
            .map_err(|error| self.say(path, error))
    }

    /// The error as shown. It must not reveal the root's place on the host, unless the caller named
    /// it.
    fn say(&self, path: &str, error: FileError) -> String {
        let text = Diagnostic::from(error).to_string();
        let host = self.dir.path().to_str().unwrap();
        assert!(path.contains(host) || !text.contains(host), "{text}");
        text
    }

    fn names(&self, dir: &str) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.at(dir))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn reads_inside_the_root() {
    let place = Place::new();
    for path in [
        "sub/deep.svg",
        "./sub/deep.svg",
        "sub/../sub/deep.svg",
        "sub//deep.svg",
    ] {
        assert_eq!(place.read(path).unwrap(), "deep", "{path}");
    }
}

#[test]
fn an_absolute_path_inside_is_accepted_however_it_is_written() {
    let place = Place::new();
    symlink(place.at("root"), place.at("elsewhere")).unwrap();
    symlink(place.at("root/sub"), place.at("subway")).unwrap();
    let spelled = [
        "root/sub/deep.svg",
        "root/../root/sub/deep.svg",
        "outside/../root/sub/deep.svg",
        "elsewhere/sub/deep.svg",
        "subway/deep.svg",
    ];
    for path in spelled {
        let path = place.at(path);
        assert_eq!(
            place.read(path.to_str().unwrap()).unwrap(),
            "deep",
            "{path:?}"
        );
    }
    let new = place.at("elsewhere/new.svg");
    place.write(new.to_str().unwrap(), "new", &NEW).unwrap();
    assert_eq!(place.text("root/new.svg"), "new");
}

#[test]
fn ways_out_are_refused() {
    let place = Place::new();
    symlink("../outside/secret.svg", place.at("root/out.svg")).unwrap();
    symlink(place.at("outside"), place.at("root/outdir")).unwrap();
    symlink("../../outside/new.svg", place.at("root/sub/dangling.svg")).unwrap();
    let outside = place.at("outside/secret.svg");
    let through = place.at("root/../outside/secret.svg");
    let plain = [
        "../outside/secret.svg",
        "sub/../../outside/secret.svg",
        "..",
        "/etc/passwd",
        "/no/such/place",
        outside.to_str().unwrap(),
        through.to_str().unwrap(),
    ];
    let linked = [
        "out.svg",
        "outdir/secret.svg",
        "outdir/new.svg",
        "sub/dangling.svg",
    ];
    let cases = plain
        .iter()
        .map(|path| (path, "! path leaves the root: "))
        .chain(
            linked
                .iter()
                .map(|path| (path, "! path leaves the root through a link: ")),
        );
    for (path, error) in cases {
        let error = format!("{error}{path:?}");
        assert_eq!(place.read(path).unwrap_err(), error);
        assert_eq!(
            place.write(path, "x", &Expect::Anything).unwrap_err(),
            error
        );
    }
    assert_eq!(place.names("outside"), ["secret.svg"]);
    assert_eq!(place.text("outside/secret.svg"), "secret");
}

#[test]
fn links_inside_are_followed_and_saved_through() {
    let place = Place::new();
    symlink("sub/deep.svg", place.at("root/link.svg")).unwrap();
    symlink(place.at("root/sub"), place.at("root/subdir")).unwrap();
    symlink("../link.svg", place.at("root/sub/back.svg")).unwrap();
    for path in [
        "link.svg",
        "subdir/deep.svg",
        "sub/back.svg",
        "subdir/../song.mid/../sub/deep.svg",
    ] {
        let read = place.read(path);
        if path.contains("song.mid") {
            assert_eq!(read.unwrap_err(), format!("! file {path:?} not found"));
            continue;
        }
        assert_eq!(read.unwrap(), "deep", "{path}");
        assert!(
            place.root.is_same(path, &place.stamp("sub/deep.svg")),
            "{path}"
        );
    }
    let expected = Expect::Unchanged(place.stamp("link.svg"));
    place.write("link.svg", "new", &expected).unwrap();
    assert_eq!(place.text("root/sub/deep.svg"), "new");
    assert!(place.at("root/link.svg").is_symlink());
    assert_eq!(place.names("root/sub"), ["back.svg", "deep.svg"]);

    symlink("sub/made.svg", place.at("root/to-be.svg")).unwrap();
    assert_eq!(
        place.read("to-be.svg").unwrap_err(),
        "! file \"to-be.svg\" not found"
    );
    place.write("to-be.svg", "made", &NEW).unwrap();
    assert_eq!(place.text("root/sub/made.svg"), "made");
    assert!(place.at("root/to-be.svg").is_symlink());
}

#[test]
fn links_in_a_circle_end() {
    let place = Place::new();
    symlink("b", place.at("root/a")).unwrap();
    symlink("a", place.at("root/b")).unwrap();
    assert_eq!(
        place.read("a").unwrap_err(),
        "! \"a\" cannot be reached: too many links"
    );
    place.write("a/x", "x", &NEW).unwrap_err();
}

#[test]
fn paths_that_no_file_can_have() {
    let place = Place::new();
    let cases = [
        ("", "! the path is empty"),
        ("a\0b", "! path \"a\\0b\" holds a NUL character"),
        (
            "song.mid/",
            "! path \"song.mid/\" names a folder, not a file",
        ),
        ("new/", "! path \"new/\" names a folder, not a file"),
        (
            "song.mid/.",
            "! path \"song.mid/.\" names a folder, not a file",
        ),
        (".", "! \".\" is a folder"),
        ("sub", "! \"sub\" is a folder"),
        ("sub/..", "! \"sub/..\" is a folder"),
    ];
    for (path, error) in cases {
        assert_eq!(place.read(path).unwrap_err(), error);
        for expected in [Expect::Anything, NEW] {
            assert_eq!(place.write(path, "x", &expected).unwrap_err(), error);
        }
    }
    let root = place.at("root");
    let root = root.to_str().unwrap();
    assert_eq!(
        place.read(root).unwrap_err(),
        format!("! {root:?} is a folder")
    );
    let long = "x".repeat(5000);
    let error = place.read(&long).unwrap_err();
    assert!(
        error.len() < 300 && error.ends_with("xxx\"… cannot be reached: file name too long"),
        "{error}"
    );
    let lines = place.read("no\nsuch\nfile").unwrap_err();
    assert_eq!(lines, "! file \"no\\nsuch\\nfile\" not found");
}

#[test]
fn a_missing_file_names_those_like_it() {
    let place = Place::new();
    for name in [
        "song2.mid",
        "drawing.svg",
        ".song.mid.fcp-save-1-1-1.tmp",
        "my song.mid",
    ] {
        fs::write(place.at("root").join(name), "").unwrap();
    }
    fs::create_dir(place.at("root/song.mi")).unwrap();
    let nearest = |path: &str| match place.root.read(path, 10).unwrap_err() {
        FileError::NotFound {
            nearest,
            path: shown,
        } => {
            assert_eq!(shown, path);
            nearest
        }
        other => panic!("{other}"),
    };
    assert_eq!(
        nearest("sogn.mid"),
        ["song.mid", "song2.mid", "my song.mid"]
    );
    assert_eq!(
        nearest("SONG.MID"),
        ["song.mid", "song2.mid", "my song.mid"]
    );
    assert_eq!(nearest("./drawing"), ["./drawing.svg"]);
    assert_eq!(nearest("sub/depe.svg"), ["sub/deep.svg"]);
    assert_eq!(nearest("sbu/deep.svg"), ["sub/deep.svg"]);
    assert_eq!(nearest("song.mid/x"), [""; 0]);
    assert_eq!(nearest("zzz"), [""; 0]);
    let absolute = place.at("root/sub/deep.sgv");
    let answer = place.at("root/sub/deep.svg");
    assert_eq!(
        nearest(absolute.to_str().unwrap()),
        [answer.to_str().unwrap()]
    );
}

#[test]
fn a_folder_that_is_missing_is_not_made() {
    let place = Place::new();
    assert_eq!(
        place.write("new/a.svg", "x", &NEW).unwrap_err(),
        "! no folder \"new\" to write \"new/a.svg\" into"
    );
    assert_eq!(
        place
            .write("song.mid/a.svg", "x", &Expect::Anything)
            .unwrap_err(),
        "! no folder \"song.mid\" to write \"song.mid/a.svg\" into"
    );
}

#[test]
fn too_large_names_the_limit() {
    let place = Place::new();
    assert_eq!(place.root.read("song.mid", 4).unwrap().0, b"song");
    let say = |path: &str, limit| place.say(path, place.root.read(path, limit).unwrap_err());
    assert_eq!(
        say("song.mid", 3),
        "! \"song.mid\" has 4 bytes, over the limit of 3 bytes (set file-limit:MIB moves it)\n  try: set file-limit:1"
    );
    fs::File::create(place.at("root/big"))
        .unwrap()
        .set_len(3 << 29)
        .unwrap();
    assert_eq!(
        say("big", 64 << 20),
        "! \"big\" has 1.5 GiB, over the limit of 64 MiB (set file-limit:MIB moves it)\n  try: set file-limit:1536"
    );
    assert_eq!(
        say("big", (3 << 29) - 1),
        "! \"big\" has 1610612736 bytes, over the limit of 1610612735 (set file-limit:MIB moves it)\n  try: set file-limit:1536"
    );
}

#[test]
fn pipes_and_devices_are_refused_without_waiting() {
    let place = Place::new();
    let made = Command::new("mkfifo")
        .arg(place.at("root/pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(place.at("root/socket")).unwrap();
    symlink("pipe", place.at("root/to-pipe")).unwrap();
    for path in ["pipe", "to-pipe", "socket"] {
        let error = format!("! {path:?} is a pipe, socket or device, not a file");
        assert_eq!(place.read(path).unwrap_err(), error);
        assert_eq!(
            place.write(path, "x", &Expect::Anything).unwrap_err(),
            error
        );
    }
    let dev = Root::open("/dev").unwrap();
    assert!(matches!(
        dev.read("zero", 10),
        Err(FileError::Special { .. })
    ));
}

#[test]
fn a_root_must_be_a_folder() {
    let place = Place::new();
    let missing = place.at("nowhere");
    let error = Root::open(&missing).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{missing:?} cannot be opened as the root folder: no such file or directory")
    );
    Root::open(place.at("root/song.mid")).unwrap_err();
}

#[test]
fn save_goes_on_from_its_own_stamp() {
    let place = Place::new();
    let mut stamp = place.write("new.svg", "one", &NEW).unwrap();
    for text in ["two", "three", "three", ""] {
        stamp = place
            .write("new.svg", text, &Expect::Unchanged(stamp))
            .unwrap();
        assert_eq!(place.text("root/new.svg"), text);
        assert_eq!(stamp, place.stamp("new.svg"));
    }
    assert_eq!(place.names("root"), ["new.svg", "song.mid", "sub"]);
}

#[test]
fn save_refuses_a_file_that_changed() {
    let place = Place::new();
    let file = place.at("root/song.mid");
    let stamp = place.stamp("song.mid");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    // A longer text, and one of the same length and time.
    for text in ["longer", "gnos"] {
        fs::write(&file, text).unwrap();
        fs::File::options()
            .write(true)
            .open(&file)
            .unwrap()
            .set_modified(time)
            .unwrap();
        assert_eq!(
            place
                .write("song.mid", "x", &Expect::Unchanged(stamp.clone()))
                .unwrap_err(),
            "! \"song.mid\" changed on disk since it was opened; force overwrites it"
        );
        assert_eq!(place.text("root/song.mid"), text);
    }
    place.write("song.mid", "mine", &Expect::Anything).unwrap();
    assert_eq!(place.text("root/song.mid"), "mine");
}

#[test]
fn a_touched_or_equal_file_is_unchanged() {
    let place = Place::new();
    let file = place.at("root/song.mid");
    let stamp = place.stamp("song.mid");
    let then = SystemTime::now() - Duration::from_secs(99);
    fs::File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_modified(then)
        .unwrap();
    let stamp = place
        .write("song.mid", "more", &Expect::Unchanged(stamp))
        .unwrap();
    fs::remove_file(&file).unwrap();
    fs::write(&file, "more").unwrap();
    place
        .write("song.mid", "most", &Expect::Unchanged(stamp))
        .unwrap();
}

#[test]
fn save_refuses_a_file_that_vanished() {
    let place = Place::new();
    let stamp = place.stamp("song.mid");
    fs::remove_file(place.at("root/song.mid")).unwrap();
    assert_eq!(
        place
            .write("song.mid", "x", &Expect::Unchanged(stamp))
            .unwrap_err(),
        "! \"song.mid\" was removed from disk since it was opened\n  try: save force"
    );
    assert_eq!(place.names("root"), ["sub"]);
    place.write("song.mid", "x", &Expect::Anything).unwrap();
}

#[test]
fn save_as_replaces_no_other_file() {
    let place = Place::new();
    let stamp = place.stamp("song.mid");
    let own = Expect::New { or: Some(stamp) };
    assert_eq!(
        place.write("sub/deep.svg", "x", &own).unwrap_err(),
        "! \"sub/deep.svg\" exists already; force overwrites it"
    );
    assert_eq!(place.text("root/sub/deep.svg"), "deep");
    // The same file under another spelling is still its own; a change by someone else counts as a
    // change.
    let stamp = place.write("sub/../song.mid", "mine", &own).unwrap();
    assert_eq!(
        place.write("./song.mid", "x", &own).unwrap_err(),
        "! \"./song.mid\" changed on disk since it was opened; force overwrites it"
    );
    place
        .write(
            "copy.mid",
            "x",
            &Expect::New {
                or: Some(stamp.clone()),
            },
        )
        .unwrap();
    // A stamp belongs to one file: an equal one elsewhere is another.
    fs::write(place.at("root/twin.mid"), "mine").unwrap();
    place
        .write("twin.mid", "x", &Expect::Unchanged(stamp))
        .unwrap_err();
}

#[test]
fn permissions_and_owner_stay() {
    let place = Place::new();
    let file = place.at("root/song.mid");
    for mode in [0o600, 0o640, 0o755, 0o4750] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        place
            .write(
                "song.mid",
                "song",
                &Expect::Unchanged(place.stamp("song.mid")),
            )
            .unwrap();
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, mode);
    }
    if fs::metadata(&file).unwrap().uid() == 0 {
        std::os::unix::fs::chown(&file, Some(1234), Some(4321)).unwrap();
        place.write("song.mid", "mine", &Expect::Anything).unwrap();
        let meta = fs::metadata(&file).unwrap();
        assert_eq!((meta.uid(), meta.gid()), (1234, 4321));
    }
}

#[test]
fn a_read_only_file_needs_force() {
    let place = Place::new();
    let file = place.at("root/song.mid");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let stamp = place.stamp("song.mid");
    assert_eq!(
        place
            .write("song.mid", "x", &Expect::Unchanged(stamp))
            .unwrap_err(),
        "! \"song.mid\" is read-only; force overwrites it"
    );
    assert_eq!(place.text("root/song.mid"), "song");
    place.write("song.mid", "x", &Expect::Anything).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o444);
}

#[test]
fn the_longest_names_can_be_saved() {
    let place = Place::new();
    for name in ["x".repeat(255), "é".repeat(127)] {
        let stamp = place.write(&name, "one", &NEW).unwrap();
        place
            .write(&name, "two", &Expect::Unchanged(stamp))
            .unwrap();
    }
    assert!(
        place
            .names("root")
            .iter()
            .all(|name| !name.contains("fcp-save"))
    );
}

/// Runs the test `name` of this file in its own process, with `dir` in `FCP_TEST_DIR`.
fn child(name: &str, dir: &Path, wrap: impl Fn(&Path) -> Command) -> Command {
    let exe = std::env::current_exe().unwrap();
    let mut command = wrap(&exe);
    command
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env("FCP_TEST_DIR", dir)
        .stdout(std::process::Stdio::null());
    command
}

/// The working folder, if this process is such a child.
fn as_child(name: &str) -> Option<PathBuf> {
    let mut args = std::env::args();
    let mine = args.any(|arg| arg == "--exact") && args.next().as_deref() == Some(name);
    std::env::var_os("FCP_TEST_DIR")
        .filter(|_| mine)
        .map(PathBuf::from)
}

#[test]
fn forbidden_writes_are_errors_and_lose_nothing() {
    const NAME: &str = "forbidden_writes_are_errors_and_lose_nothing";
    if let Some(dir) = as_child(NAME) {
        let root = Root::open(dir).unwrap();
        let say = |error: FileError| error.to_string();
        assert_eq!(
            say(root.read("unreadable", 10).unwrap_err()),
            "\"unreadable\" cannot be read: permission denied"
        );
        let (_, stamp) = root.read("foreign", 10).unwrap();
        assert_eq!(
            say(root
                .write("foreign", b"x", &Expect::Unchanged(stamp))
                .unwrap_err()),
            "\"foreign\" is read-only; force overwrites it"
        );
        assert_eq!(
            say(root.write("closed/a", b"x", &NEW).unwrap_err()),
            "\"closed/a\" cannot be written: permission denied"
        );
        // Force would not help, so it is not named, whatever became of the file.
        for (name, known) in [
            ("closed/file", "closed/file"),
            ("closed/file", "foreign"),
            ("closed/gone", "foreign"),
        ] {
            let (_, stamp) = root.read(known, 10).unwrap();
            let written = root.write(name, b"x", &Expect::Unchanged(stamp));
            assert_eq!(
                say(written.unwrap_err()),
                format!("{name:?} cannot be written: permission denied")
            );
        }
        // This process does not own the file: the file becomes its own, and the group's rights do
        // not pass to another group.
        root.write("shared", b"mine", &Expect::Anything).unwrap();
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let mode =
        |name: &str, mode| fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
    fs::create_dir(at("closed")).unwrap();
    for (name, bits) in [
        ("unreadable", 0o000),
        ("foreign", 0o644),
        ("shared", 0o676),
        ("closed/file", 0o444),
    ] {
        fs::write(at(name), "old").unwrap();
        mode(name, bits);
    }
    mode("closed", 0o555);
    mode("", 0o777);
    if fs::metadata(at("foreign")).unwrap().uid() != 0 {
        // Only root can become another user.
        return;
    }
    let mut command = child(NAME, dir.path(), |exe| Command::new(exe));
    match command.uid(65534).gid(65534).status() {
        Ok(status) => assert!(status.success()),
        Err(error) => {
            eprintln!("not tested, the test program is out of reach: {error}");
            return;
        }
    }
    assert_eq!(fs::read_to_string(at("foreign")).unwrap(), "old");
    assert_eq!(fs::read_to_string(at("shared")).unwrap(), "mine");
    let shared = fs::metadata(at("shared")).unwrap();
    assert_eq!((shared.uid(), shared.mode() & 0o7777), (65534, 0o666));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 4);
}

#[test]
fn a_save_that_finds_no_room_keeps_the_old_file() {
    const NAME: &str = "a_save_that_finds_no_room_keeps_the_old_file";
    if let Some(dir) = as_child(NAME) {
        fcp::signals::watch().unwrap();
        let root = Root::open(dir).unwrap();
        let (_, stamp) = root.read("a", 10).unwrap();
        let error = root
            .write("a", &vec![b'x'; 1 << 20], &Expect::Unchanged(stamp))
            .unwrap_err();
        assert_eq!(error.to_string(), "\"a\" cannot be written: file too large");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a"), "old").unwrap();
    let status = child(NAME, dir.path(), |exe| {
        let mut sh = Command::new("sh");
        sh.arg("-c")
            .arg("ulimit -f 200; exec \"$0\" \"$@\"")
            .arg(exe);
        sh
    })
    .status()
    .unwrap();
    assert!(status.success());
    assert_eq!(fs::read_to_string(dir.path().join("a")).unwrap(), "old");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_killed_save_leaves_the_old_file_or_the_new_one() {
    const NAME: &str = "a_killed_save_leaves_the_old_file_or_the_new_one";
    const LEN: usize = 2 << 20;
    // This number of kills, and more until one interrupts a save: the duration of a save, and the
    // time its file is visible, depend on the machine.
    const KILLS: u32 = 40;
    const MOST: u32 = 2_000;
    if let Some(dir) = as_child(NAME) {
        let root = Root::open(&dir).unwrap();
        let (old, mut stamp) = root.read("a", u64::MAX).unwrap();
        for letter in (0..=u8::MAX).cycle().skip(usize::from(old[0]) + 1) {
            stamp = root
                .write("a", &vec![letter; LEN], &Expect::Unchanged(stamp))
                .unwrap();
            fs::write(dir.join("ready"), "").unwrap();
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("a"), vec![0; LEN]).unwrap();
    let (mut half_way, mut letters) = (0, std::collections::BTreeSet::new());
    let mut kills = 0;
    for round in 0..MOST {
        if round >= KILLS && half_way > 0 && letters.len() > 1 {
            break;
        }
        kills += 1;
        let mut saver = child(NAME, dir.path(), |exe| Command::new(exe))
            .spawn()
            .unwrap();
        while !at("ready").exists() {
            assert!(
                saver.try_wait().unwrap().is_none(),
                "the saver ended by itself"
            );
            std::thread::sleep(Duration::from_micros(200));
        }
        let random = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), round);
        std::thread::sleep(Duration::from_micros(random % 30_000));
        saver.kill().unwrap();
        saver.wait().unwrap();
        fs::remove_file(at("ready")).unwrap();

        let found = fs::read(at("a")).unwrap();
        assert_eq!(found.len(), LEN, "round {round}");
        assert!(found.iter().all(|byte| *byte == found[0]), "round {round}");
        letters.insert(found[0]);
        for entry in fs::read_dir(dir.path()).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() == "a" {
                continue;
            }
            let name = entry.file_name().into_string().unwrap();
            // The next round's save removes it.
            assert_eq!(name, ".fcp-save.tmp");
            half_way += 1;
        }
    }
    assert!(half_way > 0, "no kill came half way through a save");
    assert!(letters.len() > 1, "no save came through");
    println!(
        "{kills} kills, {half_way} half way, {} saves seen",
        letters.len()
    );
}
