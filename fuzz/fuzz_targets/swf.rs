//! Any bytes as a trace, under any options.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gridpact_fuzz::check("swf", bytes));
