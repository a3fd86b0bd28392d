//! tensor: values that are made, taken apart and put together; and their way from and to buffers.

use crate::{
    error::Fault,
    machine::{Action, Flow, Frame, Integers, Op, Slot, Table},
    semantics::{Result as Semantic, copy, views},
};
use melior::ir::{Attribute, AttributeLike};
use mlir_sys::{mlirArrayAttrGetElement, mlirArrayAttrGetNumElements};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Scalar, Tensor, layout::positions};

pub(super) fn register(table: &mut Table) {
    register_new(table);
    register_elements(table);
    register_sizes(table);
    register_slices(table);
    register_shapes(table);
    for name in ["bufferization.to_tensor", "bufferization.to_buffer"] {
        table.add(name, |op| {
            let x = op.operand(0);
            op.value(move |f| fresh(f.tensor(x)))
        });
    }
}

/// Tensors that are made of numbers.
fn register_new(table: &mut Table) {
    table.add("tensor.empty", |op| {
        let kind = op.result_kind(0)?;
        let sizes = Integers::new(&kind.sizes, &op.operands())?;
        op.value(move |f| Ok(Tensor::zeros(kind.dtype, &sizes.get(f))?))
    });
    table.add("tensor.splat", |op| {
        let (value, kind) = (op.operand(0), op.result_kind(0)?);
        let sizes = Integers::new(&kind.sizes, &op.operands()[1..])?;
        op.value(move |f| crate::semantics::creation::full(&sizes.get(f), f.scalar(value), kind.dtype))
    });
    table.add("tensor.from_elements", |op| {
        let (elements, kind) = (op.operands(), op.result_kind(0)?);
        op.value(move |f| {
            let elements: Vec<Scalar> = elements.iter().map(|&slot| f.scalar(slot)).collect();
            Ok(Tensor::from_elements(kind.dtype, &kind.sizes, &elements)?)
        })
    });
    table.add("tensor.generate", generate);
    table.add("tensor.pad", pad);
    table.add("bufferization.alloc_tensor", |op| {
        let (segments, kind) = (op.segments()?, op.result_kind(0)?);
        let copied = segments[1].first().copied();
        let sizes = match copied {
            Some(_) => None,
            None => Some(Integers::new(&kind.sizes, &segments[0])?),
        };
        op.value(move |f| match (copied, &sizes) {
            (Some(source), _) => fresh(f.tensor(source)),
            (None, sizes) => {
                Ok(Tensor::zeros(kind.dtype, &sizes.as_ref().map_or(vec![], |sizes| sizes.get(f)))?)
            }
        })
    });
}

/// Single elements, read and replaced.
fn register_elements(table: &mut Table) {
    table.add("tensor.extract", element);
    table.add("tensor.insert", |op| {
        let operands = op.operands();
        op.value(move |f| {
            let result = fresh(f.tensor(operands[1]))?;
            result.set(&indices(f, &operands[2..]), f.scalar(operands[0]))?;
            Ok(result)
        })
    });
}

/// What a tensor or a memref says of its sizes, and casts to what another type says of them.
fn register_sizes(table: &mut Table) {
    for name in ["tensor.dim", "memref.dim"] {
        table.add(name, size);
    }
    for name in ["tensor.rank", "memref.rank"] {
        table.add(name, |op| {
            let (x, result) = (op.operand(0), op.results()[0]);
            Ok(Box::new(move |_, frame| {
                let rank = frame.tensor(x).rank();
                frame.set(result, Scalar::Int(rank as i64));
                Ok(Flow::Next)
            }))
        });
    }
    // The types differ in what they know; that the sizes fit is checked with the result.
    for name in ["tensor.cast", "memref.cast"] {
        table.add(name, |op| {
            let x = op.operand(0);
            op.value(move |f| Ok(f.tensor(x).clone()))
        });
    }
}

/// Parts of tensors, taken out and replaced.
fn register_slices(table: &mut Table) {
    table.add("tensor.extract_slice", |op| {
        let slice = Window::of(op, 0)?;
        let kind = op.result_kind(0)?;
        op.value(move |f| without_ones(&slice.view(f, f.tensor(slice.source))?, &kind.sizes))
    });
    table.add("tensor.insert_slice", |op| {
        let (source, slice) = (op.operand(0), Window::of(op, 1)?);
        op.value(move |f| {
            let result = fresh(f.tensor(slice.source))?;
            let window = slice.view(f, &result)?;
            copy::copy_(&window, &views::view(&copy::packed(f.tensor(source))?, window.sizes())?)?;
            Ok(result)
        })
    });
}

