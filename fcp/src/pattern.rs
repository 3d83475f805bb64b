//! Regular expressions whose searches count their work.

use std::sync::Mutex;

use regex_automata::Input;
use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::nfa::thompson::{BuildError, NFA, WhichCaptures};

use crate::threads::lock;

/// The most memory of a pattern, in bytes.
const SIZE: usize = 1 << 18;

/// The memory of the states that searches have met so far, in bytes.
const CACHE: usize = 1 << 18;

/// A search gives up its fast form when it meets a new state more often than after this number of bytes.
const BYTES_A_STATE: usize = 10;

/// A pattern, in two forms: a fast one, whose states are made as they are met, and one that takes a
/// step for each byte and state, for texts in which the fast one meets a new state at nearly every
/// byte.
#[derive(Debug)]
pub(crate) struct Pattern {
    fast: DFA,
    slow: PikeVM,
    caches: Mutex<(dfa::Cache, pikevm::Cache)>,
}

impl Pattern {
    /// Compiles a pattern; its syntax is that of the crate `regex`.
    ///
    /// # Errors
    /// It is invalid, or too large.
    pub(crate) fn parse(pattern: &str) -> Result<Self, String> {
        let failed = |error: BuildError| match error.size_limit() {
            Some(_) => format!("the pattern {pattern} is too large"),
            None => format!("{pattern} is not a pattern"),
        };
        let config = NFA::config()
            .nfa_size_limit(Some(SIZE))
            .which_captures(WhichCaptures::None);
        let nfa = NFA::compiler()
            .configure(config)
            .build(pattern)
            .map_err(failed)?;
        let config = DFA::config()
            .cache_capacity(CACHE)
            .skip_cache_capacity_check(true)
            .unicode_word_boundary(true)
            .minimum_cache_clear_count(Some(2))
            .minimum_bytes_per_state(Some(BYTES_A_STATE));
        let fast = DFA::builder().configure(config).build_from_nfa(nfa.clone());
        let fast = fast.map_err(|error| error.to_string())?;
        let slow = PikeVM::new_from_nfa(nfa).map_err(failed)?;
        let caches = Mutex::new((fast.create_cache(), slow.create_cache()));
        Ok(Self { fast, slow, caches })
    }

    /// The memory of its slow form, in bytes: compiling took time in proportion.
    pub(crate) fn size(&self) -> usize {
        self.slow.get_nfa().memory_usage()
    }

    /// Whether the pattern matches anywhere in a text. `spend` counts steps before they are taken or, if they are few,
    /// after them; its error ends the search.
    ///
    /// # Errors
    /// That of `spend`.
    pub(crate) fn is_match<E>(
        &self,
        text: &str,
        mut spend: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<bool, E> {
        let (fast, slow) = &mut *lock(&self.caches);
        let input = Input::new(text).earliest(true);
        let made = |cache: &dfa::Cache| cache.clear_count() * CACHE + cache.memory_usage();
        let before = made(fast);
        let found = self.fast.try_search_fwd(fast, &input);
        spend(text.len() / 16 + made(fast).saturating_sub(before) / 4)?;
        if let Ok(found) = found {
            return Ok(found.is_some());
        }
        // It gave up, or met a letter beyond ASCII next to `\b`.
        let states = self.slow.get_nfa().states().len();
        spend(text.len().saturating_mul(states))?;
        Ok(self.slow.is_match(slow, input))
    }
}
