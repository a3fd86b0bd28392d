//! Operations of tensor between those of linalg: parts, paddings and other shapes.

use super::{Held, Maker, joined};
use crate::dtypes::element_type;
use terrace_tensor::Dtype;

impl Maker {
    /// A tensor of the elements of others.
    pub(super) fn reshaped(&mut self) {
        let (dtype, sizes) = (self.some_dtype(), self.sizes(1, 3));
        let a = self.operand(dtype, &sizes, f64::INFINITY);
        if a.sizes.contains(&0) {
            return self.cast(&a);
        }
        match self.random.between(0, 6) {
            0 => self.padded(&a),
            1 => self.part(&a),
            2 => self.inserted(&a),
            3 => self.joined(&a),
            4 => self.collapsed(&a),
            5 => self.expanded(&a),
            _ => self.cast(&a),
        }
    }

    fn tensor(&mut self, text: String, ty: String, sizes: Vec<i64>, of: &Held) {
        let name = self.computed(text);
        self.took(Held { name, ty, sizes, ..of.clone() });
    }

    fn closed(&self, dtype: Dtype, sizes: &[i64]) -> String {
        self.type_of(dtype, sizes, &vec![false; sizes.len()])
    }

    fn padded(&mut self, a: &Held) {
        let mut more = || -> Vec<i64> { a.sizes.iter().map(|_| self.random.between(0, 2)).collect() };
        let (low, high) = (more(), more());
        let sizes: Vec<i64> = (0..a.sizes.len()).map(|d| low[d] + a.sizes[d] + high[d]).collect();
        let open = a.open();
        let (number, ty) = (self.constant(a.dtype, 1), self.type_of(a.dtype, &sizes, &open));
        let name = self.name();
        self.line(format!("{name} = tensor.pad {} low[{}] high[{}] {{", a.name, joined(low), joined(high)));
        let indices = (0..sizes.len()).map(|_| format!("{}: index", self.name()));
        let indices = joined(indices.collect::<Vec<_>>());
        self.line(format!("^bb0({indices}):"));
        self.line(format!("  tensor.yield {number} : {}", element_type(a.dtype)));
        self.line(format!("}} : {} to {ty}", a.ty));
        self.took(Held { name, ty, sizes, bound: a.bound.max(1.0), ..a.clone() });
    }

    /// Where a part of something begins, how large it is, and in what steps it goes.
    fn window_of(&mut self, sizes: &[i64]) -> [Vec<i64>; 3] {
        let [mut froms, mut parts, mut steps] = [const { vec![] }; 3];
        for size in sizes {
            let from = if self.random.percent(40) { 0 } else { self.random.between(0, (size - 1).max(0)) };
            let step = if self.random.percent(75) { 1 } else { 2 };
            let most = (size - from + step - 1) / step;
            parts.push(if self.random.percent(40) { most } else { self.random.between(most.min(1), most) });
            froms.push(from);
            steps.push(step);
        }
        [froms, parts, steps]
    }

    fn part(&mut self, a: &Held) {
        let [froms, sizes, steps] = self.window_of(&a.sizes);
        let mut names: Vec<String> = froms.iter().map(i64::to_string).collect();
        if self.random.percent(25) {
            names[0] = self.index(froms[0]);
        }
        let ty = self.closed(a.dtype, &sizes);
        let how = format!("[{}] [{}] [{}]", joined(names), joined(&sizes), joined(steps));
        self.tensor(format!("tensor.extract_slice {}{how} : {} to {ty}", a.name, a.ty), ty, sizes, a);
    }

    fn inserted(&mut self, into: &Held) {
        let [froms, sizes, steps] = self.window_of(&into.sizes);
        let from = self.operand(into.dtype, &sizes, f64::INFINITY);
        if from.ty.contains('?') {
            return;
        }
        let how = format!("[{}] [{}] [{}]", joined(froms), joined(&sizes), joined(steps));
        let text = format!(
            "tensor.insert_slice {} into {}{how} : {} into {}",
            from.name, into.name, from.ty, into.ty
        );
        let own = Held { bound: from.bound.max(into.bound), ..into.clone() };
        self.tensor(text, into.ty.clone(), into.sizes.clone(), &own);
    }

    fn joined(&mut self, a: &Held) {
        let at = self.random.between(0, a.sizes.len() as i64 - 1) as usize;
        let mut other = a.sizes.clone();
        other[at] = self.size();
        let b = self.operand(a.dtype, &other, f64::INFINITY);
        if a.ty.contains('?') || b.ty.contains('?') {
            return;
        }
        let mut sizes = a.sizes.clone();
        sizes[at] += b.sizes[at];
        let ty = self.closed(a.dtype, &sizes);
        let text = format!("tensor.concat dim({at}) {}, {} : ({}, {}) -> {ty}", a.name, b.name, a.ty, b.ty);
        let own = Held { bound: a.bound.max(b.bound), ..a.clone() };
        self.tensor(text, ty, sizes, &own);
    }

    fn collapsed(&mut self, a: &Held) {
        if a.ty.contains('?') || a.sizes.len() < 2 {
            return;
        }
        let at = self.random.between(0, a.sizes.len() as i64 - 2) as usize;
        let mut sizes = a.sizes.clone();
        let second = sizes.remove(at + 1);
        sizes[at] *= second;
        let groups = (0..sizes.len()).map(|d| match d.cmp(&at) {
            std::cmp::Ordering::Less => format!("[{d}]"),
            std::cmp::Ordering::Equal => format!("[{d}, {}]", d + 1),
            std::cmp::Ordering::Greater => format!("[{}]", d + 1),
        });
        let (groups, ty) = (joined(groups), self.closed(a.dtype, &sizes));
        self.tensor(
            format!("tensor.collapse_shape {} [{groups}] : {} into {ty}", a.name, a.ty),
            ty,
            sizes,
            a,
        );
    }

    fn expanded(&mut self, a: &Held) {
        if a.ty.contains('?') {
            return;
        }
        let factors: Vec<i64> = [1, 2, 3, 4].into_iter().filter(|n| a.sizes[0] % n == 0).collect();
        let first = self.random.choose(&factors);
        let sizes: Vec<i64> =
            [first, a.sizes[0] / first].into_iter().chain(a.sizes[1..].iter().copied()).collect();
        let rest = (2..sizes.len()).map(|d| format!(", [{d}]")).collect::<String>();
        let ty = self.closed(a.dtype, &sizes);
        let text = format!(
            "tensor.expand_shape {} [[0, 1]{rest}] output_shape [{}] : {} into {ty}",
            a.name,
            joined(&sizes),
            a.ty
        );
        self.tensor(text, ty, sizes, a);
    }

    fn cast(&mut self, a: &Held) {
        let open: Vec<bool> = a.sizes.iter().map(|_| self.random.percent(50)).collect();
        let ty = self.type_of(a.dtype, &a.sizes, &open);
        self.tensor(format!("tensor.cast {} : {} to {ty}", a.name, a.ty), ty, a.sizes.clone(), a);
    }
}