/// The same elements by other sizes.
fn register_shapes(table: &mut Table) {
    table.add("tensor.concat", concat);
    table.add("tensor.reshape", |op| {
        let (x, shape) = (op.operand(0), op.operand(1));
        op.value(move |f| {
            let sizes: Vec<i64> = f.tensor(shape).to_vec().into_iter().map(Scalar::to_i64).collect();
            views::view(&copy::packed(f.tensor(x))?, &sizes)
        })
    });
    table.add("tensor.collapse_shape", |op| {
        let (x, groups) = (op.operand(0), reassociation(op)?);
        op.value(move |f| {
            let x = f.tensor(x);
            let size = |group: &Vec<i64>| group.iter().map(|&dim| x.sizes()[dim as usize]).product();
            views::view(&copy::packed(x)?, &groups.iter().map(size).collect::<Vec<i64>>())
        })
    });
    table.add("tensor.expand_shape", |op| {
        let (x, sizes) =
            (op.operand(0), Integers::new(&op.ints("static_output_shape")?, &op.operands()[1..])?);
        op.value(move |f| views::view(&copy::packed(f.tensor(x))?, &sizes.get(f)))
    });
}

/// The element of a tensor or of a memref at some indices.
pub(super) fn element(op: &mut Op) -> Result<Action, String> {
    let (operands, result) = (op.operands(), op.results()[0]);
    Ok(Box::new(move |_, frame| {
        let value = frame.tensor(operands[0]).get(&indices(frame, &operands[1..]))?;
        frame.set(result, value);
        Ok(Flow::Next)
    }))
}

/// The numbers in some slots.
pub(super) fn indices(frame: &Frame, slots: &[Slot]) -> Vec<i64> {
    slots.iter().map(|&slot| frame.scalar(slot).to_i64()).collect()
}

/// A copy on new memory.
pub(super) fn fresh(tensor: &Tensor) -> Semantic<Tensor> {
    copy::copy_(&Tensor::zeros(tensor.dtype(), tensor.sizes())?, tensor)
}

fn size(op: &mut Op) -> Result<Action, String> {
    let (x, dim, result) = (op.operand(0), op.operand(1), op.results()[0]);
    Ok(Box::new(move |_, frame| {
        let (sizes, dim) = (frame.tensor(x).sizes(), frame.scalar(dim).to_i64());
        let size = usize::try_from(dim).ok().and_then(|dim| sizes.get(dim)).copied();
        let size = size.ok_or_else(|| format!("asks for dimension {dim} of sizes {sizes:?}"))?;
        frame.set(result, Scalar::Int(size));
        Ok(Flow::Next)
    }))
}

fn generate(op: &mut Op) -> Result<Action, String> {
    let kind = op.result_kind(0)?;
    let sizes = Integers::new(&kind.sizes, &op.operands())?;
    let (body, result) = (op.region(0)?, op.results()[0]);
    Ok(Box::new(move |machine, frame| {
        let out = Tensor::zeros(kind.dtype, &sizes.get(frame))?;
        for (index, at) in positions(out.sizes()).zip(out.offsets()) {
            let arguments: Vec<_> = index.into_iter().map(|i| Scalar::Int(i).into()).collect();
            let yielded = body.run(machine, frame, &arguments)?;
            let value = yielded.first().and_then(|value| value.as_scalar());
            out.write(at, value.ok_or_else(|| Fault::from("yields no number"))?);
        }
        frame.set(result, out);
        Ok(Flow::Next)
    }))
}

/// The source, and around it what the region yields at each index of the result.
fn pad(op: &mut Op) -> Result<Action, String> {
    let (segments, kind) = (op.segments()?, op.result_kind(0)?);
    let source = segments[0][0];
    let (low, high) = (
        Integers::new(&op.ints("static_low")?, &segments[1])?,
        Integers::new(&op.ints("static_high")?, &segments[2])?,
    );
    let (body, result) = (op.region(0)?, op.results()[0]);
    Ok(Box::new(move |machine, frame| {
        let (source, low, high) = (frame.tensor(source).clone(), low.get(frame), high.get(frame));
        let size = |dim: usize| low[dim] + source.sizes()[dim] + high[dim];
        let out = Tensor::zeros(kind.dtype, &(0..source.rank()).map(size).collect::<Vec<_>>())?;
        for (index, at) in positions(out.sizes()).zip(out.offsets()) {
            let inside: Vec<i64> = index.iter().zip(&low).map(|(i, low)| i - low).collect();
            let is_inside = inside.iter().zip(source.sizes()).all(|(i, size)| (0..*size).contains(i));
            let arguments: Vec<_> = index.into_iter().map(|i| Scalar::Int(i).into()).collect();
            out.write(
                at,
                match is_inside {
                    true => source.get(&inside)?,
                    false => super::loops::number(&body.run(machine, frame, &arguments)?[0])?,
                },
            );
        }
        frame.set(result, out);
        Ok(Flow::Next)
    }))
}

