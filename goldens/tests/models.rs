//! Imported models compute what PyTorch computes.

use terrace_fake::Sizes;
use terrace_goldens::check::{Checker, How};
use terrace_goldens::models::{Model, names};

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
