//! Any bytes as a scenario.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gridpact_fuzz::check("scenario", bytes));
