//! Tensors stacked, repeated, turned, cut to triangles and padded.

use crate::{
    machine::{Frame, Slot, Table},
    semantics::{
        arranging, copy,
        padding::{Border, pad},
        scatter,
    },
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    joins(table);
    repeats(table);
    triangles(table);
    pads(table);
}

pub(super) fn all<'f>(frame: &'f Frame, slots: &[Slot]) -> Vec<&'f Tensor> {
    slots.iter().map(|&slot| frame.tensor(slot)).collect()
}

fn joins(table: &mut Table) {
    table.graph("stack", |op| {
        let (tensors, dim) = (op.list(0), op.int_or("dim", 0));
        op.value(move |f| arranging::stack(&all(f, &tensors), dim))
    });
    for name in ["hstack", "vstack", "dstack"] {
        table.graph(name, move |op| {
            let tensors = op.list(0);
            op.value(move |f| arranging::nstack(&all(f, &tensors), name))
        });
    }
}

fn repeats(table: &mut Table) {
    table.both("flip", |op| {
        let (x, dims) = (op.tensor(0), op.ints("dims")?);
        op.value(move |f| arranging::flip(f.tensor(x), &dims))
    });
    table.graph("roll", |op| {
        let (x, shifts) = (op.tensor(0), op.ints("shifts")?);
        let dims = op.optional_ints("dims").unwrap_or_default();
        op.value(move |f| arranging::roll(f.tensor(x), &shifts, &dims))
    });
    table.graph("repeat", |op| {
        let (x, repeats) = (op.tensor(0), op.ints("repeats")?);
        op.value(move |f| arranging::repeat(f.tensor(x), &repeats))
    });
    table.graph("tile", |op| {
        let (x, dims) = (op.tensor(0), op.ints("dims")?);
        op.value(move |f| arranging::tile(f.tensor(x), &dims))
    });
    table.graph("repeat_interleave.self_int", |op| {
        let (x, repeats) = (op.tensor(0), op.int("repeats")?);
        let dim = op.attribute("dim").map(attributes::i64);
        op.value(move |f| arranging::repeat_interleave(f.tensor(x), repeats, dim))
    });
    table.graph("diff", |op| {
        let (x, prepend, append) = (op.tensor(0), op.optional(1), op.optional(2));
        let (n, dim) = (op.int_or("n", 1), op.int_or("dim", -1));
        op.value(move |f| {
            let tensor = |slot: Option<Slot>| slot.map(|slot| f.tensor(slot));
            arranging::diff(f.tensor(x), n, dim, tensor(prepend), tensor(append))
        })
    });
    table.graph("copy", |op| {
        let (x, src) = (op.tensor(0), op.tensor(1));
        op.value(move |f| {
            let x = f.tensor(x);
            // Of a storage without elements eager keeps the strides alone.
            let new = match x.storage().is_empty() {
                true => Tensor::zeros_strided(x.dtype(), x.sizes(), x.strides())?,
                false => scatter::whole(x)?,
            };
            copy::copy_(&new, f.tensor(src))
        })
    });
}

fn triangles(table: &mut Table) {
    for name in ["tril", "triu"] {
        table.graph(name, move |op| {
            let (x, diagonal) = (op.tensor(0), op.int_or("diagonal", 0));
            op.value(move |f| arranging::triangle(name, f.tensor(x), diagonal))
        });
        table.graph(&format!("{name}_"), move |op| {
            let (x, diagonal) = (op.tensor(0), op.int_or("diagonal", 0));
            op.value(move |f| arranging::triangle_(name, f.tensor(x), diagonal))
        });
    }
}

fn pads(table: &mut Table) {
    table.graph("constant_pad_nd", |op| {
        let (x, pads, value) = (op.tensor(0), op.ints("pad")?, op.optional(1));
        op.value(move |f| {
            let value = value.map_or(Scalar::Int(0), |slot| f.scalar(slot));
            pad(f.tensor(x), &pads, Border::Number(value))
        })
    });
    table.graph("pad", |op| {
        let (x, pads) = (op.tensor(0), op.ints("pad")?);
        let value = op.attribute("value").map_or(0.0, attributes::f64);
        let border = match op.attribute("mode").map(attributes::string).as_deref() {
            None | Some("constant") => Border::Number(Scalar::Float(value)),
            Some("reflect") => Border::Reflect,
            Some("replicate") => Border::Replicate,
            _ => Border::Circular,
        };
        op.value(move |f| pad(f.tensor(x), &pads, border))
    });
    for (name, border) in [("reflection_pad", Border::Reflect), ("replication_pad", Border::Replicate)] {
        for dims in ["1d", "2d", "3d"] {
            table.graph(&format!("{name}{dims}"), move |op| {
                let (x, pads) = (op.tensor(0), op.ints("padding")?);
                op.value(move |f| pad(f.tensor(x), &pads, border))
            });
        }
    }
}
