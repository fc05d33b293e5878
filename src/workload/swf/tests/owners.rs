//! Users and groups that become organizations.

use super::*;

fn trace_of_users(users: &[(u32, u32, i64)]) -> (TempDir, Survey) {
    let lines: Vec<String> = users
        .iter()
        .map(|(user, group, size)| format!("1 0 {size} 1 1 {size} 1 {user} {group} 1 1"))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (folder, path) = file(&trace(&lines));
    let survey = survey(&path, &Options::default()).unwrap();
    (folder, survey)
}

fn owners(text: &str) -> Owners {
    #[derive(serde::Deserialize)]
    struct Table {
        owners: Owners,
    }
    toml::from_str::<Table>(text).unwrap().owners
}

/// Returns the names, and each job's organization in file order.
fn assign(owners: &Owners) -> Result<(Vec<String>, Vec<u32>), String> {
    let (_folder, survey) =
        trace_of_users(&[(5, 1, 7), (3, 2, 4), (70_000, 1, 4), (3, 2, 2), (9, 9, 3), (1, 9, 6)]);
    let assignment = owners.assign(&survey, "kth-").map_err(|error| error.to_string())?;
    let names = assignment.names().to_vec();
    let mut source = SwfSource::new(&survey, assignment, 0, OrganizationId(100));
    Ok((names, jobs(&mut source).iter().map(|job| job.organization.0 - 100).collect()))
}

#[track_caller]
fn check(owners: &Owners, names: &[&str], expected: &[u32]) {
    let (found, organizations) = assign(owners).unwrap();
    assert_eq!(
        (found, organizations),
        (names.iter().map(ToString::to_string).collect(), expected.to_vec())
    );
}

#[test]
fn users_and_groups_become_organizations() {
    check(&owners("owners.one = {}"), &["kth-"], &[0; 6]);
    let names = ["kth-user-1", "kth-user-3", "kth-user-5", "kth-user-9", "kth-user-70000"];
    check(&owners("owners.per_user = {}"), &names, &[2, 1, 4, 1, 3, 0]);
    let names = ["kth-group-1", "kth-group-2", "kth-group-9"];
    check(&owners("owners.per_group = {}"), &names, &[0, 1, 0, 1, 2, 2]);
}

#[test]
fn users_are_dealt_to_the_lightest_part() {
    // 5:7 -> 1, 1:6 -> 2, 3:6 -> 3, 70000:4 -> 2 (6, tie with 3), 9:3 -> 3.
    let parts = ["kth-part-1", "kth-part-2", "kth-part-3"];
    check(&owners("owners.balanced = { parts = 3 }"), &parts, &[0, 2, 1, 2, 2, 1]);
    let error = assign(&owners("owners.balanced = { parts = 6 }")).unwrap_err();
    assert_eq!(
        error,
        "balanced.parts: 6 parts of 5 users leave some without a job; ask for at most 5"
    );
    assert!(assign(&owners("owners.balanced = { parts = 0 }")).is_err());
}

#[test]
fn a_file_names_the_owners() {
    let (_folder, path) = file(b"");
    let owners = Owners::File { path: path.clone() };
    let with = |text: &str| {
        std::fs::write(&path, text).unwrap();
        assign(&owners).map_err(|error| error.replace(&path.display().to_string(), "FILE"))
    };
    let (names, organizations) =
        with("user, organization\n3,physics\n*,law\n5, physics\n1000,nobody\n").unwrap();
    assert_eq!(names, ["physics", "law", "nobody"]);
    assert_eq!(organizations, [0, 0, 1, 0, 1, 1]);
    let (_, organizations) = with("organization,user\nlaw,*\n").unwrap();
    assert_eq!(organizations, [0; 6]);
    let fails = |text: &str, expected: &str| {
        let error = with(text).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    fails(
        "user,organization\n3,physics\n",
        "FILE: user 1 of the trace is not listed; add a row for it, or a row `*,NAME`",
    );
    fails("user,organization\n3,physics\n3,law\n", "FILE: line 3: user 3 is listed twice");
    fails(
        "user,organization\nbob,physics\n",
        "FILE: line 2: `bob` is not a user's number, nor `*`; a trace in the Standard Workload \
         Format numbers its users",
    );
    let text = "user,organization\r\n\r\n3,law\r\n3\r\n";
    fails(text, "FILE: line 4: there are 1 values, not 2");
    fails("user,organization\n3,\n", "FILE: line 2: user 3 has no organization");
    fails("name,organization\n3,a\n", "FILE: line 1: the header must be `user,organization`");
}
