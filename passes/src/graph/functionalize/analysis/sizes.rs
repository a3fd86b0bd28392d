//! Sizes that are not static, before anything is changed.
//!
//! A size of an argument that its type does not say is a symbol, and so is a number that the function gets or
//! computes, and a size that depends on elements. The type rules of operators, and the arithmetic on layouts,
//! compute with symbols as with numbers; what they take for granted about them is a guard ([`terrace_size`]).

use super::{
    state::{Analysis, graph_type},
    tensors::{Layout, Source},
};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    analysis::{fake::numbers, known::Known},
    aten::{
        placement::views::Viewed,
        rules::{Inferred, TensorType},
    },
    ir::{
        OperationLike,
        args::{Args, KnownValues},
        context,
        dtype::{Dtype, ElementType},
        operations::key,
        refusal::Reason,
        registry::OpImpl,
        types,
    },
};
use terrace_size::{
    Number, Size,
    arithmetic::places,
    symbols::{Symbol, current},
};

impl Source<'_, '_> {
    /// Whether it is known when the function is called.
    pub(crate) fn is_given(&self) -> bool {
        matches!(self, Source::Size { .. } | Source::Argument(_))
    }

    /// Of which argument it is given, and which size of it.
    fn given(&self) -> Option<(usize, Option<usize>)> {
        match *self {
            Source::Argument(argument) => Some((argument, None)),
            Source::Size { argument, dim } => Some((argument, Some(dim))),
            Source::Number(_) | Source::Counted(..) => None,
        }
    }
}

impl<'c> KnownValues<'c> for Analysis<'c, '_> {
    fn tensor(&self, value: Value<'c, '_>) -> Option<TensorType<'c>> {
        let ty = TensorType::of_type(value.r#type())?;
        Some(ty.with_shape(&self.tensor(value)?.layout.sizes))
    }

    fn number(&self, value: Value<'c, '_>) -> Option<Size> {
        self.numbers
            .get(&key(value))
            .copied()
            .or_else(|| crate::graph::functionalize::program::constant_int(value).map(Size::of_run))
    }
}

impl<'c, 'a> Analysis<'c, 'a> {
    fn symbol(&mut self, source: Source<'c, 'a>, low: i64) -> Size {
        let known = source.given().and_then(|key| self.given.get(&key));
        if let Some(symbol) = known {
            return current(|symbols| symbols.size(*symbol));
        }
        let (symbol, size): (Symbol, Size) = current(|symbols| symbols.symbol(None, low));
        self.take(symbol, source);
        size
    }

    /// Takes in a symbol.
    pub(crate) fn take(&mut self, symbol: Symbol, source: Source<'c, 'a>) {
        self.symbols.push((symbol, source));
        self.has_open |= matches!(source, Source::Size { .. } | Source::Counted(..));
        if let Some(given) = source.given() {
            self.given.insert(given, symbol);
            self.given_places.insert(symbol.place());
        }
    }

    /// The sizes of an argument.
    pub(crate) fn sizes_of_argument(&mut self, argument: usize, ty: &types::TensorType) -> Vec<Size> {
        let sizes = ty.shape.iter().enumerate();
        sizes
            .map(|(dim, size)| match *size {
                terrace_size::DYNAMIC => self.symbol(Source::Size { argument, dim }, 0),
                size => size.into(),
            })
            .collect()
    }

