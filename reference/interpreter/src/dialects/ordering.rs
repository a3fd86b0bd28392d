//! Operators that compare elements, and statistics.

use crate::{
    machine::{Action, Frame, Op, Slot, Table},
    semantics::{ordering, statistics},
};
use terrace_tensor::{Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    extremes(table);
    orders(table);
    counts(table);
    moments(table);
}

fn extremes(table: &mut Table) {
    for (name, largest) in [("argmax", true), ("argmin", false)] {
        table.both(name, move |op: &mut Op| -> Result<Action, String> {
            let dim = op.attribute("dim").map(|_| op.int("dim")).transpose()?;
            let (x, keepdim) = (op.tensor(0), op.flag("keepdim"));
            op.value(move |f| ordering::arg_extreme(f.tensor(x), dim, keepdim, largest))
        });
    }
    for (name, largest) in [("max", true), ("min", false)] {
        table.both(&format!("{name}.dim"), move |op: &mut Op| -> Result<Action, String> {
            let (x, dim, keepdim) = (op.tensor(0), op.int("dim")?, op.flag("keepdim"));
            op.values(move |f| Ok(ordering::extreme_dim(f.tensor(x), dim, keepdim, largest)?.into()))
        });
        table.both(&format!("cum{name}"), move |op: &mut Op| -> Result<Action, String> {
            let (x, dim) = (op.tensor(0), op.int("dim")?);
            op.values(move |f| Ok(ordering::cumulative_extreme(f.tensor(x), dim, largest)?.into()))
        });
    }
}

fn orders(table: &mut Table) {
    table.both("sort", |op| {
        let (x, dim, descending) = (op.tensor(0), op.int_or("dim", -1), op.flag("descending"));
        op.values(move |f| Ok(ordering::sort(f.tensor(x), dim, descending)?.into()))
    });
    table.graph("argsort", |op| {
        let (x, dim, descending) = (op.tensor(0), op.int_or("dim", -1), op.flag("descending"));
        op.value(move |f| {
            let [_, places] = ordering::sort(f.tensor(x), dim, descending)?;
            Ok(places)
        })
    });
    table.both("topk", |op| {
        let (x, k, dim) = (op.tensor(0), op.int("k")?, op.int_or("dim", -1));
        let largest = op.attribute("largest").is_none_or(terrace_dialects::ir::attributes::bool);
        op.values(move |f| Ok(ordering::topk(f.tensor(x), k, dim, largest)?.into()))
    });
}

fn counts(table: &mut Table) {
    table.both("nonzero", |op| {
        let x = op.tensor(0);
        op.value(move |f| ordering::nonzero(f.tensor(x)))
    });
    table.both("masked_select", |op| {
        let (x, mask) = (op.tensor(0), op.tensor(1));
        op.value(move |f| ordering::masked_select(f.tensor(x), f.tensor(mask)))
    });
    table.graph("count_nonzero", |op| {
        let (x, dims) = (op.tensor(0), op.optional_ints("dim"));
        op.value(move |f| ordering::count_nonzero(f.tensor(x), dims.as_deref()))
    });
    table.both("histc", |op| {
        let (x, bins, min, max) = (op.tensor(0), op.int_or("bins", 100), op.optional(1), op.optional(2));
        op.value(move |f| ordering::histc(f.tensor(x), bins, number(f, min, 0), number(f, max, 0)))
    });
    table.both("bincount", |op| {
        let (x, weights, minlength) = (op.tensor(0), op.optional(1), op.int_or("minlength", 0));
        op.value(move |f| {
            let weights: Option<&Tensor> = weights.map(|slot| f.tensor(slot));
            ordering::bincount(f.tensor(x), weights, minlength)
        })
    });
}

fn moments(table: &mut Table) {
    for (name, root) in [("var", false), ("std", true)] {
        table.graph(name, move |op| {
            let (x, dims) = (op.tensor(0), op.optional_ints("dim"));
            let (correction, keepdim) = (op.optional(1), op.flag("keepdim"));
            op.value(move |f| {
                let correction = number(f, correction, 1);
                statistics::variance(f.tensor(x), dims.as_deref(), correction, keepdim, root)
            })
        });
    }
    table.graph("var_mean", |op| {
        let (x, dims) = (op.tensor(0), op.optional_ints("dim"));
        let (correction, keepdim) = (op.optional(1), op.flag("keepdim"));
        op.values(move |f| {
            let correction = number(f, correction, 1);
            Ok(statistics::var_mean(f.tensor(x), dims.as_deref(), correction, keepdim)?.into())
        })
    });
    table.graph("logsumexp", |op| {
        let (x, dims, keepdim) = (op.tensor(0), op.ints("dim")?, op.flag("keepdim"));
        op.value(move |f| statistics::logsumexp(f.tensor(x), &dims, keepdim))
    });
    table.graph("linalg_vector_norm", |op| {
        let (x, ord, dims) = (op.tensor(0), op.optional(1), op.optional_ints("dim"));
        let (keepdim, dtype) = (op.flag("keepdim"), op.optional_dtype("dtype")?);
        op.value(move |f| {
            statistics::vector_norm(f.tensor(x), number(f, ord, 2), dims.as_deref(), keepdim, dtype)
        })
    });
}

fn number(frame: &Frame, slot: Option<Slot>, default: i64) -> Scalar {
    slot.map_or(Scalar::Int(default), |slot| frame.scalar(slot))
}