fn concat(op: &mut Op) -> Result<Action, String> {
    let (parts, dim, kind) = (op.operands(), op.int("dim")? as usize, op.result_kind(0)?);
    op.value(move |f| {
        let parts: Vec<&Tensor> = parts.iter().map(|&slot| f.tensor(slot)).collect();
        let mut sizes = parts[0].sizes().to_vec();
        sizes[dim] = parts.iter().map(|part| part.sizes()[dim]).sum();
        let out = Tensor::zeros(kind.dtype, &sizes)?;
        let mut at = 0;
        for part in parts {
            let place = out.offset() + at * out.strides()[dim];
            copy::copy_(&out.view(part.sizes().to_vec(), out.strides().to_vec(), place)?, part)?;
            at += part.sizes()[dim];
        }
        Ok(out)
    })
}

/// Offsets, sizes and strides into a tensor or memref.
pub(super) struct Window {
    pub source: Slot,
    offsets: Integers,
    sizes: Integers,
    strides: Integers,
}

impl Window {
    /// Decodes the window into segment `source` of the operands; the segments after it are its dynamic
    /// entries.
    pub fn of(op: &Op, source: usize) -> Result<Window, String> {
        let segments = op.segments()?;
        let list = |name: &str, segment: usize| Integers::new(&op.ints(name)?, &segments[source + segment]);
        Ok(Window {
            source: segments[source][0],
            offsets: list("static_offsets", 1)?,
            sizes: list("static_sizes", 2)?,
            strides: list("static_strides", 3)?,
        })
    }

    /// The view of a tensor through the window.
    pub fn view(&self, frame: &Frame, tensor: &Tensor) -> Semantic<Tensor> {
        let (offsets, sizes, steps) =
            (self.offsets.get(frame), self.sizes.get(frame), self.strides.get(frame));
        for (dim, &whole) in tensor.sizes().iter().enumerate() {
            let (offset, size, step) =
                (i128::from(offsets[dim]), i128::from(sizes[dim]), i128::from(steps[dim]));
            let last = offset + (size - 1) * step;
            let inside = |at: i128| (0..i128::from(whole)).contains(&at);
            if size < 0 || (size > 0 && !(inside(offset) && inside(last))) {
                let message = format!("reaches outside of dimension {dim}, whose size is {whole}");
                return Err(crate::semantics::Error::new(message));
            }
        }
        let place = |(offset, stride): (&i64, &i64)| offset * stride;
        let offset = tensor.offset() + offsets.iter().zip(tensor.strides()).map(place).sum::<i64>();
        let strides = steps.iter().zip(tensor.strides()).map(|(step, stride)| step * stride).collect();
        Ok(tensor.view(sizes, strides, offset)?)
    }
}

/// A view without as many dimensions of size 1 as the sizes of a type lack.
pub(super) fn without_ones(tensor: &Tensor, wanted: &[i64]) -> Semantic<Tensor> {
    let mut gone = tensor.rank() - wanted.len();
    let (mut sizes, mut strides) = (Vec::new(), Vec::new());
    for (&size, &stride) in tensor.sizes().iter().zip(tensor.strides()) {
        if gone > 0 && size == 1 && wanted.get(sizes.len()) != Some(&1) {
            gone -= 1;
            continue;
        }
        sizes.push(size);
        strides.push(stride);
    }
    Ok(tensor.view(sizes, strides, tensor.offset())?)
}

/// The groups of dimensions that a reshape joins.
pub(super) fn reassociation(op: &Op) -> Result<Vec<Vec<i64>>, String> {
    let list = |attribute: Attribute| -> Vec<Attribute> {
        let raw = attribute.to_raw();
        // SAFETY: reassociation is verified to be a list of lists of integers.
        unsafe {
            let count = mlirArrayAttrGetNumElements(raw);
            (0..count).map(|i| Attribute::from_raw(mlirArrayAttrGetElement(raw, i))).collect()
        }
    };
    let groups = list(op.required("reassociation")?);
    Ok(groups.into_iter().map(|group| list(group).into_iter().map(attributes::i64).collect()).collect())
}
