//! New tensors out of numbers, of given sizes or like another.

use super::reshaping::format;
use crate::{
    machine::{Integers, Slot, Table},
    semantics::{creation, reshaping::Format},
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    numbers(table);
    sizes(table);
    like(table);
    functional(table);
}

fn numbers(table: &mut Table) {
    for (name, value) in [("zeros", 0), ("ones", 1)] {
        table.graph(name, move |op| {
            let (sizes, dtype) = (op.dynamic_ints("size", 0)?, op.dtype("dtype")?);
            op.value(move |f| creation::full(&sizes.get(f), Scalar::Int(value), dtype))
        });
    }
    table.graph("full", |op| {
        let (sizes, value, dtype) = (op.dynamic_ints("size", 0)?, op.tensor(1), op.dtype("dtype")?);
        op.value(move |f| creation::full(&sizes.get(f), f.scalar(value), dtype))
    });
    table.graph("scalar_tensor", |op| {
        let (value, dtype) = (op.tensor(0), op.dtype("dtype")?);
        op.value(move |f| creation::scalar_tensor(f.scalar(value), Some(dtype)))
    });
    table.graph("arange", |op| {
        let (start, end, step) = (op.optional(0), op.tensor(1), op.optional(2));
        let dtype = op.dtype("dtype")?;
        op.value(move |f| {
            let or = |slot: Option<Slot>, default| slot.map_or(Scalar::Int(default), |slot| f.scalar(slot));
            creation::arange(or(start, 0), f.scalar(end), or(step, 1), Some(dtype))
        })
    });
    for name in ["linspace", "logspace"] {
        table.graph(name, move |op| {
            let (start, end, steps) = (op.tensor(0), op.tensor(1), op.int("steps")?);
            let base = op.attribute("base").map_or(10.0, attributes::f64);
            let (base, dtype) = ((name == "logspace").then_some(base), op.result_kind(0)?.dtype);
            op.value(move |f| creation::linspace(f.scalar(start), f.scalar(end), steps, base, dtype))
        });
    }
    table.graph("eye", |op| {
        let (n, dtype) = (op.int("n")?, op.result_kind(0)?.dtype);
        let m = op.int_or("m", n);
        op.value(move |_| creation::eye(n, m, dtype))
    });
    for (name, lower) in [("tril_indices", true), ("triu_indices", false)] {
        table.graph(name, move |op| {
            let (row, col, offset) = (op.int("row")?, op.int("col")?, op.int_or("offset", 0));
            let dtype = op.result_kind(0)?.dtype;
            op.value(move |_| creation::triangle_indices(lower, row, col, offset, dtype))
        });
    }
}

fn sizes(table: &mut Table) {
    table.graph("empty", |op| {
        let (sizes, dtype) = (op.dynamic_ints("size", 0)?, op.result_kind(0)?.dtype);
        let format = format(op, Format::Contiguous)?;
        op.value(move |f| {
            let sizes = sizes.get(f);
            creation::empty_strided(&sizes, &format.strides(&sizes), dtype)
        })
    });
    table.graph("fake", |op| {
        let (sizes, dtype) = (op.dynamic_ints("size", 0)?, op.dtype("dtype")?);
        op.value(move |f| Ok(Tensor::fake(dtype, &sizes.get(f))?))
    });
    for (name, first) in [("empty_strided", 0), ("new_empty_strided", 1)] {
        table.graph(name, move |op| {
            let (sizes, strides) = (op.dynamic_ints("size", first)?, op.dynamic_ints("stride", first + 1)?);
            let dtype = op.result_kind(0)?.dtype;
            op.value(move |f| creation::empty_strided(&sizes.get(f), &strides.get(f), dtype))
        });
    }
    table.graph("empty_permuted", |op| {
        let (sizes, order) = (op.dynamic_ints("size", 0)?, op.ints("physical_layout")?);
        let dtype = op.result_kind(0)?.dtype;
        op.value(move |f| creation::empty_permuted(&sizes.get(f), &order, dtype))
    });
    for (name, value) in [("new_zeros", 0), ("new_ones", 1), ("new_empty", 0)] {
        table.graph(name, move |op| {
            let (sizes, dtype) = (op.dynamic_ints("size", 1)?, op.result_kind(0)?.dtype);
            op.value(move |f| creation::full(&sizes.get(f), Scalar::Int(value), dtype))
        });
    }
    table.graph("new_full", |op| {
        let (sizes, value) = (op.dynamic_ints("size", 1)?, op.tensor(2));
        let dtype = op.result_kind(0)?.dtype;
        op.value(move |f| creation::full(&sizes.get(f), f.scalar(value), dtype))
    });
}

fn like(table: &mut Table) {
    for (name, value) in [("zeros_like", 0), ("ones_like", 1), ("empty_like", 0)] {
        table.graph(name, move |op| {
            let (x, dtype, format) = (op.tensor(0), op.result_kind(0)?.dtype, format(op, Format::Preserve)?);
            op.value(move |f| creation::like(f.tensor(x), Scalar::Int(value), dtype, format))
        });
    }
    table.graph("full_like", |op| {
        let (x, value, dtype) = (op.tensor(0), op.tensor(1), op.result_kind(0)?.dtype);
        let format = format(op, Format::Preserve)?;
        op.value(move |f| creation::like(f.tensor(x), f.scalar(value), dtype, format))
    });
}

/// The functional forms have their sizes in the type of the result.
fn functional(table: &mut Table) {
    table.functional("full", |op| {
        let (value, kind) = (op.tensor(0), op.result_kind(0)?);
        let sizes = Integers::new(&kind.sizes, &op.list(1))?;
        // A number beyond the range of the dtype is converted like any other.
        op.value(move |f| creation::full(&sizes.get(f), f.scalar(value).cast(kind.dtype), kind.dtype))
    });
    table.functional("arange", |op| {
        let (start, step, kind) = (op.tensor(0), op.tensor(1), op.result_kind(0)?);
        let sizes = Integers::new(&kind.sizes, &op.list(2))?;
        op.value(move |f| {
            let count = sizes.one(f)?;
            creation::sequence(f.scalar(start), f.scalar(step), count, kind.dtype)
        })
    });
}
