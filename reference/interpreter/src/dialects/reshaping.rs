//! Operators of graph that alias or copy, copies in memory formats, and the copies of views.

use crate::{
    machine::{Op, Slot, Table},
    semantics::{
        Result, copy, parts,
        reshaping::{self, Format},
        split, views,
    },
};
use terrace_dialects::{
    ir::{OperationLike, attributes},
    table,
};
use terrace_tensor::Tensor;

/// The views with a form that copies them.
const COPIED: &[&str] = &[
    "_conj",
    "_neg_view",
    "alias",
    "detach",
    "diagonal",
    "expand",
    "permute",
    "select",
    "slice",
    "split",
    "split_with_sizes",
    "squeeze",
    "t",
    "transpose",
    "unbind",
    "unfold",
    "unsqueeze",
    "view_as_complex",
    "view_as_real",
];

/// Adds the operations; the views are there.
pub(super) fn register(table: &mut Table) {
    aliases(table);
    clones(table);
    decomposed(table);
    for name in COPIED {
        copy_of(table, &format!("graph.{name}"), &format!("graph.{name}_copy"));
    }
    for class in table::ALL.iter().filter(|class| class.dialect == "functional") {
        if let Some(copy) = class.copy {
            copy_of(table, class.name, copy.name);
        }
    }
}

/// Adds the copy of a view that is registered.
fn copy_of(table: &mut Table, view: &str, copy: &str) {
    let view = table.get(view).expect("the view is registered first");
    table.add(copy, move |op| {
        let view = view(op)?;
        let results: Vec<Slot> = op.operation().results().map(|result| op.slot(result.into())).collect();
        Ok(Box::new(move |machine, frame| {
            let flow = view(machine, frame)?;
            for &slot in &results {
                let copy = reshaping::packed_copy(frame.tensor(slot))?;
                frame.set(slot, copy);
            }
            Ok(flow)
        }))
    });
}

/// The memory format that an attribute names.
pub(super) fn format(op: &Op, default: Format) -> std::result::Result<Format, String> {
    let Some(name) = op.attribute("memory_format").map(attributes::string) else { return Ok(default) };
    Format::named(&name).ok_or_else(|| format!("'{name}' is no memory format"))
}

fn plain(table: &mut Table, name: &str, of: fn(&Tensor) -> Result<Tensor>) {
    table.graph(name, move |op| {
        let x = op.tensor(0);
        op.value(move |f| of(f.tensor(x)))
    });
}

fn aliases(table: &mut Table) {
    table.graph("reshape", |op| {
        let (x, shape) = (op.tensor(0), op.dynamic_ints("shape", 1)?);
        op.value(move |f| reshaping::reshape(f.tensor(x), &shape.get(f)))
    });
    table.graph("reshape_as", |op| {
        let (x, other) = (op.tensor(0), op.tensor(1));
        op.value(move |f| reshaping::reshape(f.tensor(x), f.tensor(other).sizes()))
    });
    table.graph("flatten.using_ints", |op| {
        let (x, start, end) = (op.tensor(0), op.int_or("start_dim", 0), op.int_or("end_dim", -1));
        op.value(move |f| reshaping::flatten(f.tensor(x), start, end))
    });
    plain(table, "ravel", reshaping::ravel);
    plain(table, "lift_fresh", |x| Ok(x.clone()));
    plain(table, "cast", |x| Ok(x.clone()));
    table.graph("contiguous", |op| {
        let (x, format) = (op.tensor(0), format(op, Format::Contiguous)?);
        op.value(move |f| reshaping::contiguous(f.tensor(x), format))
    });
    for name in ["to", "to.device", "to.other", "type_as"] {
        table.graph(name, |op| {
            let (x, copy) = (op.tensor(0), op.flag("copy"));
            let (dtype, format) = (op.result_kind(0)?.dtype, format(op, Format::Preserve)?);
            op.value(move |f| reshaping::to(f.tensor(x), dtype, copy, format))
        });
    }
    table.graph("_unsafe_view", |op| {
        let (x, sizes) = (op.tensor(0), op.dynamic_ints("size", 1)?);
        op.value(move |f| views::view(f.tensor(x), &sizes.get(f)))
    });
    table.graph("unsafe_split", |op| {
        let (x, size, dim) = (op.tensor(0), op.int("split_size")?, op.int_or("dim", 0));
        op.values(move |f| split::split(f.tensor(x), size, dim))
    });
    table.graph("unsafe_split_with_sizes", |op| {
        let (x, sizes, dim) = (op.tensor(0), op.ints("split_sizes")?, op.int_or("dim", 0));
        op.values(move |f| split::split_with_sizes(f.tensor(x), &sizes, dim))
    });
    table.graph("meshgrid", |op| {
        let tensors = op.list(0);
        let xy = op.attribute("indexing").map(attributes::string).as_deref() == Some("xy");
        op.values(move |f| {
            reshaping::meshgrid(&tensors.iter().map(|&slot| f.tensor(slot)).collect::<Vec<_>>(), xy)
        })
    });
}

fn clones(table: &mut Table) {
    table.graph("clone", |op| {
        let (x, format) = (op.tensor(0), format(op, Format::Preserve)?);
        op.value(move |f| reshaping::to_copy(f.tensor(x), f.tensor(x).dtype(), format))
    });
    plain(table, "lift_fresh_copy", reshaping::packed_copy);
    table.graph("_to_copy", |op| {
        let (x, dtype, format) = (op.tensor(0), op.result_kind(0)?.dtype, format(op, Format::Preserve)?);
        op.value(move |f| reshaping::to_copy(f.tensor(x), dtype, format))
    });
    table.functional("_to_copy", |op| {
        let (x, dtype) = (op.tensor(0), op.dtype("dtype")?);
        op.value(move |f| copy::to_copy(f.tensor(x), dtype))
    });
    table.graph("view_copy", |op| {
        let (x, sizes) = (op.tensor(0), op.dynamic_ints("size", 1)?);
        op.value(move |f| views::view(&reshaping::packed_copy(f.tensor(x))?, &sizes.get(f)))
    });
}

/// Views of other names.
fn decomposed(table: &mut Table) {
    plain(table, "mH", |x| parts::adjoint(&views::mt(x)?));
    plain(table, "adjoint", |x| parts::adjoint(&views::mt(x)?));
    plain(table, "matrix_H", |x| parts::adjoint(&views::t(x)?));
    plain(table, "numpy_T", |x| views::permute(x, &(0..x.rank() as i64).rev().collect::<Vec<_>>()));
    for (name, dim) in [("tensor_split", None), ("hsplit", Some(1)), ("vsplit", Some(0)), ("dsplit", Some(2))]
    {
        let (sections, indices) = if dim.is_none() { ("sections", "indices") } else { ("int", "array") };
        table.graph(&format!("{name}.{sections}"), move |op| {
            let (x, sections, dim) = (op.tensor(0), op.int("sections")?, dim.unwrap_or(op.int_or("dim", 0)));
            op.values(move |f| split::sections(f.tensor(x), sections, along(f.tensor(x), dim)))
        });
        table.graph(&format!("{name}.{indices}"), move |op| {
            let (x, indices, dim) = (op.tensor(0), op.ints("indices")?, dim.unwrap_or(op.int_or("dim", 0)));
            op.values(move |f| split::between(f.tensor(x), &indices, along(f.tensor(x), dim)))
        });
    }
}

/// Of a vector its only dimension.
fn along(tensor: &Tensor, dim: i64) -> i64 {
    if tensor.rank() == 1 { 0 } else { dim }
}
