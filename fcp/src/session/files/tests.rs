//! Saves that fail, or meet another writer, at each step.
#![cfg(unix)]

use std::io;
use std::path::Path;

use super::save::{Step, save};
use super::{Expect, FileError, Root, Stamp};

const STEPS: [Step; 5] = [
    Step::Create,
    Step::Write,
    Step::Sync,
    Step::Check,
    Step::Replace,
];

fn setup() -> (tempfile::TempDir, Root, Stamp) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a"), "old").unwrap();
    let root = Root::open(dir.path()).unwrap();
    let (_, stamp) = root.read("a", 10).unwrap();
    (dir, root, stamp)
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn old_is_kept(dir: &Path) {
    assert_eq!(std::fs::read_to_string(dir.join("a")).unwrap(), "old");
    assert_eq!(names(dir), ["a"]);
}

#[test]
fn a_fault_at_any_step_keeps_the_old_file_and_leaves_nothing_behind() {
    for step in STEPS {
        let (dir, root, stamp) = setup();
        let expects = [
            Expect::Anything,
            Expect::Unchanged(stamp.clone()),
            Expect::New { or: Some(stamp) },
        ];
        for expected in expects {
            let mut fault = |at| {
                if at == step {
                    Err(io::Error::from(io::ErrorKind::StorageFull))
                } else {
                    Ok(())
                }
            };
            let error = save(&root, "a", b"new", &expected, &mut fault).unwrap_err();
            assert!(
                matches!(error, FileError::Io { .. }),
                "{step:?} {expected:?}"
            );
            old_is_kept(dir.path());
            save(
                &root,
                "b",
                b"new",
                &Expect::New { or: None },
                &mut |at| match at {
                    at if at == step => Err(io::ErrorKind::StorageFull.into()),
                    _ => Ok(()),
                },
            )
            .unwrap_err();
            old_is_kept(dir.path());
        }
    }
}

#[test]
fn the_name_of_the_temporary_file_shows_its_purpose() {
    let (dir, root, _) = setup();
    let mut seen = Vec::new();
    let mut look = |step| {
        if step == Step::Sync {
            seen = names(dir.path());
        }
        Ok(())
    };
    save(&root, "a", b"new", &Expect::Anything, &mut look).unwrap();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen, [".fcp-save.tmp", "a"]);
    assert_eq!(names(dir.path()), ["a"]);
}

#[test]
fn the_next_save_into_a_folder_removes_the_leftover_of_a_dead_one() {
    let (dir, root, _) = setup();
    std::fs::write(dir.path().join(".fcp-save.tmp"), "half of an o").unwrap();
    save(&root, "b", b"new", &Expect::New { or: None }, &mut |_| {
        Ok(())
    })
    .unwrap();
    assert_eq!(names(dir.path()), ["a", "b"]);
    assert_eq!(std::fs::read(dir.path().join("b")).unwrap(), b"new");

    // A folder of that name is not a leftover: it stays, and the save continues.
    std::fs::create_dir(dir.path().join(".fcp-save.tmp")).unwrap();
    save(&root, "b", b"newer", &Expect::Anything, &mut |_| Ok(())).unwrap();
    assert_eq!(names(dir.path()), [".fcp-save.tmp", "a", "b"]);
}

#[test]
fn leftovers_of_dead_saves_can_be_opened_and_saved() {
    for name in [".fcp-save.tmp", ".FCP-Save.tmp"] {
        let (dir, root, _) = setup();
        std::fs::write(dir.path().join(name), "half").unwrap();
        let (_, stamp) = root.read(name, 10).unwrap();
        let unchanged = Expect::Unchanged(stamp);
        let stamp = save(&root, name, b"whole", &unchanged, &mut |_| Ok(())).unwrap();
        assert_eq!(std::fs::read(dir.path().join(name)).unwrap(), b"whole");
        save(&root, name, b"forced", &Expect::Anything, &mut |_| Ok(())).unwrap();
        assert_eq!(std::fs::read(dir.path().join(name)).unwrap(), b"forced");
        assert_ne!(root.read(name, 10).unwrap().1, stamp);
        assert_eq!(names(dir.path()), [name, "a"]);
    }
}

