//! The exact traces of ten jobs (the vectors of kind `trace`), with a tick as the unit where they
//! need fractions: times are stretched so that every fraction is whole.

use gridpact::game::stage::{Act, Outcome, StageGame, Terms, Wanted};
use gridpact::kernel::time::{Span, Time};
use gridpact::policy::coalition::{BalancerOptions, averaging, bilb};
use gridpact::sim::pool::{Rounds, Season, Sends};
use serde_json::Value;

use crate::coalition::common::{at, game};

/// Fractions of the traces are eighteenths.
const STRETCH: i64 = 18;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

#[test]
fn the_exact_traces() {
    let text = include_str!("../../data/selfish.json");
    let all: Value = serde_json::from_str(text).unwrap();
    let traces = all["vectors"].as_array().unwrap();
    let traces: Vec<&Value> = traces.iter().filter(|one| one["kind"] == "trace").collect();
    assert_eq!(traces.len(), 5);
    for trace in traces {
        let (id, input, expected) = (&trace["id"], &trace["input"], &trace["expected"]);
        let clusters = input["n"].as_u64().unwrap() as usize;
        let mut lists = vec![Vec::new(); clusters];
        let mut order = Vec::new();
        for job in input["jobs"].as_array().unwrap() {
            let job: Vec<i64> =
                job.as_array().unwrap().iter().map(|one| one.as_i64().unwrap()).collect();
            let cluster = job[0] as usize;
            order.push((cluster as u32, lists[cluster].len() as u64));
            lists[cluster].push((job[1] * STRETCH, job[2] * STRETCH));
        }
        let stretched = |value: &Value| value.as_f64().unwrap() * STRETCH as f64;
        let (least, grid) = (stretched(&input["dmin"]), stretched(&input["quant"]));
        let whole = input["integer"] == true;
        let unit = if whole { Some(STRETCH as f64) } else { None };
        let balancer = if input["mode"] == "avg" {
            BalancerOptions::Averaging(averaging::Options { unit, least, grid })
        } else {
            BalancerOptions::Bilb(bilb::Options { unit, least, grid, ..Default::default() })
        };
        let season = Season {
            period: Span::units(1000),
            window: Span::ZERO..Span::units(1000),
            rounds: Rounds::Independent,
        };
        let mut pool = game(&lists, &balancer, season, true, Sends::Tail);
        let act = |cluster: usize| {
            let level = input["lim"]
                .as_array()
                .map(|limits| Span::units(limits[cluster].as_i64().unwrap() * STRETCH));
            let inside = input["members"].as_array().is_none_or(|inside| inside[cluster] == true);
            if inside { Act::In(Terms { level, ..Terms::ANY }) } else { Act::Out }
        };
        let acts: Vec<Act> = (0..clusters).map(act).collect();
        pool.begin(0, &acts, &vec![Wanted::default(); clusters]).unwrap();
        while pool.advance().unwrap() {}
        let mut outcome = Outcome::default();
        pool.outcome(&mut outcome).unwrap();

        let near = |ours: f64, theirs: f64, what: &str| {
            assert!((ours - theirs).abs() <= 1e-9, "{id} {what}: {ours} instead of {theirs}");
        };
        let units = |time: Time| (time - at(0)).as_units() / STRETCH as f64;
        let done = &pool.observer().done;
        for (index, key) in order.iter().enumerate() {
            let (_, finish, alone) = done[key];
            near(units(finish), numbers(&expected["completion"])[index], "completion");
            near(units(alone), numbers(&expected["alone"])[index], "alone");
        }
        for (cluster, turn) in pool.turns().enumerate() {
            let units = |ticks: i128| ticks as f64 / 1e6 / STRETCH as f64;
            near(units(turn.flow), numbers(&expected["F"])[cluster], "F");
            near(units(turn.alone), numbers(&expected["F_alone"])[cluster], "F alone");
            near(turn.score(), numbers(&expected["S"])[cluster], "S");
        }
        // Only balancings of any load are listed.
        let balancings = pool.observer().balancings.iter();
        let mut balancings =
            balancings.filter(|(_, loads, _)| loads.iter().any(|&load| load > Span::ZERO));
        let inside: Vec<usize> = (0..clusters).filter(|&cluster| acts[cluster].is_in()).collect();
        for listed in expected["lb"].as_array().unwrap() {
            let (now, loads, sent) = balancings.next().expect("as many balancings as listed");
            near(units(*now), listed["t"].as_f64().unwrap(), "balancing");
            for (place, &theirs) in numbers(&listed["L"]).iter().enumerate() {
                near(loads[place].as_units() / STRETCH as f64, theirs, "load");
            }
            for (place, cluster) in inside.iter().enumerate() {
                let theirs = listed["sent"][cluster.to_string()].as_f64().unwrap_or(0.0);
                near(sent[place].as_units() / STRETCH as f64, theirs, "sent");
            }
        }
        assert!(balancings.next().is_none(), "{id}: more balancings than listed");
    }
}
