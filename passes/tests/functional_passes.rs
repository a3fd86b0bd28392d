//! Passes of the functional dialect do not change values: the interpreter runs random programs before and
//! after.
//!
//! The interpreter takes `functional.in_place` by its word, so that a value that is read after its memory was
//! given away is seen.

mod random;

use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use random::{Features, Program, program};
use terrace_interpreter::{Interpreter, semantics::random as random_numbers};
use terrace_tensor::{Dtype, Scalar, Tensor, Value};

const PROGRAMS: u64 = 400;

fn context() -> Context {
    terrace_passes::register_passes();
    melior::utility::register_all_passes();
    terrace_dialects::new_context()
}

fn arguments(program: &Program, condition: bool) -> Vec<Value> {
    let element = |number: usize, i: usize| Scalar::Float(((i * 7 + number * 5 + 3) % 11) as f64 - 5.0);
    let tensor = |(number, shape): (usize, &Vec<usize>)| {
        let sizes: Vec<i64> = shape.iter().map(|size| *size as i64).collect();
        let elements: Vec<Scalar> = (0..shape.iter().product()).map(|i| element(number, i)).collect();
        Value::from(Tensor::from_elements(Dtype::F32, &sizes, &elements).unwrap())
    };
    let tensors = program.arguments.iter().enumerate().map(tensor);
    tensors.chain([Scalar::Bool(condition).into()]).collect()
}

fn elements(values: &[Value]) -> Vec<Vec<Scalar>> {
    values.iter().filter_map(Value::as_tensor).map(Tensor::to_vec).collect()
}

/// Results, and arguments afterwards.
fn run(module: &Module, program: &Program, condition: bool) -> Result<[Vec<Vec<Scalar>>; 2], String> {
    let inputs = arguments(program, condition);
    random_numbers::manual_seed(0);
    let results = Interpreter::new(module).call("main", inputs.clone()).map_err(|e| e.to_string())?;
    Ok([elements(&results), elements(&inputs)])
}

/// Runs passes on random programs; how many programs have a text afterwards that `counts`.
fn check(features: Features, passes: &str, counts: impl Fn(&str) -> bool) -> usize {
    let context = context();
    let manager = PassManager::new(&context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("builtin.module({passes})")).unwrap();
    let mut counted = 0;
    for seed in 0..PROGRAMS {
        let program = program(seed, features);
        let mut module = Module::parse(&context, &program.text).unwrap_or_else(|| panic!("{}", program.text));
        let expected = [false, true].map(|c| run(&module, &program, c).unwrap());
        let failed =
            |what: &str, after: &str| panic!("seed {seed}: {what}\n{}\nbecame\n{after}", program.text);
        if manager.run(&mut module).is_err() {
            failed("refused", "");
        }
        let text = module.as_operation().to_string();
        counted += usize::from(counts(&text));
        for (condition, [results, _]) in [false, true].into_iter().zip(&expected) {
            let [found, inputs] = run(&module, &program, condition).unwrap_or_else(|e| failed(&e, &text));
            if found != *results {
                failed(&format!("{found:?} instead of {results:?}"), &text);
            }
            let untouched = elements(&arguments(&program, condition));
            for (number, donated) in program.donated.iter().enumerate() {
                if !donated && inputs[number] != untouched[number] {
                    failed(&format!("argument {number} was written"), &text);
                }
            }
        }
    }
    counted
}

#[test]
fn copies_have_the_values_of_views() {
    let features = Features { regions: true, ..Features::default() };
    const VIEWS: [&str; 7] = ["permute", "view", "slice", "select", "expand", "diagonal", "as_strided"];
    let passes = "functional-view-to-copy,functional-verify-contiguous";
    let left =
        check(features, passes, |text| VIEWS.iter().any(|v| text.contains(&format!("functional.{v} "))));
    assert_eq!(left, 0, "programs with views are left");
}

#[test]
fn memory_that_is_taken_over_is_read_no_more() {
    let features = Features { regions: true, donations: true, ..Features::default() };
    let marked = check(features, "functional-reinplace", |text| text.contains("functional.in_place"));
    assert!(marked as u64 > PROGRAMS / 2, "{marked} programs of {PROGRAMS} were marked");
}

#[test]
fn copies_and_memory_together() {
    let features = Features { regions: true, donations: true, ..Features::default() };
    check(features, "functional-view-to-copy,functional-reinplace,functional-verify-contiguous", |_| true);
}

#[test]
fn forward_and_backward_parts_compose() {
    let features = Features { regions: true, tangents: true, ..Features::default() };
    for budget in
        ["", "{memory-budget=0.5}", "{memory-budget=0}", "{recompute-products recompute-reductions}"]
    {
        let passes = format!("functional-partition{budget}");
        let split = check(features, &passes, |text| text.contains("@main.backward"));
        assert_eq!(split as u64, PROGRAMS);
    }
}
