//! The results of the boundary: tensors that are there, views of them, and new storages.

use super::{
    plan::{ArgumentOf, Boundary, Output, Plan, has_gaps, memory_order},
    updates,
};
use crate::{
    functional::writer::Written,
    graph::functionalize::{
        analysis::{
            dynamic_views,
            logical_views::Tensors,
            state::Analysis,
            tensors::{Layout, Origin, Tensor},
            transform::ElementTransform,
        },
        rewriting::{place::Place, selecting::selected},
    },
};
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike};
use std::collections::{HashMap, hash_map::Entry};
use terrace_dialects::{
    internal,
    ir::{OperationLike, context, pass::Failure, refusal::Reason, types::TensorType},
    ops::graph,
};
use terrace_layout::Key;
use terrace_size::DYNAMIC;

impl<'c, 'a> Boundary<'c, 'a> {
    /// The results of the function. The same tensor is one value; tensors that alias each other are views;
    /// one of several is selected.
    pub(crate) fn outputs<'l>(
        &self,
        analysis: &Analysis<'c, 'a>,
        plan: &Plan<'c>,
        call: OperationRef<'c, 'a>,
        argument: ArgumentOf<'_, 'l, 'c, 'a>,
        tensors: Tensors<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let named = tensors.named.clone();
        let mut indices = HashMap::new();
        for (dynamic_view, result) in &plan.dynamic_views {
            indices.insert(*dynamic_view, call.result_at(*result)?.into());
        }
        let mut rebuilt = Rebuilt {
            indices,
            tensors,
            named,
            last: HashMap::new(),
            fresh: HashMap::new(),
            aliases: HashMap::new(),
            updated: HashMap::new(),
            keys: HashMap::new(),
            types: HashMap::new(),
        };
        self.add_arguments(analysis, plan, call, argument, &mut rebuilt)?;
        self.add_storages(analysis, plan, call, &mut rebuilt)?;
        let mut types = HashMap::new();
        for (place, output) in plan.outputs.iter().enumerate() {
            let Output::Tensor(choice) = output else { continue };
            let ty = plan.returned[place];
            says_more(types.entry((&choice.by, &choice.states)), ty)?;
            for identity in &choice.states {
                says_more(rebuilt.types.entry(*identity), ty)?;
                // What is asked while results are made may make expressions simpler.
                rebuilt.keys.insert(*identity, analysis.identities[*identity].0.layout.key());
            }
        }
        let mut results: Vec<Value> = vec![];
        let mut chosen = HashMap::new();
        for (place, output) in plan.outputs.iter().enumerate() {
            let choice = match output {
                Output::Value(result) => {
                    results.push(call.result_at(*result)?.into());
                    continue;
                }
                Output::Tensor(choice) => choice,
            };
            let key = (&choice.by, &choice.states);
            // The same tensor is one value.
            let one = match chosen.get(&key) {
                Some(one) => *one,
                None => {
                    let mut states = vec![];
                    for identity in &choice.states {
                        let value = self.rebuilt(analysis, *identity, argument, &mut rebuilt)?;
                        states.push(self.of_type(analysis, *identity, value, types[&key])?);
                    }
                    let mut selectors = vec![];
                    for selector in &choice.by {
                        let result = plan.selectors.iter().find(|(known, _)| known == selector);
                        let (_, result) = result.ok_or(internal!("a selector is not returned"))?;
                        selectors
                            .push((call.result_at(*result)?.into(), analysis.selectors[*selector].states));
                    }
                    let put = |op| self.insert(Ok(op));
                    selected(Place { put: &put, location: self.location }, &selectors, &states)?
                }
            };
            chosen.insert(key, one);
            let cast = self.cast(one, plan.returned[place])?;
            results.push(cast.ok_or(internal!("a result is of another type than it was given by"))?);
        }
        for (index, _) in &plan.updated {
            let own =
                analysis.arguments[*index].as_ref().ok_or(internal!("an argument is no graph tensor"))?;
            results.push(rebuilt.named[&own.identity]);
        }
        Ok(results)
    }

    /// Adds the arguments: those that were written and are results, as new tensors.
    fn add_arguments<'l>(
        &self,
        analysis: &Analysis<'c, 'a>,
        plan: &Plan<'c>,
        call: OperationRef<'c, 'a>,
        argument: ArgumentOf<'_, 'l, 'c, 'a>,
        rebuilt: &mut Rebuilt<'c, 'a>,
    ) -> Result<(), Failure> {
        for (index, known) in analysis.arguments.iter().enumerate() {
            if let Some(known) = known {
                let (value, (own, _)) = argument(index)?;
                if let Some((_, result)) = plan.updated.iter().find(|(updated, _)| *updated == index) {
                    let (packed, whole) = updates::packed(own);
                    let root = self.value(graph::fresh(self.location, call.result_at(*result)?.into()))?;
                    let new = self.view(root, &packed, &whole)?;
                    rebuilt.named.insert(known.identity, new);
                    rebuilt.updated.insert(index, (root, packed));
                    continue;
                }
                rebuilt.named.insert(known.identity, value);
                let key = (Origin::Argument(index), own.key(), ElementTransform::stored(known.dtype));
                rebuilt.last.insert(key, value);
            }
        }
        Ok(())
    }

    /// Adds the new storages that are returned: a new tensor each, or one that is written where strides are
    /// not known.
    fn add_storages(
        &self,
        analysis: &Analysis<'c, 'a>,
        plan: &Plan<'c>,
        call: OperationRef<'c, 'a>,
        rebuilt: &mut Rebuilt<'c, 'a>,
    ) -> Result<(), Failure> {
        for (number, result, base) in &plan.fresh {
            let storage = &analysis.fresh[*number];
            let result = call.result_at(*result)?.into();
            if analysis.is_logical(Origin::Fresh(*number)) {
                let value = rebuilt.tensors.get(analysis, &self.writer, self.location, storage.identity)?;
                let result = self.valued(result, value)?;
                self.insert(graph::write_back(self.location, &[], result, value))?;
            } else {
                let packed = match has_gaps(base) {
                    true => Layout::contiguous(&[base.end()]),
                    false => Layout::contiguous(&base.permute(&memory_order(base)).sizes),
                };
                rebuilt.fresh.insert(*number, (self.value(graph::fresh(self.location, result))?, packed));
            }
        }
        Ok(())
    }

    /// A tensor of the function as it is for the caller.
    fn rebuilt<'l>(
        &self,
        analysis: &Analysis<'c, 'a>,
        identity: usize,
        argument: ArgumentOf<'_, 'l, 'c, 'a>,
        known: &mut Rebuilt<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        if let Some(value) = known.named.get(&identity) {
            return Ok(*value);
        }
        let tensor = &analysis.identities[identity].0;
        let key = (tensor.origin, known.keys[&identity].clone(), tensor.transform);
        let stored =
            analysis.dtype(analysis.root(tensor.origin)).ok_or(internal!("a storage is not known"))?;
        let value = match (known.last.get(&key), analysis.root(tensor.origin)) {
            (before, origin) if analysis.is_logical(origin) => {
                let value = known.tensors.get(analysis, &self.writer, self.location, identity)?;
                let times = known.aliases.entry(key.clone()).or_insert(0);
                *times += usize::from(before.is_some());
                (0..*times).try_fold(value, |value, _| self.value(graph::alias(self.location, value)))?
            }
            // Two tensors of one layout: an alias of the one before, which no other pass takes for the same
            // view.
            (Some(before), _) => self.value(graph::alias(self.location, *before))?,
            (None, Origin::Argument(i)) if let Some((root, packed)) = known.updated.get(&i) => {
                let (_, (own, stored)) = argument(i)?;
                if tensor.transform.dtype != stored || matches!(tensor.origin, Origin::DynamicView(_)) {
                    return Err(Reason::Mutation.says("returns a view of a written argument in another dtype or at an index known at run time only: use \
                                input-mutations=write-back").into());
                }
                let layout = updates::moved(own, &tensor.layout)?;
                self.transform(*root, (packed, stored), &Tensor { layout, ..tensor.clone() })?
            }
            (None, Origin::Argument(i)) => {
                let (root, own) = argument(i)?;
                self.transform(root, own, tensor)?
            }
            (None, Origin::DynamicView(_)) => return Err("a storage is a window".into()),
            (None, Origin::Fresh(number)) => {
                let (root, own) = known.fresh.get(&number).ok_or(internal!("a storage is not returned"))?;
                self.transform(*root, (own, stored), tensor)?
            }
        };
        let value = self.at_indices(analysis, tensor, value, &known.indices)?;
        let value = self.of_type(analysis, identity, value, known.types[&identity])?;
        known.last.insert(key, value);
        known.named.insert(identity, value);
        Ok(value)
    }

    /// The same tensor by a type that says no more of its sizes; None by others.
    fn cast(&self, value: Value<'c, 'a>, ty: Type<'c>) -> Result<Option<Value<'c, 'a>>, Failure> {
        if value.r#type() == ty {
            return Ok(Some(value));
        }
        let shape = |ty| {
            TensorType::<i64>::of(ty).map(|ty| ty.shape).ok_or(internal!("a result is no tensor of numbers"))
        };
        let (own, said) = (shape(value.r#type())?, shape(ty)?);
        match own.iter().zip(&said).all(|(own, said)| own == said || *said == DYNAMIC) {
            true => self.value(graph::cast(self.location, &[ty], value)).map(Some),
            false => Ok(None),
        }
    }

    /// A tensor as one of a type that says more or less of its sizes: another view of it, but where the type
    /// says no more.
    fn of_type(
        &self,
        analysis: &Analysis<'c, 'a>,
        identity: usize,
        value: Value<'c, 'a>,
        ty: Type<'c>,
    ) -> Written<'c, 'a> {
        if let Some(cast) = self.cast(value, ty)? {
            return Ok(cast);
        }
        let tensor = &analysis.identities[identity].0;
        let (layout, logical) = (&tensor.layout, analysis.is_logical(analysis.root(tensor.origin)));
        let said = TensorType::<i64>::of(ty).ok_or(internal!("a result is no tensor of numbers"))?;
        let mut dynamic = vec![];
        for (size, _) in layout.sizes.iter().zip(&said.shape).filter(|(_, said)| **said == DYNAMIC) {
            dynamic.push(self.writer.size(*size)?);
        }
        let (strides, at) = match logical {
            false => (self.writer.listed(&layout.strides)?, self.writer.listed(&[layout.offset])?),
            // The tensor says where it lies.
            true => {
                let rank = said.rank();
                let stride = |d| self.value(graph::sym_stride(self.location, value, d as i64));
                let strides = (0..rank).map(stride).collect::<Result<Vec<_>, _>>()?;
                let offset = self.value(graph::sym_storage_offset(self.location, value))?;
                ((strides, vec![DYNAMIC; rank]), (vec![offset], vec![DYNAMIC]))
            }
        };
        self.value(graph::as_strided(
            self.location,
            value,
            &dynamic,
            &said.shape,
            &strides.0,
            &strides.1,
            &at.0,
            &at.1,
        ))
    }

    /// A tensor in windows, of the one that it would be at their index 0.
    fn at_indices(
        &self,
        analysis: &Analysis<'c, 'a>,
        tensor: &Tensor,
        value: Value<'c, 'a>,
        indices: &HashMap<usize, Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let around = analysis.dynamic_views_around(tensor.origin);
        if around.is_empty() {
            return Ok(value);
        }
        let at = Place { put: &|op| self.insert(Ok(op)), location: self.location };
        let mut offset = self.writer.size(tensor.layout.offset)?;
        for (number, parent) in around {
            let (dim, index) = (analysis.dynamic_views[number].dim, indices[&number]);
            let steps =
                (self.writer.size(parent.layout.sizes[dim])?, self.writer.size(parent.layout.strides[dim])?);
            offset = dynamic_views::offset(at, offset, index, steps)?;
        }
        let (sizes, strides) =
            (self.writer.listed(&tensor.layout.sizes)?, self.writer.listed(&tensor.layout.strides)?);
        let (at, offset) = (self.location, [offset]);
        self.value(graph::as_strided(
            at,
            value,
            &sizes.0,
            &sizes.1,
            &strides.0,
            &strides.1,
            &offset,
            &[DYNAMIC],
        ))
    }
}