#[test]
fn a_new_file_cannot_have_the_name_that_the_next_save_removes() {
    let (dir, root, _) = setup();
    for name in [".fcp-save.tmp", ".FCP-Save.tmp"] {
        for expected in [Expect::New { or: None }, Expect::Anything] {
            let error = save(&root, name, b"new", &expected, &mut |_| Ok(())).unwrap_err();
            let refused = format!("path {name:?} is the name of the temporary file of saves");
            assert_eq!(error.to_string(), refused);
        }
    }
    assert_eq!(names(dir.path()), ["a"]);
}

#[test]
fn a_folder_that_cannot_be_read_can_be_saved_into() {
    use std::os::unix::fs::PermissionsExt;
    if rustix::process::geteuid().is_root() {
        crate::testing::say("skipped: root may read every folder");
        return;
    }
    let (dir, root, _) = setup();
    let inner = dir.path().join("in");
    std::fs::create_dir(&inner).unwrap();
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o300)).unwrap();
    let new = Expect::New { or: None };
    let saved = save(&root, "in/b", b"new", &new, &mut |_| Ok(()));
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o700)).unwrap();
    saved.unwrap();
    assert_eq!(std::fs::read(inner.join("b")).unwrap(), b"new");
}

#[test]
fn of_two_saves_at_once_the_second_finds_the_file_changed() {
    for _ in 0..50 {
        let (dir, root, stamp) = setup();
        let barrier = std::sync::Barrier::new(2);
        let saved: Vec<_> = std::thread::scope(|scope| {
            let saves = [b"one", b"two"].map(|bytes| {
                let (root, stamp, barrier) = (root.clone(), stamp.clone(), &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    save(
                        &root,
                        "a",
                        bytes,
                        &Expect::Unchanged(stamp),
                        &mut |_| Ok(()),
                    )
                })
            });
            saves.map(|save| save.join().unwrap()).into()
        });
        let kept = match &saved[..] {
            [Ok(_), Err(FileError::Changed { .. })] => "one",
            [Err(FileError::Changed { .. }), Ok(_)] => "two",
            other => panic!("{other:?}"),
        };
        assert_eq!(std::fs::read_to_string(dir.path().join("a")).unwrap(), kept);
        assert_eq!(names(dir.path()), ["a"]);
    }
}

/// Saves, and lets another writer do `act` at `step`.
fn meanwhile(
    root: &Root,
    path: &str,
    expected: &Expect,
    step: Step,
    act: impl Fn(),
) -> Result<Stamp, FileError> {
    let mut steps = |at| {
        if at == step {
            act();
        }
        Ok(())
    };
    save(root, path, b"new", expected, &mut steps)
}

#[test]
fn a_change_while_saving_is_noticed() {
    let (dir, root, stamp) = setup();
    let file = dir.path().join("a");
    let act = || std::fs::write(&file, "odl").unwrap();
    let error = meanwhile(&root, "a", &Expect::Unchanged(stamp), Step::Check, act).unwrap_err();
    assert!(matches!(error, FileError::Changed { .. }), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "odl");
    assert_eq!(names(dir.path()), ["a"]);
}

#[test]
fn a_touch_while_saving_is_not_a_change() {
    let (dir, root, stamp) = setup();
    let file = dir.path().join("a");
    let act = || std::fs::write(&file, "old").unwrap();
    meanwhile(&root, "a", &Expect::Unchanged(stamp), Step::Check, act).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
}

#[test]
fn a_removal_while_saving_is_noticed() {
    let (dir, root, stamp) = setup();
    let act = || std::fs::remove_file(dir.path().join("a")).unwrap();
    let error = meanwhile(&root, "a", &Expect::Unchanged(stamp), Step::Check, act).unwrap_err();
    assert!(matches!(error, FileError::Vanished { .. }), "{error}");
    assert_eq!(names(dir.path()), [""; 0]);
}

