//! Outcomes of well-behaved and misbehaving jobs. This program is its own worker.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and a bad job prints"
)]

use std::{env, fs, process::ExitCode, thread, time::Duration};

use fcp::__private::inventory;
use fcp::child;
use fcp::worker::{self, Job, Limits, WorkerError};
use libtest_mimic::{Arguments, Trial};

inventory::submit! { Job { name: "turn", run: |input| Ok(input.iter().rev().copied().collect()) } }
inventory::submit! { Job { name: "refuse", run: |_| Err("no such colour".to_owned()) } }
inventory::submit! { Job { name: "sleep", run: |_| { thread::sleep(Duration::from_secs(600)); Ok(vec![]) } } }
inventory::submit! { Job { name: "spin", run: |_| loop { std::hint::spin_loop(); } } }
inventory::submit! { Job { name: "panic", run: |_| panic!("at the third step") } }
inventory::submit! { Job { name: "exit", run: |_| std::process::exit(0) } }
inventory::submit! { Job { name: "abort", run: |_| std::process::abort() } }
inventory::submit! { Job { name: "hoard", run: hoard } }
inventory::submit! { Job { name: "dig", run: |input| Ok(vec![dig(input.len() as u64) as u8]) } }
inventory::submit! { Job { name: "long", run: |_| Ok(vec![7; 1 << 20]) } }
inventory::submit! { Job { name: "print", run: |_| { print!("a false answer"); std::io::Write::flush(&mut std::io::stdout()).unwrap(); Ok(vec![1]) } } }
inventory::submit! { Job { name: "complain", run: |_| { eprint!("{}", "oh ".repeat(1 << 20)); Ok(vec![1]) } } }
inventory::submit! { Job { name: "environment", run: |_| {
    let names: Vec<String> = env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
    Ok(names.join(" ").into_bytes())
} } }
inventory::submit! { Job { name: "id", run: |_| Ok(std::process::id().to_le_bytes().to_vec()) } }

fn hoard(_: &[u8]) -> Result<Vec<u8>, String> {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 16 << 20]);
    }
}

fn dig(depth: u64) -> u64 {
    let ground = std::hint::black_box([depth; 64]);
    if depth > 1 << 40 {
        0
    } else {
        dig(depth + 1) + ground[3]
    }
}

fn call(name: &str, input: &[u8]) -> Result<Vec<u8>, WorkerError> {
    worker::call(name, input, &limits())
}

fn limits() -> Limits {
    Limits {
        time: Duration::from_secs(60),
        work: Duration::from_secs(20),
        memory: 512 << 20,
        output: 1 << 20,
    }
}

fn answers_are_whole_however_long_the_question() {
    let long: Vec<u8> = (0..1_000_000_u32).map(|n| n as u8).collect();
    for input in [&b""[..], b"abc", &long] {
        let turned: Vec<u8> = input.iter().rev().copied().collect();
        assert!(call("turn", input) == Ok(turned));
    }
    // An answer may be as long as the limit, and the input may be left unread.
    assert!(call("long", &long) == Ok(vec![7; 1 << 20]));
}

fn the_message_of_a_job_is_the_error() {
    assert_eq!(
        call("refuse", b""),
        Err(WorkerError::Job("no such colour".to_owned()))
    );
    assert_eq!(
        call("panic", b""),
        Err(WorkerError::Died("at the third step".to_owned()))
    );
    assert_eq!(
        call("nothing", b""),
        Err(WorkerError::Died("no job nothing".to_owned()))
    );
}

fn a_job_without_end_is_ended() {
    for name in ["sleep", "spin"] {
        let limits = Limits {
            time: Duration::from_millis(500),
            ..limits()
        };
        let error = worker::call(name, b"", &limits).unwrap_err();
        assert_eq!(error, WorkerError::Time(limits.time));
        assert_eq!(error.to_string(), "stopped after 0.5 s");
    }
    if cfg!(unix) {
        let limits = Limits {
            work: Duration::from_secs(1),
            ..limits()
        };
        let error = worker::call("spin", b"", &limits);
        assert_eq!(error, Err(WorkerError::Work(limits.work)));
    }
    let error = WorkerError::Time(Limits::default().time);
    assert_eq!(error.to_string(), "stopped after 20 s");
}

fn memory_is_limited() {
    if !cfg!(target_os = "linux") {
        println!("nothing was checked: memory is limited on Linux");
        return;
    }
    let error = call("hoard", b"").unwrap_err();
    assert_eq!(error.to_string(), "ran out of 512 MiB");
    // Not even the input fits.
    let limits = Limits {
        memory: 200 << 20,
        ..limits()
    };
    let error = worker::call("turn", &vec![0; 300 << 20], &limits).unwrap_err();
    assert_eq!(error, WorkerError::Memory(200 << 20));
}

