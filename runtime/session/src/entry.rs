//! The function that a tool calls, and whether inputs fit it.

use crate::Error;
use melior::ir::{
    Attribute, Module, OperationRef, RegionLike, Type, TypeLike,
    attribute::{AttributeLike, TypeAttribute},
    r#type::FunctionType,
};
use mlir_sys::*;
use terrace_dialects::ir::{
    BlockLike, OperationLike, attributes as convert, cast, location,
    operations::name_of,
    strings,
    types::{Shape, TensorType},
};
use terrace_size::DYNAMIC;
use terrace_tensor::{Tensor, Value, layout};

/// The functions of a module.
pub fn functions<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    let mut next = module.body().first_operation();
    while let Some(op) = next {
        if name_of(op) == "func.func" {
            found.push(op);
        }
        next = op.next_in_block();
    }
    found
}

/// A function that can be called.
#[derive(Clone, Copy)]
pub struct Entry<'c, 'a>(OperationRef<'c, 'a>);

impl<'c, 'a> Entry<'c, 'a> {
    /// The function `name`; without a name `main`, or the only public function with a body.
    ///
    /// # Errors
    /// There is no such function, or several might be meant.
    pub fn find(module: &'a Module<'c>, name: Option<&str>) -> Result<Self, String> {
        let all: Vec<Self> = functions(module).into_iter().map(Self).collect();
        let callable: Vec<&Self> = all.iter().filter(|e| e.is_callable()).collect();
        let names = || callable.iter().map(|e| format!("@{}", e.name())).collect::<Vec<_>>().join(", ");
        let found = match name {
            Some(name) => callable.iter().find(|e| e.name() == name).ok_or_else(|| {
                format!(
                    "no function @{name} with a body; there are: {}",
                    if callable.is_empty() { "none".into() } else { names() }
                )
            })?,
            None => match (callable.iter().find(|e| e.name() == "main"), callable.as_slice()) {
                (Some(main), _) => main,
                (None, [one]) => one,
                (None, []) => return Err("the module has no public function with a body".into()),
                (None, _) => {
                    return Err(format!(
                        "several functions could be meant: name one by --entry: {}",
                        names()
                    ));
                }
            },
        };
        Ok(**found)
    }

    /// All public functions with a body.
    pub fn all(module: &'a Module<'c>) -> Vec<Self> {
        functions(module).into_iter().map(Self).filter(Self::is_callable).collect()
    }

    fn is_callable(&self) -> bool {
        let private = self.0.attribute("sym_visibility").is_ok_and(|a| convert::string(a) == "private");
        !private && self.0.region(0).is_ok_and(|r| r.first_block().is_some())
    }

    /// The operation.
    pub fn operation(self) -> OperationRef<'c, 'a> {
        self.0
    }

    /// The function's name.
    pub fn name(self) -> String {
        self.0.attribute("sym_name").map(convert::string).unwrap_or_default()
    }

