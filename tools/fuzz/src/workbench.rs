//! Where a program grows: one operation at a time, each tried on real tensors before it is taken.
//!
//! The interpreter itself says whether an operation is legal, what it gives and how far its floats may be
//! off, so that the generator knows nothing about shapes, overlap or rounding. An operation is not taken when
//! eager refuses it, when its results grow beyond reason, or when their bounds are so wide that comparing
//! them would say little.

use crate::{
    decisions::{self, Floats},
    program::{Argument, Contents, Program, Step},
    rich::state::Rich,
    typing::result_types,
};
use melior::{Context, ir::Module};
use terrace_interpreter::Interpreter;
use terrace_tensor::{Dtype, Scalar, Storage, Tensor, Value};
use terrace_tools::random::Random;

/// Bounds may be this large, relative to a value or to 1.
const WIDEST: f64 = 1e-2;

/// Magnitudes may grow up to this.
const LARGEST: f64 = 1e5;

/// A tensor that operations may use.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name, with the percent sign.
    pub name: String,
    /// The tensor as it is now.
    pub tensor: Tensor,
    /// Its type, or the name of that.
    pub ty: String,
}

impl Entry {
    /// A tensor whose sizes its type says.
    pub fn new(name: String, tensor: Tensor) -> Entry {
        let ty = Program::type_of(tensor.dtype(), tensor.sizes());
        Entry { name, tensor, ty }
    }

    /// Its type.
    pub fn ty(&self) -> String {
        self.ty.clone()
    }
}

/// An operation that might be taken.
#[derive(Debug, Clone, Default)]
pub struct Candidate {
    /// Constants that it needs, a line each.
    pub constants: Vec<String>,
    /// The operation, from its name on.
    pub text: String,
    /// The tensors it uses, by their number in the pool.
    pub operands: Vec<usize>,
    /// The number of results, where it is not one.
    pub results: Option<usize>,
}

/// A program in the making.
pub struct Workbench<'c> {
    pub(crate) context: &'c Context,
    /// Where choices come from.
    pub random: Random,
    /// The program so far.
    pub program: Program,
    /// Its tensors.
    pub pool: Vec<Entry>,
    /// What programs with control flow have besides.
    pub rich: Option<Rich<'c>>,
    storages: Vec<Storage>,
    written: Vec<Storage>,
    names: usize,
}

