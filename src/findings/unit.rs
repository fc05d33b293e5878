//! The unit of a figure: an organization, a class of organizations that are alike, or all of them.

use std::ops::Range;

/// Name of the unit of all organizations together.
pub const ALL: &str = "*";

/// An organization or a player, or consecutive ones that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Name of the class, such as `typical-1..9`; a single organization keeps its own name.
    pub name: String,
    /// Range of its organizations' indices.
    pub members: Range<usize>,
}

impl Class {
    /// True for a single organization.
    pub fn is_single(&self) -> bool {
        self.members.len() == 1
    }
}

/// True if a unit goes by this name: it is called so, or is the class of all that are called so with a
/// number.
pub fn goes_by(unit: &str, name: &str) -> bool {
    let rest = unit.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("-1.."))
}

/// Groups organizations into classes of consecutive, interchangeable ones.
///
/// Members are named `name-1`, `name-2` and so on, and `are_alike` confirms that two of them differ
/// in nothing but their names.
pub fn classes(names: &[String], are_alike: impl Fn(usize, usize) -> bool) -> Vec<Class> {
    let numbered = |name: &str| -> Option<(String, u64)> {
        let (stem, number) = name.rsplit_once('-')?;
        Some((stem.to_owned(), number.parse().ok()?))
    };
    let follows = |one: usize, next: usize| {
        let pair = numbered(&names[one]).zip(numbered(&names[next]));
        let is_next = pair.is_some_and(|(one, next)| one.0 == next.0 && one.1 + 1 == next.1);
        is_next && are_alike(one, next)
    };
    let mut classes: Vec<Class> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        match classes.last_mut() {
            Some(class) if follows(at - 1, at) => class.members.end = at + 1,
            _ => classes.push(Class { name: name.clone(), members: at..at + 1 }),
        }
    }
    for class in &mut classes {
        let last = numbered(&names[class.members.end - 1]);
        if let Some((_, number)) = last.filter(|_| !class.is_single()) {
            class.name = format!("{}..{number}", class.name);
        }
    }
    classes
}

/// The units of a run's figures: each organization by itself, then each class with several members,
/// then all organizations together.
pub fn units(names: &[String], classes: &[Class]) -> Vec<Class> {
    let singles = names.iter().cloned().enumerate();
    let singles = singles.map(|(at, name)| Class { name, members: at..at + 1 });
    let several = classes.iter().filter(|class| !class.is_single()).cloned();
    let all = Class { name: ALL.to_owned(), members: 0..names.len() };
    singles.chain(several).chain([all]).collect()
}
