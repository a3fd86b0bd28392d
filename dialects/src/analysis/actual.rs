//! Rules asked again when a program runs: a type with a `?` hid from verification what the operands then are.
//!
//! The question is the one that verification asks, with operands that stand for the actual ones: arguments of
//! a block of the actual types, constants of the actual numbers. So an operator states once what it refuses,
//! and in which words.

use crate::ir::{
    BlockLike, OperationLike,
    args::Args,
    context, registry,
    types::{TensorType, is_float},
};
use melior::ir::{
    Attribute, Block, Location, OperationRef, Type, TypeLike, Value, ValueLike,
    attribute::{FloatAttribute, IntegerAttribute},
    operation::OperationBuilder,
};

/// What an operand is when the program runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Actual {
    /// A tensor of these sizes.
    Sizes(Vec<i64>),
    /// An integer or a truth value.
    Int(i64),
    /// A float.
    Float(f64),
    /// Anything else: what its type says.
    Unknown,
}

/// Whether verification could not see all that the rule of an operator asks for: a size, or a number.
/// Operations of the lower dialects run once per element and are no operators.
pub fn is_open(op: OperationRef) -> bool {
    registry::of(op)
        .is_some_and(|class| class.infer.is_some() && matches!(class.dialect, "graph" | "functional"))
        && op.operands().any(|operand| match TensorType::of(operand.r#type()) {
            Some(tensor) => tensor.shape.contains(&terrace_size::DYNAMIC),
            None => !crate::aten::rules::is_constant(operand),
        })
}

/// Asks an operation's rule with what each of its operands actually is.
///
/// # Errors
/// What the rule refuses, in eager's words.
pub fn check(op: OperationRef, actual: &[Actual]) -> Result<(), String> {
    let Some(class) = registry::of(op).filter(|class| class.infer.is_some()) else {
        return Ok(());
    };
    let stand_ins = Block::new(&[]);
    let location = Location::unknown(context::of(op.context()));
    let operands: Vec<Value> = op
        .operands()
        .zip(actual)
        .map(|(operand, actual)| stand_in(&stand_ins, location, operand.r#type(), actual))
        .collect();
    let attribute = |name: &str| op.attribute(name).ok();
    class.result_types(&Args::new(class, op.context(), &operands, &attribute).running()).map(|_| ())
}

fn stand_in<'c, 'b>(
    block: &'b Block<'c>,
    location: Location<'c>,
    ty: Type<'c>,
    actual: &Actual,
) -> Value<'c, 'b> {
    let context = context::of(location.context());
    let (is_int, is_float) = (ty.is_integer() || ty.is_index(), is_float(ty));
    let value: Attribute = match actual {
        Actual::Sizes(sizes) => {
            let tensor = TensorType::of(ty).map(|tensor| tensor.with_shape(sizes).to_type(context));
            return block.add_argument(tensor.unwrap_or(ty), location);
        }
        Actual::Int(number) if is_int => IntegerAttribute::new(ty, *number).into(),
        Actual::Float(number) if is_float => FloatAttribute::new(context, ty, *number).into(),
        _ => return block.add_argument(ty, location),
    };
    let name = "arith.constant";
    let constant = OperationBuilder::new(name, location)
        .add_attributes(&[(melior::ir::Identifier::new(context, "value"), value)])
        .add_results(&[ty]);
    match context.is_registered_operation(name).then(|| constant.build()) {
        Some(Ok(constant)) => match block.append_operation(constant).result_at(0) {
            Ok(result) => result.into(),
            Err(_) => block.add_argument(ty, location),
        },
        _ => block.add_argument(ty, location),
    }
}
