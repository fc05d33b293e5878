//! Duan, Prodan and Li, "A Sequential Cooperative Game Theoretic Approach to Scheduling Multiple
//! Large-scale Applications in Grids".
//!
//! Classes of identical activities on the processors of sites. The paper prints ranges, one instance of
//! each setting, and bars without numbers; so ours are means over instances, and what it tells of one is
//! compared with the spread of one. What it leaves open is told with each row: the order of MCT, among
//! what Sufferage looks for its second choice, deadlines, limits of storage.
//!
//! Scenarios answer Table 3a, Figures 5, 6b, 6c, 7, 11, 16 and 17, files, prices, storage and the genetic
//! algorithm, and their audits the rules of the model. Code answers what no run reports: equations and
//! steps (`theory`, `letter`, `stages`), deadlines in makespans of another planner (`cost`), brute force and
//! found instances (`small`, `testbed`, `gantt`), and fairness of classes beside Jain's index (`fairness`).

mod cost;
mod drawn;
mod fairness;
mod gantt;
mod letter;
mod played;
mod small;
mod stages;
mod testbed;
mod theory;

use std::sync::LazyLock;

use super::Study;
use super::claim::Register;
use super::lines::code::Code;
use super::verdict::Rule;

/// The rule; the paper shows one instance of each setting.
const RULE: Rule = Rule::one_each(24, "instances");

/// Functions that answer what no scenario says.
const CODE: &[(&str, Code)] = &[
    ("equations", theory::equations),
    ("game", theory::stages),
    ("steps", stages::steps),
    ("queues", stages::queues),
    ("own sites", stages::own_sites),
    ("costs", cost::costs),
    ("phases", cost::phases),
    ("weights", cost::weights),
    ("table 2", small::table_2),
    ("small cases", small::random),
    ("figure 4", small::figure_4),
    ("figure 10", small::figure_10),
    ("figure 14", small::figure_14),
    ("testbed", testbed::testbed),
    ("figure 8", testbed::figure_8),
    ("figure 13", testbed::figure_13),
    ("equation 22", small::equation_22),
    ("fairness", fairness::fairness),
];

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let scenarios = &[
        ("chain", include_str!("chain.toml")),
        ("sites", include_str!("sites.toml")),
        ("storage", include_str!("storage.toml")),
        ("stages", include_str!("stages.toml")),
        ("prices", include_str!("prices.toml")),
        ("machines", include_str!("machines.toml")),
        ("applications", include_str!("../../../scenarios/applications.toml")),
        ("applications-prices", include_str!("../../../scenarios/applications-prices.toml")),
    ];
    let file = "src/studies/sequential_games/claims.toml";
    Register::read(file, include_str!("claims.toml")).played_by(RULE, scenarios).counted_by(CODE)
});

/// Study that reproduces the paper.
pub const STUDY: Study = Study { register: &REGISTER, rule: RULE, quick: 4 };
