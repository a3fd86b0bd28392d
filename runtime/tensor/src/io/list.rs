//! Tensors as lists of lists: `[[1, 2], [3, 4]]` has the sizes [2, 2].

use super::{
    IoError,
    json::{self, Node},
};
use crate::{scalar::Scalar, tensor::Tensor};
use std::path::Path;
use terrace_layout::dtype::Dtype;

/// Reads a list as a row-major tensor of `rank` dimensions; `place` is what errors name.
///
/// # Errors
/// A text that is no JSON, lists of different lengths, other than `rank` of them inside each other, and
/// elements that the dtype cannot hold.
pub fn parse_list(place: &Path, text: &str, dtype: Dtype, rank: usize) -> Result<Tensor, IoError> {
    let json = json::parse(place, text)?;
    let root = Node::root(place, &json);
    let (mut sizes, mut elements) = (vec![None; rank], vec![]);
    collect(&root, dtype, &mut sizes, &mut elements)?;
    let sizes: Vec<i64> = sizes.into_iter().map(|size| size.unwrap_or(0)).collect();
    Tensor::from_elements(dtype, &sizes, &elements).map_err(|error| root.error(error.to_string()))
}

/// Takes in the elements of a node; `sizes` are those of its dimensions, as far as they have been seen.
fn collect(
    node: &Node,
    dtype: Dtype,
    sizes: &mut [Option<i64>],
    elements: &mut Vec<Scalar>,
) -> Result<(), IoError> {
    let rank = sizes.len();
    let Some((size, inner)) = sizes.split_first_mut() else {
        elements.push(node.element(dtype)?);
        return Ok(());
    };
    let what = format!("a list for each of {rank} dimensions");
    let items = node.items(&what)?;
    let length = items.len() as i64;
    match *size {
        Some(known) if known != length => {
            return Err(node.error(format!("expected a list of {known}, as the one before, found {length}")));
        }
        _ => *size = Some(length),
    }
    for item in items {
        collect(&item, dtype, inner, elements)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, dtype: Dtype, rank: usize) -> Result<Tensor, String> {
        parse_list(Path::new("list"), text, dtype, rank).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_are_dimensions() {
        let tensor = read("[[1, 2, \"inf\"], [4, 5.5, 6]]", Dtype::F32, 2).unwrap();
        assert_eq!(tensor.sizes(), [2, 3]);
        assert_eq!(tensor.to_vec()[4].to_f64(), 5.5);
        assert_eq!(read("[]", Dtype::I64, 2).unwrap().sizes(), [0, 0]);
        assert_eq!(read("7", Dtype::I64, 0).unwrap().sizes(), [0i64; 0]);
        let complex = read("[[1, 2], [3, 4]]", Dtype::C64, 1).unwrap();
        assert_eq!(complex.to_vec()[1].to_complex(), (3.0, 4.0));
    }

    #[test]
    fn what_is_no_tensor_is_an_error() {
        let error = |text, rank| read(text, Dtype::I64, rank).unwrap_err();
        assert!(error("[[1, 2], [3]]", 2).contains("expected a list of 2, as the one before, found 1"));
        assert!(error("[1, 2]", 2).contains("expected a list"));
        assert!(error("[[1]]", 1).contains("expected an integer"));
        assert!(error("[1.5]", 1).contains("expected an integer"));
        assert!(error("[1", 1).contains("malformed JSON"));
    }
}