fn a_long_answer_is_not_taken() {
    let limits = Limits {
        output: (1 << 20) - 1,
        ..limits()
    };
    let error = worker::call("long", b"", &limits).unwrap_err();
    assert_eq!(error, WorkerError::Output((1 << 20) - 1));
    assert_eq!(error.to_string(), "gave more than 1048575 bytes");
}

fn a_death_is_an_error() {
    for (name, how) in [
        ("exit", "it ended with exit status: 0"),
        ("abort", "it ended with signal: 6"),
        ("dig", "it went too deep for its stack"),
    ] {
        let error = call(name, b"").unwrap_err();
        let is_reported = matches!(&error, WorkerError::Died(text) if text.starts_with(how));
        assert!(is_reported || !cfg!(target_os = "linux"), "{name}: {error}");
    }
}

fn the_output_of_a_job_is_not_its_answer() {
    assert!(matches!(call("print", b""), Err(WorkerError::Died(_))));
    // Nor does it wait for a reader of its standard error.
    assert_eq!(call("complain", b""), Ok(vec![1]));
}

fn the_environment_stays_here() {
    let names = String::from_utf8(call("environment", b"").unwrap()).unwrap();
    assert!(env::var_os("PATH").is_some());
    let others = names.split(' ').filter(|name| {
        !name.is_empty()
            && !["HOME", "SYSTEMROOT", "USERPROFILE"].contains(name)
            && !name.starts_with("XDG_")
            // Set by the system for every process.
            && !name.starts_with("__")
    });
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&str>::new());
}

fn a_process_is_gone_when_its_call_is_over() {
    if !cfg!(target_os = "linux") {
        println!("nothing was checked: processes are listed in /proc on Linux");
        return;
    }
    let id = call("id", b"").unwrap();
    let id = u32::from_le_bytes(id.try_into().unwrap());
    assert_ne!(id, std::process::id());
    // Not even as a zombie.
    assert!(!fs::exists(format!("/proc/{id}")).unwrap());
    assert_eq!(children_called("sleep"), 0);
    let short = Limits {
        time: Duration::from_millis(300),
        ..limits()
    };
    assert!(worker::call("sleep", b"gone", &short).is_err());
    assert_eq!(children_called("sleep"), 0);
}

fn a_job_ends_with_the_process_that_started_it() {
    if !cfg!(target_os = "linux") {
        println!("nothing was checked: processes are listed in /proc on Linux");
        return;
    }
    let program = env::current_exe().unwrap();
    let mut parent = std::process::Command::new(program)
        .arg(CALLER)
        .spawn()
        .unwrap();
    let own = format!("PPid:\t{}\n", parent.id());
    let children = || -> Vec<std::path::PathBuf> {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let paths = processes.map(|process| process.path());
        let is_own = |path: &std::path::PathBuf| {
            fs::read_to_string(path.join("status")).is_ok_and(|status| status.contains(&own))
        };
        paths.filter(is_own).collect()
    };
    assert!(soon(|| !children().is_empty()));
    let child = children().remove(0);
    parent.kill().unwrap();
    parent.wait().unwrap();
    // A zombie counts as gone.
    let gone = || {
        let status = fs::read_to_string(child.join("status"));
        status.map_or(true, |status| status.contains("State:\tZ"))
    };
    assert!(soon(gone), "{}", child.display());
}

/// The processes that sleep for so long, other than zombies.
fn sleepers(seconds: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.map(|process| fs::read_to_string(process.path().join("cmdline")));
    let sleeps = format!("sleep\0{seconds}\0");
    commands
        .flatten()
        .filter(|command| *command == sleeps)
        .count()
}

/// Two programs: one is in the background, and the other is waited for.
fn sleep_twice(seconds: &str) -> Result<child::Ended, child::ChildError> {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &format!("sleep {seconds} & sleep {seconds}; true")]);
    child::start(command, Vec::new(), Duration::from_secs(60), 1)
        .unwrap()
        .end()
}

fn soon(what: impl Fn() -> bool) -> bool {
    (0..500).any(|_| {
        thread::sleep(Duration::from_millis(20));
        what()
    })
}

