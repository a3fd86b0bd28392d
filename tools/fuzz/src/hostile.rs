//! Calls that do not fit: sizes, numbers and indices that a program was not written for, of every operator.
//!
//! A program is one of the golden cases: an operator with operands that suit it. Its types say no sizes, and
//! its numbers are arguments. It is called as it is, and then with a size, a number or an element of an
//! integer tensor in the place of another: 0, one more, one less, 2^63-1, -2^63. Each gets 1 GiB for it, and
//! twenty seconds, with what has to be compiled.
//!
//! Contract: compiled code gives what the interpreter gives, or a value that says why not. What ends the
//! process, does not end, is an internal error or another result is wrong. Where one refuses what the other
//! answers, the operator is named, once.
//!
//! Programs run in a process of their own ([`crate::watched`]).

use crate::{
    check::{Runner, cpu},
    straight::{UNBOUNDED, checks_accesses, threads},
    watched::{Watched, limit_memory},
};
use melior::ir::Module;
use std::{collections::BTreeMap, path::Path, time::Duration};
use terrace_dialects::ir::refusal::{INTERNAL, Reason};
use terrace_goldens::{
    case::{Case, Contents, Outcome as Came, View, read},
    operators::Operators,
    program,
};
use terrace_interpreter::{Interpreter, semantics::random::manual_seed};
use terrace_session::{Error, Fallback, OpenSizes, Options, Session};
use terrace_tensor::{
    Dtype, Scalar, Tensor,
    io::{Inputs, NamedStorage, inputs_to_json},
    layout,
};
use terrace_tools::{outcome::Outcome, random::Random, say};

/// How often each program is called.
const CALLS: u64 = 6;

/// What a call gets beside what the process has: memory, and time with what is compiled for it.
const MEMORY: u64 = 1 << 30;
const TIME: Duration = Duration::from_secs(20);

/// How many programs a process runs.
const PROGRAMS: u64 = 250;

/// Numbers at the ends of what there is, and around what programs are written for.
const NUMBERS: [i64; 18] = [
    i64::MIN,
    i64::MIN + 1,
    -(1 << 62),
    -(1 << 40),
    -(1 << 31) - 1,
    -7,
    -2,
    -1,
    0,
    1,
    2,
    7,
    100,
    1 << 31,
    1 << 40,
    1 << 62,
    i64::MAX - 1,
    i64::MAX,
];

/// The level: the programs of [`Watched`], of operators whose name has its filter in it.
pub struct Hostile(Watched);

/// A tensor that comes in.
struct Given {
    dtype: Dtype,
    sizes: Vec<i64>,
    elements: Vec<Scalar>,
}

impl Hostile {
    /// So many programs from a seed on.
    pub fn new(seed: u64, programs: u64, filter: &str, folder: &Path) -> Hostile {
        let (filter, folder) = (filter.to_owned(), folder.to_owned());
        Hostile(Watched { level: "hostile", time: TIME, at_once: PROGRAMS, seed, programs, filter, folder })
    }

    /// Runs the programs in processes of their own, and prints what came of them.
    ///
    /// # Errors
    /// How many are wrong.
    pub fn run(&self) -> Result<(), String> {
        self.0.run()
    }

    /// Runs the programs in this process, and says what it does and what came of it.
    ///
    /// # Errors
    /// Golden cases that cannot be read.
    pub fn work(&self) -> Result<(), String> {
        let (runner, operators) = (Runner::default(), Operators::new());
        runner.context.load_all_available_dialects();
        let mut cases: BTreeMap<&str, Vec<Case>> = BTreeMap::new();
        let all = read("")?;
        let usable = |case: &Case| {
            let here = case.tensors.iter().all(|view| view.device == "cpu");
            case.calls.len() == 1 && here && matches!(case.outcome, Came::Results(..))
        };
        for case in all.into_iter().filter(usable) {
            let name = operators.operation(&case.calls[0].schema).map_or("", |operation| operation.name);
            if name.contains(&self.0.filter) {
                cases.entry(name).or_default().push(case);
            }
        }
        let names: Vec<&str> = cases.keys().copied().collect();
        if names.is_empty() {
            return Err(format!("no operator has {:?} in its name", self.0.filter));
        }
        self.0.prepare()?;
        for seed in self.0.seed..self.0.seed + self.0.programs {
            let name = names[(seed % names.len() as u64) as usize];
            let own = &cases[name];
            let case = &own[(seed / names.len() as u64) as usize % own.len()];
            say!("at {seed} {name}");
            limit_memory(MEMORY);
            if let Err(why) = self.program(&runner, &operators, case, seed, name) {
                say!("wrong seed {seed} {name}: {}", why.replace('\n', "; "));
                self.0.keep(seed);
            }
        }
        Ok(())
    }

