//! The program: arguments in, exit code out (being written).

fn main() {}
