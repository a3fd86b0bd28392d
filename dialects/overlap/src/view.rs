//! How strided memory is seen with other sizes.

/// The strides with which a strided layout can be seen with other sizes of the same element count, without
/// moving an element; `None` when there are none.
///
/// Neighbouring old dimensions join into one run where walking the inner one to its end continues in the
/// outer one. The new sizes must cut each run into whole dimensions. As `at::computeStride` has it.
pub fn view_strides(sizes: &[i64], strides: &[i64], new_sizes: &[i64]) -> Option<Vec<i64>> {
    if sizes.contains(&0) {
        return Some(if sizes == new_sizes { strides.to_vec() } else { row_major(new_sizes) });
    }
    let mut new_strides = vec![0; new_sizes.len()];
    let mut unset = new_sizes.len();
    let mut dim = sizes.len();
    // From the innermost run outwards; a tensor of no dimensions is one run of one element.
    loop {
        let mut run = 1i64;
        let inner_stride = if dim == 0 { 1 } else { strides[dim - 1] };
        while dim > 0 {
            dim -= 1;
            run *= sizes[dim];
            let joins =
                dim > 0 && (sizes[dim - 1] == 1 || strides[dim - 1] == inner_stride.wrapping_mul(run));
            if dim > 0 && !joins {
                break;
            }
        }
        let mut taken = 1i64;
        while unset > 0 && (taken < run || new_sizes[unset - 1] == 1) {
            unset -= 1;
            new_strides[unset] = inner_stride.wrapping_mul(taken);
            taken *= new_sizes[unset];
        }
        if taken != run {
            return None;
        }
        if dim == 0 {
            return (unset == 0).then_some(new_strides);
        }
    }
}

/// Row-major strides; a size of 0 counts as 1.
fn row_major(sizes: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(sizes[dim].max(1));
    }
    strides
}

#[cfg(test)]
mod tests {
    use super::view_strides;

    #[test]
    fn views_that_exist() {
        assert_eq!(view_strides(&[2, 3, 4], &[12, 4, 1], &[6, 4]), Some(vec![4, 1]));
        assert_eq!(view_strides(&[2, 3], &[6, 2], &[6]), Some(vec![2]));
        assert_eq!(view_strides(&[4, 6], &[1, 4], &[2, 2, 6]), Some(vec![2, 1, 4]));
        assert_eq!(view_strides(&[], &[], &[1, 1]), Some(vec![1, 1]));
        assert_eq!(view_strides(&[1], &[5], &[]), Some(vec![]));
        assert_eq!(view_strides(&[3, 1], &[2, 7], &[3]), Some(vec![2]));
        assert_eq!(view_strides(&[0, 3], &[3, 1], &[5, 0]), Some(vec![1, 1]));
        assert_eq!(view_strides(&[2, 1], &[1, 2], &[2, 1]), Some(vec![1, 2]));
    }

    #[test]
    fn views_that_do_not_exist() {
        assert_eq!(view_strides(&[2, 3], &[1, 2], &[6]), None);
        assert_eq!(view_strides(&[2, 3], &[4, 1], &[6]), None);
        assert_eq!(view_strides(&[4, 6], &[12, 1], &[3, 8]), None);
    }
}
