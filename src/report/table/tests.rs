//! Every format word for word, and names that could break one.

use super::*;
use stats::interval::Interval;

/// Two organizations, one with a name full of characters that formats treat specially.
fn table() -> Table {
    let mut table = Table::new(
        "organizations",
        [
            Column::text("organization"),
            Column::figure("jobs"),
            Column::figure("utilization").called("used").rank(1),
            Column::figure("wait_mean").called("wait*").note("* mean").rank(2),
            Column::figure("kills").note("kills: at the estimate"),
        ],
    );
    table.row([
        "physics".into(),
        27_992_u64.into(),
        Cell::Share(0.7041),
        6418.953.into(),
        true.into(),
    ]);
    table.row([
        "a|b,\"c\"\n*世界*".into(),
        Cell::Count(0),
        Cell::share(None),
        f64::NAN.into(),
        false.into(),
    ]);
    table.note("of all jobs");
    table
}

#[track_caller]
fn check(format: Format, width: Option<usize>, expected: &str) {
    assert_eq!(table().render(format, width), expected);
}

#[test]
fn text_is_for_a_terminal() {
    let expected = "\
──────────────────────────────────────────────────
 organization        jobs    used   wait*   kills
══════════════════════════════════════════════════
 physics           27 992   70.4%   6 419     yes
 a|b,\"c\"\\n*世界*        0       -       -      no
──────────────────────────────────────────────────
of all jobs
* mean; kills: at the estimate
";
    check(Format::Text, None, expected);
    check(Format::Text, Some(50), expected);
}

#[test]
fn a_narrow_terminal_leaves_out_columns_of_the_highest_rank() {
    let expected = "\
────────────────────────────────────────
 organization        jobs    used   kills
";
    let text = table().render(Format::Text, Some(49));
    assert!(!text.contains("wait"), "{text}");
    assert!(text.contains(expected.lines().nth(1).unwrap()), "{text}");
    let words: Vec<&str> = text.split_whitespace().collect();
    let last = "more columns fit a wider terminal; `--format csv` has them all";
    assert!(words.join(" ").ends_with(last), "{text}");
    let text = table().render(Format::Text, Some(34));
    assert!(text.contains(" organization        jobs   kills\n"), "{text}");
}

#[test]
fn a_figure_is_left_out_together_with_its_margin() {
    let columns = [
        Column::text("name"),
        Column::figure("wait"),
        Column::margin("wait_half_width").rank(9),
        Column::figure("flow").rank(1),
        Column::margin("flow_half_width"),
        Column::figure("area").rank(2),
    ];
    let mut table = Table::new("means", columns);
    table.row(["a".into(), 1.0.into(), Cell::Error(0.1), 2.0.into(), Cell::Error(0.2), 3.0.into()]);
    let head = |width: usize| -> String {
        table.render(Format::Text, Some(width)).lines().nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(head(60), " name    wait      ±    flow      ±    area");
    assert_eq!(head(42), " name    wait      ±    flow      ±");
    // `area` is less important than `flow`, but narrow enough to stay.
    assert_eq!(head(34), " name    wait      ±    area");
    assert_eq!(head(26), " name    wait      ±");
    assert!(head(20).ends_with("wait      ±"), "what matters most stays, with its margin");
}

#[test]
fn prose_is_broken_before_a_column_is_left_out() {
    let columns = [Column::text("name"), Column::prose("says"), Column::figure("n").rank(1)];
    let mut table = Table::new("rules", columns);
    table.row(["a".into(), "one two three four".into(), 1_u64.into()]);
    let expected = "\
────────────────────────
 name   says          n
════════════════════════
 a      one two       1
        three four
────────────────────────
";
    assert_eq!(table.render(Format::Text, Some(24)), expected);
}

#[test]
fn json_has_an_object_for_each_row() {
    check(
        Format::Json,
        None,
        r#"[
  {"organization":"physics","jobs":27992,"utilization":0.7041,"wait_mean":6418.953,"kills":true},
  {"organization":"a|b,\"c\"\n*世界*","jobs":0,"utilization":null,"wait_mean":null,"kills":false}
]
"#,
    );
    let empty = Table::new("none", [Column::text("a")]);
    assert_eq!(empty.render(Format::Json, None), "[]\n");
    assert_eq!(
        json(&[table(), empty]).lines().map(|line| &line[..12.min(line.len())]).collect::<Vec<_>>(),
        ["{", "  \"organizat", "    {\"organi", "    {\"organi", "  ],", "  \"none\": []", "}"]
    );
}

#[test]
fn csv_quotes_what_must_be_quoted() {
    check(
        Format::Csv,
        Some(1),
        "organization,jobs,utilization,wait_mean,kills\n\
         physics,27992,0.7041,6418.953,true\n\
         \"a|b,\"\"c\"\"\n*世界*\",0,,,false\n",
    );
}

