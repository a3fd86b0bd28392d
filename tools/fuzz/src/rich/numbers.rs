//! Numbers of a program: sizes, elements, arithmetic, comparisons.

use crate::{
    flow::alias,
    rich::state::Number,
    workbench::{Entry, Workbench},
};
use terrace_tensor::Tensor;

impl Workbench<'_> {
    /// A number of a type that is there; later ones are likelier.
    pub(super) fn some_number(&mut self, ty: &str) -> Option<String> {
        let small = |own: &&Number| own.ty == ty && own.value.to_i64().abs() <= 64;
        let names: Vec<String> =
            self.rich().numbers.iter().filter(small).map(|own| own.name.clone()).collect();
        let last = names.len().checked_sub(1)? as i64;
        let at = self.random.between(0, last).max(self.random.between(0, last));
        Some(names[at as usize].clone())
    }

    /// A number of a type: one that is there, or a constant.
    pub(super) fn any_number(&mut self, ty: &str) -> Option<String> {
        if let Some(name) = self.some_number(ty).filter(|_| self.random.percent(75)) {
            return Some(name);
        }
        let value = self.random.between(0, 4);
        self.constant(value, ty)
    }

    /// Takes a number: a size, an element, or what others come to.
    pub(super) fn number(&mut self) -> Option<String> {
        match self.random.between(0, 13) {
            10..=12 => self.out_of_a_tensor(),
            13 => {
                let number = self.any_number("i64")?;
                self.line(&format!("graph.scalar_tensor {number} {{dtype = i64}} : i64"), &[&number])
            }
            0..=2 => {
                let value = self.elements(|tensor| tensor.rank() > 0)?;
                let dim = self.random.between(0, value.1.rank() as i64 - 1);
                let dim = self.constant(dim, "index")?;
                let text = format!("tensor.dim {}, {dim} : {}", value.0, alias(&value.0));
                let size = self.line(&text, &[&value.0, &dim])?;
                self.line(&format!("arith.index_cast {size} : index to i64"), &[&size])
            }
            3 | 4 => self.element(),
            5 | 6 => {
                let operator = self.random.choose(&["addi", "subi", "muli", "minsi", "maxsi"]);
                let ty = self.random.choose(&["i64", "i64", "i8", "index"]);
                let (a, b) = (self.any_number(ty)?, self.any_number(ty)?);
                self.line(&format!("arith.{operator} {a}, {b} : {ty}"), &[&a, &b])
            }
            7 => {
                let (operator, from, to) = self.random.choose(&[
                    ("index_cast", "i64", "index"),
                    ("index_cast", "index", "i64"),
                    ("trunci", "i64", "i8"),
                    ("extsi", "i8", "i64"),
                ]);
                let number = self.some_number(from)?;
                self.line(&format!("arith.{operator} {number} : {from} to {to}"), &[&number])
            }
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Option<String> {
        let predicate = self.random.choose(&["eq", "ne", "slt", "sle", "sgt", "sge"]);
        let (a, b) = (self.any_number("i64")?, self.any_number("i64")?);
        self.line(&format!("arith.cmpi {predicate}, {a}, {b} : i64"), &[&a, &b])
    }

    /// The elements of a graph tensor, as a builtin tensor.
    fn elements(&mut self, wanted: impl Fn(&Tensor) -> bool) -> Option<(String, Tensor)> {
        let fitting: Vec<usize> = (0..self.pool.len()).filter(|&at| wanted(&self.pool[at].tensor)).collect();
        let last = fitting.len().checked_sub(1)? as i64;
        let at = fitting[self.random.between(0, last) as usize];
        let Entry { name, ty, .. } = self.pool[at].clone();
        let value = self.line(&format!("graph.value {name} : {ty}"), &[&name])?;
        self.rich().values.iter().find(|(own, _)| *own == value).cloned()
    }

    /// A size, a stride, the offset or the only element of a tensor.
    fn out_of_a_tensor(&mut self) -> Option<String> {
        use terrace_tensor::Dtype::{Bool, I64};
        let of = self.random.between(0, 5);
        let fits = |tensor: &Tensor| match of {
            0..=2 => tensor.len() == 1 && matches!(tensor.dtype(), Bool | I64),
            3 => tensor.rank() > 0,
            _ => true,
        };
        let fitting: Vec<usize> = (0..self.pool.len()).filter(|&at| fits(&self.pool[at].tensor)).collect();
        let last = fitting.len().checked_sub(1)? as i64;
        let at = fitting[self.random.between(0, last) as usize];
        let Entry { name, ty, tensor } = self.pool[at].clone();
        let text = match of {
            0..=2 => format!("graph.item {name} : {ty}"),
            3 => {
                let dim = self.random.between(0, tensor.rank() as i64 - 1);
                let what = self.random.choose(&["sym_size", "sym_stride"]);
                format!("graph.{what} {name} {{dim = {dim} : i64}} : {ty}")
            }
            4 => format!("graph.sym_numel {name} : {ty}"),
            _ => format!("graph.sym_storage_offset {name} : {ty}"),
        };
        self.line(&text, &[&name])
    }

    /// An element as a number: `item()`.
    fn element(&mut self) -> Option<String> {
        use terrace_tensor::Dtype::{Bool, I64};
        let (name, tensor) =
            self.elements(|tensor| matches!(tensor.dtype(), Bool | I64) && !tensor.is_empty())?;
        let sizes = tensor.sizes().to_vec();
        let mut operands = vec![name.clone()];
        for size in sizes {
            let at = self.random.between(0, size - 1);
            operands.push(self.constant(at, "index")?);
        }
        let used: Vec<&str> = operands.iter().map(String::as_str).collect();
        self.line(&format!("tensor.extract {name}[{}] : {}", operands[1..].join(", "), alias(&name)), &used)
    }

    pub(super) fn truth(&mut self) -> Option<String> {
        match self.some_number("i1").filter(|_| self.random.percent(70)) {
            Some(name) => Some(name),
            None => self.comparison(),
        }
    }
}