fn a_program_and_its_children_end_with_the_process_that_started_it() {
    if !cfg!(target_os = "linux") {
        println!("nothing was checked: processes are listed in /proc on Linux");
        return;
    }
    let seconds = format!("6{}", std::process::id());
    let program = env::current_exe().unwrap();
    let mut parent = std::process::Command::new(program)
        .args([CALLER, &seconds])
        .spawn()
        .unwrap();
    assert!(soon(|| sleepers(&seconds) == 2));
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert!(soon(|| sleepers(&seconds) == 0));
}

fn a_program_and_its_children_end_with_the_call() {
    if !cfg!(target_os = "linux") {
        println!("nothing was checked: processes are listed in /proc on Linux");
        return;
    }
    let seconds = format!("6{}.5", std::process::id());
    let sleeps = seconds.clone();
    let unwanted = move || sleepers(&sleeps) == 2;
    let error = fcp::work::wanted(unwanted, || sleep_twice(&seconds)).unwrap_err();
    assert_eq!(error.to_string(), "was cancelled");
    assert!(soon(|| sleepers(&seconds) == 0));
    // One that goes on in the background does not outlive the program that started it.
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &format!("exec >&- 2>&-; sleep {seconds} &")]);
    let ended = child::start(command, Vec::new(), Duration::from_secs(60), 1)
        .unwrap()
        .end();
    assert!(ended.unwrap().status.success());
    assert!(soon(|| sleepers(&seconds) == 0));
}

fn a_job_ends_with_the_call_that_is_taken_back() {
    let start = std::time::Instant::now();
    let unwanted = move || start.elapsed() > Duration::from_millis(200);
    let error = fcp::work::wanted(unwanted, || call("sleep", b"")).unwrap_err();
    assert_eq!(error, WorkerError::Cancelled);
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(children_called("sleep"), 0);
    // The next call runs normally.
    assert_eq!(call("turn", b"ab"), Ok(b"ba".to_vec()));
}

/// The argument that makes this program wait for a job, or for other programs.
const CALLER: &str = "fcp-caller";

/// The number of processes that do a job, found by their parent; zombies have no command line.
fn children_called(job: &str) -> usize {
    let parent = format!("PPid:\t{}\n", std::process::id());
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|process| {
            let read = |name| fs::read_to_string(process.path().join(name)).unwrap_or_default();
            let command = read("cmdline");
            let zombie = read("status").contains("State:\tZ");
            read("status").contains(&parent) && (zombie || command.contains(job))
        })
        .count()
}

fn calls_side_by_side_do_not_mix() {
    thread::scope(|scope| {
        for n in 0..8_u8 {
            scope.spawn(move || {
                let input = vec![n; 100_000];
                assert!(call("turn", &input) == Ok(input));
            });
        }
    });
}

fn main() -> ExitCode {
    if let Some(code) = worker::dispatch() {
        return code;
    }
    if env::args().nth(1).as_deref() == Some(CALLER) {
        match env::args().nth(2) {
            Some(seconds) => drop(sleep_twice(&seconds)),
            None => drop(call("sleep", b"")),
        }
        return ExitCode::SUCCESS;
    }
    let mut arguments = Arguments::from_args();
    // One test looks for processes that the others would start.
    arguments.test_threads = Some(1);
    let tests: &[(&str, fn())] = &[
        (
            "answers_are_whole_however_long_the_question",
            answers_are_whole_however_long_the_question,
        ),
        (
            "the_message_of_a_job_is_the_error",
            the_message_of_a_job_is_the_error,
        ),
        ("a_job_without_end_is_ended", a_job_without_end_is_ended),
        ("memory_is_limited", memory_is_limited),
        ("a_long_answer_is_not_taken", a_long_answer_is_not_taken),
        ("a_death_is_an_error", a_death_is_an_error),
        (
            "the_output_of_a_job_is_not_its_answer",
            the_output_of_a_job_is_not_its_answer,
        ),
        ("the_environment_stays_here", the_environment_stays_here),
        (
            "a_process_is_gone_when_its_call_is_over",
            a_process_is_gone_when_its_call_is_over,
        ),
        (
            "a_job_ends_with_the_process_that_started_it",
            a_job_ends_with_the_process_that_started_it,
        ),
        (
            "a_program_and_its_children_end_with_the_process_that_started_it",
            a_program_and_its_children_end_with_the_process_that_started_it,
        ),
        (
            "a_program_and_its_children_end_with_the_call",
            a_program_and_its_children_end_with_the_call,
        ),
        (
            "a_job_ends_with_the_call_that_is_taken_back",
            a_job_ends_with_the_call_that_is_taken_back,
        ),
        (
            "calls_side_by_side_do_not_mix",
            calls_side_by_side_do_not_mix,
        ),
    ];
    let trials = tests.iter().map(|(name, test)| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