/// Of two types of one tensor, the one that says what both of them say of its sizes.
fn says_more<'c, K>(known: Entry<'_, K, Type<'c>>, ty: Type<'c>) -> Result<(), Failure> {
    let known = known.or_insert(ty);
    let both = TensorType::of(*known).zip(TensorType::<i64>::of(ty));
    let (mut one, other) = both.ok_or(internal!("a result is no tensor of numbers"))?;
    for (size, said) in one.shape.iter_mut().zip(&other.shape).filter(|(size, _)| **size == DYNAMIC) {
        *size = *said;
    }
    *known = one.to_type(context::of(ty.context()));
    Ok(())
}

/// Tensors that are there already when results are rebuilt.
struct Rebuilt<'c, 'a> {
    /// The indices of windows.
    indices: HashMap<usize, Value<'c, 'a>>,
    tensors: Tensors<'c, 'a>,
    /// By identity.
    named: HashMap<usize, Value<'c, 'a>>,
    /// The keys of layouts, by identity.
    keys: HashMap<usize, Key>,
    /// The types that say all that results say of their sizes, by identity.
    types: HashMap<usize, Type<'c>>,
    /// The last one of each layout.
    last: HashMap<(Origin, Key, ElementTransform), Value<'c, 'a>>,
    /// New storages that are returned, each with its layout.
    fresh: HashMap<usize, (Value<'c, 'a>, Layout)>,
    /// How many aliases tell a tensor in a frame from those before it.
    aliases: HashMap<(Origin, Key, ElementTransform), usize>,
    /// What arguments are in the end that are results, each with the layout of its elements.
    updated: HashMap<usize, (Value<'c, 'a>, Layout)>,
}
