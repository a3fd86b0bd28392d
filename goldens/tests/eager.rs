//! Every golden case, interpreted; a sample of them compiled.

use terrace_goldens::{
    case,
    check::{Checker, How},
    devices,
    fake::{self, Knows, Verdict},
    known, loops, reference,
};

/// One compiled case in so many; `terrace-goldens --compiled` compiles all.
const SAMPLE: usize = 97;

/// Fails with the cases that differ in a way that is not known; gives how many cases there were, and how many
/// of them are refused because their sizes are not known.
fn check(how: How, every: usize) -> (usize, usize) {
    let cases = case::read("").unwrap();
    assert!(cases.len() > 5000, "only {} cases", cases.len());
    let checker = Checker::new();
    let differ: Vec<String> = cases
        .iter()
        .step_by(every)
        .filter_map(|case| {
            let failure = checker.check(case, how).err()?;
            known::reason(case, &failure).is_none().then(|| format!("{}: {failure}", case.name))
        })
        .collect();
    assert!(differ.is_empty(), "{} cases differ from eager:\n{}", differ.len(), differ.join("\n"));
    (cases.len().div_ceil(every), checker.refused().values().map(Vec::len).sum())
}

#[test]
fn the_interpreter_agrees_with_eager() {
    check(How::Interpreted, 1);
}

/// What a rule cannot know of sizes it leaves to the run.
#[test]
fn programs_without_sizes_agree_with_eager() {
    check(How::Unsized, 1);
}

#[test]
fn programs_made_functional_without_sizes_agree_with_eager() {
    let (cases, refused) = check(How::FunctionalUnsized, 11);
    // Guards keep out sizes of 0 and 1 where they matter, of which these cases are full.
    assert!(refused < cases * 2 / 5, "{refused} of {cases} are refused");
}

#[test]
fn compiled_code_agrees_with_eager() {
    check(How::Compiled, SAMPLE);
}

/// Fails where fake tensors are not what eager came to; gives how many are, and how many are kept out by
/// guards.
fn fakes(knows: Knows) -> (usize, usize) {
    let (cases, checker) = (case::read("").unwrap(), Checker::new());
    let (mut same, mut guarded, mut differ) = (0, 0, vec![]);
    for case in &cases {
        match checker.fake(case, knows) {
            Ok(Verdict::Same) => same += 1,
            Ok(Verdict::Guarded) => guarded += 1,
            Ok(Verdict::Refused(_)) => {}
            Err(failure) if fake::known(case, &failure).is_some() => {}
            Err(failure) => differ.push(format!("{}: {failure}", case.name)),
        }
    }
    assert!(differ.is_empty(), "{} cases differ from eager:\n{}", differ.len(), differ.join("\n"));
    (same, guarded)
}

#[test]
fn fake_tensors_on_devices_are_what_pytorchs_are() {
    let (records, checker) = (devices::read("").unwrap(), Checker::new());
    assert!(records.len() > 4000, "only {} records", records.len());
    let differ: Vec<String> = records
        .iter()
        .flat_map(|record| [Knows::Numbers, Knows::Hints].map(|knows| (record, knows)))
        .filter_map(|(record, knows)| {
            let failure = checker.on_devices(record, knows).err()?;
            devices::known(record, &failure).is_none().then(|| format!("{}: {failure}", record.case.name))
        })
        .collect();
    assert!(differ.is_empty(), "{} records differ:\n{}", differ.len(), differ.join("\n"));
}

#[test]
fn fake_tensors_are_what_eager_makes() {
    assert!(fakes(Knows::Numbers).0 > 15000);
}

#[test]
fn fake_tensors_of_symbols_are_what_eager_makes() {
    assert!(fakes(Knows::Hints).0 > 15000);
}

#[test]
fn fake_tensors_are_what_eager_makes_where_guards_hold() {
    let (same, guarded) = fakes(Knows::Nothing);
    assert!(same > 9000 && guarded > 1000);
}

/// A known difference that no case shows is one no more.
#[test]
fn what_is_known_to_differ_does() {
    let (cases, checker) = (case::read("").unwrap(), Checker::new());
    let mut seen: Vec<&str> = cases
        .iter()
        .filter_map(|case| known::reason(case, &checker.check(case, How::Interpreted).err()?))
        .collect();
    seen.sort_unstable();
    seen.dedup();
    for known in known::KNOWN.iter().filter(|known| !known.compiled) {
        assert!(seen.contains(&known.reason), "no case shows this any more: {}", known.reason);
    }
}

#[test]
fn the_table_of_operators_is_up_to_date() {
    let committed = std::fs::read_to_string(reference::file()).unwrap();
    assert!(
        committed == reference::text().unwrap(),
        "docs/operators.md differs from what `./x table` writes"
    );
}

#[test]
fn the_table_of_loops_is_up_to_date() {
    let committed = std::fs::read_to_string(loops::file()).unwrap();
    assert!(committed == loops::text().unwrap(), "docs/loops.md differs from what `./x table` writes");
}
