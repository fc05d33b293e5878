//! The page on commands shows the help of every one.

use crate::book::page::Book;

const PAGE: &str = "reference/commands.md";

#[test]
fn the_help_of_every_command_is_shown() {
    let book = Book::read();
    let page = book.page(PAGE);
    let help = crate::cli::support::program().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands: Vec<&str> = (help.lines())
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split(' ').next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.contains(&"run"), "{help}");
    for name in commands {
        let shown = page
            .blocks
            .iter()
            .any(|block| block.text.lines().next() == Some(&*format!("$ gridpact {name} --help")));
        assert!(shown, "{PAGE} does not show `gridpact {name} --help`");
    }
}
