//! Any bytes as a list of jobs.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gridpact_fuzz::check("jobs_csv", bytes));
