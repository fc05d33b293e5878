//! The `gridpact` program: arguments in, exit code out.

#![warn(clippy::unwrap_used)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
