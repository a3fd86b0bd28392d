//! Products of graph that functional spells with others, convolutions per number of dimensions, attention.

use super::operators::{Walk, optional};
use crate::{
    machine::{Action, Op, Slot, Table},
    semantics::{
        Result,
        attention::{self, Attention},
        attention_backward::flash_attention_backward,
        contractions,
        convolutions::{conv, conv_same},
        einsum, matmul,
        overlap::check_beside,
    },
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    type Product = fn(&Tensor, &Tensor) -> Result<Tensor>;
    for (name, product) in [
        ("matmul", contractions::matmul as Product),
        ("mv", contractions::matmul),
        ("dot", contractions::matmul),
        ("vdot", |a, b| contractions::matmul(&crate::semantics::parts::adjoint(a)?, b)),
        ("outer", contractions::outer),
    ] {
        table.graph(name, move |op| {
            let (a, b) = (op.tensor(0), op.tensor(1));
            op.value(move |f| product(f.tensor(a), f.tensor(b)))
        });
    }
    type Added = fn(&Tensor, &Tensor, &Tensor, Scalar, Scalar) -> Result<Tensor>;
    for (name, product) in [
        ("addmm", matmul::addmm as Added),
        ("addmv", contractions::addmv),
        ("baddbmm", contractions::baddbmm),
        ("addbmm", contractions::addbmm),
    ] {
        table.graph(name, move |op: &mut Op| added(op, product, false));
        table.graph(&format!("{name}_"), move |op: &mut Op| added(op, product, true));
    }
    table.graph("bilinear", |op| {
        let ([a, b, weight], bias) = ([0, 1, 2].map(|place| op.tensor(place)), op.optional(3));
        op.value(move |f| {
            contractions::bilinear(f.tensor(a), f.tensor(b), f.tensor(weight), optional(f, bias))
        })
    });
    table.graph("einsum", |op| {
        let (equation, tensors) = (op.required("equation").map(attributes::string)?, op.list(0));
        op.value(move |f| {
            let tensors: Vec<&Tensor> = tensors.iter().map(|slot| f.tensor(*slot)).collect();
            einsum::einsum(&equation, &tensors)
        })
    });
    for dims in 1..=3 {
        table.graph(&format!("conv{dims}d"), |op| convolution(op, false, Padding::Numbers));
        table.graph(&format!("conv_transpose{dims}d"), |op| convolution(op, true, Padding::Numbers));
        table.graph(&format!("conv{dims}d.padding"), |op| {
            let same = op.attribute("padding").map(attributes::string).as_deref() == Some("same");
            convolution(op, false, if same { Padding::Same } else { Padding::Valid })
        });
    }
    table.both("scaled_dot_product_attention", |op| {
        let ([query, key, value], mask) = ([0, 1, 2].map(|place| op.tensor(place)), op.optional(3));
        let (causal, scale) = (op.flag("is_causal"), op.attribute("scale").map(attributes::f64));
        let grouped = op.flag("enable_gqa");
        op.value(move |f| {
            let how = Attention { mask: optional(f, mask), causal, scale, grouped };
            attention::attention(f.tensor(query), f.tensor(key), f.tensor(value), how)
        })
    });
    table.both("_scaled_dot_product_flash_attention_for_cpu", |op| {
        let ([query, key, value], mask) = ([0, 1, 2].map(|place| op.tensor(place)), op.optional(3));
        let (causal, scale) = (op.flag("is_causal"), op.attribute("scale").map(attributes::f64));
        op.values(move |f| {
            let how = Attention { mask: optional(f, mask), causal, scale, grouped: false };
            let both = attention::flash_attention(f.tensor(query), f.tensor(key), f.tensor(value), how)?;
            Ok(both.into())
        })
    });
    table.both("_scaled_dot_product_flash_attention_for_cpu_backward", |op| {
        let [grad, query, key, value, out, sums] = [0, 1, 2, 3, 4, 5].map(|place| op.tensor(place));
        let (causal, mask) = (op.flag("is_causal"), op.optional(6));
        let scale = op.attribute("scale").map(attributes::f64);
        op.values(move |f| {
            let how = Attention { mask: optional(f, mask), causal, scale, grouped: false };
            let all = [query, key, value].map(|slot| f.tensor(slot));
            Ok(flash_attention_backward(f.tensor(grad), all, f.tensor(out), f.tensor(sums), how)?.into())
        })
    });
}

/// A product that is added to the first operand, or into it.
fn added(
    op: &mut Op,
    product: fn(&Tensor, &Tensor, &Tensor, Scalar, Scalar) -> Result<Tensor>,
    in_place: bool,
) -> std::result::Result<Action, String> {
    let [own, a, b] = [0, 1, 2].map(|place| op.tensor(place));
    let (beta, alpha) = (op.optional(3), op.optional(4));
    op.value(move |f| {
        let number = |slot: Option<Slot>| slot.map_or(Scalar::Int(1), |slot| f.scalar(slot));
        let (own, a, b) = (f.tensor(own), f.tensor(a), f.tensor(b));
        let result = product(own, a, b, number(beta), number(alpha))?;
        if !in_place {
            return Ok(result);
        }
        // Everything is read before anything is written, but eager's kernels may not do so.
        for other in [a, b] {
            check_beside(own, other)?;
        }
        crate::semantics::copy::copy_(own, &result)
    })
}

/// What is around the input.
#[derive(Clone, Copy, PartialEq)]
enum Padding {
    /// As many zeros as the attribute says.
    Numbers,
    /// Nothing.
    Valid,
    /// As many zeros as keep the sizes.
    Same,
}

fn convolution(op: &mut Op, transposed: bool, kind: Padding) -> std::result::Result<Action, String> {
    let (input, weight, bias) = (op.tensor(0), op.tensor(1), op.optional(2));
    let walk = if kind == Padding::Numbers { Walk::of(op) } else { Walk::unpadded(op) };
    op.value(move |f| {
        let of = if kind == Padding::Same { conv_same } else { conv };
        of(f.tensor(input), f.tensor(weight), optional(f, bias), walk.how(transposed))
    })
}
