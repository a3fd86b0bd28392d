//! Operators of neural networks: recurrent ones, bags of rows, weights as directions and lengths, gradients
//! of norms, and those of other namespaces than ATen's.

use super::{arranging::all, backward::masked, operators::optional, pooling::windows};
use crate::{
    machine::{Op, Table},
    semantics::{
        bags::{Bags, Gradient, Mode, bags_by_offsets, embedding_bag, embedding_bag_backward},
        grouped, norm_gradients as norms, prims,
        recurrent::{Cell, Network, recurrent, recurrent_packed},
    },
};
use terrace_dialects::ir::attributes;

pub(super) fn register(table: &mut Table) {
    sequences(table);
    bags(table);
    gradients_of_norms(table);
    others(table);
}

fn sequences(table: &mut Table) {
    for (name, cell) in
        [("lstm", Cell::Lstm), ("gru", Cell::Gru), ("rnn_tanh", Cell::Tanh), ("rnn_relu", Cell::Relu)]
    {
        let network = move |op: &Op| Network {
            cell,
            biases: op.flag("has_biases"),
            bidirectional: op.flag("bidirectional"),
            batch_first: op.flag("batch_first"),
        };
        table.graph(&format!("{name}.input"), move |op: &mut Op| {
            let (input, states, params, how) = (op.tensor(0), op.list(1), op.list(2), network(op));
            op.values(move |f| recurrent(f.tensor(input), &all(f, &states), &all(f, &params), how))
        });
        table.graph(&format!("{name}.data"), move |op: &mut Op| {
            let (data, counts) = (op.tensor(0), op.tensor(1));
            let (states, params, how) = (op.list(2), op.list(3), network(op));
            op.values(move |f| {
                let (states, params) = (all(f, &states), all(f, &params));
                recurrent_packed(f.tensor(data), f.tensor(counts), &states, &params, how)
            })
        });
    }
}

fn bags(table: &mut Table) {
    // Of the internal one a negative number is no row; else it counts from the end.
    let forward = |op: &mut Op, wraps: bool| {
        let [weight, indices, offsets] = [0, 1, 2].map(|place| op.tensor(place));
        let (samples, mode, last) =
            (op.optional(3), Mode::of(op.int_or("mode", 0)), op.flag("include_last_offset"));
        let padding = op.attribute("padding_idx").map(attributes::i64);
        op.values(move |f| {
            let weight = f.tensor(weight);
            let wrapped = |index: i64| if wraps && index < 0 { index + weight.sizes()[0] } else { index };
            let padding = padding.map(wrapped).filter(|index| *index >= 0);
            let bags = Bags { indices: f.tensor(indices), offsets: f.tensor(offsets), last, padding };
            Ok(embedding_bag(weight, &bags, mode, optional(f, samples), !wraps)?.into())
        })
    };
    table.both("_embedding_bag", move |op| forward(op, false));
    table.graph("embedding_bag", move |op| forward(op, true));
    for (name, by_offsets) in [("_embedding_bag_dense_backward", false), ("_embedding_bag_backward", true)] {
        table.both(name, move |op: &mut Op| {
            let (grad, indices) = (op.tensor(0), op.tensor(1));
            let offsets = by_offsets.then(|| op.tensor(2));
            let first = if by_offsets { 3 } else { 2 };
            let [of, sizes, largest] = [0, 1, 2].map(|place| op.tensor(first + place));
            let samples = op.optional(first + 3);
            let (rows, mode) = (op.int("num_weights")?, Mode::of(op.int("mode")?));
            let (by_frequency, padding) = (op.flag("scale_grad_by_freq"), op.int_or("padding_idx", -1));
            op.value(move |f| {
                let (indices, of) = (f.tensor(indices), f.tensor(of));
                // A sum does not tell which bag an index is of.
                let of = match offsets {
                    Some(offsets) if of.is_empty() => {
                        bags_by_offsets(f.tensor(offsets), indices.len() as i64)
                    }
                    _ => crate::semantics::bags::ints_of(of),
                };
                let gradient = Gradient {
                    grad: f.tensor(grad),
                    indices,
                    of,
                    sizes: f.tensor(sizes),
                    largest: f.tensor(largest),
                    by_frequency,
                    padding: Some(padding).filter(|index| *index >= 0),
                };
                embedding_bag_backward(rows, &gradient, mode, optional(f, samples))
            })
        });
    }
}

