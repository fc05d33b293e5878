//! The `gridpact-studies` program, which `gridpact` starts for the commands that it lacks.

fn main() -> std::process::ExitCode {
    gridpact_studies::program::main()
}