#[test]
fn a_file_that_appears_in_the_last_moment_is_not_replaced() {
    let (dir, root, _) = setup();
    let file = dir.path().join("b");
    let act = || std::fs::write(&file, "foreign").unwrap();
    for step in [Step::Check, Step::Replace] {
        let error = meanwhile(&root, "b", &Expect::New { or: None }, step, act).unwrap_err();
        assert!(matches!(error, FileError::Exists { .. }), "{error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "foreign");
        assert_eq!(names(dir.path()), ["a", "b"]);
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_folder_that_is_swapped_for_a_link_leads_nowhere() {
    let (dir, root, _) = setup();
    let outside = tempfile::tempdir().unwrap();
    let sub = dir.path().join("sub");
    std::fs::create_dir(&sub).unwrap();
    let act = || {
        std::fs::rename(&sub, dir.path().join("moved")).unwrap();
        std::os::unix::fs::symlink(outside.path(), &sub).unwrap();
    };
    meanwhile(&root, "sub/b", &Expect::New { or: None }, Step::Create, act).unwrap();
    assert_eq!(names(outside.path()), [""; 0]);
    assert_eq!(names(&dir.path().join("moved")), ["b"]);
}

#[test]
fn a_save_waits_a_second_at_most_for_the_lock_of_another_program_and_not_if_cancelled() {
    use rustix::fs::{FlockOperation, flock};

    let (dir, root, stamp) = setup();
    let folder = std::fs::File::open(dir.path()).unwrap();
    flock(&folder, FlockOperation::LockExclusive).unwrap();
    let saved = || root.write("a", b"new", &Expect::Unchanged(stamp.clone()));
    let start = std::time::Instant::now();
    let unwanted = move || start.elapsed().as_millis() > 100;
    let error = crate::work::wanted(unwanted, saved).unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"a\" cannot be written: the call was cancelled"
    );
    assert!(start.elapsed().as_millis() < 900);
    let error = saved().unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"a\" cannot be written: another program has locked the folder for over a second; save again when it has ended"
    );
    assert!(start.elapsed().as_secs() < 8);
    old_is_kept(dir.path());
    drop(folder);
    saved().unwrap();
}

#[test]
fn a_folder_that_vanishes_between_open_and_save_is_an_error() {
    let no_folder = "no folder \"in\" to write \"in/a\" into";
    let removed = "\"a\" was removed from disk since it was opened";
    let nowhere = "\"a\" cannot be written: no such file or directory";
    for (folder, messages) in [("", [removed, nowhere]), ("in", [no_folder; 2])] {
        let (dir, root, _) = setup();
        std::fs::create_dir_all(dir.path().join("in")).unwrap();
        std::fs::write(dir.path().join("in/a"), "old").unwrap();
        let path = Path::new(folder).join("a").to_str().unwrap().to_owned();
        let (_, stamp) = root.read(&path, 10).unwrap();
        std::fs::remove_dir_all(dir.path().join(folder)).unwrap();
        let expects = [Expect::Unchanged(stamp), Expect::Anything];
        for (expected, message) in expects.iter().zip(messages) {
            let error = root.write(&path, b"new", expected).unwrap_err();
            assert_eq!(error.to_string(), message, "{expected:?}");
        }
        // It can be saved once the folder is there again, but not into a new root.
        std::fs::create_dir_all(dir.path().join("in")).unwrap();
        let saved = root.write(&path, b"new", &expects[1]);
        assert_eq!(saved.is_ok(), !folder.is_empty(), "{saved:?}");
    }
}

#[test]
fn a_read_only_folder_keeps_the_file_and_force_is_not_suggested() {
    use std::os::unix::fs::PermissionsExt;

    let (dir, root, stamp) = setup();
    let mode = |mode| {
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o555);
    if std::fs::write(dir.path().join("b"), "").is_ok() {
        std::fs::remove_file(dir.path().join("b")).unwrap();
        println!(
            "SKIPPED: permissions do not hold for this user; see forbidden_writes_are_errors_and_lose_nothing"
        );
    } else {
        for expected in [Expect::Unchanged(stamp), Expect::Anything] {
            let error = root.write("a", b"new", &expected).unwrap_err();
            assert_eq!(
                error.to_string(),
                "\"a\" cannot be written: permission denied"
            );
            assert!(error.is_closed());
        }
    }
    mode(0o755);
    old_is_kept(dir.path());
}
