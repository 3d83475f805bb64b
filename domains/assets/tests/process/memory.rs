//! A line without an end takes no memory.

use crate::program::{Program, library, plain};

/// The most that the process has held at any time, in KiB.
#[cfg(target_os = "linux")]
fn peak(program: &Program) -> u64 {
    let path = format!("/proc/{}/status", program.child.id());
    let status = std::fs::read_to_string(path).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let figure = line.unwrap().split_whitespace().nth(1).unwrap();
    figure.parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_hundred_megabytes_without_an_end_take_less_than_two() {
    let mut program = Program::start(&library(), &[]);
    let list = plain("1", "list_schemas", "{}");
    program.ask(&list);
    let before = peak(&program);
    let block = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        program.write(&block);
    }
    program.write(b"\n");
    assert!(program.hear().contains("payload_too_large"));
    program.ask(&list);
    let after = peak(&program);
    assert!(after - before < 2048, "{before} KiB, then {after}");
}
