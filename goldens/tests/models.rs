//! Imported models compute what PyTorch computes.

use terrace_fake::Sizes;
use terrace_goldens::{
    check::{Checker, How},
    models::{Model, names},
};

#[test]
fn the_interpreter_agrees_with_pytorch() {
    let checker = Checker::new();
    let failures: Vec<String> = names()
        .unwrap()
        .iter()
        .filter_map(|name| {
            let failure = checker.model(&Model::read(name).unwrap(), How::Interpreted).err()?;
            Some(format!("{name}: {failure}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn fake_tensors_are_what_the_interpreter_makes() {
    let context = terrace_tools::module::context();
    let mut failures = vec![];
    for name in names().unwrap() {
        let model = Model::read(&name).unwrap();
        for sizes in [Sizes::Numbers, Sizes::Symbols] {
            failures.extend(
                model
                    .check_fake(&context, sizes)
                    .err()
                    .map(|failure| format!("{name}, {sizes:?}: {failure}")),
            );
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn models_of_any_size_are_compiled_once() {
    let context = terrace_tools::module::context();
    let check = |name: &str, calls: &[&[i64]]| {
        let done = Model::read(name).unwrap().check_sizes(&context, calls);
        done.unwrap_or_else(|e| panic!("{name}: {e}"));
    };
    check("convnet_any", &[&[2, 3, 32, 32], &[1, 3, 32, 32], &[7, 3, 32, 32], &[0, 3, 32, 32]]);
    // A batch of 0 eager refuses: it has -1 among the sizes of a view.
    check("bert_any", &[&[3, 7], &[1, 7], &[7, 12], &[2, 32], &[1, 1], &[5, 1]]);
}
