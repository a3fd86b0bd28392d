//! What the body of a `linalg.generic` computes at a point, and how great that is at most.

use super::{Held, Maker, limit};
use crate::dtypes::element_type;
use terrace_tensor::Dtype;

/// A number of a body.
#[derive(Debug, Clone)]
pub(super) struct Number {
    pub name: String,
    pub dtype: Dtype,
    pub bound: f64,
}

/// A body that is being written.
pub(super) struct Body {
    pub elements: Vec<Number>,
    pub sizes: Vec<i64>,
}

/// What a dtype has at most, where it is one of whole numbers.
fn most(dtype: Dtype) -> f64 {
    match dtype {
        Dtype::Bool => 1.0,
        Dtype::I8 => 128.0,
        Dtype::I16 => 32768.0,
        Dtype::I32 => 2f64.powi(31),
        Dtype::I64 => 2f64.powi(63),
        _ => f64::INFINITY,
    }
}

const FLOATS: [&str; 7] = ["addf", "addf", "subf", "mulf", "mulf", "maximumf", "minimumf"];
const INTEGERS: [&str; 10] =
    ["addi", "addi", "subi", "muli", "muli", "maxsi", "minsi", "andi", "ori", "xori"];
const TRUTHS: [&str; 3] = ["andi", "ori", "xori"];

/// How great the result of an operation is at most.
fn bound(by: &str, a: f64, b: f64) -> f64 {
    match by {
        "addf" | "addi" | "subf" | "subi" => a + b,
        "mulf" | "muli" => a * b,
        "andi" | "ori" | "xori" => 2.0 * a.max(b) + 1.0,
        _ => a.max(b),
    }
}

impl Maker {
    /// A number of a body.
    pub(super) fn number(&mut self, body: &Body, dtype: Dtype, depth: usize) -> Number {
        let ty = element_type(dtype);
        match self.random.between(0, 99) {
            _ if depth == 0 => self.leaf(body, dtype),
            0..40 => self.leaf(body, dtype),
            40..50 => {
                let [a, b] = [(), ()].map(|()| self.number(body, dtype, depth - 1));
                let how = match dtype {
                    Dtype::Bool => "cmpi ne",
                    _ if dtype.is_float() => self.random.choose(&["cmpf olt", "cmpf oge", "cmpf une"]),
                    _ => self.random.choose(&["cmpi slt", "cmpi ne", "cmpi uge"]),
                };
                let truth = self.computed(format!("arith.{how}, {}, {} : {ty}", a.name, b.name));
                let [a, b] = [(), ()].map(|()| self.number(body, dtype, depth - 1));
                let name = self.computed(format!("arith.select {truth}, {}, {} : {ty}", a.name, b.name));
                Number { name, dtype, bound: a.bound.max(b.bound) }
            }
            50..53 if dtype == Dtype::F32 || dtype == Dtype::F64 => {
                let a = self.number(body, dtype, depth - 1);
                let by = self.random.choose(&["exp", "tanh", "sqrt", "absf", "absf", "sin", "rsqrt"]);
                if by == "absf" {
                    let name = self.computed(format!("math.absf {} : {ty}", a.name));
                    return Number { name, ..a };
                }
                self.source.exact = false;
                let small = self.constant(dtype, 4);
                let small = self.computed(format!("arith.minimumf {}, {small} : {ty}", a.name));
                let name = self.computed(format!("math.{by} {small} : {ty}"));
                Number { name, dtype, bound: a.bound.max(60.0) }
            }
            _ => {
                let [a, b] = [(), ()].map(|()| self.number(body, dtype, depth - 1));
                let by = match dtype {
                    Dtype::Bool => self.random.choose(&TRUTHS),
                    _ if dtype.is_float() => self.random.choose(&FLOATS),
                    _ => self.random.choose(&INTEGERS),
                };
                self.by(by, &a, &b)
            }
        }
    }

    /// Two numbers, combined; by the greater one where they might be too great.
    pub(super) fn by(&mut self, by: &str, a: &Number, b: &Number) -> Number {
        let exact = bound(by, a.bound, b.bound) <= limit(a.dtype);
        let by = if exact { by } else { "maximumf" };
        let name = self.computed(format!("arith.{by} {}, {} : {}", a.name, b.name, element_type(a.dtype)));
        let bound = bound(by, a.bound, b.bound).min(most(a.dtype));
        Number { name, dtype: a.dtype, bound }
    }

