//! Programs with control flow, calls, numbers and tensors that change their sizes: what fake tensors are
//! asked about.
//!
//! A body grows like a program, on what its arguments are when it is entered first, and is then tried as a
//! whole with the control flow around it. A function is a body whose free names have become arguments.

mod control;
mod numbers;
pub mod state;
mod steering;
mod taking;

use crate::{
    flow::alias,
    generate::{self, propose},
    operators::{self, OPERATIONS, rich::OPERATIONS as MORE},
    program::{Argument, Declared, Program},
    rich::state::{Number, Rich},
    typing::{Sizes, Typing, number_type},
    workbench::{Entry, Workbench},
};
use melior::Context;
use terrace_interpreter::semantics::random::manual_seed;
use terrace_tensor::Scalar;
use terrace_tools::random::Random;

/// Tensors may have this many elements.
const MOST: usize = 1024;

/// Loops may go round this often.
const ROUNDS: i64 = 3;

/// Control flow may stand in control flow this deep.
const DEPTH: usize = 2;

impl Rich<'_> {
    /// Takes in a value of a type; what stands for the type in text.
    pub fn typed(&mut self, name: &str, ty: String) -> String {
        self.typing.types.insert(name.to_owned(), ty);
        alias(name)
    }
}

fn bench(context: &Context, seed: u64, initializes: bool, fixed: bool) -> Workbench<'_> {
    let mut bench = Workbench::new(context, Random::new(seed));
    bench.rich = Some(Rich {
        typing: Typing::new(context),
        numbers: vec![],
        values: vec![],
        by_elements: vec![],
        depth: 0,
        fixed,
        initializes,
        control: 18,
        base: None,
        wanted: vec![],
    });
    bench
}

/// The program of a seed: of sizes that types say, or any.
pub fn program(context: &Context, seed: u64, fixed: bool) -> Program {
    let mut bench = bench(context, seed, false, fixed);
    for _ in 0..bench.random.between(1, 3) {
        generate::argument(&mut bench);
    }
    if bench.random.percent(25) {
        same_argument(&mut bench);
    }
    let count = bench.random.between(4, 14);
    grown(bench, count)
}

/// The program of a seed, of sizes that types say, with views and mutations of one storage by turns.
pub fn steered(context: &Context, seed: u64) -> Program {
    manual_seed(seed);
    let mut bench = bench(context, seed, false, true);
    let mut random = bench.random.clone();
    bench.rich().wanted = steering::wanted(seed, &mut random);
    bench.rich().control = if random.percent(52) { 30 } else { 0 };
    bench.random = random;
    bench.focus();
    if bench.random.percent(30) {
        generate::argument(&mut bench);
    }
    if bench.random.percent(8) {
        same_argument(&mut bench);
    }
    let count = bench.random.between(1, 4);
    grown(bench, count)
}

/// A program that makes tensors and draws into them, with few arguments or none.
pub fn initialization(context: &Context, seed: u64) -> Program {
    manual_seed(seed);
    let mut bench = bench(context, seed, true, false);
    for _ in 0..bench.random.between(0, 4) / 3 {
        generate::argument(&mut bench);
    }
    for _ in 0..bench.random.between(2, 4) {
        propose(&mut bench, &[(operators::random::new, 1)]);
    }
    let count = bench.random.between(4, 14);
    grown(bench, count)
}

/// A program that goes on from what is there.
fn grown(mut bench: Workbench, count: i64) -> Program {
    let context = bench.context;
    for number in 0..bench.random.between(0, 3) as usize {
        let value = match bench.random.between(0, 2) {
            0 => Scalar::Bool(bench.random.percent(50)),
            _ => Scalar::Int(bench.random.between(0, 4)),
        };
        bench.program.numbers.push(value);
        let ty = number_type(value, number).to_owned();
        bench.add_number(format!("%n{number}"), ty, value);
    }
    bench.steps(count);
    bench.declare();
    let mut program = bench.program;
    let base = bench.rich.and_then(|rich| rich.base);
    let (pool, mut random) = (bench.pool, bench.random);
    for _ in 0..random.between(1, 4) {
        let last = pool.len() as i64 - 1;
        let extra = random.between(0, last).max(random.between(0, last)) as usize;
        program.returned.push((pool[extra].name.clone(), String::new()));
    }
    // What shares the storage is looked at in the end.
    for entry in pool.iter().filter(|entry| base.as_ref().is_some_and(|base| shares(base, entry))) {
        if random.percent(80) {
            program.returned.push((entry.name.clone(), String::new()));
        }
    }
    let mut typing = Typing::new(context);
    // A later call may have made the results of an earlier one wider than what used them allows.
    while typing.program(&program, Sizes::Numbers).is_none() && program.count() > 0 {
        program = program.without_step(program.count() - 1);
    }
    close(&mut program, &mut typing);
    program
}

