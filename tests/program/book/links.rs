//! Which pages exist, which are listed, and where links lead.

use std::collections::BTreeSet;
use std::fs;

use crate::book::page::{Book, Page, source};

/// Pages that are not listed and links that lead nowhere.
pub fn broken(book: &Book) -> Vec<String> {
    let mut broken = Vec::new();
    let listed: BTreeSet<&str> =
        book.page("SUMMARY.md").links.iter().map(|link| &*link.to).collect();
    for page in &book.pages {
        if page.name != "SUMMARY.md" && !listed.contains(&*page.name) {
            broken.push(format!("{}: SUMMARY.md does not list it", page.name));
        }
        for link in &page.links {
            if let Some(why) = leads_nowhere(book, page, &link.to) {
                broken.push(format!("docs/book/src/{}:{}: {why}", page.name, link.line));
            }
        }
    }
    let pictures: BTreeSet<String> = (book.pages.iter())
        .flat_map(|page| {
            let pictures = page.links.iter().filter(|link| link.is_picture);
            pictures.filter_map(|link| beside(page, &link.to))
        })
        .collect();
    for entry in fs::read_dir(source().join("pictures")).into_iter().flatten() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !pictures.contains(&format!("pictures/{name}")) {
            broken.push(format!("pictures/{name}: no page shows it"));
        }
    }
    broken
}

/// A path that is relative to a page, from the folder of all pages; none where it leads out.
pub fn beside(page: &Page, to: &str) -> Option<String> {
    let mut path: Vec<&str> = page.name.split('/').collect();
    path.pop();
    for part in to.split('/') {
        match part {
            ".." => drop(path.pop()?),
            "." => {}
            name => path.push(name),
        }
    }
    Some(path.join("/"))
}

fn leads_nowhere(book: &Book, page: &Page, to: &str) -> Option<String> {
    if to.contains("://") {
        return None;
    }
    let (path, anchor) = to.split_once('#').map_or((to, None), |(path, at)| (path, Some(at)));
    let name = if path.is_empty() { Some(page.name.clone()) } else { beside(page, path) };
    let Some(name) = name else {
        return Some(format!("`{to}` leads out of the book"));
    };
    if !name.ends_with(".md") {
        let exists = source().join(&name).is_file();
        return (!exists).then(|| format!("there is no file `{to}`"));
    }
    let Some(target) = book.pages.iter().find(|page| page.name == name) else {
        return Some(format!("there is no page `{to}`"));
    };
    let found = anchor.is_none_or(|anchor| target.anchors.iter().any(|other| other == anchor));
    (!found).then(|| format!("`{to}`: there is no such heading; there are {:?}", target.anchors))
}
