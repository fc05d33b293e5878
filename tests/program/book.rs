//! The book in `docs/book`: every command and snippet of every page is executed, every link leads
//! somewhere, and every column of the result files is documented.
//!
//! A page runs in a folder of its own, from top to bottom, as its reader would go. What a block is
//! for stands in its first line, behind the language; `tests/program/book/page.rs` lists the marks.
//!
//! - `GRIDPACT_BOOK=tutorial/first-grid` runs the pages whose names contain this.
//! - `GRIDPACT_BLESS=1` writes the outputs that were found, and the pictures, into the pages.
//! - `GRIDPACT_BOOK_SKIPS=no` makes it an error that Python, R, one of their packages or the program
//!   `gridpact-studies` is missing, `GRIDPACT_BOOK_SKIPS=r` the same but for R.

#![cfg(unix)]

mod commands;
mod generated;
mod links;
mod page;
mod results;
mod run;

use std::io::Write as _;

use page::Book;

fn blessing() -> bool {
    std::env::var_os("GRIDPACT_BLESS").is_some()
}

/// Says something although the test passes.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[track_caller]
fn none(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n\n{}\n", broken.join("\n\n"));
}

#[test]
fn every_command_and_snippet_does_what_its_page_says() {
    let wanted = std::env::var("GRIDPACT_BOOK").unwrap_or_default();
    let book = Book::read();
    let pages: Vec<_> = book.pages.iter().filter(|page| page.name.contains(&wanted)).collect();
    assert!(!pages.is_empty(), "no page is called `{wanted}`");
    let next = std::sync::atomic::AtomicUsize::new(0);
    let broken = std::sync::Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from).min(pages.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(page) =
                    pages.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let found = run::run(page);
                    broken.lock().unwrap().extend(found);
                }
            });
        }
    });
    let mut broken = broken.into_inner().unwrap();
    broken.sort();
    none("a page says what is not so (GRIDPACT_BLESS=1 writes what was found)", &broken);
}

#[test]
fn every_page_is_listed_and_every_link_leads_somewhere() {
    none("links", &links::broken(&Book::read()));
}

/// The marks are part of what is written for readers of the Markdown, so they are few.
#[test]
fn every_block_says_how_it_is_executed() {
    let book = Book::read();
    let wrong: Vec<String> = (book.pages.iter())
        .flat_map(|page| {
            let blocks = page.blocks.iter();
            blocks.filter_map(|block| {
                block.step().err().map(|error| format!("{}: {error}", page.at(block)))
            })
        })
        .collect();
    none("a block is executed, or says that it is a diagram", &wrong);
}

/// Rust is compiled and run by `cargo test --doc`, through `src/lib.rs`.
#[test]
fn every_page_with_rust_is_a_doctest() {
    let library = std::fs::read_to_string(page::root().join("src/lib.rs")).unwrap();
    let book = Book::read();
    let missing: Vec<String> = (book.pages.iter())
        .filter(|page| page.blocks.iter().any(|block| block.language == "rust"))
        .filter(|page| !library.contains(&format!("docs/book/src/{}\")", page.name)))
        .map(|page| format!("{} is not included in src/lib.rs", page.name))
        .collect();
    none("Rust in the book is compiled", &missing);
}

/// Lines of Markdown are as wide as those of the README, but for tables, addresses and outputs.
#[test]
fn lines_are_no_longer_than_the_readme_s() {
    let mut broken = Vec::new();
    for page in &Book::read().pages {
        let is_ours = |offset: usize| {
            !page.blocks.iter().any(|block| block.is_output() && block.range.contains(&offset))
        };
        let mut offset = 0;
        for (number, line) in page.text.split('\n').enumerate() {
            let long = line.chars().count() > 105;
            let free = line.starts_with('|') || line.contains("](") || line.contains("://");
            if long && !free && is_ours(offset) && !page.is_generated() {
                broken.push(format!("{}:{}", page.name, number + 1));
            }
            offset += line.len() + 1;
        }
    }
    none("a line has at most 105 columns", &broken);
}