fn shares(one: &Entry, other: &Entry) -> bool {
    one.tensor.storage().is_same(other.tensor.storage())
}

/// Closes the sizes of arguments that an operation has to know: how many results it has, or how many
/// dimensions.
fn close(program: &mut Program, typing: &mut Typing) {
    let open = |program: &mut Program, number: usize, open: &[bool]| {
        for (other, argument) in program.arguments.iter_mut().enumerate() {
            if other == number || argument.same == Some(number) {
                argument.open = open.to_vec();
            }
        }
    };
    let before: Vec<Vec<bool>> = program.arguments.iter().map(|argument| argument.open.clone()).collect();
    let mut closed = 0;
    while closed < before.len() && typing.program(program, Sizes::Open).is_none() {
        open(program, closed, &vec![false; before[closed].len()]);
        closed += 1;
    }
    for number in (0..closed).filter(|&number| program.arguments[number].same.is_none()).collect::<Vec<_>>() {
        open(program, number, &before[number]);
        if typing.program(program, Sizes::Open).is_none() {
            open(program, number, &vec![false; before[number].len()]);
        }
    }
}

/// An argument that is the same tensor as another one.
fn same_argument(bench: &mut Workbench) {
    let same = bench.random.between(0, bench.program.arguments.len() as i64 - 1) as usize;
    let name = format!("%a{}", bench.program.arguments.len());
    let mut argument = bench.program.arguments[same].clone();
    argument.same = Some(same);
    bench.program.arguments.push(argument);
    let tensor = bench.pool[same].tensor.clone();
    bench.enter(name, tensor);
}

impl<'c> Workbench<'c> {
    fn rich(&mut self) -> &mut Rich<'c> {
        self.rich.as_mut().expect("programs with control flow are made on such a workbench")
    }

    fn add_number(&mut self, name: String, ty: String, value: Scalar) {
        let rich = self.rich();
        rich.typing.types.insert(name.clone(), ty.clone());
        rich.numbers.push(Number { name, ty, value });
    }

    /// What arguments name and declare where sizes are symbols.
    fn declare(&mut self) {
        let fixed = self.rich().fixed;
        for number in 0..self.program.arguments.len() {
            let argument = &self.program.arguments[number];
            let packed = argument.offset == 0
                && argument.strides == terrace_tensor::layout::contiguous_strides(&argument.sizes);
            let (sizes, numbers) = (argument.sizes.len(), argument.strides.len() + 1);
            let random = &mut self.random;
            let named = random.percent(65) || fixed;
            let open = (0..sizes).map(|_| random.percent(85)).collect();
            let declared = match random.between(0, 9) {
                0..=3 if packed => Declared::Nothing,
                0..=6 => Declared::Any,
                7..=8 => Declared::Some((0..numbers).map(|_| random.percent(60)).collect()),
                _ => Declared::Numbers,
            };
            // The same tensor is declared in the same way.
            let argument = match self.program.arguments[number].same {
                Some(same) => {
                    let Argument { named, open, declared, .. } = self.program.arguments[same].clone();
                    (named, open, declared)
                }
                None => (named, open, declared),
            };
            let own = &mut self.program.arguments[number];
            (own.named, own.open, own.declared) = argument;
        }
    }

    /// Takes up to so many steps, and those that are asked for.
    fn steps(&mut self, count: i64) {
        let mut tries = 4 * count;
        let steers = self.rich().base.is_some();
        while tries > 0 || self.rich().depth == 0 && !self.rich().wanted.is_empty() {
            let asked = self.rich().depth == 0 && !self.rich().wanted.is_empty();
            if steers && (tries <= 0 || self.random.percent(if asked { 70 } else { 30 })) {
                _ = self.steer();
                tries -= i64::from(!asked);
                continue;
            }
            tries -= 1;
            if !asked && self.program.steps.len() as i64 >= count {
                break;
            }
            self.step();
        }
    }

    /// Tries one step.
    fn step(&mut self) {
        let deep = self.rich().depth >= DEPTH;
        let kind = self.random.between(0, 99);
        match kind {
            _ if kind < self.rich().control && !deep => drop(self.control()),
            18..=29 => drop(self.number()),
            30..=35 => drop(self.again()),
            36..=60 if self.rich().initializes => propose(self, operators::random::OPERATIONS),
            36..=64 => propose(self, MORE),
            _ => propose(self, OPERATIONS),
        }
    }
}

/// Operators whose results may have sizes by elements.
const BY_ELEMENTS: [&str; 3] = ["graph.index", "graph.masked_select", "graph.nonzero"];

/// Operators that change a tensor object.
pub const CHANGES: [&str; 10] = [
    "graph.as_strided_",
    "graph.detach_",
    "graph.resize_",
    "graph.resize_as_",
    "graph.set_",
    "graph.squeeze_",
    "graph.swapaxes_",
    "graph.t_",
    "graph.transpose_",
    "graph.unsqueeze_",
];
