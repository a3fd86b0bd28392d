//! Attributes as Rust values. ODS has checked their kinds before anything here is asked.

use super::strings::text;
use melior::{
    Context,
    ir::{AffineMap, Attribute, AttributeLike, Identifier, Type, TypeLike},
};
use mlir_sys::*;

/// An integer.
pub fn i64(a: Attribute) -> i64 {
    // SAFETY: it is an IntegerAttr, as ODS says of what is asked here.
    unsafe { mlirIntegerAttrGetValueInt(a.to_raw()) }
}

/// A float, as f64.
pub fn f64(a: Attribute) -> f64 {
    // SAFETY: it is a FloatAttr, as ODS says of what is asked here.
    unsafe { mlirFloatAttrGetValueDouble(a.to_raw()) }
}

/// A bool.
pub fn bool(a: Attribute) -> bool {
    // SAFETY: it is a BoolAttr, as ODS says of what is asked here.
    unsafe { mlirBoolAttrGetValue(a.to_raw()) }
}

/// A string.
pub fn string(a: Attribute) -> String {
    text_of(a).to_string()
}

/// A string, as the context has it.
pub fn text_of<'c>(a: Attribute<'c>) -> &'c str {
    // SAFETY: a string attribute lives as long as the context.
    unsafe { text(mlirStringAttrGetValue(a.to_raw())) }
}

/// The name of a flat symbol reference.
pub fn symbol(a: Attribute) -> String {
    // SAFETY: it is a SymbolRefAttr, as ODS says of what is asked here; its text is copied.
    unsafe { text(mlirSymbolRefAttrGetLeafReference(a.to_raw())).to_string() }
}

/// The names of a symbol reference, from the outermost module's on: those of `@a::@b` are `a` and `b`.
pub fn path<'c>(a: Attribute<'c>) -> impl Iterator<Item = &'c str> {
    let a = a.to_raw();
    // SAFETY: names live as long as the context.
    unsafe {
        let root = text(mlirSymbolRefAttrGetRootReference(a));
        let nested = (0..mlirSymbolRefAttrGetNumNestedReferences(a))
            .map(move |i| text(mlirSymbolRefAttrGetLeafReference(mlirSymbolRefAttrGetNestedReference(a, i))));
        std::iter::once(root).chain(nested)
    }
}

/// A type.
pub fn ty<'c>(a: Attribute<'c>) -> Type<'c> {
    // SAFETY: it is a TypeAttr, as ODS says of what is asked here; its type is the context's.
    unsafe { Type::from_raw(mlirTypeAttrGetValue(a.to_raw())) }
}

/// The elements of a dense array, of the type that `get` reads.
fn dense<T>(a: Attribute, get: unsafe extern "C" fn(MlirAttribute, isize) -> T) -> Vec<T> {
    let raw = a.to_raw();
    // SAFETY: it is such an array, as ODS says of what is asked here, with as many elements as it says.
    unsafe { (0..mlirDenseArrayGetNumElements(raw)).map(|i| get(raw, i)).collect() }
}

/// The numbers of a dense i64 array.
pub fn i64s(a: Attribute) -> Vec<i64> {
    dense(a, mlirDenseI64ArrayGetElement)
}

/// The numbers of a dense f64 array.
pub fn f64s(a: Attribute) -> Vec<f64> {
    dense(a, mlirDenseF64ArrayGetElement)
}

/// The numbers of a dense i32 array.
pub fn i32s(a: Attribute) -> Vec<i32> {
    dense(a, mlirDenseI32ArrayGetElement)
}

/// The elements of a `DenseIntElementsAttr` of 32-bit integers.
pub fn dense_i32s(a: Attribute) -> Vec<i32> {
    // SAFETY: the attribute was verified to be of this kind.
    unsafe {
        let count = mlirElementsAttrGetNumElements(a.to_raw()) as isize;
        (0..count).map(|i| mlirDenseElementsAttrGetInt32Value(a.to_raw(), i)).collect()
    }
}

/// The flags of a dense bool array.
pub fn bools(a: Attribute) -> Vec<bool> {
    dense(a, mlirDenseBoolArrayGetElement)
}

/// The strides and the offset of a strided layout; DYNAMIC where they are not known.
pub fn strided(a: Attribute) -> (Vec<i64>, i64) {
    // SAFETY: it is a StridedLayoutAttr, as ODS says of what is asked here, with as many strides as it says.
    unsafe {
        let raw = a.to_raw();
        let strides =
            (0..mlirStridedLayoutAttrGetNumStrides(raw)).map(|i| mlirStridedLayoutAttrGetStride(raw, i));
        (strides.collect(), mlirStridedLayoutAttrGetOffset(raw))
    }
}

/// The attribute as it is.
pub fn any(a: Attribute) -> Attribute {
    a
}

/// The view of an attribute, or the case of an enumeration.
pub fn typed<'c, T: TryFrom<Attribute<'c>, Error = Attribute<'c>>>(a: Attribute<'c>) -> T {
    T::try_from(a).unwrap_or_else(|a| panic!("ODS has checked the kind of {a}"))
}

/// The element that a constant tensor repeats; None where it is none, or has several.
pub fn splat<'c>(a: Attribute<'c>) -> Option<Attribute<'c>> {
    let raw = a.to_raw();
    // SAFETY: only dense elements are asked whether they are a splat, and only a splat for its element.
    unsafe {
        let splat = mlirAttributeIsADenseElements(raw) && mlirDenseElementsAttrIsSplat(raw);
        splat.then(|| Attribute::from_raw(mlirDenseElementsAttrGetSplatValue(raw)))
    }
}