    fn leaf(&mut self, body: &Body, dtype: Dtype) -> Number {
        let kind = self.random.between(0, 99);
        if kind < 82 && !body.elements.is_empty() {
            let own: Vec<Number> = body.elements.iter().filter(|own| own.dtype == dtype).cloned().collect();
            let from = if own.is_empty() || self.random.percent(15) { &body.elements } else { &own };
            let number = self.random.choose(&from.iter().collect::<Vec<_>>()).clone();
            if let Some(number) = self.converted(&number, dtype) {
                return number;
            }
        }
        if kind > 90 && !body.sizes.is_empty() {
            let dim = self.random.between(0, body.sizes.len() as i64 - 1);
            let index = self.computed(format!("linalg.index {dim} : index"));
            let name = self.computed(format!("arith.index_cast {index} : index to i32"));
            let number = Number { name, dtype: Dtype::I32, bound: body.sizes[dim as usize] as f64 };
            if let Some(number) = self.converted(&number, dtype) {
                return number;
            }
        }
        let value = self.random.between(-2, 3);
        Number { name: self.constant(dtype, value), dtype, bound: (value as f64).abs() }
    }

    /// A number as one of another type, where it is exact.
    fn converted(&mut self, number: &Number, dtype: Dtype) -> Option<Number> {
        let (from, Number { name, bound, .. }) = (number.dtype, number.clone());
        let [old, new] = [from, dtype].map(element_type);
        let by = match (from.is_float(), dtype.is_float()) {
            _ if from == dtype => return Some(number.clone()),
            (_, true) if bound > limit(dtype) => return None,
            (true, true) => {
                if from.bytes() < dtype.bytes() {
                    "extf"
                } else {
                    "truncf"
                }
            }
            (true, false) if dtype == Dtype::Bool || bound >= 100.0 => return None,
            (true, false) => "fptosi",
            (false, true) if from == Dtype::Bool => "uitofp",
            (false, true) => "sitofp",
            (false, false) if from == Dtype::Bool => "extui",
            (false, false) if dtype == Dtype::Bool || from.bytes() > dtype.bytes() => "trunci",
            (false, false) => "extsi",
        };
        let name = self.computed(format!("arith.{by} {name} : {old} to {new}"));
        Some(Number { name, dtype, bound: bound.min(most(dtype)) })
    }

    /// What is combined into an element of a destination over so many points.
    pub(super) fn combined(&mut self, body: &Body, old: &Number, points: f64) -> Number {
        let dtype = old.dtype;
        let term = self.number(body, dtype, 2);
        let by = match (dtype, self.random.between(0, 9)) {
            (Dtype::Bool, _) => self.random.choose(&TRUTHS),
            (_, 0..5) if dtype.is_float() => "addf",
            (_, 0..4) => "addi",
            (_, 5) if dtype.is_float() => self.random.choose(&["mulf", "subf", "maxnumf", "minnumf"]),
            (_, 4 | 5) => self.random.choose(&["muli", "subi", "andi", "ori", "xori", "maxui", "minui"]),
            (_, 6 | 7) if dtype.is_float() => "maximumf",
            (_, 6 | 7) => "maxsi",
            _ if dtype.is_float() => "minimumf",
            _ => "minsi",
        };
        let greatest = match by {
            "addf" | "subf" => old.bound + points * term.bound,
            "mulf" => old.bound.max(1.0) * term.bound.max(1.0).powf(points),
            _ if !dtype.is_float() => most(dtype),
            _ => old.bound.max(term.bound),
        };
        let exact = greatest <= limit(dtype);
        let by = if exact { by } else { "maximumf" };
        let swapped = self.random.percent(25) && !by.starts_with("sub");
        let [a, b] = if swapped { [&term, old] } else { [old, &term] };
        let name = self.computed(format!("arith.{by} {}, {} : {}", a.name, b.name, element_type(dtype)));
        Number { name, dtype, bound: if exact { greatest } else { old.bound.max(term.bound) } }
    }
}

impl Held {
    /// What a body has of it.
    pub(super) fn element(&self, name: String) -> Number {
        Number { name, dtype: self.dtype, bound: self.bound }
    }
}
