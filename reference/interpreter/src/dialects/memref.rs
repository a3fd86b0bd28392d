//! memref: buffers that are allocated, read and written.

use super::tensor::{Window, element, indices, reassociation, without_ones};
use crate::{
    machine::{Action, Flow, Integers, Op, Table},
    semantics::{copy, views},
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    for name in ["memref.alloc", "memref.alloca"] {
        table.add(name, |op| {
            let kind = op.result_kind(0)?;
            let sizes = Integers::new(&kind.sizes, &op.segments()?[0])?;
            // Nothing may be read before it is written, so zeros are as good as anything.
            op.value(move |f| Ok(Tensor::zeros(kind.dtype, &sizes.get(f))?))
        });
    }
    table.add("memref.dealloc", |_| Ok(Box::new(|_, _| Ok(Flow::Next))));
    table.add("memref.load", element);
    table.add("memref.store", |op: &mut Op| -> Result<Action, String> {
        let operands = op.operands();
        Ok(Box::new(move |_, frame| {
            frame.tensor(operands[1]).set(&indices(frame, &operands[2..]), frame.scalar(operands[0]))?;
            Ok(Flow::Next)
        }))
    });
    table.add("memref.copy", |op| {
        let (from, to) = (op.operand(0), op.operand(1));
        Ok(Box::new(move |_, frame| {
            copy::copy_(frame.tensor(to), frame.tensor(from))?;
            Ok(Flow::Next)
        }))
    });
    table.add("memref.subview", |op| {
        let (window, kind) = (Window::of(op, 0)?, op.result_kind(0)?);
        op.value(move |f| without_ones(&window.view(f, f.tensor(window.source))?, &kind.sizes))
    });
    register_same(table);
    table.add("memref.reinterpret_cast", |op| {
        let segments = op.segments()?;
        let source = segments[0][0];
        let list = |name: &str, segment: usize| Integers::new(&op.ints(name)?, &segments[segment]);
        let (offsets, sizes, strides) =
            (list("static_offsets", 1)?, list("static_sizes", 2)?, list("static_strides", 3)?);
        op.value(move |f| Ok(f.tensor(source).view(sizes.get(f), strides.get(f), offsets.one(f)?)?))
    });
    table.add("memref.extract_strided_metadata", |op| {
        let (source, results) = (op.operand(0), op.results());
        Ok(Box::new(move |_, frame| {
            let tensor = frame.tensor(source).clone();
            let numbers =
                [tensor.offset()].into_iter().chain(tensor.sizes().to_vec()).chain(tensor.strides().to_vec());
            for (&slot, number) in results[1..].iter().zip(numbers) {
                frame.set(slot, Scalar::Int(number));
            }
            // Where there are no elements there is no first one.
            let first = tensor.view(vec![], vec![], 0).or_else(|_| tensor.view(vec![0], vec![1], 0));
            frame.set(results[0], first?);
            Ok(Flow::Next)
        }))
    });
}

/// The same memory by other names and sizes.
fn register_same(table: &mut Table) {
    for name in ["memref.collapse_shape", "memref.expand_shape"] {
        table.add(name, |op| {
            let (source, operands) = (op.operand(0), op.operands());
            let sizes = match op.attribute("static_output_shape").is_some() {
                true => Some(Integers::new(&op.ints("static_output_shape")?, &operands[1..])?),
                false => None,
            };
            let groups = reassociation(op)?;
            op.value(move |f| {
                let source = f.tensor(source);
                let group =
                    |group: &Vec<i64>| group.iter().map(|&dim| source.sizes()[dim as usize]).product();
                let collapsed = || groups.iter().map(group).collect::<Vec<i64>>();
                let sizes = sizes.as_ref().map_or_else(collapsed, |sizes| sizes.get(f));
                views::view(source, &sizes)
            })
        });
    }
    // Facts about memory, not other memory.
    for name in ["memref.assume_alignment", "memref.distinct_objects"] {
        table.add(name, |op| {
            let (operands, results) = (op.operands(), op.results());
            Ok(Box::new(move |_, frame| {
                frame.set_all(&results, &frame.get_all(&operands)[..results.len()]);
                Ok(Flow::Next)
            }))
        });
    }
    table.add("memref.get_global", |op| {
        let (name, kind, result) =
            (attributes::symbol(op.required("name")?), op.result_kind(0)?, op.results()[0]);
        let memory = op.global(&name, &kind)?;
        Ok(Box::new(move |_, frame| {
            frame.set(result, memory.clone());
            Ok(Flow::Next)
        }))
    });
}
