//! Help, completions and pages of the manual: made of one definition, and true.

use std::process::Command;

use crate::cli::support::{Folder, check_help};

const SUBCOMMANDS: [&str; 20] = [
    "run",
    "resume",
    "game",
    "compare",
    "sweep",
    "lab",
    "check",
    "workload",
    "audit",
    "explain",
    "report",
    "plot",
    "export",
    "watch",
    "deviate",
    "new",
    "list",
    "schema",
    "completions",
    "man",
];

/// Subcommands of subcommands.
const INNER: [&str; 12] = [
    "game solve",
    "game export",
    "sweep plan",
    "sweep run",
    "sweep status",
    "sweep missing",
    "sweep merge",
    "sweep submit",
    "sweep plot",
    "workload show",
    "workload export",
    "workload import",
];

/// Subcommands that are commands of `gridpact-studies`.
const ELSEWHERE: [&str; 3] = ["adversary", "reproduce", "study"];

/// Commands of the other program are listed; where it is not built, one line says how to build it.
#[cfg(unix)]
#[test]
fn what_is_built_apart_is_named() {
    let folder = Folder::new("");
    let help = folder.run("--help").out;
    // A place of its own, with no other program beside it or on the way. A copy may still be open for
    // writing in a process that another test starts now, and then it cannot run.
    let program = folder.path("gridpact");
    let linked = std::fs::hard_link(crate::tested(), &program);
    linked.or_else(|_| std::fs::copy(crate::tested(), &program).map(drop)).unwrap();
    let alone = |words: &[&str]| {
        let ran = Command::new(&program)
            .args(words)
            .env_clear()
            .env("PATH", "/nowhere")
            .output()
            .unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let expected = "error: the program gridpact-studies is not installed\nhelp: in gridpact's folder, \
        `cargo install --path src/studies --locked` builds and installs it\n";
    for name in ELSEWHERE {
        assert!(help.contains(&format!("\n  {name} ")), "{help}");
        assert_eq!(alone(&[name, "--quick"]), (Some(2), expected.to_owned()), "{name}");
        let page = folder.run(&format!("help {name}")).out;
        assert!(page.contains("\n  cargo install --path src/studies --locked\n"), "{page}");
    }
    assert_eq!(alone(&["new", "worst-case"]), (Some(2), expected.to_owned()));
}

/// Every page, by the words that ask for it.
fn pages() -> Vec<String> {
    let names = SUBCOMMANDS.iter().chain(&INNER);
    let mut pages: Vec<String> = names.map(|name| format!("{name} ")).collect();
    pages.push(String::new());
    pages
}

#[test]
fn help_is_short_or_long_as_asked() {
    let folder = Folder::new("");
    for page in pages() {
        check_help(&folder, &page);
    }
}

/// Every example of every page, in the order in which they stand there.
#[cfg(unix)]
#[test]
fn examples_do_what_they_say() {
    let program = assert_cmd::cargo::cargo_bin!("gridpact");
    let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut count = 0;
    for page in pages() {
        let folder = Folder::new("");
        std::os::unix::fs::symlink(project.join("scenarios"), folder.path("scenarios")).unwrap();
        let help = folder.run(&format!("{page}--help")).out;
        let is_example = |line: &&str| {
            ["  gridpact ", "  mkdir ", "  cp "].iter().any(|it| line.starts_with(it))
        };
        let examples: Vec<&str> = help.lines().filter(is_example).collect();
        count += examples.len();
        let ran = crate::cli::support::command("sh")
            .args(["-e", "-c", &examples.join("\n")])
            .current_dir(folder.path("."))
            .env("HOME", folder.path("."))
            .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
            .output()
            .unwrap();
        assert!(ran.status.success(), "{page}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    assert!(count >= 25, "{count}");
}

#[test]
fn every_shell_gets_a_script_that_knows_the_subcommands() {
    let folder = Folder::new("");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = folder.run(&format!("completions {shell}"));
        assert_eq!((said.code, &*said.error), (0, ""), "{shell}");
        for word in SUBCOMMANDS.iter().chain(&["no-files", "format"]) {
            assert!(said.out.contains(word), "{shell}: {word}");
        }
    }
    let said = folder.run("completions bsh");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("a similar value exists: 'bash'"), "{}", said.error);
}

#[test]
fn pages_of_the_manual_are_printed_or_written() {
    let folder = Folder::new("");
    assert_eq!(folder.run("man --out m").code, 0);
    let all: Vec<String> =
        SUBCOMMANDS.iter().chain(&INNER).map(|name| name.replace(' ', "-")).collect();
    let elsewhere = ELSEWHERE.map(str::to_owned);
    let mut names: Vec<String> =
        all.iter().chain(&elsewhere).map(|name| format!("gridpact-{name}.1")).collect();
    names.push("gridpact.1".to_owned());
    names.sort();
    assert_eq!(folder.names("m"), names);
    for name in all {
        let said = folder.run(&format!("man {}", name.replacen('-', " ", 1)));
        assert_eq!((said.code, &*said.error), (0, ""), "{name}");
        assert_eq!(said.out, folder.read(&format!("m/gridpact-{name}.1")));
        for part in [&*format!(".TH gridpact-{name} 1 "), ".SH \"EXAMPLES\"", ".SH \"EXIT CODES\""]
        {
            assert!(said.out.contains(part), "{name}: {part}");
        }
    }
    assert_eq!(folder.run("man").out, folder.read("m/gridpact.1"));
    let said = folder.run("man rnu");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("did you mean `run`?"), "{}", said.error);
}

#[test]
fn pages_replace_nothing_but_pages() {
    let folder = Folder::new("");
    assert_eq!(folder.run("man --out m").code, 0);
    let page = folder.read("m/gridpact-run.1");
    folder.write("m/gridpact-run.1", &page.replace("EXAMPLES", "OLDER"));
    assert_eq!(folder.run("man --out m").code, 0);
    assert_eq!(folder.read("m/gridpact-run.1"), page);
    folder.write("m/gridpact-man.1", "mine");
    folder.write("m/gridpact-run.1", &page.replace("EXAMPLES", "OLDER"));
    let said = folder.run("man --out m");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("m/gridpact-man.1 is here already"), "{}", said.error);
    assert_eq!(folder.read("m/gridpact-man.1"), "mine");
    assert_ne!(folder.read("m/gridpact-run.1"), page);
}
