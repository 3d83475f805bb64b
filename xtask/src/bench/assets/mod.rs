//! Assets: requests per second for each tool, in both dialects, next to plain library calls.
//!
//! V is the lower bound: `serde_json` parses an asset and `jsonschema` judges it, in a plain loop.

mod pipe;
mod subject;

use std::{
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::folder::Folder;
use super::subject::Effort;
use super::table::{Rounds, Table};
use crate::workspace::Result;
use pipe::{Backend, Pipe};

/// The number of requests in a round.
const REQUESTS: usize = 500;

/// The number of requests that a client sends before it waits for the first reply.
const IN_FLIGHT: usize = 10;

/// The number of items in a call of `validate_many`.
const ITEMS: usize = 100;

/// Measures, and prints the table.
pub fn measure(program: &Path, effort: &Effort) -> Result<()> {
    let folder = Folder::new()?;
    let bytes = subject::library(folder.path())?;
    let mut table = Table::default();
    starts(&mut table, effort, program, &folder, bytes)?;
    validate(&mut table, effort, program, &folder)?;
    patches(&mut table, effort, program, &folder)?;
    tools(&mut table, effort, program, &folder)?;
    flood(&mut table, program, &folder)?;
    table.print();
    Ok(())
}

/// Time from spawning to the ready line, and memory at that point.
fn starts(
    table: &mut Table,
    effort: &Effort,
    program: &Path,
    folder: &Folder,
    bytes: usize,
) -> Result<()> {
    let mut times = Vec::new();
    let mut memory = 0;
    for _ in 0..effort.starts {
        let (pipe, time) = Pipe::start(program, folder.path(), None)?;
        times.push(time);
        memory = pipe.resident()?;
    }
    let kilobytes = bytes / 1000;
    let how = format!("from spawning to mcp:ready, nine schemas of {kilobytes} KB in all; goal 30");
    table.add("start", &Rounds::milliseconds(&times), "ms", &how);
    table.one("memory, ready", mebibytes(memory), "MiB", "goal 20 MB");
    Ok(())
}

/// Microseconds per call, for rounds of `many` calls.
fn each(times: &[Duration], many: usize) -> Rounds {
    let each = times
        .iter()
        .map(|time| time.as_secs_f64() * 1e6 / many as f64);
    Rounds::new(each.collect())
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Times a loop, once per round, after a warm-up.
fn rounds(effort: &Effort, mut once: impl FnMut() -> Result<Duration>) -> Result<Vec<Duration>> {
    once()?;
    (0..effort.rounds).map(|_| once()).collect()
}

/// Validation, by each way of requesting it, next to V.
fn validate(table: &mut Table, effort: &Effort, program: &Path, folder: &Folder) -> Result<()> {
    let judge = jsonschema::validator_for(&serde_json::from_str(&subject::whole())?)?;
    let (mut pipe, _) = Pipe::start(program, folder.path(), None)?;
    pipe.shake_hands()?;
    for size in [8_100, 16_800] {
        let asset = subject::asset(size);
        let plain = rounds(effort, || {
            let start = Instant::now();
            for _ in 0..REQUESTS {
                let value: Value = serde_json::from_str(black_box(&asset))?;
                if judge.iter_errors(&value).count() > 0 {
                    return Err("the asset is not valid".into());
                }
            }
            Ok(start.elapsed())
        })?;
        let v = each(&plain, REQUESTS).median();
        let kilobytes = size as f64 / 1e3;
        table.add(
            &format!("V, {kilobytes} KB"),
            &each(&plain, REQUESTS),
            "µs",
            "serde_json and jsonschema alone, a loop",
        );
        let arguments = format!(r#"{{"schema":"synesthetic-asset","asset":{asset}}}"#);
        let raw = pipe::raw("validate_asset", &arguments, REQUESTS);
        let times = rounds(effort, || pipe.pipelined(&raw))?;
        let goal = |factor: f64, more: f64| format!("goal {:.0}", factor * v + more);
        table.add(
            "validate, pipelined",
            &each(&times, REQUESTS),
            "µs",
            &format!("raw dialect; {}", goal(1.5, 15.0)),
        );
        let times = rounds(effort, || pipe.in_flight(&raw, 1))?;
        table.add(
            "validate, ping-pong",
            &each(&times, REQUESTS),
            "µs",
            &format!("raw dialect; {}", goal(1.5, 120.0)),
        );
        let mcp = pipe::mcp("validate_asset", &arguments, REQUESTS);
        let times = rounds(effort, || pipe.in_flight(&mcp, IN_FLIGHT))?;
        table.add(
            "validate, tools/call",
            &each(&times, REQUESTS),
            "µs",
            &format!("MCP, {IN_FLIGHT} in flight; {}", goal(3.0, 200.0)),
        );
        let item = format!(r#"{{"schema":"synesthetic-asset","asset":{asset}}}"#);
        // A line is at most one mebibyte long.
        let items = ITEMS.min((1 << 20) / item.len() - 1);
        let many = format!(r#"{{"items":[{}]}}"#, vec![item; items].join(","));
        let raw = pipe::raw("validate_many", &many, 10);
        let times = rounds(effort, || pipe.pipelined(&raw))?;
        table.add(
            "validate_many, an item",
            &each(&times, 10 * items),
            "µs",
            &format!("{items} items a call; {}", goal(1.2, 0.0)),
        );
    }
    Ok(())
}

/// Diffs of two assets of 45 KB.
fn patches(table: &mut Table, effort: &Effort, program: &Path, folder: &Folder) -> Result<()> {
    let (base, new) = (subject::members(false), subject::members(true));
    let (mut pipe, _) = Pipe::start(program, folder.path(), None)?;
    let many = 50;
    for (what, new, goal) in [("166 ops", &new, "1.5"), ("identical", &base, "0.8")] {
        let arguments = format!(r#"{{"base":{base},"new":{new}}}"#);
        let raw = pipe::raw("diff_assets", &arguments, many);
        let times = rounds(effort, || pipe.pipelined(&raw))?;
        table.add(
            &format!("diff, {what}"),
            &each(&times, many).map(|micro| micro / 1e3),
            "ms",
            &format!("two of {} KB, raw dialect; goal {goal}", base.len() / 1000),
        );
        let plain = rounds(effort, || {
            let start = Instant::now();
            for _ in 0..many {
                let base: Value = serde_json::from_str(black_box(&base))?;
                let new: Value = serde_json::from_str(black_box(new))?;
                black_box(json_patch::diff(&base, &new));
            }
            Ok(start.elapsed())
        })?;
        table.add(
            &format!("json-patch, {what}"),
            &each(&plain, many).map(|micro| micro / 1e3),
            "ms",
            "the same by serde_json and json-patch, a loop",
        );
    }
    Ok(())
}

/// All tools, each on a server of its own.
fn tools(table: &mut Table, effort: &Effort, program: &Path, folder: &Folder) -> Result<()> {
    let backend = Backend::start()?;
    for (tool, arguments, many, note) in subject::calls() {
        let (mut pipe, _) = Pipe::start(program, folder.path(), Some(backend.address()))?;
        let raw = pipe::raw(tool, &arguments, many);
        let times = rounds(effort, || pipe.pipelined(&raw))?;
        let rate = each(&times, many).map(|micro| 1e6 / micro);
        table.add(tool, &rate, "/s", &format!("raw dialect, pipelined{note}"));
        let memory = mebibytes(pipe.resident()?);
        table.one(&format!("{tool}, memory"), memory, "MiB", "after that");
    }
    Ok(())
}

/// A line of 100 MB without a line ending.
fn flood(table: &mut Table, program: &Path, folder: &Folder) -> Result<()> {
    let (mut pipe, _) = Pipe::start(program, folder.path(), None)?;
    let before = pipe.resident()?;
    let reply = pipe.flood(100_000_000)?;
    if !reply.contains("payload_too_large") {
        return Err(format!("a line of 100 MB is answered with {reply}").into());
    }
    let rise = pipe.peak()?.saturating_sub(before);
    table.one(
        "memory, 100 MB line",
        mebibytes(rise),
        "MiB",
        "more than when ready, at most; goal 2",
    );
    Ok(())
}
