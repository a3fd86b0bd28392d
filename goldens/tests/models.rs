//! Imported models compute what PyTorch computes.

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
