//! `gridpact plot`: figures of one and of several runs.

use crate::cli::support::{A, Folder, NINE};

/// The part of a text between two others.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap();
    rest.split_once(to).unwrap().0
}

/// A folder with the nine jobs under FCFS and EASY.
fn two() -> Folder {
    let folder = Folder::new(&format!("{A}{NINE}"));
    for scheduler in ["fcfs", "easy"] {
        let words = format!("run s.toml -q --out {scheduler} --set scheduler={scheduler}");
        assert_eq!(folder.run(&words).code, 0);
    }
    folder
}

#[test]
fn a_figure_is_listed_and_written_in_the_width_of_a_paper() {
    let folder = two();
    let listed = folder.run("plot fcfs");
    assert_eq!(listed.code, 0);
    assert!(
        listed.out.contains("timeline: test (scheduler = fcfs); means over bins"),
        "{}",
        listed.out
    );
    assert!(listed.out.contains("gantt: test (scheduler = fcfs)"), "{}", listed.out);
    let said = folder.run("plot fcfs --figure timeline");
    assert_eq!((said.code, &*said.error), (0, "timeline.svg\n"));
    assert!(said.out.contains("means over bins of") && said.out.contains("1 replication"));
    for (width, size) in [("column", "85mm"), ("page", "180mm")] {
        for figure in ["timeline", "gantt", "wait", "cdf"] {
            let words = format!("plot fcfs easy --figure {figure} --width {width} --out t.svg");
            assert_eq!(folder.run(&words).code, 0, "{words}");
            let svg = folder.read("t.svg");
            assert!(svg.contains(&format!("width=\"{size}\"")), "{svg}");
            // No text is below 7 pt: its size is told in tenths of a pixel, which are scaled to the width.
            let pixels: f64 = between(&svg, "viewBox=\"0 0 ", " ").parse().unwrap();
            let points = size.trim_end_matches("mm").parse::<f64>().unwrap() / 25.4 * 72.0;
            for one in svg.split("font-size=\"").skip(1) {
                let one: f64 = one.split('"').next().unwrap().parse().unwrap();
                assert!(one * points / pixels >= 6.99, "{one} in {figure}");
            }
        }
    }
}

#[test]
fn several_runs_are_one_figure_under_their_names() {
    let folder = two();
    let said =
        folder.run("plot fcfs easy --figure cdf --label easy=EASY --label title=Both -o c.svg");
    assert_eq!((said.code, &*said.error), (0, "c.svg\n"));
    let svg = folder.read("c.svg");
    assert!(svg.contains("<title>Both</title>") && said.out.starts_with("Both: "), "{}", said.out);
    assert!(svg.contains("\nfcfs\n") && svg.contains("\nEASY\n") && !svg.contains("\neasy\n"));
    // Gantt charts stand below each other.
    assert_eq!(folder.run("plot fcfs easy --figure gantt --out g.svg").code, 0);
    let svg = folder.read("g.svg");
    assert_eq!(svg.matches("<g transform").count(), 2);
    assert!(svg.contains("\nfcfs\n") && svg.contains("\neasy\n"));
    // Folders of one name are told by their paths.
    std::fs::create_dir(folder.path("old")).unwrap();
    assert_eq!(folder.run("run s.toml -q --out old/fcfs").code, 0);
    assert_eq!(folder.run("plot fcfs old/fcfs --figure wait --out w.svg").code, 0);
    assert!(folder.read("w.svg").contains("\nold/fcfs\n"));
}

#[test]
fn the_format_is_that_of_the_name_or_the_option() {
    let folder = two();
    let bytes = |words: &str, file: &str| {
        let said = folder.run(words);
        assert_eq!((said.code, &*said.error), (0, &*format!("{file}\n")), "{words}");
        std::fs::read(folder.path(file)).unwrap()
    };
    let pdf = bytes("plot fcfs easy --figure flow --out f.pdf", "f.pdf");
    assert!(pdf.starts_with(b"%PDF-"));
    assert_eq!(pdf, bytes("plot fcfs easy --figure flow --format pdf", "flow.pdf"));
    let png = bytes("plot fcfs easy --figure flow --format png --out f.svg", "f.svg");
    assert!(png.starts_with(b"\x89PNG"));
    let svg = bytes("plot fcfs --figure flow --out f.xyz", "f.xyz");
    assert!(svg.starts_with(b"<svg"));
}

#[test]
fn wrong_figures_labels_and_runs_are_told_with_a_remedy() {
    let folder = two();
    let game = "name = \"g\"\n[game]\nactions = [\"a\", \"b\"]\npayoffs.symmetric = [[1, 0], [0, 1]]\n\
                [dynamics]\nreplicator = { from = [[0.3, 0.7]], until = 1.0 }\n";
    std::fs::write(folder.path("g.toml"), game).unwrap();
    assert_eq!(folder.run("game g.toml -q --out g").code, 0);
    for (words, expected) in [
        ("plot", "<FOLDER>"),
        ("plot none --figure wait", "none: there is no such folder"),
        ("plot fcfs --figure timelime", "did you mean `timeline`?"),
        (
            "plot fcfs --figure learning",
            "help: coalitions, and games that learners play, have it; it has wait,",
        ),
        ("plot fcfs --figure differences", "`gridpact compare` runs one"),
        ("plot fcfs --figure gnatt", "did you mean `gantt`?"),
        ("plot fcfs --figure none", "distribution, timeline, gantt"),
        ("plot g --figure gantt", "`output.jobs = true`"),
        ("plot g --figure phase", "games of two players with two actions each have it"),
        ("plot fcfs g --figure wait", "--figure wait: g has no such figure"),
        ("plot fcfs --figure wait --label waiting", "write `--label LABEL=TEXT`"),
        ("plot fcfs --figure wait --label wiat=x", "did you mean `wait"),
        (
            "plot fcfs --figure wait --label queue=x",
            "the figure has no such label\nhelp: there are `",
        ),
        ("plot fcfs --label a=b", "--figure"),
        ("plot fcfs --figure wait --format gif", "[possible values: svg, pdf, png]"),
    ] {
        let said = folder.run(words);
        assert_eq!(said.code, 2, "{words}: {}", said.error);
        assert!(said.error.contains(expected), "{words}: {}", said.error);
    }
}
