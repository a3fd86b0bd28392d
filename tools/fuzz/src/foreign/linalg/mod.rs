//! Random functions of linalg: chains of one to six operations on tensors or memrefs, which share operands
//! and results.
//!
//! Of each value a bound is known, and operations are such that numbers stay whole and small, so that sums
//! are exact in any order. Memrefs of one operation are apart, but for what each of its points reads and
//! writes alone.

mod body;
mod generic;
mod memrefs;
mod named;
mod shapes;
mod windows;

use super::source::Source;
use crate::dtypes::element_type;
use terrace_tensor::{Dtype, layout};
use terrace_tools::random::Random;

/// The types of elements.
const DTYPES: [Dtype; 16] = [
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F64,
    Dtype::F16,
    Dtype::I32,
    Dtype::I32,
    Dtype::I64,
    Dtype::I16,
    Dtype::I8,
    Dtype::Bool,
];

/// A tensor or a memref.
#[derive(Debug, Clone)]
struct Held {
    name: String,
    ty: String,
    dtype: Dtype,
    sizes: Vec<i64>,
    /// How great its elements are at most.
    bound: f64,
    /// Memrefs of one number are of one memory.
    base: usize,
    strides: Vec<i64>,
    offset: i64,
}

impl Held {
    /// Which sizes its type leaves open.
    fn open(&self) -> Vec<bool> {
        self.ty.split(['<', 'x']).skip(1).take(self.sizes.len()).map(|size| size == "?").collect()
    }
}

/// A function that is being written.
struct Maker {
    random: Random,
    source: Source,
    values: Vec<Held>,
    /// The type of most elements.
    dtype: Dtype,
    memrefs: bool,
    names: usize,
    /// Values that operations have made.
    results: Vec<Held>,
}

/// Up to where whole numbers are exact.
fn limit(dtype: Dtype) -> f64 {
    match dtype {
        Dtype::F64 => 1e15,
        Dtype::F32 => 4e6,
        Dtype::F16 => 1e3,
        _ => f64::INFINITY,
    }
}

/// Names with types, as operands have them.
fn listed<'a>(values: impl Iterator<Item = &'a Held> + Clone) -> String {
    let names: Vec<&str> = values.clone().map(|value| &*value.name).collect();
    let types: Vec<&str> = values.map(|value| &*value.ty).collect();
    format!("({} : {})", names.join(", "), types.join(", "))
}

/// Numbers, with commas between.
fn joined(all: impl IntoIterator<Item = impl ToString>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
}

/// The function of a seed.
pub(super) fn source(seed: u64) -> Source {
    let mut random = Random::new(seed);
    let (dtype, memrefs) = (random.choose(&DTYPES), random.percent(40));
    let source = Source { exact: true, ..Source::default() };
    let mut maker = Maker { random, source, values: vec![], dtype, memrefs, names: 0, results: vec![] };
    for _ in 0..maker.random.between(1, 6) {
        maker.step();
    }
    maker.results();
    maker.source
}

impl Maker {
    fn step(&mut self) {
        match (self.random.between(0, 99), self.memrefs) {
            (0..45, _) => self.generic(),
            (45..58, _) => self.product(),
            (58..66, _) => self.window(),
            (66..80, _) => self.elementwise(),
            (80..88, _) => self.arranged(),
            (88.., true) => self.viewed(),
            (88.., false) => self.reshaped(),
            _ => {}
        }
    }

    fn results(&mut self) {
        let made = std::mem::take(&mut self.results);
        for (number, value) in made.iter().enumerate() {
            if (number + 1 == made.len() && !self.memrefs) || self.random.percent(40) {
                self.source.call.returned.push((value.name.clone(), value.ty.clone()));
            }
        }
    }

    fn line(&mut self, text: impl Into<String>) {
        self.source.lines.push(text.into());
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%{}", self.names - 1)
    }

    /// A line that computes a value; gives its name.
    fn computed(&mut self, text: impl AsRef<str>) -> String {
        let name = self.name();
        self.line(format!("{name} = {}", text.as_ref()));
        name
    }

    /// A dtype: mostly that of the function.
    fn some_dtype(&mut self) -> Dtype {
        if self.random.percent(85) { self.dtype } else { self.random.choose(&DTYPES) }
    }