impl<'c> Workbench<'c> {
    /// An empty program.
    pub fn new(context: &'c Context, random: Random) -> Workbench<'c> {
        let program = Program::default();
        let (pool, storages, written) = (vec![], vec![], vec![]);
        Workbench { context, random, program, pool, rich: None, storages, written, names: 0 }
    }

    /// A new argument on a storage that is given, or on one of its own.
    pub fn argument(&mut self, argument: Argument, contents: Option<Contents>) -> usize {
        if let Some(contents) = contents {
            let bytes = contents.elements.len() * contents.dtype.bytes();
            let storage = Storage::zeroed(bytes).expect("inputs are small");
            for (at, &element) in contents.elements.iter().enumerate() {
                storage.write(contents.dtype, at * contents.dtype.bytes(), element);
            }
            self.storages.push(storage);
            self.program.storages.push(contents);
        }
        let storage = self.storages[argument.storage].clone();
        let (sizes, strides) = (argument.sizes.clone(), argument.strides.clone());
        let tensor = Tensor::new(storage, argument.dtype, sizes, strides, argument.offset);
        let name = format!("%a{}", self.program.arguments.len());
        self.program.arguments.push(argument);
        self.enter(name, tensor.expect("an argument fits its storage"))
    }

    /// Adds a tensor whose sizes are known to the pool; its number there.
    pub fn enter(&mut self, name: String, tensor: Tensor) -> usize {
        let mut entry = Entry::new(name, tensor);
        if let Some(rich) = &mut self.rich {
            entry.ty = rich.typed(&entry.name, entry.ty);
        }
        self.pool.push(entry);
        self.pool.len() - 1
    }

    /// A new contiguous argument with the given elements.
    pub fn fresh(&mut self, dtype: Dtype, sizes: &[i64], elements: Vec<Scalar>) -> usize {
        let strides = terrace_tensor::layout::contiguous_strides(sizes);
        let storage = self.program.storages.len();
        let argument = Argument::new(storage, dtype, sizes.to_vec(), strides, 0);
        self.argument(argument, Some(Contents { dtype, elements }))
    }

    /// Whether a step writes a storage.
    pub fn is_written(&self, storage: usize) -> bool {
        self.written.iter().any(|written| written.is_same(&self.storages[storage]))
    }

    /// A name for a constant.
    pub fn constant_name(&mut self) -> String {
        self.name("%k")
    }

    /// A name that nothing has, with a number after its start.
    pub fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// Takes an operation, if it can be; says whether it did.
    pub fn take(&mut self, candidate: Candidate) -> bool {
        if self.rich.is_some() {
            return self.take_rich(candidate);
        }
        let floats = Floats::of(candidate.operands.iter().map(|&number| &self.pool[number].tensor));
        let name = format!("%v{}", self.program.steps.len());
        let count = candidate.results.unwrap_or(1);
        let names: Vec<String> = match candidate.results {
            None => vec![name.clone()],
            Some(_) => (0..count).map(|k| format!("{name}#{k}")).collect(),
        };
        let defined = if candidate.results.is_some() { format!("{name}:{count}") } else { name };
        let mut text: String = candidate.constants.iter().map(|line| format!("{line}\n")).collect();
        text.push_str(&format!("{defined} = {}", candidate.text));

        let before = self.snapshot();
        let taken = self.run(&text, &candidate.operands, &names).filter(|results| {
            let written = self.pool.iter().map(|entry| &entry.tensor);
            let made: Vec<&Tensor> = results.iter().collect();
            !decisions::of_text(&text, &floats, &made) && written.chain(results).all(is_comparable)
        });
        let Some(results) = taken else {
            before.restore();
            return false;
        };
        let in_place = candidate.text.split(' ').next().is_some_and(|name| name.ends_with('_'));
        if let Some(own) = candidate.operands.first().filter(|_| in_place) {
            self.written.push(self.pool[*own].tensor.storage().clone());
        }
        let operands = candidate.operands.iter().map(|&number| self.pool[number].name.clone()).collect();
        self.program.steps.push(Step { text, operands, results: names.clone(), flow: None });
        self.pool.extend(names.into_iter().zip(results).map(|(name, tensor)| Entry::new(name, tensor)));
        true
    }

    /// What the storages of the pool hold.
    pub fn snapshot(&self) -> Snapshots {
        let of = |storage: Storage| (storage.clone(), Snapshot::of(&storage));
        Snapshots(self.memory().into_iter().map(of).collect())
    }

    /// The storages of the pool, each once.
    fn memory(&self) -> Vec<Storage> {
        let mut found: Vec<Storage> = Vec::new();
        for entry in &self.pool {
            if !found.iter().any(|storage| storage.is_same(entry.tensor.storage())) {
                found.push(entry.tensor.storage().clone());
            }
        }
        found
    }

    /// Runs one operation on the tensors of the pool; `None` where it is refused.
    fn run(&self, text: &str, operands: &[usize], names: &[String]) -> Option<Vec<Tensor>> {
        let mut used: Vec<usize> = operands.to_vec();
        used.sort_unstable();
        used.dedup();
        let arguments: Vec<_> =
            used.iter().map(|&number| (self.pool[number].name.clone(), self.pool[number].ty())).collect();
        // Names of results carry a number sign, which arguments may not.
        let plain = |text: &str, name: &str| text.replace(name, &name.replace('#', "_"));
        let mut body = text.to_owned();
        for (name, _) in arguments.iter().filter(|(name, _)| name.contains('#')) {
            body = plain(&body, name);
        }
        let signature: Vec<_> =
            arguments.iter().map(|(name, ty)| format!("{}: {ty}", name.replace('#', "_"))).collect();
        let signature = signature.join(", ");
        let types = result_types(self.context, &format!("func.func @f({signature}) {{\n{body}\nreturn\n}}"))?;
        if types.len() != names.len() {
            return None;
        }
        let types = types.join(", ");
        let whole = format!(
            "func.func @f({signature}) -> ({types}) {{\n{body}\nreturn {} : {types}\n}}",
            names.join(", ")
        );
        let module = Module::parse(self.context, &whole)?;
        let args = used.iter().map(|&number| Value::from(self.pool[number].tensor.clone())).collect();
        let results = Interpreter::new(&module).call("f", args).ok()?;
        results.into_iter().map(|value| value.as_tensor().cloned()).collect()
    }
}

/// Whether comparing the elements says something. Infinities do not: they tell one zero from the other, which
/// no operator promises to.
pub fn is_comparable(tensor: &Tensor) -> bool {
    tensor.offsets().all(|at| {
        let (value, bound) = (tensor.read(at).to_f64(), tensor.bound(at));
        let grown = tensor.dtype().is_float() && value.abs() > LARGEST;
        !grown && bound <= WIDEST * value.abs().max(1.0)
    })
}

/// What storages held.
pub struct Snapshots(Vec<(Storage, Snapshot)>);

impl Snapshots {
    /// Makes it so again.
    pub fn restore(&self) {
        self.0.iter().for_each(|(storage, snapshot)| snapshot.restore(storage));
    }
}

/// The bytes and the bounds of a storage.
struct Snapshot {
    bytes: Vec<u8>,
    bounds: Vec<(usize, f64)>,
}

impl Snapshot {
    fn of(storage: &Storage) -> Snapshot {
        let bounds = (0..storage.len()).step_by(2).map(|at| (at, storage.bound(at)));
        Snapshot { bytes: storage.to_bytes(), bounds: bounds.filter(|(_, bound)| *bound != 0.0).collect() }
    }

    fn restore(&self, storage: &Storage) {
        storage.write_bytes(0, &self.bytes);
        self.bounds.iter().for_each(|&(at, bound)| storage.set_bound(at, bound));
    }
}