    fn program(
        &self,
        runner: &Runner,
        operators: &Operators,
        case: &Case,
        seed: u64,
        name: &str,
    ) -> Result<(), String> {
        let mut apart = case.clone();
        for (number, view) in apart.tensors.iter_mut().enumerate() {
            let strides = layout::contiguous_strides(&view.sizes);
            *view = View { storage: number, strides, offset: 0, ..view.clone() };
        }
        let (module, numbers) = match program::open(&runner.context, operators, &apart) {
            Ok(opened) => opened,
            Err(_) => {
                _ = runner.words();
                say!("count programs that ask for sizes");
                return Ok(());
            }
        };
        let text = module.as_operation().to_string();
        self.0.about("mlir", &text)?;
        let given = case.tensors.iter().map(|view| Given::of(view, &case.storages));
        let given = given.collect::<Result<Vec<_>, _>>()?;
        let open_sizes = if seed.is_multiple_of(2) { OpenSizes::All } else { OpenSizes::Differing };
        let (cpu, fallback) = (cpu(None, seed), Fallback::Never);
        let threads = threads(seed);
        let check_accesses = checks_accesses(seed);
        let options = Options { cpu, fallback, open_sizes, threads, check_accesses, ..Options::default() };
        let session = Session::new(&runner.context, options);
        let parse = || runner.parse(&text).map_err(|wrong| wrong.what);
        let compiled = session.program(parse()?);
        let mut random = Random::new(seed);
        for call in 0..CALLS {
            let (inputs, twice) = {
                let (given, numbers) = match call {
                    0 => (given.iter().map(Given::same).collect(), numbers.clone()),
                    _ => changed(&given, &numbers, &mut random),
                };
                (inputs(&given, &numbers)?, inputs(&given, &numbers)?)
            };
            self.0.about("json", inputs_to_json(&inputs))?;
            say!("at {seed} {name}, call {call}, interpreted");
            let expected = interpreted(runner, &module, inputs);
            say!("at {seed} {name}, call {call}, compiled");
            session.manual_seed(0);
            let came = compiled.call("main", &twice.args);
            let came = came.map(|results| Outcome::compiled(twice, results, session.generator_state()));
            match (expected, came) {
                (Err(why), _) if why.contains(INTERNAL) => {
                    return Err(format!("call {call}, interpreted: {why}"));
                }
                (_, Err(why)) if why.to_string().contains(INTERNAL) => {
                    return Err(format!("call {call}: {why}"));
                }
                // Views that repeat elements have any number of them.
                (Ok(expected), Ok(_)) if expected.results.iter().any(is_large) => {
                    say!("count calls with results that are too large to compare");
                }
                (Ok(expected), Ok(came)) => match expected.agrees_for_any_size(&came) {
                    Ok(()) => say!("count calls that agree"),
                    Err(why) if why.contains(UNBOUNDED) => say!("count calls of which no bound is known"),
                    Err(why) => return Err(format!("call {call}: {why}")),
                },
                (_, Err(Error::Refused(_) | Error::Guard { .. })) => say!("count calls that are refused"),
                (_, Err(why)) if Reason::of(&why.to_string()).is_some() => {
                    say!("count calls that are refused")
                }
                (Err(_), Err(_)) => say!("count calls that both refuse"),
                (Err(why), Ok(_)) => {
                    say!("count calls that are answered where the interpreter refuses");
                    say!("named {name} answers what is refused: {}", last(&why));
                }
                (Ok(_), Err(why)) => {
                    say!("count calls with an error where the interpreter answers");
                    say!("named {name} has an error where there is none: {}", last(&why.to_string()));
                }
            }
        }
        Ok(())
    }
}

/// Whether a result is too large to compare.
fn is_large(value: &terrace_tensor::Value) -> bool {
    value.as_tensor().is_some_and(|tensor| tensor.len() > 1 << 22)
}

/// What is said in the end, without the place.
fn last(words: &str) -> String {
    let line = words.lines().last().unwrap_or_default();
    line.rsplit_once("error: ").map_or(line, |(_, own)| own).to_owned()
}

fn interpreted(runner: &Runner, module: &Module, inputs: Inputs) -> Result<Outcome, String> {
    manual_seed(0);
    match Interpreter::new(module).call("main", inputs.args.clone()) {
        Ok(results) => Ok(Outcome::new(inputs, results)),
        Err(_) => Err(runner.words()),
    }
}

