//! Named operations: products, what works on elements, and what arranges or combines them.

use super::{Held, Maker, body::Body, joined, limit, listed};
use crate::dtypes::element_type;
use terrace_tensor::Dtype;

/// Products: names, and the dimensions of the two factors and of the result as letters.
const PRODUCTS: [(&str, &str, &str, &str); 8] = [
    ("matmul", "mk", "kn", "mn"),
    ("matmul", "mk", "kn", "mn"),
    ("batch_matmul", "bmk", "bkn", "bmn"),
    ("matvec", "mk", "k", "m"),
    ("vecmat", "k", "kn", "n"),
    ("dot", "k", "k", ""),
    ("batch_matvec", "bmk", "bk", "bm"),
    ("batch_reduce_matmul", "bmk", "bkn", "mn"),
];

/// Products whose factors lie otherwise.
const TRANSPOSED: [(&str, &str, &str, &str); 5] = [
    ("matmul", "km", "kn", "mn"),
    ("matmul", "mk", "nk", "mn"),
    ("batch_matmul", "bkm", "bkn", "bmn"),
    ("contract", "bmk", "nkb", "mbn"),
    ("contract", "mk", "k", "m"),
];

impl Maker {
    /// A product of two.
    pub(super) fn product(&mut self) {
        let turned = self.random.percent(35);
        let (name, a, b, c) =
            if turned { self.random.choose(&TRANSPOSED) } else { self.random.choose(&PRODUCTS) };
        let dtype = self.number_dtype();
        let first = self.sizes(a.len() as i64, a.len() as i64);
        let others: Vec<i64> = (0..4).map(|_| self.size()).collect();
        let size = |letter: char| match a.find(letter) {
            Some(at) => first[at],
            None => others["bmnk".find(letter).unwrap_or(0)],
        };
        let sizes = |letters: &str| letters.chars().map(size).collect::<Vec<i64>>();
        let points: i64 =
            "bmnk".chars().filter(|own| a.contains(*own) && !c.contains(*own)).map(size).product();
        let points = points.max(1) as f64;
        let left = self.operand(dtype, &sizes(a), limit(dtype) / points / 3.0 - 100.0);
        let right = self.operand(dtype, &sizes(b), (limit(dtype) / points - 100.0) / left.bound.max(1.0));
        if points * left.bound * right.bound + 100.0 > limit(dtype) {
            return;
        }
        let into = self.destination(dtype, &sizes(c), &[left.clone(), right.clone()], true);
        let attributes = if turned {
            let dims: Vec<char> =
                "bmnk".chars().filter(|own| [a, b, c].iter().any(|all| all.contains(*own))).collect();
            let map = |all: &str| {
                let place = |letter: char| dims.iter().position(|own| *own == letter).unwrap_or(0);
                let exprs = joined(all.chars().map(|letter| format!("d{}", place(letter))));
                format!("affine_map<({}) -> ({exprs})>", joined((0..dims.len()).map(|d| format!("d{d}"))))
            };
            format!(" indexing_maps = [{}]", joined([a, b, c].map(map)))
        } else {
            String::new()
        };
        let bound = into.bound + points * left.bound * right.bound;
        let ins = listed([&left, &right].into_iter());
        self.write(&format!("linalg.{name}"), &attributes, &ins, &into, bound);
    }

    /// An operation on elements.
    pub(super) fn elementwise(&mut self) {
        let (dtype, sizes) = (self.number_dtype(), self.sizes(0, 4));
        let kind = self.random.between(0, 9);
        let small = if kind < 6 { limit(dtype) / 4.0 } else { f64::INFINITY };
        let a = self.operand(dtype, &sizes, small);
        if kind == 0 {
            let (value, into) = (self.random.between(-2, 3), self.destination(dtype, &sizes, &[], false));
            let number = self.constant(dtype, value);
            self.write("linalg.fill", "", &format!("({number} : {})", element_type(dtype)), &into, 3.0);
        } else if kind < 3 || (kind == 3 && !dtype.is_float()) {
            let into = self.destination(dtype, &sizes, std::slice::from_ref(&a), false);
            self.write("linalg.copy", "", &listed([&a].into_iter()), &into, a.bound);
        } else if kind < 5 && dtype.is_float() {
            let into = self.destination(dtype, &sizes, std::slice::from_ref(&a), false);
            let name = self.random.choose(&["negf", "abs", "floor", "ceil"]);
            self.write(&format!("linalg.{name}"), "", &listed([&a].into_iter()), &into, a.bound);
        } else {
            let b = self.operand(dtype, &sizes, small);
            let name = self.random.choose(&["add", "sub", "mul", "max", "min"]);
            let bound = match name {
                "mul" => a.bound * b.bound,
                "max" | "min" => a.bound.max(b.bound),
                _ => a.bound + b.bound,
            };
            let name = if bound <= limit(dtype) { name } else { "max" };
            let into = self.destination(dtype, &sizes, &[a.clone(), b.clone()], false);
            let kind = if matches!(name, "max" | "min") { "_signed" } else { "" };
            let named = match self.random.percent(30) {
                true => format!("linalg.elementwise kind=#linalg.elementwise_kind<{name}{kind}>"),
                false => format!("linalg.{name}"),
            };
            self.write(&named, "", &listed([&a, &b].into_iter()), &into, bound.min(limit(dtype)));
        }
    }

    /// Elements in another arrangement, or rows combined.
    pub(super) fn arranged(&mut self) {
        match self.random.between(0, 9) {
            0..3 => self.transposed(),
            3..5 => self.broadcast(),
            5..8 => self.reduced(),
            // Of memrefs softmax has no form.
            8 => self.mapped(),
            _ if self.memrefs => self.mapped(),
            _ => self.softmax(),
        }
    }

