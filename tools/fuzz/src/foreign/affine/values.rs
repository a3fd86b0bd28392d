//! What is stored: elements, constants and indices, and what arithmetic makes of them.

use super::{Maker, View};
use crate::dtypes::element_type;
use terrace_tensor::Dtype;

const FLOATS: [&str; 6] = ["addf", "addf", "subf", "maximumf", "minimumf", "mulf"];
const INTEGERS: [&str; 9] = ["addi", "addi", "subi", "muli", "maxsi", "minsi", "andi", "ori", "xori"];

/// What several loops may combine by.
const COMBINED: [[&str; 2]; 5] =
    [["addf", "addi"], ["addf", "addi"], ["maximumf", "maxsi"], ["minimumf", "minsi"], ["mulf", "muli"]];

impl Maker {
    /// A number of a type.
    pub(super) fn value(&mut self, dtype: Dtype, depth: usize) -> String {
        let own: Vec<String> =
            self.scope.iter().filter(|(_, own)| *own == dtype).map(|(name, _)| name.clone()).collect();
        let ty = element_type(dtype);
        let name = match self.random.between(0, 99) {
            0..12 if !own.is_empty() => return self.random.choose(&own.iter().collect::<Vec<_>>()).clone(),
            _ if depth == 0 => return self.leaf(dtype),
            12..60 => return self.leaf(dtype),
            60..66 => {
                let [a, b] = [(), ()].map(|()| self.value(dtype, depth - 1));
                let how = if dtype.is_float() { "cmpf olt" } else { "cmpi slt" };
                let truth = self.computed(format!("arith.{how}, {a}, {b} : {ty}"));
                let [a, b] = [(), ()].map(|()| self.value(dtype, depth - 1));
                self.computed(format!("arith.select {truth}, {a}, {b} : {ty}"))
            }
            _ => {
                let [a, b] = [(), ()].map(|()| self.value(dtype, depth - 1));
                let by = if dtype.is_float() {
                    self.random.choose(&FLOATS)
                } else {
                    self.random.choose(&INTEGERS)
                };
                self.by(by, &a, &b, dtype)
            }
        };
        self.scope.push((name.clone(), dtype));
        name
    }

    fn by(&mut self, by: &str, a: &str, b: &str, dtype: Dtype) -> String {
        let flags = if by == "addf" || by == "mulf" { self.flags } else { "" };
        self.computed(format!("arith.{by} {a}, {b}{flags} : {}", element_type(dtype)))
    }

    fn leaf(&mut self, dtype: Dtype) -> String {
        let ty = element_type(dtype);
        let name = match self.random.between(0, 99) {
            0..72 if let Some(view) = self.chosen(Some(dtype)) => self.loaded(&view),
            72..84 if !self.around.is_empty() => {
                let index = self.applied(6);
                let whole = self.computed(format!("arith.index_cast {index} : index to i32"));
                match dtype {
                    Dtype::I32 => whole,
                    Dtype::I64 => self.computed(format!("arith.extsi {whole} : i32 to i64")),
                    _ if dtype.is_float() => self.computed(format!("arith.sitofp {whole} : i32 to {ty}")),
                    _ => self.computed(format!("arith.trunci {whole} : i32 to {ty}")),
                }
            }
            _ => {
                let number = self.random.between(-2, 3);
                let dot = if dtype.is_float() { ".0" } else { "" };
                return self.computed(format!("arith.constant {number}{dot} : {ty}"));
            }
        };
        self.scope.push((name.clone(), dtype));
        name
    }

    fn loaded(&mut self, view: &View) -> String {
        if self.random.percent(7) && !view.sizes.is_empty() {
            let indices: Vec<String> = view.sizes.iter().map(|size| self.applied(*size)).collect();
            return self.computed(format!("memref.load {}[{}] : {}", view.name, indices.join(", "), view.ty));
        }
        let place = self.place(view);
        self.computed(format!("affine.load {}{place} : {}", view.name, view.ty))
    }

    /// A number stored somewhere.
    pub(super) fn stored(&mut self) {
        let Some(view) = self.chosen(None) else { return };
        let value = self.value(view.dtype, 2);
        self.store(&value, &view);
    }

    pub(super) fn store(&mut self, value: &str, view: &View) {
        self.left -= 1;
        if self.random.percent(6) && !view.sizes.is_empty() {
            let indices: Vec<String> = view.sizes.iter().map(|size| self.applied(*size)).collect();
            self.line(format!("memref.store {value}, {}[{}] : {}", view.name, indices.join(", "), view.ty));
            return;
        }
        let place = self.spread(view);
        self.line(format!("affine.store {value}, {}{place} : {}", view.name, view.ty));
    }

    /// An element combined with a number.
    pub(super) fn accumulated(&mut self) {
        let Some(view) = self.chosen(None) else { return };
        let place = self.spread(&view);
        let early = self.random.percent(50);
        let load = format!("affine.load {}{place} : {}", view.name, view.ty);
        let mut old = if early { Some(self.computed(&load)) } else { None };
        let value = self.value(view.dtype, 1);
        let old = old.take().unwrap_or_else(|| self.computed(&load));
        let by = self.combiner(view.dtype);
        let (a, b) = if self.random.percent(80) { (old, value) } else { (value, old) };
        let sum = self.by(by, &a, &b, view.dtype);
        self.left -= 1;
        self.line(format!("affine.store {sum}, {}{place} : {}", view.name, view.ty));
    }

    pub(super) fn combiner(&mut self, dtype: Dtype) -> &'static str {
        self.random.choose(&COMBINED)[usize::from(!dtype.is_float())]
    }

    /// A number that loops combine, stored.
    pub(super) fn folded(&mut self) {
        let Some(view) = self.chosen(None) else { return };
        let start = self.value(view.dtype, 0);
        let by = self.combiner(view.dtype);
        let depth = self.random.choose(&[1, 1, 2]);
        let sum = self.fold(view.dtype, by, &start, depth);
        self.store(&sum, &view);
    }

    fn fold(&mut self, dtype: Dtype, by: &str, start: &str, depth: usize) -> String {
        let (ty, name, scope) = (element_type(dtype), self.name(), self.scope.len());
        let so_far = self.name();
        let (head, end) = self.head();
        self.line(format!("{name} = {head} iter_args({so_far} = {start}) -> ({ty}) {{"));
        self.depth += 1;
        let next = if depth > 1 {
            self.fold(dtype, by, &so_far, depth - 1)
        } else {
            let value = self.value(dtype, 1);
            self.by(by, &so_far, &value, dtype)
        };
        self.line(format!("affine.yield {next} : {ty}"));
        self.leave(end, scope);
        name
    }
}
