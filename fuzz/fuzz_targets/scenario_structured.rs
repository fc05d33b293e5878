//! Scenarios that are nearly right.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gridpact_fuzz::check("scenario_structured", bytes));
