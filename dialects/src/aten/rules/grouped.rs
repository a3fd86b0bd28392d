//! Products of rows or matrices in groups.

use super::{Size, TensorType, Types, may_equal, not_implemented, one};
use crate::ir::{args::Args, dtype::Dtype, types::Shape};

/// Rows [S, K], matrices [E, K, N], ends of groups [E].
fn groups<'c>(args: &Args<'c, '_>) -> Result<[TensorType<'c>; 2], String> {
    let (input, weight, offs) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let sizes = |t: &TensorType| Shape(&t.shape).to_string().replace('[', "(").replace(']', ")");
    for (t, rank, words) in [
        (&input, 2, "input must be 2D (S, input_dim)"),
        (&weight, 3, "weight must be 3D (num_experts, input_dim, output_dim)"),
        (&offs, 1, "offs must be 1D (num_experts,)"),
    ] {
        if t.rank() != rank {
            return Err(format!("{words}, got shape {}", sizes(t)));
        }
    }
    if !may_equal(offs.shape[0], weight.shape[0]) {
        return Err(format!(
            "offs length {} must match number of experts {}",
            offs.shape[0], weight.shape[0]
        ));
    }
    if !may_equal(input.shape[1], weight.shape[1]) {
        return Err(format!(
            "input_dim mismatch: input has {}, weight has {}",
            input.shape[1], weight.shape[1]
        ));
    }
    if !matches!(offs.dtype, Dtype::I32 | Dtype::I64) {
        return Err(format!("offs must be an integer tensor, got {}", offs.dtype.aten_name()));
    }
    if input.dtype != weight.dtype {
        return Err(format!(
            "expected m1 and m2 to have the same dtype, but got: {} != {}",
            input.dtype.c_name(),
            weight.dtype.c_name()
        ));
    }
    if input.dtype == Dtype::Bool {
        return Err(not_implemented("addmm_impl_cpu_", input.dtype));
    }
    Ok([input, weight])
}

/// [S, N].
pub fn grouped_mm<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let [input, weight] = groups(args)?;
    one(&input.with_shape(&[input.shape[0], weight.shape[2]]))
}

/// The types of rows and matrices.
pub fn grouped_mm_backward<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let [input, weight] = groups(args)?;
    let grad = args.tensor(3)?;
    let fits = grad.rank() == 2
        && grad.dtype == input.dtype
        && may_equal(grad.shape[0], input.shape[0])
        && may_equal(grad.shape[1], weight.shape[2]);
    if !fits {
        return Err(format!(
            "expects a gradient of the type of the result, got {}",
            grad.to_type(args.context())
        ));
    }
    Ok(vec![input.into(), weight.into()])
}

/// [M, N] of rows or columns in groups, else [G, M, N]: of two batches, or of two matrices.
pub fn grouped_product<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let (a, b) = (args.tensor(0)?, args.tensor(1)?);
    let offs = args.optional_tensor(2)?;
    for (t, name) in [(&a, "mat_a"), (&b, "mat_b")] {
        if !matches!(t.dtype, Dtype::F32 | Dtype::BF16 | Dtype::F16) {
            return Err(format!(
                "Expected {name} to be Float32, BFloat16 or Float16 matrix, got {}",
                t.dtype.aten_name()
            ));
        }
    }
    for (t, name) in [(&a, "mat_a"), (&b, "mat_b")] {
        if !(2..=3).contains(&t.rank()) {
            return Err(format!("{name} has to be 2 or 3d"));
        }
    }
    let ([m, inner], [k, n]) = (last_two(&a), last_two(&b));
    if !may_equal(inner, k) {
        return Err("contraction dimension of mat_a and mat_b must match".into());
    }
    let batches = [&a, &b].into_iter().filter(|t| t.rank() == 3).map(|t| t.shape[0]).collect::<Vec<_>>();
    if offs.is_some() != (batches.len() < 2) {
        return Err(
            "Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d".into()
        );
    }
    if let Some(offs) = &offs {
        if offs.rank() != 1 {
            return Err("offs has to be 1D".into());
        }
        if offs.dtype != Dtype::I32 {
            return Err("Offsets have to be int32".into());
        }
    }
    if args.optional_tensor(3)?.is_some() {
        return Err("Bias not supported yet".into());
    }
    if args.dtype("out_dtype")?.is_some_and(|dtype| dtype != a.dtype) {
        return Err("Grouped gemm output dtype must match `mat_a` dtype".into());
    }
    let groups =
        offs.map(|offs| offs.shape[0]).into_iter().chain(batches.iter().copied()).collect::<Vec<_>>();
    if groups.len() == 2 && !may_equal(groups[0], groups[1]) {
        let words = if batches.len() == 2 { "batched dimension has" } else { "matrix batch sizes have" };
        return Err(format!("{words} to match"));
    }
    if a.dtype != b.dtype {
        return Err(format!(
            "Expected mat_a and mat_b to have the same dtype, got {} and {}",
            a.dtype.aten_name(),
            b.dtype.aten_name()
        ));
    }
    let lead = if batches.len() == 1 { &[] } else { &groups[..1] };
    one(&a.with_shape(&[lead, &[m, n]].concat()))
}

fn last_two(t: &TensorType) -> [Size; 2] {
    [t.shape[t.rank() - 2], t.shape[t.rank() - 1]]
}