    /// The function's type.
    pub fn function_type(self) -> FunctionType<'c> {
        let attribute = self.0.attribute("function_type").ok().and_then(cast::<TypeAttribute>);
        let ty = attribute.expect("func.func has a type").value();
        cast::<FunctionType>(ty).expect("func.func has a function type")
    }

    fn argument_attribute(self, index: usize, name: &str) -> Option<Attribute<'c>> {
        let all = self.0.attribute("arg_attrs").ok()?;
        // SAFETY: a verified function has a dictionary for each argument, and `index` is one of them.
        unsafe {
            let dictionary = mlirArrayAttrGetElement(all.to_raw(), index as isize);
            Attribute::from_option_raw(mlirDictionaryAttrGetElementByName(
                dictionary,
                strings::string_ref(name),
            ))
        }
    }

    /// Checks arguments against types and declarations.
    ///
    /// # Errors
    /// The first that does not fit.
    pub fn check(self, args: &[Value]) -> Result<(), Error> {
        self.fits(args).map_err(|why| Error::Argument { location: self.location(), entry: self.name(), why })
    }

    /// Whether the type of an argument leaves a size open.
    pub(crate) fn leaves_open(self, argument: usize, dim: usize) -> bool {
        let ty = self.function_type().input(argument).ok().and_then(TensorType::<i64>::of);
        ty.is_some_and(|ty| ty.shape.get(dim) == Some(&DYNAMIC))
    }

    /// Where it stands, as `file:line:column`.
    pub fn location(self) -> String {
        location::text(self.0.location())
    }

    fn fits(self, args: &[Value]) -> Result<(), String> {
        let ty = self.function_type();
        if args.len() != ty.input_count() {
            return Err(format!("expects {} arguments, got {}", ty.input_count(), args.len()));
        }
        for (i, arg) in args.iter().enumerate() {
            let expected = ty.input(i).map_err(|e| e.to_string())?;
            self.argument_fits(i, expected, arg).map_err(|m| format!("argument {i}: {m}"))?;
        }
        self.storages_fit(args)
    }

    fn argument_fits(self, index: usize, expected: Type<'c>, arg: &Value) -> Result<(), String> {
        let Some(tensor) = TensorType::of(expected) else { return scalar_fits(expected, arg) };
        let Some(given) = arg.as_tensor() else {
            return Err(format!("expects a tensor of type {expected}, got a number"));
        };
        let dtype = tensor.dtype;
        if given.dtype() != dtype {
            return Err(format!("expects dtype {dtype}, got {}", given.dtype()));
        }
        let sizes = given.sizes();
        let agree = sizes.len() == tensor.shape.len()
            && sizes.iter().zip(&tensor.shape).all(|(g, e)| g == e || *e == DYNAMIC);
        if !agree {
            return Err(format!("expects sizes {}, got {}", Shape(&tensor.shape), Shape(sizes)));
        }
        if tensor.graph {
            self.layout_fits(index, given)
        } else {
            contiguous(given, "a builtin tensor is contiguous at offset 0")
        }
    }

    /// The declared layout; without one any, which the function is compiled for.
    fn layout_fits(self, index: usize, given: &Tensor) -> Result<(), String> {
        if given.strides().iter().any(|stride| *stride < 0) {
            return Err(format!("strides are not negative, got {}", Shape(given.strides())));
        }
        let Some(declared) = self.argument_attribute(index, "graph.layout") else {
            return Ok(());
        };
        // SAFETY: only a strided layout is asked for its parts, of which it has as many as it says.
        unsafe {
            let raw = declared.to_raw();
            if mlirAttributeIsAString(raw) {
                return Ok(());
            }
            if !mlirAttributeIsAStridedLayout(raw) {
                return Err(format!("graph.layout is strided<[...]> or \"any\", not {declared}"));
            }
            let rank = mlirStridedLayoutAttrGetNumStrides(raw);
            let strides: Vec<i64> = (0..rank).map(|d| mlirStridedLayoutAttrGetStride(raw, d)).collect();
            let offset = mlirStridedLayoutAttrGetOffset(raw);
            let same = same_strides(given.sizes(), given.strides(), &strides)
                && (offset == given.offset() || offset == DYNAMIC);
            if same {
                return Ok(());
            }
            Err(format!(
                "declares graph.layout = {declared}, got strides {} and offset {}",
                Shape(given.strides()),
                given.offset()
            ))
        }
    }

    /// Arguments declared to share a storage do, and those declared apart do not.
    fn storages_fit(self, args: &[Value]) -> Result<(), String> {
        let declared: Vec<Option<String>> = (0..args.len())
            .map(|i| self.argument_attribute(i, "graph.storage").map(convert::string))
            .collect();
        for (i, a) in args.iter().enumerate() {
            for (j, b) in args.iter().enumerate().skip(i + 1) {
                let (Some(a), Some(b)) = (a.as_tensor(), b.as_tensor()) else { continue };
                let (Some(x), Some(y)) = (&declared[i], &declared[j]) else { continue };
                let shared = a.storage().is_same(b.storage());
                if x == y && !shared {
                    return Err(format!(
                        "arguments {i} and {j} declare one storage, \"{x}\", but come in two"
                    ));
                }
                if x != y && shared {
                    return Err(format!(
                        "arguments {i} and {j} declare two storages, \"{x}\" and \"{y}\", but share one"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Whether strides agree in every dimension where they matter.
fn same_strides(sizes: &[i64], given: &[i64], expected: &[i64]) -> bool {
    given.len() == expected.len()
        && (sizes.contains(&0)
            || (0..sizes.len()).all(|d| sizes[d] == 1 || given[d] == expected[d] || expected[d] == DYNAMIC))
}

fn contiguous(given: &Tensor, why: &str) -> Result<(), String> {
    if same_strides(given.sizes(), given.strides(), &layout::contiguous_strides(given.sizes()))
        && given.offset() == 0
    {
        return Ok(());
    }
    Err(format!("{why}: got strides {} and offset {}", Shape(given.strides()), given.offset()))
}

fn scalar_fits(expected: Type, arg: &Value) -> Result<(), String> {
    use terrace_tensor::Scalar;
    let raw = expected.to_raw();
    // SAFETY: the width is asked only of integers.
    unsafe {
        // Memrefs are checked against the compiled signature.
        if mlirTypeIsAMemRef(raw) {
            return if arg.as_tensor().is_some() {
                Ok(())
            } else {
                Err(format!("expects {expected}, got a number"))
            };
        }
        let integer = mlirTypeIsAIndex(raw) || (mlirTypeIsAInteger(raw) && mlirIntegerTypeGetWidth(raw) > 1);
        let bool = mlirTypeIsAInteger(raw) && mlirIntegerTypeGetWidth(raw) == 1;
        let fits = match arg.as_scalar() {
            Some(Scalar::Bool(_)) => bool,
            Some(Scalar::Int(_)) => integer || mlirTypeIsAFloat(raw),
            Some(Scalar::Float(_)) => mlirTypeIsAFloat(raw),
            Some(Scalar::Complex(..)) => false,
            None => return Err(format!("expects a number of type {expected}, got a tensor")),
        };
        if fits {
            Ok(())
        } else {
            Err(format!("expects a number of type {expected}, got {}", arg.as_scalar().expect("a number")))
        }
    }
}
