//! Operators of graph and functional that are neither pointwise nor views.

use crate::{
    machine::{Action, Frame, Op, Slot, Table},
    semantics::{
        convolution::{Convolution, convolution},
        indexing, matmul, normalization, reduction,
    },
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Dtype, Tensor};

pub(super) fn register(table: &mut Table) {
    products(table);
    joins(table);
    reductions(table);
    normalizations(table);
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
    table.both("convolution", |op| {
        let (input, weight, bias) = (op.tensor(0), op.tensor(1), op.optional(2));
        let (walk, transposed) = (Walk::of(op), op.flag("transposed"));
        op.value(move |f| {
            convolution(f.tensor(input), f.tensor(weight), optional(f, bias), walk.how(transposed))
        })
    });
}

/// How a convolution walks, as the attributes say; a list that is left out has its default for every
/// dimension.
pub(super) struct Walk {
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    output_padding: Vec<i64>,
    groups: i64,
}

impl Walk {
    pub fn of(op: &Op) -> Walk {
        Walk { padding: op.optional_ints("padding").unwrap_or_else(|| vec![0]), ..Walk::unpadded(op) }
    }

    /// Without padding, which is a word here.
    pub fn unpadded(op: &Op) -> Walk {
        let list = |name: &str, default: i64| op.optional_ints(name).unwrap_or_else(|| vec![default]);
        Walk {
            stride: list("stride", 1),
            padding: vec![0],
            dilation: list("dilation", 1),
            output_padding: list("output_padding", 0),
            groups: op.int_or("groups", 1),
        }
    }

    pub fn how(&self, transposed: bool) -> Convolution<'_> {
        Convolution {
            stride: &self.stride,
            padding: &self.padding,
            dilation: &self.dilation,
            transposed,
            output_padding: &self.output_padding,
            groups: self.groups,
        }
    }
}

fn joins(table: &mut Table) {
    table.both("embedding", |op| {
        let (weight, indices) = (op.tensor(0), op.tensor(1));
        op.value(move |f| indexing::embedding(f.tensor(weight), f.tensor(indices)))
    });
    let index = |op: &mut Op| {
        let (x, indices) = (op.tensor(0), Indices::of(op, 1)?);
        op.value(move |f| indexing::index(f.tensor(x), &indices.get(f)))
    };
    table.both("index", index);
    table.graph("_unsafe_index", index);
    table.both("cat", |op| {
        let (tensors, dim) = (op.list(0), op.int_or("dim", 0));
        op.value(move |f| indexing::cat(&tensors.iter().map(|&slot| f.tensor(slot)).collect::<Vec<_>>(), dim))
    });
}

fn reductions(table: &mut Table) {
    type Sum = fn(&Tensor, Option<&[i64]>, bool, Option<Dtype>) -> crate::semantics::Result<Tensor>;
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
    table.graph("aminmax", |op| {
        let (x, keepdim) = (op.tensor(0), op.flag("keepdim"));
        let dims: Vec<i64> = op.attribute("dim").map(attributes::i64).into_iter().collect();
        op.values(move |f| {
            let extreme = |reduce: Extreme| reduce(f.tensor(x), &dims, keepdim);
            Ok(vec![extreme(reduction::amin)?, extreme(reduction::amax)?])
        })
    });
    for (name, reduce) in [("max", reduction::amax as Extreme), ("min", reduction::amin)] {
        table.graph(name, move |op| {
            let x = op.tensor(0);
            op.value(move |f| reduce(f.tensor(x), &[], false))
        });
    }
    type Truth = fn(&Tensor, Option<&[i64]>, bool) -> crate::semantics::Result<Tensor>;
    for (name, reduce) in [("any", reduction::any as Truth), ("all", reduction::all)] {
        table.both(name, move |op: &mut Op| -> Result<Action, String> {
            let (x, dims, keepdim) = (op.tensor(0), op.optional_ints("dim"), op.flag("keepdim"));
            op.value(move |f| reduce(f.tensor(x), dims.as_deref(), keepdim))
        });
    }
    table.both("logcumsumexp", |op: &mut Op| -> Result<Action, String> {
        let (x, dim) = (op.tensor(0), op.int("dim")?);
        op.value(move |f| reduction::logcumsumexp(f.tensor(x), dim))
    });
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
    table.graph("_softmax", |op| {
        let (x, dim) = (op.tensor(0), op.int("dim")?);
        op.value(move |f| normalization::softmax(f.tensor(x), dim, None))
    });
    table.graph("_log_softmax", |op| {
        let (x, dim) = (op.tensor(0), op.int("dim")?);
        op.value(move |f| normalization::log_softmax(f.tensor(x), dim, None))
    });
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

/// Tensors of indices, one for each dimension or none.
pub(super) struct Indices {
    given: Vec<Slot>,
    present: Vec<bool>,
}

impl Indices {
    /// Decodes operand `place` of ODS and `present`, which says which dimensions have one.
    pub fn of(op: &Op, place: usize) -> Result<Indices, String> {
        let (given, present) = (op.list(place), attributes::bools(op.required("present")?));
        if present.iter().filter(|&&present| present).count() != given.len() {
            return Err("'present' does not fit the number of index tensors".to_owned());
        }
        Ok(Indices { given, present })
    }

    /// The tensors, in a frame.
    pub fn get<'f>(&self, frame: &'f Frame) -> Vec<Option<&'f Tensor>> {
        let mut given = self.given.iter();
        let next =
            |present: &bool| if *present { given.next().map(|&slot| frame.tensor(slot)) } else { None };
        self.present.iter().map(next).collect()
    }
}

pub(super) fn optional(frame: &Frame, slot: Option<Slot>) -> Option<&Tensor> {
    slot.map(|slot| frame.tensor(slot))
}
