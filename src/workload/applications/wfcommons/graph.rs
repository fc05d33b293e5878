//! Relations of tasks: their parents by number, and their levels.

use super::error::Problem;
use super::lines::Lines;
use super::parse::Task;
use kernel::map::Map;

/// Most tasks of a cycle that are named.
const TOLD: usize = 8;

/// The relations of the tasks of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Levels {
    /// Parents of each task, by increasing number and without repetition.
    pub parents: Vec<Vec<u32>>,
    /// Level of each task, from 1.
    pub level: Vec<u32>,
    /// Number of relations that only the parent or only the child tells, though instances tell both,
    /// and the first task that has one.
    pub one_sided: (u64, usize),
}

/// Resolves the relations of tasks and finds their levels. O(tasks + relations), but for sorting.
pub(super) fn levels(tasks: &[Task], lines: &Lines<'_>) -> Result<Levels, Problem> {
    let names = Names::of(tasks, lines)?;
    let mut parents: Vec<Vec<u32>> = vec![Vec::new(); tasks.len()];
    let mut told: Vec<(u32, u32)> = Vec::new();
    for (number, task) in tasks.iter().enumerate() {
        for parent in &task.parents {
            let parent = names.number(task, "parent", parent, lines)?;
            parents[number].push(parent);
        }
        for child in &task.children {
            let child = names.number(task, "child", child, lines)?;
            told.push((child, number as u32));
        }
    }
    parents.iter_mut().for_each(|parents| {
        parents.sort_unstable();
        parents.dedup();
    });
    let one_sided = join(&mut parents, told);
    let level = depths(&parents).map_err(|stuck| cycle(tasks, &parents, &stuck, lines))?;
    Ok(Levels { parents, level, one_sided })
}

/// Adds the relations that children tell; returns how many are told by one side only.
fn join(parents: &mut [Vec<u32>], mut told: Vec<(u32, u32)>) -> (u64, usize) {
    told.sort_unstable();
    told.dedup();
    if told.is_empty() {
        return (0, 0);
    }
    let (mut count, mut first) = (0, usize::MAX);
    let mut told = told.into_iter().peekable();
    for (number, parents) in parents.iter_mut().enumerate() {
        let mut children = Vec::new();
        while let Some((_, parent)) = told.next_if(|&(child, _)| child as usize == number) {
            children.push(parent);
        }
        let missing = |list: &[u32], others: &[u32]| -> Vec<u32> {
            list.iter().copied().filter(|one| others.binary_search(one).is_err()).collect()
        };
        let (only_child, only_parent) = (missing(parents, &children), missing(&children, parents));
        if only_child.len() + only_parent.len() > 0 {
            count += (only_child.len() + only_parent.len()) as u64;
            first = first.min(number);
        }
        parents.extend(only_parent);
        parents.sort_unstable();
    }
    (count, if count > 0 { first } else { 0 })
}

/// Tasks by their identifiers and names.
struct Names<'a> {
    ids: Map<&'a str, u32>,
    /// Names that one task has.
    names: Map<&'a str, Option<u32>>,
}

impl<'a> Names<'a> {
    fn of(tasks: &'a [Task], lines: &Lines<'_>) -> Result<Names<'a>, Problem> {
        let mut names = Names { ids: Map::new(), names: Map::new() };
        for (number, task) in tasks.iter().enumerate() {
            if names.ids.insert(&task.id, number as u32).is_some() {
                return Err(Problem::Duplicate {
                    line: lines.task(&task.id),
                    task: task.id.clone(),
                });
            }
            let of_name = names.names.get_or_insert_with(&task.name, || Some(number as u32));
            if *of_name != Some(number as u32) {
                *of_name = None;
            }
        }
        Ok(names)
    }

    /// Returns the number of a task by its identifier, or else by its name.
    fn number(
        &self,
        task: &Task,
        relation: &'static str,
        other: &str,
        lines: &Lines<'_>,
    ) -> Result<u32, Problem> {
        let named = || self.names.get(other).copied().flatten();
        self.ids.get(other).copied().or_else(named).ok_or_else(|| Problem::Unknown {
            line: lines.relation(&task.id, other),
            task: task.id.clone(),
            relation,
            other: other.to_owned(),
        })
    }
}

/// Returns the level of each task, or which tasks never become ready.
fn depths(parents: &[Vec<u32>]) -> Result<Vec<u32>, Vec<bool>> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); parents.len()];
    for (number, parents) in parents.iter().enumerate() {
        parents.iter().for_each(|&parent| children[parent as usize].push(number as u32));
    }
    let mut missing: Vec<usize> = parents.iter().map(Vec::len).collect();
    let mut level = vec![1; parents.len()];
    let mut ready: Vec<u32> = Vec::new();
    ready.extend((0..parents.len() as u32).filter(|&number| missing[number as usize] == 0));
    while let Some(number) = ready.pop() {
        for &child in &children[number as usize] {
            let (own, child) = (level[number as usize], child as usize);
            level[child] = level[child].max(own + 1);
            missing[child] -= 1;
            if missing[child] == 0 {
                ready.push(child as u32);
            }
        }
    }
    let stuck: Vec<bool> = missing.iter().map(|&missing| missing > 0).collect();
    if stuck.contains(&true) { Err(stuck) } else { Ok(level) }
}

/// Finds a cycle, given the tasks that never become ready: each has a parent among them.
fn cycle(tasks: &[Task], parents: &[Vec<u32>], stuck: &[bool], lines: &Lines<'_>) -> Problem {
    let from = stuck.iter().position(|&stuck| stuck).unwrap_or(0);
    let next = |number: usize| {
        let mut parents = parents[number].iter().map(|&parent| parent as usize);
        parents.find(|&parent| stuck[parent]).unwrap_or(number)
    };
    // After as many steps as there are tasks, the walk is on the cycle.
    let first = (0..tasks.len()).fold(from, |number, _| next(number));
    let mut members = vec![first];
    let mut number = next(first);
    while number != first {
        members.push(number);
        number = next(number);
    }
    // The task that stands first in the text comes first.
    let least = members.iter().enumerate().min_by_key(|&(_, &number)| number);
    let turn = least.map_or(0, |(place, _)| place);
    members.rotate_left(turn);
    let mut told: Vec<String> =
        members.iter().take(TOLD).map(|&number| format!("`{}`", tasks[number].id)).collect();
    if members.len() > TOLD {
        told.push(format!("and {} more", members.len() - TOLD));
    }
    Problem::Cycle { line: lines.task(&tasks[members[0]].id), tasks: told.join(", ") }
}