fn gradients_of_norms(table: &mut Table) {
    table.graph("native_batch_norm_backward", |op| {
        let (grad, input, weight) = (op.tensor(0), op.tensor(1), op.optional(2));
        let training = op.flag("train");
        let eps = attributes::f64(op.required("eps")?);
        let place = if training { 5 } else { 3 };
        let statistics = [place, place + 1].map(|place| op.tensor(place));
        masked(op, move |f| {
            let (weight, statistics) = (optional(f, weight), statistics.map(|slot| f.tensor(slot)));
            let eps = (!training).then_some(eps);
            norms::batch_norm_backward(f.tensor(grad), f.tensor(input), weight, statistics, eps)
        })
    });
    table.graph("native_group_norm_backward", |op| {
        let ([grad, input, mean, rstd], weight) =
            ([0, 1, 2, 3].map(|place| op.tensor(place)), op.optional(4));
        let (images, channels, inner) = (op.int("N")?, op.int("C")?, op.int("HxW")?);
        let sizes = [images, channels, inner].map(|size| size as usize);
        let groups = op.int("group")? as usize;
        masked(op, move |f| {
            let (moments, weight) = ([f.tensor(mean), f.tensor(rstd)], optional(f, weight));
            norms::group_norm_backward(f.tensor(grad), f.tensor(input), moments, weight, sizes, groups)
        })
    });
    table.graph("_weight_norm", |op| {
        let (v, g, dim) = (op.tensor(0), op.tensor(1), op.int_or("dim", 0));
        op.value(move |f| norms::weight_norm(f.tensor(v), f.tensor(g), dim))
    });
    table.graph("_weight_norm_interface", |op| {
        let (v, g, dim) = (op.tensor(0), op.tensor(1), op.int_or("dim", 0));
        op.values(move |f| Ok(norms::weight_norm_interface(f.tensor(v), f.tensor(g), dim)?.into()))
    });
    table.graph("_weight_norm_interface_backward", |op| {
        let ([grad, v, g, norm], dim) = ([0, 1, 2, 3].map(|place| op.tensor(place)), op.int("dim")?);
        op.values(move |f| {
            let (grad, v, g, norm) = (f.tensor(grad), f.tensor(v), f.tensor(g), f.tensor(norm));
            Ok(norms::weight_norm_backward(grad, v, g, norm, dim)?.into())
        })
    });
}

/// Windows over as many dimensions as the kernel has.
fn windows_given(op: &Op) -> std::result::Result<Vec<terrace_dialects::aten::rules::Window>, String> {
    Ok(if op.ints("kernel_size")?.len() == 3 { windows::<3>(op)?.into() } else { windows::<2>(op)?.into() })
}

fn others(table: &mut Table) {
    table.graph("prims.iota", |op| {
        let (length, start, step) = (op.int("length")?, op.int("start")?, op.int("step")?);
        let dtype = op.dtype("dtype")?;
        op.value(move |_| prims::iota(length, start, step, dtype))
    });
    table.both("prims.fma", |op| {
        let [a, b, c] = [0, 1, 2].map(|place| op.tensor(place));
        op.value(move |f| prims::fma(f.tensor(a), f.tensor(b), f.tensor(c)))
    });
    table.graph("prims._low_memory_max_pool_with_offsets", |op| {
        let (x, windows, ceil) = (op.tensor(0), windows_given(op)?, op.flag("ceil_mode"));
        op.values(move |f| Ok(prims::max_pool_with_offsets(f.tensor(x), &windows, ceil)?.into()))
    });
    table.graph("prims._low_memory_max_pool_offsets_to_indices", |op| {
        let (x, windows, sizes) = (op.tensor(0), windows_given(op)?, op.ints("input_size")?);
        op.value(move |f| prims::max_pool_offsets_to_indices(f.tensor(x), &windows, &sizes))
    });
    table.both("_grouped_mm", |op| {
        let (a, b, offs) = (op.tensor(0), op.tensor(1), op.optional(2));
        op.value(move |f| grouped::grouped_product(f.tensor(a), f.tensor(b), optional(f, offs)))
    });
    table.both("transformers.grouped_mm_fallback", |op| {
        let [x, weight, offs] = [0, 1, 2].map(|place| op.tensor(place));
        op.value(move |f| grouped::grouped_mm(f.tensor(x), f.tensor(weight), f.tensor(offs)))
    });
    table.both("transformers.grouped_mm_fallback_backward", |op| {
        let [x, weight, offs, grad] = [0, 1, 2, 3].map(|place| op.tensor(place));
        op.values(move |f| {
            let (x, weight, offs, grad) = (f.tensor(x), f.tensor(weight), f.tensor(offs), f.tensor(grad));
            Ok(grouped::grouped_mm_backward(x, weight, offs, grad)?.into())
        })
    });
}
