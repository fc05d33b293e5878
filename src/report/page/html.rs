//! `report.html`: one file without a network, readable without its script.
//!
//! Sentences, tables and pictures are plain HTML and SVG; the script adds zoom, values and toggles, and
//! draws jobs. Its source is `page.ts` and what that imports; `tools/page.sh` bundles it.

use std::fmt::Display;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::jobs::{Gantt, deflated};
use super::{Named, Page};
use crate::picture::svg::Size;
use crate::table::Shown;

const STYLE: &str = include_str!("bundle.css");
const SCRIPT: &str = include_str!("bundle.js");

/// Nothing is loaded from anywhere: styles and the script stand in the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data: blob:";

/// Renders a page, with its jobs if they are drawn.
pub fn render(page: &Page, jobs: Option<&Gantt>) -> Vec<u8> {
    let mut html = Html::default();
    let title = text(&page.title);
    html.push(format_args!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
         http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
    ));
    html.paragraphs("about", &page.about);
    html.push("<nav id=\"tools\" aria-label=\"Page\"></nav>\n</header>\n<main>\n");
    if !page.answer.is_empty() {
        html.section("answer", "Answer", |html| html.paragraphs("answer", &page.answer));
    }
    if !page.warnings.is_empty() {
        html.section("warnings", "Before you trust these figures", |html| {
            html.paragraphs("warning", &page.warnings);
        });
    }
    for (at, table) in page.tables.iter().enumerate().filter(|(_, one)| !one.rows.is_empty()) {
        html.section(&format!("table-{at}"), &capital(&table.name), |html| html.table(table));
    }
    if !page.pictures.is_empty() {
        html.section("pictures", "Pictures", |html| {
            page.pictures.iter().enumerate().for_each(|(at, one)| html.figure(at, one));
        });
    }
    if let Some(jobs) = jobs {
        html.section("jobs", "Jobs", |html| {
            html.push(format_args!("<p>{}</p>\n", text(&jobs.told)));
            html.push(
                "<div id=\"gantt\"></div>\n<noscript><p>The chart of jobs needs the script of this \
                 page.</p></noscript>\n",
            );
        });
    }
    html.section("origin", "How it was made", |html| {
        html.push("<dl>\n");
        for (name, value) in &page.facts {
            html.push(format_args!("<dt>{}</dt><dd>{}</dd>\n", text(name), text(value)));
        }
        html.push("</dl>\n");
        html.paragraphs("note", &page.notes);
    });
    html.push("</main>\n");
    html.data("data", "application/octet-stream", &STANDARD.encode(deflated(&page.kept())));
    if let Some(jobs) = jobs {
        html.data("jobs-about", "application/json", &jobs.about());
        html.data("jobs-data", "application/octet-stream", &STANDARD.encode(jobs.packed()));
    }
    html.push(format_args!("<script>{SCRIPT}</script>\n</body>\n</html>\n"));
    html.0.into_bytes()
}

/// Text that is escaped for HTML when it is written.
fn text(text: &str) -> String {
    let shown = |char: char| !char.is_control() || char == '\n';
    let plain: String = text.chars().map(|char| if shown(char) { char } else { ' ' }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn capital(name: &str) -> String {
    let mut rest = name.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// Heading of a picture, by its name.
fn heading(name: &str) -> String {
    match name {
        "timeline" => "Over time".to_owned(),
        "learning" => "Learning".to_owned(),
        "phase" => "Where play is drawn to".to_owned(),
        "sweep" => "Over the keys of the sweep".to_owned(),
        "differences" => "Differences from the base".to_owned(),
        "distribution" => "Distributions over jobs".to_owned(),
        other => capital(&other.replace(['_', '-'], " ")),
    }
}

/// HTML under construction.
#[derive(Default)]
struct Html(String);

impl Html {
    fn push(&mut self, part: impl Display) {
        use std::fmt::Write as _;
        let _ = write!(self.0, "{part}");
    }

    fn section(&mut self, id: &str, name: &str, fill: impl FnOnce(&mut Html)) {
        self.push(format_args!(
            "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>\n",
            text(name)
        ));
        fill(self);
        self.push("</section>\n");
    }

    /// A paragraph for each entry; lines within one are kept apart.
    fn paragraphs(&mut self, class: &str, lines: &[String]) {
        for line in lines {
            self.push(format_args!("<p class=\"{class}\">{}</p>\n", text(line)));
        }
    }

    fn table(&mut self, table: &Shown) {
        let name = text(&table.name);
        self.push(format_args!(
            "<div class=\"wide\" role=\"region\" aria-label=\"Columns of {name}\" tabindex=\"0\"><table>\n<thead><tr>"
        ));
        let class = |at: usize| table.columns.get(at).map_or("text", |(_, kind)| kind);
        for (at, (label, _)) in table.columns.iter().enumerate() {
            self.push(format_args!(
                "<th scope=\"col\" class=\"{}\">{}</th>",
                class(at),
                text(label)
            ));
        }
        self.push("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            self.push("<tr>");
            for (at, cell) in row.iter().enumerate() {
                self.push(format_args!("<td class=\"{}\">{}</td>", class(at), text(cell)));
            }
            self.push("</tr>\n");
        }
        self.push("</tbody>\n</table></div>\n");
        self.paragraphs("note", &table.notes);
    }

    fn figure(&mut self, at: usize, Named { name, picture }: &Named) {
        let (_, subtitle) = picture.titles();
        let svg = picture.svg(Size::Screen);
        let svg = String::from_utf8_lossy(&svg);
        self.push(format_args!(
            "<figure id=\"{name}\" data-picture=\"{at}\">\n<h3>{}</h3>\n<div class=\"still\" role=\"group\" aria-label=\"Still {name}\" tabindex=\"0\">{svg}</div>\n\
             <figcaption>{}</figcaption>\n</figure>\n",
            text(&heading(name)),
            text(&capital(subtitle)),
            name = text(name),
        ));
    }

    /// Data for the script, in which nothing can end the element.
    fn data(&mut self, id: &str, kind: &str, data: &str) {
        let data = data.replace('<', "\\u003c");
        self.push(format_args!("<script type=\"{kind}\" id=\"{id}\">{data}</script>\n"));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::super::Clock;
    use super::*;

    /// A name that looks like HTML is shown, and closes nothing.
    #[test]
    fn names_are_text_on_a_page() {
        let title = "</script><b>&amp;\u{7}";
        let page = Page {
            format: 1,
            title: title.to_owned(),
            about: vec!["</p>".to_owned()],
            answer: Vec::new(),
            warnings: Vec::new(),
            tables: Vec::new(),
            pictures: Vec::new(),
            notes: Vec::new(),
            facts: vec![("seed".to_owned(), "<1>".to_owned())],
            clock: Clock::default(),
        };
        let html = String::from_utf8(render(&page, None)).unwrap();
        assert!(html.contains("<h1>&lt;/script&gt;&lt;b&gt;&amp;amp; </h1>"), "{html}");
        assert!(html.contains("<p class=\"about\">&lt;/p&gt;</p>"), "{html}");
        let (_, data) = html.split_once("id=\"data\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let mut kept = Vec::new();
        let data = STANDARD.decode(data).unwrap();
        flate2::read::DeflateDecoder::new(&data[..]).read_to_end(&mut kept).unwrap();
        assert_eq!(Page::read(&kept).unwrap(), page);
    }
}
