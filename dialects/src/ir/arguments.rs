//! What a function declares about its graph tensors: the attributes `graph.storage` and `graph.layout` of
//! arguments.
//!
//! * `graph.storage = "s0"`: arguments of the same name share a storage, those of different names do not;
//!   without it nothing is known.
//! * `graph.distinct`, of a private function: no two indices name one place. Who calls it has seen to that.
//! * `graph.layout = strided<[3, 1], offset: 2>`: strides and offset, `?` where they are known at run time
//!   only; `graph.layout = "any"`: nothing is known; without it the argument is contiguous at offset 0.
//!
//! The compiler relies on them, and the runtime checks them at entry.

use super::{
    OperationLike,
    attributes::string,
    cast,
    strings::{string_ref, text},
    types::TensorType,
};
use melior::ir::{
    Attribute, AttributeLike, OperationRef, Type,
    attribute::{StridedLayoutAttribute, StringAttribute},
};
use mlir_sys::*;
use std::collections::BTreeMap;
use terrace_size::DYNAMIC;

/// The name of the attribute that names an argument's storage.
pub const STORAGE: &str = "graph.storage";
/// The name of the attribute that declares an argument's strides and offset.
pub const LAYOUT: &str = "graph.layout";
/// The name of the attribute that says that no two indices of an argument name one place.
pub const DISTINCT: &str = "graph.distinct";
/// The name of the attribute that says what an argument or an operation's results are, as
/// graph-propagate-fake found out.
pub const FAKE: &str = "graph.fake";

/// The declared layout of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Row-major, without gaps, at offset 0.
    Contiguous,
    /// Strides and offset in elements; [`DYNAMIC`] where unknown.
    #[allow(missing_docs)]
    Strided { strides: Vec<i64>, offset: i64 },
    /// Unknown.
    Any,
}

/// What an argument declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The name of its storage, if it has one.
    pub storage: Option<String>,
    /// Its strides and offset.
    pub layout: Layout,
    /// Whether no two indices name one place.
    pub distinct: bool,
}

fn storage(value: Attribute) -> Result<String, String> {
    cast::<StringAttribute>(value)
        .map(|s| string(s.into()))
        .ok_or_else(|| format!("{STORAGE} is the name of a storage, as in \"s0\", got {value}"))
}

fn layout(value: Attribute) -> Result<Layout, String> {
    if cast::<StringAttribute>(value).is_some_and(|s| string(s.into()) == "any") {
        return Ok(Layout::Any);
    }
    let strided = StridedLayoutAttribute::try_from(value).map_err(|_| {
        format!("{LAYOUT} is \"any\" or strides and an offset, as in strided<[3, 1], offset: 2>, got {value}")
    })?;
    let strides: Vec<i64> = (0..strided.stride_count()).filter_map(|i| strided.stride(i).ok()).collect();
    let offset = strided.offset();
    if let Some(n) = strides.iter().chain([&offset]).find(|n| **n < 0 && **n != DYNAMIC) {
        return Err(format!("{LAYOUT} has {n}, but strides and offsets are not negative"));
    }
    Ok(Layout::Strided { strides, offset })
}

pub(crate) fn input<'c>(function: OperationRef<'c, '_>, argument: usize) -> Option<Type<'c>> {
    let signature = function.attribute("function_type").ok()?;
    // SAFETY: each class is tested before it is asked for its parts, and the number is in range.
    unsafe {
        if !mlirAttributeIsAType(signature.to_raw()) {
            return None;
        }
        let ty = mlirTypeAttrGetValue(signature.to_raw());
        let known = mlirTypeIsAFunction(ty) && (argument as isize) < mlirFunctionTypeGetNumInputs(ty);
        known.then(|| Type::from_raw(mlirFunctionTypeGetInput(ty, argument as isize)))
    }
}

/// Checks one attribute of the graph dialect at an argument.
pub(crate) fn verify(
    function: OperationRef,
    argument: usize,
    name: &str,
    value: Attribute,
) -> Result<(), String> {
    let tensor = input(function, argument).and_then(TensorType::of).filter(|t| t.graph);
    let tensor = tensor.ok_or_else(|| format!("'{name}' stands at graph tensors only"))?;
    match name {
        STORAGE => storage(value).map(drop),
        LAYOUT => match layout(value)? {
            Layout::Strided { strides, .. } if strides.len() != tensor.rank() => Err(format!(
                "{LAYOUT} has {} strides for a tensor of {} dimensions",
                strides.len(),
                tensor.rank()
            )),
            _ => Ok(()),
        },
        FAKE => Ok(()),
        DISTINCT if !is_private(function) => {
            Err(format!("'{DISTINCT}' stands at arguments of private functions only: nobody tests it"))
        }
        DISTINCT => Ok(()),
        _ => Err(format!("'{name}' is no attribute of arguments: {STORAGE}, {LAYOUT} and {DISTINCT} are")),
    }
}

/// Whether only the module knows a function.
pub fn is_private(function: OperationRef) -> bool {
    let visibility = function.attribute("sym_visibility").ok().and_then(cast::<StringAttribute>);
    visibility.is_some_and(|visibility| visibility.value() == "private")
}