/// The element of a constant tensor at a place.
///
/// # Panics
/// It has no such place.
pub fn element<'c>(a: Attribute<'c>, place: &[i64]) -> Attribute<'c> {
    let mut place: Vec<u64> = place.iter().map(|at| *at as u64).collect();
    let (raw, rank) = (a.to_raw(), place.len() as isize);
    // SAFETY: the place, which is read during the call, is one of the tensor's.
    unsafe {
        assert!(a.is_dense_elements() && mlirElementsAttrIsValidIndex(raw, rank, place.as_mut_ptr()));
        Attribute::from_raw(mlirElementsAttrGetValue(raw, rank, place.as_mut_ptr()))
    }
}

/// The parts of a complex number; None of another attribute.
pub fn complex(a: Attribute) -> Option<[f64; 2]> {
    let raw = a.to_raw();
    // SAFETY: the attribute is live, and asked only what its kind answers.
    unsafe {
        if !mlirAttributeIsAArray(raw) || mlirArrayAttrGetNumElements(raw) != 2 {
            return None;
        }
        let part = |at| {
            let part = mlirArrayAttrGetElement(raw, at);
            mlirAttributeIsAFloat(part).then(|| mlirFloatAttrGetValueDouble(part))
        };
        Some([part(0)?, part(1)?])
    }
}

/// The members of an array.
pub fn array<'c>(a: Attribute<'c>) -> Vec<Attribute<'c>> {
    let raw = a.to_raw();
    // SAFETY: only an array is asked for its members, of which it has as many as it says.
    unsafe {
        let count = if mlirAttributeIsAArray(raw) { mlirArrayAttrGetNumElements(raw) } else { 0 };
        (0..count).map(|i| Attribute::from_raw(mlirArrayAttrGetElement(raw, i))).collect()
    }
}

/// The map that an attribute holds.
pub fn map<'c>(a: Attribute<'c>) -> AffineMap<'c> {
    // SAFETY: whoever asks knows that it is a map.
    unsafe { AffineMap::from_raw(mlirAffineMapAttrGetValue(a.to_raw())) }
}

/// A map as an attribute.
pub fn of_map<'c>(map: AffineMap<'c>) -> Attribute<'c> {
    // SAFETY: the attribute is of the map's context.
    unsafe { Attribute::from_raw(mlirAffineMapAttrGet(map.to_raw())) }
}

/// The map of `dims` dimensions to themselves, as an attribute.
pub fn identity_map<'c>(context: &'c Context, dims: usize) -> Attribute<'c> {
    // SAFETY: map and attribute are of the context.
    unsafe {
        let map = mlirAffineMapMultiDimIdentityGet(context.to_raw(), dims as isize);
        Attribute::from_raw(mlirAffineMapAttrGet(map))
    }
}

/// The type that a typed attribute says.
pub fn type_of<'c>(a: Attribute<'c>) -> Type<'c> {
    // SAFETY: an attribute without a type has that of nothing.
    unsafe { Type::from_raw(mlirAttributeGetType(a.to_raw())) }
}

/// A tensor of i64 as an attribute of its type.
///
/// # Panics
/// These are not as many as the type has elements.
pub fn dense_i64s<'c>(ty: Type<'c>, numbers: &[i64]) -> Attribute<'c> {
    assert_eq!(super::types::sizes(ty).iter().product::<i64>(), numbers.len() as i64, "elements of {ty}");
    // SAFETY: there are as many numbers as the type has elements.
    unsafe {
        let count = numbers.len() as isize;
        Attribute::from_raw(mlirDenseElementsAttrInt64Get(ty.to_raw(), count, numbers.as_ptr()))
    }
}

/// A dictionary.
pub fn dictionary<'c>(context: &'c Context, entries: &[(Identifier<'c>, Attribute<'c>)]) -> Attribute<'c> {
    // SAFETY: all are of the context; the list is read during the call.
    unsafe {
        let named =
            |(name, value): &(Identifier, Attribute)| mlirNamedAttributeGet(name.to_raw(), value.to_raw());
        let named: Vec<_> = entries.iter().map(named).collect();
        Attribute::from_raw(mlirDictionaryAttrGet(context.to_raw(), named.len() as isize, named.as_ptr()))
    }
}

/// The entries of a dictionary; none of another attribute.
pub fn entries<'c>(a: Attribute<'c>) -> Vec<(Identifier<'c>, Attribute<'c>)> {
    // SAFETY: a dictionary has as many entries as it says, of its context.
    unsafe {
        if !mlirAttributeIsADictionary(a.to_raw()) {
            return vec![];
        }
        let entry = |k| {
            let named = mlirDictionaryAttrGetElement(a.to_raw(), k);
            (Identifier::from_raw(named.name), Attribute::from_raw(named.attribute))
        };
        (0..mlirDictionaryAttrGetNumElements(a.to_raw())).map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{ir::builder::IntoAttribute, ops::Combiner};
    use melior::{Context, ir::Attribute};

    #[test]
    fn an_enumeration_comes_back_out_of_its_attribute() {
        let context = Context::new();
        for combiner in Combiner::ALL {
            assert_eq!(super::typed::<Combiner>(combiner.attribute(&context)), *combiner);
        }
        for other in ["99 : i32", "\"add\""] {
            let other = Attribute::parse(&context, other).unwrap();
            assert_eq!(Combiner::try_from(other), Err(other));
        }
    }
}
