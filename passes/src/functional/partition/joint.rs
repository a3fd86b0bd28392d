//! A joint graph in numbers: its values with their bytes, its operations with what they read, and who depends
//! on tangents.

use super::marks::Marks;
use crate::functional::{
    convert_to_loop::{is_pointwise, is_read_through, moves},
    view_to_copy::copy_of,
};
use melior::ir::{OperationRef, RegionLike, Type, TypeLike, Value, ValueLike};
use std::collections::HashMap;
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    dtype::{Dtype, ElementType},
    operations::{arguments, collect, key, name_of},
    pass::Failure,
    registry,
    types::TensorType,
    upstream::is_memory_effect_free,
};

/// Products, whose work is that of their factors. Sorted.
const PRODUCTS: &[&str] = &["bmm", "convolution", "convolution_backward", "linear", "mm"];

/// What an operation costs to be computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// About as much as reading what it makes.
    Cheap,
    /// More: a product.
    Product,
    /// More: a reduction, a scan, and all else.
    Reduction,
    /// It has effects, draws, holds regions or calls: another run may come to something else.
    Never,
}

/// A value: an argument of the function, or a result of an operation in its block.
pub struct Entry<'c, 'a> {
    pub value: Value<'c, 'a>,
    /// The bytes of its elements; None where they are not known, and it can't be saved.
    pub bytes: Option<u64>,
    /// The operation that makes it.
    pub by: Option<usize>,
    /// Whether it depends on a tangent.
    pub tangent: bool,
}

/// An operation of the function's block.
pub struct Node<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    /// The values that it and what is inside of it read.
    pub reads: Vec<usize>,
    pub makes: Vec<usize>,
    pub work: Work,
    /// Whether it depends on a tangent.
    pub tangent: bool,
}

/// A joint graph.
pub struct Joint<'c, 'a> {
    pub function: OperationRef<'c, 'a>,
    pub values: Vec<Entry<'c, 'a>>,
    pub nodes: Vec<Node<'c, 'a>>,
    /// The values that are returned, and whether each is a gradient.
    pub returned: Vec<(usize, bool)>,
    /// How many of the values are arguments.
    pub arguments: usize,
}

/// The bytes of a value of a type; None where they are not known.
fn bytes(ty: Type) -> Option<u64> {
    if let Some(tensor) = TensorType::of(ty) {
        let count = tensor.elements().filter(|_| !tensor.graph)?;
        return u64::try_from(count).ok()?.checked_mul(tensor.dtype.bytes() as u64);
    }
    if ty.is_index() {
        return Some(8);
    }
    Dtype::of(ty).map(|dtype| dtype.bytes() as u64)
}

/// What it costs to compute an operation again.
fn work(op: OperationRef) -> Work {
    if op.region_count() > 0 || !is_memory_effect_free(op) {
        return Work::Never;
    }
    let name = name_of(op);
    match registry::of(op).map(|class| class.dialect) {
        Some("functional") => {
            let short = name.trim_start_matches("functional.");
            let moves = copy_of(op).is_some() || is_read_through(op) || moves(op);
            let filled = matches!(short, "arange" | "full") || short.ends_with("_copy");
            if PRODUCTS.binary_search(&short).is_ok() {
                Work::Product
            } else if is_pointwise(op) || moves || filled {
                Work::Cheap
            } else {
                Work::Reduction
            }
        }
        Some(_) => Work::Never,
        None if name.starts_with("arith.") || name.starts_with("math.") || name == "complex.constant" => {
            Work::Cheap
        }
        None => Work::Never,
    }
}

impl<'c, 'a> Joint<'c, 'a> {
    /// Looks at a function.
    ///
    /// # Errors
    /// Several blocks; a result that depends on a tangent and is no gradient.
    pub fn of(function: OperationRef<'c, 'a>, marks: &Marks) -> Result<Self, Failure> {
        let block = function.region(0)?.first_block().ok_or("has no body")?;
        let end = block.terminator().ok_or("has a body without end")?;
        if block.next_in_region().is_some() {
            return Err(
                "has several blocks: a joint graph is one block, with control flow in scf operations".into(),
            );
        }
        let mut joint = Self {
            function,
            values: vec![],
            nodes: vec![],
            returned: vec![],
            arguments: block.argument_count(),
        };
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        for (number, value) in arguments(block).enumerate() {
            let bytes = bytes(value.r#type());
            let tangent = marks.tangents[number];
            numbers.insert(key(value), joint.values.len());
            joint.values.push(Entry { value, bytes, by: None, tangent });
        }
        // Effects keep their order: behind one of the backward part all belong to it.
        let mut behind = false;
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            if op == end {
                break;
            }
            // What is defined inside has no number yet.
            let mut reads: Vec<usize> = collect(op, |_| true)
                .iter()
                .flat_map(|op| op.operands())
                .filter_map(|v| numbers.get(&key(v)).copied())
                .collect();
            reads.sort_unstable();
            reads.dedup();
            let effects = !is_memory_effect_free(op);
            let tangent = (effects && behind) || reads.iter().any(|value| joint.values[*value].tangent);
            behind |= effects && tangent;
            let mut makes = vec![];
            for result in op.results() {
                let value: Value = result.into();
                let bytes = bytes(value.r#type());
                numbers.insert(key(value), joint.values.len());
                makes.push(joint.values.len());
                joint.values.push(Entry { value, bytes, by: Some(joint.nodes.len()), tangent });
            }
            joint.nodes.push(Node { op, reads, makes, work: work(op), tangent });
        }
        for (number, value) in end.operands().enumerate() {
            let value = numbers[&key(value)];
            let gradient = marks.gradients[number];
            if joint.values[value].tangent && !gradient {
                return Err(format!(
                    "result {number} depends on a tangent: it belongs to the backward part, which functional.gradient says"
                )
                .into());
            }
            joint.returned.push((value, gradient));
        }
        Ok(joint)
    }

    /// The values that the backward part needs of the forward part, if it computes nothing again.
    pub fn needed(&self) -> Vec<usize> {
        let reads = self.nodes.iter().filter(|node| node.tangent).flat_map(|node| &node.reads);
        let gradients = self.returned.iter().filter(|(_, gradient)| *gradient).map(|(value, _)| value);
        let mut needed: Vec<usize> =
            reads.chain(gradients).copied().filter(|value| !self.values[*value].tangent).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// The elements of an operation's results and operands, multiplied for a product: how its work compares
    /// with another's.
    pub fn cost(&self, node: &Node) -> u64 {
        let elements = |value: &usize| {
            TensorType::of(self.values[*value].value.r#type())
                .and_then(|t| t.elements())
                .map_or(1, |n| n.max(1) as u64)
        };
        let made: u64 = node.makes.iter().map(elements).sum();
        let read: u64 = node.reads.iter().map(elements).sum();
        match node.work {
            // Of a product of [m, k] and [k, n] the cost is m * k * n: the root of the product of all three
            // tensors' elements.
            Work::Product => {
                let all = node.makes.iter().chain(&node.reads).map(|v| elements(v) as f64).product::<f64>();
                all.sqrt() as u64
            }
            _ => made + read,
        }
    }
}