/// What argument `argument` of a function declares. An error where an attribute is malformed: a function that
/// was verified has none.
pub fn declared(function: OperationRef, argument: usize) -> Result<Declared, String> {
    let mut out = Declared { storage: None, layout: Layout::Contiguous, distinct: false };
    let Ok(all) = function.attribute("arg_attrs") else { return Ok(out) };
    // SAFETY: each class is tested before it is asked for its parts; numbers are in range.
    unsafe {
        let all = all.to_raw();
        if !mlirAttributeIsAArray(all) || argument as isize >= mlirArrayAttrGetNumElements(all) {
            return Ok(out);
        }
        let own = mlirArrayAttrGetElement(all, argument as isize);
        if !mlirAttributeIsADictionary(own) {
            return Ok(out);
        }
        for i in 0..mlirDictionaryAttrGetNumElements(own) {
            let named = mlirDictionaryAttrGetElement(own, i);
            let value = Attribute::from_raw(named.attribute);
            match text(mlirIdentifierStr(named.name)) {
                STORAGE => out.storage = Some(storage(value)?),
                LAYOUT => out.layout = layout(value)?,
                DISTINCT => out.distinct = true,
                _ => {}
            }
        }
    }
    Ok(out)
}

/// Takes attributes of these names out of the arguments of a function.
pub fn forget(function: OperationRef, names: &[&str]) {
    let Ok(old) = function.attribute("arg_attrs") else { return };
    // SAFETY: the list holds a dictionary for each argument, and all is of the function's context.
    unsafe {
        let context = mlirOperationGetContext(function.to_raw());
        let kept = |argument: isize| {
            let own = mlirArrayAttrGetElement(old.to_raw(), argument);
            let named =
                (0..mlirDictionaryAttrGetNumElements(own)).map(|i| mlirDictionaryAttrGetElement(own, i));
            let named: Vec<MlirNamedAttribute> =
                named.filter(|named| !names.contains(&text(mlirIdentifierStr(named.name)))).collect();
            mlirDictionaryAttrGet(context, named.len() as isize, named.as_ptr())
        };
        let all: Vec<MlirAttribute> = (0..mlirArrayAttrGetNumElements(old.to_raw())).map(kept).collect();
        let all = mlirArrayAttrGet(context, all.len() as isize, all.as_ptr());
        mlirOperationSetAttributeByName(function.to_raw(), string_ref("arg_attrs"), all);
    }
}

/// Sets attributes of arguments of a function: the argument, the name, the value.
///
/// All at once: the list of all arguments' attributes is made anew, and lives as long as the context.
pub fn set_attributes<'c>(function: OperationRef<'c, '_>, attributes: &[(usize, &str, Attribute<'c>)]) {
    if attributes.is_empty() {
        return;
    }
    let mut changed: BTreeMap<usize, BTreeMap<&str, MlirAttribute>> = BTreeMap::new();
    for (argument, name, value) in attributes {
        changed.entry(*argument).or_default().insert(name, value.to_raw());
    }
    // SAFETY: what the list holds are dictionaries, and all is of the function's context.
    unsafe {
        let context = mlirOperationGetContext(function.to_raw());
        let empty = mlirDictionaryAttrGet(context, 0, std::ptr::null());
        let old = function.attribute("arg_attrs").ok().map(|list| list.to_raw());
        let count = mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(
            function.attribute("function_type").expect("a function has a type").to_raw(),
        ));
        let dictionary = |argument: isize| {
            let own = old.map_or(empty, |list| mlirArrayAttrGetElement(list, argument));
            let Some(mut new) = changed.get(&(argument as usize)).cloned() else { return own };
            for i in 0..mlirDictionaryAttrGetNumElements(own) {
                let named = mlirDictionaryAttrGetElement(own, i);
                new.entry(text(mlirIdentifierStr(named.name))).or_insert(named.attribute);
            }
            let named = |(name, attribute): (&&str, &MlirAttribute)| MlirNamedAttribute {
                name: mlirIdentifierGet(context, string_ref(name)),
                attribute: *attribute,
            };
            let named: Vec<MlirNamedAttribute> = new.iter().map(named).collect();
            mlirDictionaryAttrGet(context, named.len() as isize, named.as_ptr())
        };
        let all: Vec<MlirAttribute> = (0..count).map(dictionary).collect();
        let all = mlirArrayAttrGet(context, count, all.as_ptr());
        mlirOperationSetAttributeByName(function.to_raw(), string_ref("arg_attrs"), all);
    }
}

/// An attribute of an argument or a result of a function, by the list that it stands in: `arg_attrs` or
/// `res_attrs`.
pub fn list_attribute<'c>(
    function: OperationRef<'c, '_>,
    list: &str,
    index: usize,
    name: &str,
) -> Option<Attribute<'c>> {
    let all = function.attribute(list).ok()?;
    // SAFETY: the element is there, and a dictionary, in such a list.
    unsafe {
        if !mlirAttributeIsAArray(all.to_raw()) || index as isize >= mlirArrayAttrGetNumElements(all.to_raw())
        {
            return None;
        }
        let dictionary = mlirArrayAttrGetElement(all.to_raw(), index as isize);
        Attribute::from_option_raw(mlirDictionaryAttrGetElementByName(
            dictionary,
            crate::ir::strings::string_ref(name),
        ))
    }
}
