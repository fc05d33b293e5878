//! A run survives whatever befalls its process and its disk, and ends with the same bytes.
//!
//! Each test has small runs killed, starved of disk, damaged or stopped, and then goes on with
//! `gridpact resume`: all result files but `timing.json` are those of an unbroken run. Faults come
//! from `survival/shim.c`, which is compiled here and loaded before the C library; where there is
//! no Linux, no C compiler or another kind of library, the tests that need it say that they skip.

#![cfg(unix)]

mod damage;
mod faults;
mod folders;
mod hostile;
mod kills;
mod longer;
mod signals;
mod support;