#[test]
fn markdown_escapes_what_it_would_take_as_its_own() {
    let expected = r#"| organization | jobs | used | wait\* | kills |
| --- | ---: | ---: | ---: | ---: |
| physics | 27 992 | 70.4% | 6 419 | yes |
| a\|b,"c"\\n\*世界\* | 0 | - | - | no |

of all jobs

\* mean; kills: at the estimate
"#;
    check(Format::Markdown, None, expected);
    let two = several(&[table(), table()], Format::Markdown);
    assert_eq!(two, format!("## organizations\n\n{expected}\n## organizations\n\n{expected}"));
}

#[test]
fn latex_escapes_what_it_would_take_as_its_own() {
    let expected = r#"\begin{tabular}{lrrrr}
\toprule
organization & jobs & used & wait* & kills \\
\midrule
physics & 27 992 & 70.4\% & 6 419 & yes \\
a$|$b,"c"\textbackslash{}n*世界* & 0 & - & - & no \\
\bottomrule
\end{tabular}
% of all jobs
% * mean; kills: at the estimate
"#;
    check(Format::Latex, None, expected);
    let two = several(&[table(), table()], Format::Latex);
    assert_eq!(two, format!("% organizations\n{expected}\n% organizations\n{expected}"));
}

/// Output for programs reads back exactly, to the last bit.
#[test]
fn numbers_read_back_the_same() {
    let numbers = [0.1 + 0.2, 1e-300, 1.5e300, -0.0, 5.0, f64::MIN_POSITIVE, 1.0 / 3.0];
    let mut table = Table::new("numbers", [Column::figure("value")]);
    for number in numbers {
        table.row([number.into()]);
    }
    let json: Vec<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(&table.render(Format::Json, None)).unwrap();
    let text = table.render(Format::Csv, None);
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let csv: Vec<f64> = csv.records().map(|row| row.unwrap()[0].parse().unwrap()).collect();
    for (index, number) in numbers.into_iter().enumerate() {
        assert_eq!(csv[index].to_bits(), number.to_bits());
        assert!(
            (json[index]["value"].as_f64().unwrap() / number - 1.0).abs() < 1e-15 || number == 0.0
        );
    }
}

/// A player with its payoff, which it may not have.
struct Row {
    name: &'static str,
    payoff: Option<f64>,
    interval: Option<Interval>,
}

fn told_once<'a>() -> Vec<ColumnOf<'a, Row>> {
    columns![|row: &Row|
        Column::text("player") => row.name,
        Column::figure("payoff").with_interval(Some("±: half-width")) => (row.payoff, row.interval),
        Column::figure("bonus").if_any() => None::<f64>,
        Column::text("verdict").for_people() => row.payoff.map_or("absent", |_| "present"),
        Column::figure("known").for_programs() => row.payoff.is_some(),
    ]
}

fn rows() -> [Row; 2] {
    let interval = Some(Interval { low: 0.5, high: 3.0 });
    [
        Row { name: "a", payoff: Some(1.0), interval },
        Row { name: "b", payoff: None, interval: None },
    ]
}

#[test]
fn people_and_programs_read_their_columns_of_one_list() {
    let table = Table::by_columns("players", rows(), told_once());
    let csv = "player,payoff,payoff_low,payoff_high,known\na,1,0.5,3,true\nb,,,,false\n";
    assert_eq!(table.render(Format::Csv, None), csv);
    let markdown = table.render(Format::Markdown, None);
    assert!(markdown.starts_with("| player | payoff | ± | verdict |\n"), "{markdown}");
    assert!(markdown.contains("| a | 1.000 | -0.50 +2.0 | present |\n"), "{markdown}");
    let legend = "±: half-width, or the distances to its ends if they differ much";
    assert!(markdown.contains(legend), "{markdown}");
}

#[test]
fn rows_that_are_written_as_they_come_are_those_of_the_table() {
    let columns = || told_once().into_iter().filter(|one| one.heads[0].name != "bonus");
    let table = Table::by_columns("players", rows(), columns());
    assert_eq!(csv(rows(), columns()), table.csv());
    let names: Vec<_> =
        described(&columns().collect::<Vec<_>>()).into_iter().map(|one| one.0).collect();
    assert_eq!(names.join(","), table.render(Format::Csv, None).lines().next().unwrap());
}

#[test]
fn columns_of_rows_within_rows_stand_after_those_of_the_outer_ones() {
    let outer = columns![|(number, _row): &(u32, Row)| Column::figure("number") => *number];
    let inner = told_once().into_iter().map(|one| one.within(|(_, row): &(u32, Row)| row));
    let table = Table::by_columns("players", (1..).zip(rows()), outer.into_iter().chain(inner));
    assert!(table.render(Format::Csv, None).starts_with("number,player,payoff,"));
}