    /// Takes in a number that is given, or computed in a way that is not known.
    pub(crate) fn given(&mut self, value: Value<'c, 'a>, source: Source<'c, 'a>) {
        let counts =
            !self.only_static && types::is_count(value.r#type()) && types::bytes(value.r#type()) == Some(8);
        if counts && !self.numbers.contains_key(&key(value)) {
            let size = self.symbol(source, i64::MIN);
            if let (Source::Number(_), Some((symbol, _))) = (source, self.symbols.last()) {
                self.computed.insert(key(value), *symbol);
            }
            self.numbers.insert(key(value), size);
        }
    }

    /// Takes in the numbers that an operation of another dialect computes.
    pub(crate) fn computes(&mut self, op: OperationRef<'c, 'a>) {
        let counts = |value: Value| types::is_count(value.r#type());
        let constant = op.name().as_string_ref().as_str() == Ok("arith.constant");
        if constant || !op.results().any(|result| counts(result.into())) {
            return;
        }
        let sizes = |value: Value| self.tensor(value).map(|tensor| tensor.layout.sizes.clone());
        let number = |value: Value<'c, 'a>| KnownValues::number(self, value);
        let computed = numbers::computed(op, &number, &sizes);
        for (place, result) in op.results().enumerate() {
            match computed.filter(|_| place == 0) {
                Some(number) => {
                    self.numbers.insert(key(result), number);
                }
                None => self.given(result.into(), Source::Number(result.into())),
            }
        }
    }

    /// What sees an operation of graph makes a number of.
    pub(crate) fn asks_for(&mut self, op: OperationRef<'c, 'a>, class: &OpImpl) {
        if !matches!(class.rule, "sym_size" | "sym_number" | "item") {
            return;
        }
        let Some(result) = op.results().next().map(Value::from) else { return };
        let layout = || op.operands().next().and_then(|own| self.tensor(own)).map(|own| &own.layout);
        let dim = |rank: usize| {
            let dim = op.attribute("dim").map_or(0, terrace_dialects::ir::attributes::i64);
            crate::graph::functionalize::decompositions::places::wrap(dim, rank)
        };
        let number = match class.name {
            "graph.sym_size" => layout().and_then(|own| own.sizes.get(dim(own.rank())).copied()),
            "graph.sym_numel" => layout().map(Layout::numel),
            _ => None,
        };
        match number {
            Some(number) => {
                self.numbers.insert(key(result), number);
            }
            None => self.given(result, Source::Number(result)),
        }
    }

    /// The types of an operation's results that are graph tensors, by its rule; None of others.
    ///
    /// # Errors
    /// What the rule refuses.
    pub fn result_types(
        &mut self,
        op: OperationRef<'c, 'a>,
        class: &'static OpImpl,
    ) -> Result<Vec<Option<TensorType<'c>>>, String> {
        let said = |value: Value<'c, 'a>| graph_type(value.r#type()).map(TensorType::from);
        let mut results: Vec<Option<TensorType>> = op.results().map(|result| said(result.into())).collect();
        let open = |ty: &Option<TensorType>| ty.as_ref().is_some_and(|ty| !ty.is_static());
        // Where no tensor had a symbol before, none of the operands is open. A number may be.
        let any = |value: Value| self.numbers.get(&key(value)).is_some_and(|number| number.known().is_none());
        if !results.iter().any(open) && !self.has_open && !op.operands().any(any) {
            return Ok(results);
        }
        if class.infer.is_some() {
            let operands: Vec<Value> = op.operands().collect();
            let attribute = |name: &str| op.attribute(name).ok();
            let ruled = class.results(&Args::new(class, op.context(), &operands, &attribute).with(self))?;
            for (result, ruled) in results.iter_mut().zip(ruled) {
                let (Some(said), Inferred::Tensor(ruled)) = (result, ruled) else { continue };
                for (size, ruled) in said.shape.iter_mut().zip(ruled.shape) {
                    // What the type says holds.
                    if size.is_unknown() {
                        *size = ruled;
                    } else if !ruled.is_unknown() && size.assume_ne(ruled) {
                        return Err(
                            Reason::Size.says(format!("has a size of {ruled} where its type says {size}"))
                        );
                    }
                }
            }
        }
        for (number, result) in results.iter_mut().enumerate() {
            let Some(ty) = result else { continue };
            let value: Value = op.result_at(number).map_err(|e| e.to_string())?.into();
            if let Some(size) = ty.shape.iter().find(|size| size.known().is_some_and(|size| size < 0)) {
                return Err(format!("has a result with a negative size, {size}"));
            }
            for (dim, size) in ty.shape.iter_mut().enumerate().filter(|(_, size)| size.is_unknown()) {
                *size = self.counted_size(value, dim);
            }
        }
        Ok(results)
    }

    /// Whether sizes may be symbols here.
    pub fn knows_symbols(&self) -> bool {
        !self.only_static
    }

    /// A value that was written is this size.
    pub fn is_number(&mut self, value: Value, size: Size) {
        self.numbers.insert(key(value), size);
    }

    /// Takes in an operation that was written. Whatever is wrong with it is said when the whole function is
    /// asked.
    pub fn visit_new(&mut self, op: OperationRef<'c, 'a>, known: Known) {
        let before = self.symbols.len();
        let _ = self.visit(op);
        for (symbol, source) in &self.symbols[before..] {
            match *source {
                Source::Counted(value, dim) => known.set_dim(*symbol, value, dim),
                Source::Number(value) if value.r#type() == Dtype::I64.to_type(context::of(op.context())) => {
                    known.set_symbol(*symbol, value)
                }
                _ => {}
            }
        }
    }

    /// The sizes of a tensor: the same in all states.
    pub fn sizes(&self, value: Value) -> Option<Vec<Size>> {
        let identity = *self.choice(value)?.states.first()?;
        let sizes = &self.identities[identity].0.layout.sizes;
        Some(sizes.iter().map(|size| size.simplified()).collect())
    }

    /// A size that elements decide.
    fn counted_size(&mut self, value: Value<'c, 'a>, dim: usize) -> Size {
        if let Some((_, known)) = self.counted.get(&(key(value), dim)) {
            return *known;
        }
        let size = self.symbol(Source::Counted(value, dim), 0);
        if let Some((symbol, _)) = self.symbols.last() {
            self.counted.insert((key(value), dim), (*symbol, size));
        }
        size
    }

    /// Whether a layout has to do with symbols that are new since there were so many.
    pub(crate) fn is_new_since(&self, symbols: usize, layout: &Layout) -> bool {
        let new: Vec<usize> = self.symbols[symbols..].iter().map(|(symbol, _)| symbol.place()).collect();
        let all = layout.sizes.iter().chain(&layout.strides).chain([&layout.offset]);
        !new.is_empty() && places(all.map(|size| size.simplified())).iter().any(|place| new.contains(place))
    }

    /// Refuses tensors of different sizes that come to one place.
    pub(crate) fn one_size(&self, a: &[Size], b: &[Size]) -> Result<(), String> {
        for (a, b) in a.iter().zip(b) {
            let tested = !self.is_late([*a, *b]);
            if !(a.is_same(*b) || tested && a.assume_eq(*b)) {
                return Err(Reason::Branches.says(format!(
                    "brings along tensors of different sizes, {a} and {b}: what comes out has the same size on all ways"
                )));
            }
        }
        Ok(())
    }

    /// The symbol that a number of the program is.
    pub(crate) fn number_symbol(&self, value: Value) -> Option<Symbol> {
        self.computed.get(&key(value)).copied()
    }

    /// A result has these sizes; those that elements decide are known by it.
    pub(crate) fn has_sizes(&self, result: Value<'c, 'a>, value: Value<'c, 'a>, known: Known) {
        if self.symbols.is_empty() {
            return;
        }
        let Some(sizes) = self.sizes(result) else { return };
        known.set_sizes(value, &sizes);
        for dim in 0..sizes.len() {
            if let Some((symbol, _)) = self.counted.get(&(key(result), dim)) {
                known.set_dim(*symbol, value, dim);
            }
        }
    }

    /// The symbols in layouts that are known when the function has run only.
    pub(crate) fn dynamic_symbols<'l>(&self, layouts: impl Iterator<Item = &'l Layout>) -> Vec<Symbol> {
        if self.symbols.is_empty() {
            return vec![];
        }
        let all =
            layouts.flat_map(|layout| layout.sizes.iter().chain(&layout.strides).chain([&layout.offset]));
        let found = places(all.map(|size| size.simplified()));
        let is_made = |source: &Source| match source {
            Source::Size { .. } | Source::Argument(_) => false,
            Source::Counted(..) | Source::Number(_) => true,
        };
        let made =
            self.symbols.iter().filter(|(symbol, source)| is_made(source) && found.contains(&symbol.place()));
        made.map(|(symbol, _)| *symbol).collect()
    }

    /// The layouts of a view operation's results.
    ///
    /// # Errors
    /// In eager's words.
    pub(crate) fn layouts(
        &self,
        op: OperationRef<'c, 'a>,
        class: &'static OpImpl,
        own: &Layout,
        results: &[Vec<Size>],
    ) -> Result<Option<Vec<Layout>>, String> {
        let number = &|value: Value<'c, 'a>| KnownValues::number(self, value);
        Viewed { op, op_impl: class, own, results, number }.layouts()
    }
}
