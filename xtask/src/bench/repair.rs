//! `bench repair`: the value of a domain's errors to an agent.

use fcp::testing::{Least, Report, measure as measured};

use super::Repair;

/// Measures, prints the table and the targets, and returns whether all are met.
pub fn measure(args: &Repair) -> bool {
    let make = match &*args.domain {
        "svg" => measured::<fcp_svg::Drawing>,
        "midi" => measured::<fcp_midi::Song>,
        _ => measured::<fcp_checklist::Checklist>,
    };
    let report: Report = make(args.seed, args.count);
    if args.details {
        for miss in report.impossible.iter().chain(&report.misses) {
            println!("{miss}\n");
        }
    }
    println!("{report}");
    let Least {
        tried,
        worked,
        meant,
    } = Least::BENCHMARK;
    println!(
        "targets: 0 silent, 0 changed, 0 beyond; of the refused {tried} % with try:, of these {worked} % work; \
         {meant} % of the refused repaired as meant; at most {} bytes in a ! line at the median",
        Least::LINE
    );
    let missed = report.missed(Least::BENCHMARK);
    for miss in &missed {
        println!("MISSED: {miss}");
    }
    missed.is_empty()
}
