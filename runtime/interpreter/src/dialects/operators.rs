//! Operators of graph and functional that are neither pointwise nor views.

use terrace_dialects::attributes;
use terrace_tensor::{DType, Scalar, Tensor};

use crate::machine::{Action, Frame, Op, Slot, Table};
use crate::semantics::convolution::{Convolution, convolution};
use crate::semantics::{creation, indexing, matmul, normalization, reduction};

pub(super) fn register(table: &mut Table) {
    creation(table);
    products(table);
    joins(table);
    reductions(table);
    normalizations(table);
}

fn creation(table: &mut Table) {
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
    table.graph("full_like", |op| {
        let (x, value, dtype) = (op.tensor(0), op.tensor(1), op.optional_dtype("dtype")?);
        op.value(move |f| creation::full_like(f.tensor(x), f.scalar(value), dtype))
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
    // The functional forms have their sizes in the type of the result.
    table.functional("full", |op| {
        let (value, kind) = (op.tensor(0), op.result_kind(0)?);
        let sizes = crate::machine::Integers::new(&kind.sizes, &op.list(1))?;
        op.value(move |f| filled(f.scalar(value), kind.dtype, &sizes.get(f)))
    });
    table.functional("arange", |op| {
        let (start, step, kind) = (op.tensor(0), op.tensor(1), op.result_kind(0)?);
        let sizes = crate::machine::Integers::new(&kind.sizes, &op.list(2))?;
        op.value(move |f| {
            let count = sizes.one(f)?;
            creation::sequence(f.scalar(start), f.scalar(step), count, kind.dtype)
        })
    });
}

/// As `full`, but a number beyond the range of the dtype is converted like any other.
fn filled(value: Scalar, dtype: DType, sizes: &[i64]) -> crate::semantics::Result<Tensor> {
    creation::full(sizes, value.cast(dtype), dtype)
}

fn products(table: &mut Table) {
    table.both("mm", |op| {
        let (a, b) = (op.tensor(0), op.tensor(1));
        op.value(move |f| matmul::mm(f.tensor(a), f.tensor(b)))
    });
    table.both("bmm", |op| {
        let (a, b) = (op.tensor(0), op.tensor(1));
        op.value(move |f| matmul::bmm(f.tensor(a), f.tensor(b)))
    });
    table.both("linear", |op| {
        let (input, weight, bias) = (op.tensor(0), op.tensor(1), op.optional(2));
        op.value(move |f| matmul::linear(f.tensor(input), f.tensor(weight), optional(f, bias)))
    });
    table.graph("addmm", |op| {
        let [addend, a, b] = [0, 1, 2].map(|index| op.tensor(index));
        let (beta, alpha) = (op.optional(3), op.optional(4));
        op.value(move |f| {
            let number = |slot: Option<Slot>| slot.map_or(Scalar::Int(1), |slot| f.scalar(slot));
            matmul::addmm(f.tensor(addend), f.tensor(a), f.tensor(b), number(beta), number(alpha))
        })
    });
    table.both("convolution", |op| {
        let (input, weight, bias) = (op.tensor(0), op.tensor(1), op.optional(2));
        let [stride, padding, dilation, output_padding] =
            ["stride", "padding", "dilation", "output_padding"].map(|name| op.ints(name));
        let (stride, padding, dilation, output_padding) = (stride?, padding?, dilation?, output_padding?);
        let (transposed, groups) = (op.flag("transposed"), op.int_or("groups", 1));
        op.value(move |f| {
            let how = Convolution {
                stride: &stride,
                padding: &padding,
                dilation: &dilation,
                transposed,
                output_padding: &output_padding,
                groups,
            };
            convolution(f.tensor(input), f.tensor(weight), optional(f, bias), how)
        })
    });
}

fn joins(table: &mut Table) {
    table.both("embedding", |op| {
        let (weight, indices) = (op.tensor(0), op.tensor(1));
        op.value(move |f| indexing::embedding(f.tensor(weight), f.tensor(indices)))
    });
    table.both("index", |op| {
        let (x, indices) = (op.tensor(0), op.list(1));
        let present = attributes::bools(op.required("present")?);
        if present.iter().filter(|&&present| present).count() != indices.len() {
            return Err("'present' does not fit the number of index tensors".to_owned());
        }
        op.value(move |f| {
            let mut indices = indices.iter();
            let mut next =
                |present: &bool| if *present { indices.next().map(|&slot| f.tensor(slot)) } else { None };
            indexing::index(f.tensor(x), &present.iter().map(&mut next).collect::<Vec<_>>())
        })
    });
    table.both("cat", |op| {
        let (tensors, dim) = (op.list(0), op.int_or("dim", 0));
        op.value(move |f| indexing::cat(&tensors.iter().map(|&slot| f.tensor(slot)).collect::<Vec<_>>(), dim))
    });
}

fn reductions(table: &mut Table) {
    type Sum = fn(&Tensor, Option<&[i64]>, bool, Option<DType>) -> crate::semantics::Result<Tensor>;
    for (name, reduce) in
        [("sum", reduction::sum as Sum), ("mean", reduction::mean), ("prod", reduction::prod)]
    {
        table.both(name, move |op: &mut Op| -> Result<Action, String> {
            let (x, dims, keepdim) = (op.tensor(0), op.optional_ints("dim"), op.flag("keepdim"));
            let dtype = op.optional_dtype("dtype")?;
            op.value(move |f| reduce(f.tensor(x), dims.as_deref(), keepdim, dtype))
        });
    }
    type Extreme = fn(&Tensor, &[i64], bool) -> crate::semantics::Result<Tensor>;
    for (name, reduce) in [("amax", reduction::amax as Extreme), ("amin", reduction::amin)] {
        table.both(name, move |op: &mut Op| -> Result<Action, String> {
            let (x, dims, keepdim) =
                (op.tensor(0), op.optional_ints("dim").unwrap_or_default(), op.flag("keepdim"));
            op.value(move |f| reduce(f.tensor(x), &dims, keepdim))
        });
    }
    type Truth = fn(&Tensor, Option<&[i64]>, bool) -> crate::semantics::Result<Tensor>;
    for (name, reduce) in [("any", reduction::any as Truth), ("all", reduction::all)] {
        table.both(name, move |op: &mut Op| -> Result<Action, String> {
            let (x, dims, keepdim) = (op.tensor(0), op.optional_ints("dim"), op.flag("keepdim"));
            op.value(move |f| reduce(f.tensor(x), dims.as_deref(), keepdim))
        });
    }
    for name in ["cumsum", "cumprod"] {
        table.both(name, move |op: &mut Op| -> Result<Action, String> {
            let (x, dim, dtype) = (op.tensor(0), op.int("dim")?, op.optional_dtype("dtype")?);
            op.value(move |f| reduction::cumulative(name, f.tensor(x), dim, dtype))
        });
        table.graph(&format!("{name}_"), move |op| {
            let (x, dim) = (op.tensor(0), op.int("dim")?);
            op.value(move |f| reduction::cumulative_in_place(name, f.tensor(x), dim))
        });
    }
}

fn normalizations(table: &mut Table) {
    table.both("softmax", |op| {
        let (x, dim, dtype) = (op.tensor(0), op.int("dim")?, op.optional_dtype("dtype")?);
        op.value(move |f| normalization::softmax(f.tensor(x), dim, dtype))
    });
    table.both("log_softmax", |op| {
        let (x, dim, dtype) = (op.tensor(0), op.int("dim")?, op.optional_dtype("dtype")?);
        op.value(move |f| normalization::log_softmax(f.tensor(x), dim, dtype))
    });
    for (name, log) in [("_softmax", false), ("_log_softmax", true)] {
        table.graph(name, move |op| {
            let (x, dim, half_to_float) = (op.tensor(0), op.int("dim")?, op.flag("half_to_float"));
            op.value(move |f| normalization::softmax_core(f.tensor(x), dim, half_to_float, log))
        });
    }
    for (name, results) in [("layer_norm", 1), ("native_layer_norm", 3)] {
        table.both(name, move |op: &mut Op| -> Result<Action, String> {
            let (input, weight, bias) = (op.tensor(0), op.optional(1), op.optional(2));
            let shape = op.ints("normalized_shape")?;
            let eps = op.attribute("eps").map_or(1e-5, attributes::f64);
            op.values(move |f| {
                let (weight, bias) = (optional(f, weight), optional(f, bias));
                let all = normalization::native_layer_norm(f.tensor(input), &shape, weight, bias, eps)?;
                Ok(all.into_iter().take(results).collect())
            })
        });
    }
}

fn optional(frame: &Frame, slot: Option<Slot>) -> Option<&Tensor> {
    slot.map(|slot| frame.tensor(slot))
}