impl Given {
    /// The elements of a view, in order.
    fn of(view: &View, storages: &[Contents]) -> Result<Given, String> {
        let storages = storages.iter().map(Contents::storage).collect::<Result<Vec<_>, _>>()?;
        let tensor = view.tensor(&storages)?;
        Ok(Given { dtype: view.dtype, sizes: view.sizes.clone(), elements: tensor.to_vec() })
    }

    fn same(&self) -> Given {
        Given { dtype: self.dtype, sizes: self.sizes.clone(), elements: self.elements.clone() }
    }

    /// The same elements again and again, in other sizes.
    fn with_sizes(&self, sizes: Vec<i64>) -> Given {
        let count = sizes.iter().product::<i64>() as usize;
        let zero = [Scalar::Int(0).cast(self.dtype)];
        let own = if self.elements.is_empty() { &zero[..] } else { &self.elements };
        Given { dtype: self.dtype, sizes, elements: own.iter().copied().cycle().take(count).collect() }
    }
}

/// One or two of what comes in, changed.
fn changed(given: &[Given], numbers: &[Scalar], random: &mut Random) -> (Vec<Given>, Vec<Scalar>) {
    let (mut given, mut numbers): (Vec<Given>, _) =
        (given.iter().map(Given::same).collect(), numbers.to_vec());
    // Of complex numbers that are none in one part, the other part is by the way that they are multiplied.
    let complex = given.iter().any(|tensor| tensor.dtype.is_complex());
    for _ in 0..random.between(1, 2) {
        let at = |random: &mut Random, count: usize| random.between(0, count as i64 - 1) as usize;
        if !numbers.is_empty() && random.percent(50) {
            let number = at(random, numbers.len());
            numbers[number] = match numbers[number] {
                Scalar::Int(own) => Scalar::Int(near(own, random)),
                Scalar::Float(own) if complex => Scalar::Float(-own),
                Scalar::Float(own) => Scalar::Float(random.choose(&[
                    f64::NAN,
                    f64::INFINITY,
                    f64::NEG_INFINITY,
                    1e300,
                    -0.0,
                    -own,
                    own + 1.0,
                ])),
                Scalar::Bool(own) => Scalar::Bool(!own),
                own => own,
            };
        } else if !given.is_empty() {
            let number = at(random, given.len());
            let tensor = &mut given[number];
            let integers =
                !tensor.dtype.is_float() && tensor.dtype != Dtype::Bool && !tensor.dtype.is_complex();
            if integers && !tensor.elements.is_empty() && random.percent(60) {
                let element = at(random, tensor.elements.len());
                let own = tensor.elements[element].to_i64();
                tensor.elements[element] = Scalar::Int(near(own, random)).cast(tensor.dtype);
            } else if tensor.dtype.is_float() && !complex && random.percent(30) {
                // What half precision has, and the squares of it it has not.
                let by = random.choose(&[100.0, 300.0]);
                let grown = |own: &Scalar| Scalar::Float(own.to_f64() * by).cast(tensor.dtype);
                tensor.elements = tensor.elements.iter().map(grown).collect();
            } else if !tensor.sizes.is_empty() {
                let mut sizes = tensor.sizes.clone();
                let dim = at(random, sizes.len());
                let own = sizes[dim];
                sizes[dim] = random.choose(&[0, 1, (own - 1).max(0), own + 1, 2 * own, 67]);
                *tensor = tensor.with_sizes(sizes);
            }
        }
    }
    (given, numbers)
}

/// A number at an end, or next to one that is there.
fn near(own: i64, random: &mut Random) -> i64 {
    match random.between(0, 3) {
        0 => own.wrapping_add(random.choose(&[-1, 1])),
        _ => random.choose(&NUMBERS),
    }
}

/// Each tensor on a storage of its own, row-major.
fn inputs(given: &[Given], numbers: &[Scalar]) -> Result<Inputs, String> {
    let mut inputs = Inputs::default();
    for (number, Given { dtype, sizes, elements }) in given.iter().enumerate() {
        let contents = Contents { dtype: *dtype, elements: elements.clone() };
        let storage = contents.storage()?;
        let strides = layout::contiguous_strides(sizes);
        let tensor = Tensor::new(storage.clone(), *dtype, sizes.clone(), strides, 0);
        inputs.args.push(tensor.map_err(|e| e.to_string())?.into());
        inputs.storages.push(NamedStorage { name: format!("s{number}"), dtype: *dtype, storage });
    }
    inputs.args.extend(numbers.iter().map(|number| terrace_tensor::Value::from(*number)));
    Ok(inputs)
}
