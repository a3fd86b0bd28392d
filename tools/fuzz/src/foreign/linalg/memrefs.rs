//! Views of memrefs, and whether two are apart.

use super::{Held, Maker, joined};
use crate::dtypes::element_type;

/// The places of a memref in its memory.
fn places(of: &Held) -> Vec<i64> {
    let mut all = vec![of.offset];
    for (size, stride) in of.sizes.iter().zip(&of.strides) {
        all = all.iter().flat_map(|at| (0..*size).map(move |i| at + i * stride)).collect();
    }
    all.sort_unstable();
    all
}

/// Whether two memrefs have no element in common.
pub(super) fn disjoint(a: &Held, b: &Held) -> bool {
    let own = places(b);
    a.base != b.base || places(a).iter().all(|at| own.binary_search(at).is_err())
}

impl Maker {
    /// A view of a memref, or a copy.
    pub(super) fn viewed(&mut self) {
        let sizes = self.sizes(1, 3);
        let dtype = self.some_dtype();
        let of = self.operand(dtype, &sizes, f64::INFINITY);
        if of.ty.contains('?') || of.sizes.contains(&0) {
            return;
        }
        let rank = of.sizes.len();
        if self.random.percent(25) && rank > 1 {
            let mut order: Vec<usize> = (0..rank).collect();
            self.random.shuffle(&mut order);
            let (sizes, strides): (Vec<i64>, Vec<i64>) =
                order.iter().map(|d| (of.sizes[*d], of.strides[*d])).unzip();
            let (from, to) =
                (joined((0..rank).map(|d| format!("d{d}"))), joined(order.iter().map(|d| format!("d{d}"))));
            let view = self.strided(&of, sizes, strides, of.offset);
            return self.took_view(
                format!("memref.transpose {} ({from}) -> ({to})", of.name),
                &of,
                view,
                "to",
            );
        }
        if self.random.percent(30) && !of.ty.contains("strided") {
            let count = of.sizes.iter().product();
            let mut view = self.strided(&of, vec![count], vec![1], 0);
            view.ty = format!("memref<{count}x{}>", element_type(of.dtype));
            let text = format!("memref.collapse_shape {} [[{}]]", of.name, joined(0..rank));
            return self.took_view(text, &of, view, "into");
        }
        let (mut froms, mut sizes, mut steps) = (vec![], vec![], vec![]);
        for size in &of.sizes {
            let from = if self.random.percent(40) { 0 } else { self.random.between(0, size - 1) };
            let step = if self.random.percent(75) { 1 } else { 2 };
            let most = (size - from + step - 1) / step;
            let size = if self.random.percent(40) { most } else { self.random.between(1, most) };
            froms.push(from);
            sizes.push(size);
            steps.push(step);
        }
        let strides = of.strides.iter().zip(&steps).map(|(own, step)| own * step).collect();
        let offset = of.offset + froms.iter().zip(&of.strides).map(|(from, own)| from * own).sum::<i64>();
        let text =
            format!("memref.subview {}[{}] [{}] [{}]", of.name, joined(froms), joined(&sizes), joined(steps));
        let view = self.strided(&of, sizes, strides, offset);
        self.took_view(text, &of, view, "to");
    }

    fn strided(&self, of: &Held, sizes: Vec<i64>, strides: Vec<i64>, offset: i64) -> Held {
        let dims: String = sizes.iter().map(|size| format!("{size}x")).collect();
        let ty = format!(
            "memref<{dims}{}, strided<[{}], offset: {offset}>>",
            element_type(of.dtype),
            joined(&strides)
        );
        Held { ty, sizes, strides, offset, ..of.clone() }
    }

    fn took_view(&mut self, text: String, of: &Held, view: Held, to: &str) {
        let name = self.computed(format!("{text} : {} {to} {}", of.ty, view.ty));
        self.values.push(Held { name, ..view });
    }
}