    /// A dtype that has sums.
    fn number_dtype(&mut self) -> Dtype {
        let dtype = self.some_dtype();
        if dtype == Dtype::Bool { Dtype::I32 } else { dtype }
    }

    fn size(&mut self) -> i64 {
        if self.random.percent(2) { 0 } else { self.random.choose(&[1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 8, 17]) }
    }

    fn sizes(&mut self, least: i64, most: i64) -> Vec<i64> {
        let like: Vec<Vec<i64>> = self.values.iter().map(|value| value.sizes.clone()).collect();
        let fits = |sizes: &&Vec<i64>| (least..=most).contains(&(sizes.len() as i64));
        let like: Vec<&Vec<i64>> = like.iter().filter(fits).collect();
        if !like.is_empty() && self.random.percent(60) {
            return self.random.choose(&like).clone();
        }
        (0..self.random.between(least, most)).map(|_| self.size()).collect()
    }

    /// A type of tensors or memrefs; some sizes are open.
    fn type_of(&self, dtype: Dtype, sizes: &[i64], open: &[bool]) -> String {
        let size = |(d, size): (usize, &i64)| if open[d] { "?x".to_owned() } else { format!("{size}x") };
        let sizes: String = sizes.iter().enumerate().map(size).collect();
        let kind = if self.memrefs { "memref" } else { "tensor" };
        format!("{kind}<{sizes}{}>", element_type(dtype))
    }

    fn open(&mut self, sizes: &[i64]) -> Vec<bool> {
        let chance = self.random.choose(&[0, 0, 30]);
        sizes.iter().map(|_| self.random.percent(chance)).collect()
    }

    fn held(&self, name: String, ty: String, dtype: Dtype, sizes: Vec<i64>) -> Held {
        let strides = layout::contiguous_strides(&sizes);
        let bound = if dtype == Dtype::Bool { 1.0 } else { 3.0 };
        Held { name, ty, dtype, sizes, bound, base: self.names + 1000, strides, offset: 0 }
    }

    /// A new argument.
    fn argument(&mut self, dtype: Dtype, sizes: &[i64]) -> Held {
        let open = self.open(sizes);
        let ty = self.type_of(dtype, sizes, &open);
        let name = self.source.argument(&mut self.random, dtype, sizes, ty.clone());
        let mut value = self.held(name, ty, dtype, sizes.to_vec());
        value.base = self.source.call.arguments.len();
        self.values.push(value.clone());
        value
    }

    /// What an operation reads: a value of these sizes whose elements are not too great, or a new argument.
    fn operand(&mut self, dtype: Dtype, sizes: &[i64], bound: f64) -> Held {
        let fits = |value: &&Held| value.dtype == dtype && value.sizes == sizes && value.bound <= bound;
        let all: Vec<Held> = self.values.iter().filter(fits).cloned().collect();
        match all.last() {
            Some(last) if self.random.percent(50) => last.clone(),
            Some(_) if self.random.percent(75) => self.random.choose(&all.iter().collect::<Vec<_>>()).clone(),
            _ => self.argument(dtype, sizes),
        }
    }

    /// A value that is a size.
    fn index(&mut self, size: i64) -> String {
        let kind = if self.memrefs { "memref" } else { "tensor" };
        let has = |value: &&Held| value.ty.contains('?') && value.sizes.contains(&size);
        if let Some(of) = self.values.iter().find(has).cloned().filter(|_| self.random.percent(70)) {
            let dim = of.sizes.iter().position(|own| *own == size).unwrap_or(0);
            let dim = self.computed(format!("arith.constant {dim} : index"));
            return self.computed(format!("{kind}.dim {}, {dim} : {}", of.name, of.ty));
        }
        let known = self.source.call.numbers.iter().position(|own| own.to_i64() == size);
        known.map_or_else(|| self.source.number(size), |known| format!("%n{known}"))
    }

    /// A new tensor or memref of whatever elements.
    fn empty(&mut self, dtype: Dtype, sizes: &[i64]) -> Held {
        let open = self.open(sizes);
        let ty = self.type_of(dtype, sizes, &open);
        let given: Vec<i64> = (0..sizes.len()).filter(|d| open[*d]).map(|d| sizes[d]).collect();
        let given: Vec<String> = given.into_iter().map(|size| self.index(size)).collect();
        let made = if self.memrefs { "memref.alloc" } else { "tensor.empty" };
        let name = self.computed(format!("{made}({}) : {ty}", joined(given)));
        self.held(name, ty, dtype, sizes.to_vec())
    }