    fn transposed(&mut self) {
        let (dtype, sizes) = (self.some_dtype(), self.sizes(1, 4));
        let a = self.operand(dtype, &sizes, f64::INFINITY);
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        self.random.shuffle(&mut order);
        let turned: Vec<i64> = order.iter().map(|d| sizes[*d]).collect();
        let into = self.destination(dtype, &turned, std::slice::from_ref(&a), false);
        let (a, open) = self.known(a);
        let into = self.as_open(into, &order.iter().map(|d| open[*d]).collect::<Vec<_>>());
        self.arrange("linalg.transpose", &a, &into, &format!(" permutation = [{}]", joined(order)));
    }

    fn broadcast(&mut self) {
        let (dtype, sizes) = (self.some_dtype(), self.sizes(0, 3));
        let a = self.operand(dtype, &sizes, f64::INFINITY);
        let at = self.random.between(0, sizes.len() as i64) as usize;
        let mut wider = sizes;
        wider.insert(at, self.size());
        let into = self.destination(dtype, &wider, std::slice::from_ref(&a), false);
        let (a, mut open) = self.known(a);
        open.insert(at, false);
        let into = self.as_open(into, &open);
        self.arrange("linalg.broadcast", &a, &into, &format!(" dimensions = [{at}]"));
    }

    fn arrange(&mut self, name: &str, a: &Held, into: &Held, how: &str) {
        let text = format!("{name} ins{} outs{}{how}", listed([a].into_iter()), listed([into].into_iter()));
        if self.memrefs {
            self.line(text);
            self.bounded(into, a.bound);
        } else {
            let name = self.computed(text);
            self.took(Held { name, bound: a.bound, ..into.clone() });
        }
    }

    fn reduced(&mut self) {
        let (dtype, sizes) = (self.some_dtype(), self.sizes(1, 4));
        let a = self.operand(dtype, &sizes, limit(dtype) / 1000.0);
        let mut dims: Vec<usize> = (0..sizes.len()).filter(|_| self.random.percent(50)).collect();
        if dims.is_empty() {
            dims.push(0);
        }
        let kept: Vec<i64> = (0..sizes.len()).filter(|d| !dims.contains(d)).map(|d| sizes[d]).collect();
        let into = self.destination(dtype, &kept, std::slice::from_ref(&a), true);
        let (a, open) = self.known(a);
        let open: Vec<bool> = (0..sizes.len()).filter(|d| !dims.contains(d)).map(|d| open[d]).collect();
        let into = self.as_open(into, &open);
        let (name, ty) = (self.name(), element_type(dtype));
        let made = if self.memrefs { String::new() } else { format!("{name} = ") };
        let [own, old] = [&a, &into].map(|value| value.element(self.name()));
        let head =
            format!("linalg.reduce ins{} outs{}", listed([&a].into_iter()), listed([&into].into_iter()));
        self.line(format!("{made}{head} dimensions = [{}]", joined(&dims)));
        self.line(format!("({}: {ty}, {}: {ty}) {{", own.name, old.name));
        let points: i64 = dims.iter().map(|d| sizes[*d]).product();
        let body = Body { elements: vec![own], sizes: vec![] };
        let given = self.combined(&body, &old, points as f64);
        self.line(format!("  linalg.yield {} : {ty}", given.name));
        self.line("}");
        let bound = given.bound.max(into.bound);
        if self.memrefs {
            self.bounded(&into, bound);
        } else {
            self.took(Held { name, bound, ..into });
        }
    }

    fn mapped(&mut self) {
        let (dtype, sizes) = (self.some_dtype(), self.sizes(0, 3));
        let ins: Vec<Held> = (0..2).map(|_| self.operand(dtype, &sizes, f64::INFINITY)).collect();
        let into = self.destination(dtype, &sizes, &ins, false);
        let closed = vec![false; sizes.len()];
        let ins: Vec<Held> = ins.into_iter().map(|own| self.as_open(own, &closed)).collect();
        let into = self.as_open(into, &closed);
        let (name, ty) = (self.name(), element_type(dtype));
        let made = if self.memrefs { String::new() } else { format!("{name} = ") };
        self.line(format!("{made}linalg.map ins{} outs{}", listed(ins.iter()), listed([&into].into_iter())));
        let elements: Vec<_> = ins.iter().map(|value| value.element(self.name())).collect();
        let unread = self.name();
        let arguments = elements.iter().map(|own| format!("{}: {ty}", own.name));
        self.line(format!("({}, {unread}: {ty}) {{", joined(arguments)));
        let given = self.number(&Body { elements, sizes: vec![] }, dtype, 2);
        self.line(format!("  linalg.yield {} : {ty}", given.name));
        self.line("}");
        if self.memrefs {
            self.bounded(&into, given.bound);
        } else {
            self.took(Held { name, bound: given.bound, ..into });
        }
    }

    fn softmax(&mut self) {
        let sizes = self.sizes(1, 3);
        let dtype = if self.dtype == Dtype::F64 { Dtype::F64 } else { Dtype::F32 };
        let a = self.operand(dtype, &sizes, 100.0);
        let into = self.destination(dtype, &sizes, std::slice::from_ref(&a), false);
        let dim = self.random.between(0, sizes.len() as i64 - 1);
        self.source.exact = false;
        let ins = listed([&a].into_iter());
        self.write("linalg.softmax", &format!(" dimension({dim})"), &ins, &into, 1.0);
    }
}