    /// A number that is written out.
    fn constant(&mut self, dtype: Dtype, value: i64) -> String {
        let ty = element_type(dtype);
        match dtype {
            Dtype::Bool => self.computed(format!("arith.constant {}", value % 2 != 0)),
            _ if dtype.is_float() => self.computed(format!("arith.constant {value}.0 : {ty}")),
            _ => self.computed(format!("arith.constant {value} : {ty}")),
        }
    }

    /// A new one, filled.
    fn filled(&mut self, dtype: Dtype, sizes: &[i64]) -> Held {
        let value = self.random.choose(&[0, 0, 0, 1, -2, 3]);
        let (empty, number) = (self.empty(dtype, sizes), self.constant(dtype, value));
        let ins = format!("({number} : {})", element_type(dtype));
        self.write("linalg.fill", "", &ins, &empty, (value as f64).abs())
    }

    /// What an operation writes; what it had is read unless that is left out.
    fn destination(&mut self, dtype: Dtype, sizes: &[i64], reads: &[Held], is_read: bool) -> Held {
        if self.memrefs {
            let disjoint = |value: &Held| reads.iter().all(|read| memrefs::disjoint(value, read));
            let fits = |value: &&Held| value.dtype == dtype && value.sizes == sizes && value.bound < 100.0;
            let all: Vec<Held> =
                self.values.iter().filter(fits).filter(|own| disjoint(own)).cloned().collect();
            return match all.last() {
                Some(_) if self.random.percent(70) => {
                    self.random.choose(&all.iter().collect::<Vec<_>>()).clone()
                }
                _ if self.random.percent(50) => self.argument(dtype, sizes),
                _ => self.filled(dtype, sizes),
            };
        }
        match self.random.between(0, 9) {
            0..4 if !is_read => self.empty(dtype, sizes),
            4..7 => self.filled(dtype, sizes),
            _ => self.operand(dtype, sizes, 100.0),
        }
    }

    /// The same as a type with other open sizes.
    fn as_open(&mut self, value: Held, open: &[bool]) -> Held {
        if value.open() == open || value.ty.contains("strided") {
            return value;
        }
        let kind = if self.memrefs { "memref" } else { "tensor" };
        let ty = self.type_of(value.dtype, &value.sizes, open);
        let name = self.computed(format!("{kind}.cast {} : {} to {ty}", value.name, value.ty));
        Held { name, ty, ..value }
    }

    /// A value, and which of its sizes are open: none of a memref, of which views say all.
    fn known(&mut self, value: Held) -> (Held, Vec<bool>) {
        let open = if self.memrefs { vec![false; value.sizes.len()] } else { value.open() };
        (self.as_open(value, &open), open)
    }

    /// An operation with one destination; gives what it makes of it.
    fn write(&mut self, name: &str, attributes: &str, ins: &str, into: &Held, bound: f64) -> Held {
        let ins = if ins.is_empty() { String::new() } else { format!(" ins{ins}") };
        let text = format!("{name}{attributes}{ins} outs{}", listed([into].into_iter()));
        self.wrote(text, into, bound)
    }

    /// The same of an operation's text.
    fn wrote(&mut self, text: String, into: &Held, bound: f64) -> Held {
        if self.memrefs {
            self.line(text);
            self.bounded(into, bound);
            return Held { bound, ..into.clone() };
        }
        let name = self.computed(format!("{text} -> {}", into.ty));
        self.took(Held { name, bound, ..into.clone() })
    }

    /// A new value.
    fn took(&mut self, value: Held) -> Held {
        self.values.push(value.clone());
        self.results.push(value.clone());
        value
    }

    /// Elements of a memory are greater from here on; what is not known yet is of it.
    fn bounded(&mut self, into: &Held, bound: f64) {
        let mut known = false;
        for value in self.values.iter_mut().filter(|value| value.base == into.base) {
            value.bound = value.bound.max(bound);
            known |= value.name == into.name;
        }
        if !known {
            self.values.push(Held { bound, ..into.clone() });
            self.results.push(into.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_again() {
        assert_eq!(source(7).to_string(), source(7).to_string());
        assert_ne!(source(7).to_string(), source(8).to_string());
    }
}
