//! The memrefs of a function: its arguments, what it allocates, and views.

use super::{Maker, View};
use crate::{dtypes::element_type, program::Argument};
use terrace_tensor::{Dtype, layout};

/// The types of elements.
const DTYPES: [Dtype; 12] = [
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F32,
    Dtype::F64,
    Dtype::I32,
    Dtype::I32,
    Dtype::I64,
    Dtype::I16,
    Dtype::I8,
    Dtype::F16,
];

/// The type of a memref; sizes that stand open are `?`, and so are strides and an offset of None. Strides
/// that are none are those of a row-major one.
fn type_of(
    dtype: Dtype,
    sizes: &[i64],
    open: &[bool],
    layout: Option<(&[Option<i64>], Option<i64>)>,
) -> String {
    let number = |known: Option<i64>| known.map_or("?".to_owned(), |known| known.to_string());
    let size = |(d, size): (usize, &i64)| format!("{}x", number((!open[d]).then_some(*size)));
    let sizes: String = sizes.iter().enumerate().map(size).collect();
    let layout = layout.map_or(String::new(), |(strides, offset)| {
        let strides: Vec<_> = strides.iter().map(|stride| number(*stride)).collect();
        format!(", strided<[{}], offset: {}>", strides.join(", "), number(offset))
    });
    format!("memref<{sizes}{}{layout}>", element_type(dtype))
}

impl Maker {
    /// Sizes of a memref.
    fn sizes(&mut self, least: i64) -> Vec<i64> {
        let rank = self
            .random
            .choose(&[0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3].map(|rank: i64| rank.max(least)));
        let size = |_| if self.random.percent(2) { 0 } else { self.random.choose(&[1, 2, 3, 4, 4, 5, 6, 8]) };
        (0..rank).map(size).collect()
    }

    /// The arguments; a number among them now and then.
    pub(super) fn arguments(&mut self) {
        let dtype = self.random.choose(&DTYPES);
        let count = self.random.between(1, 4);
        let shares = count > 1 && self.random.percent(30);
        for number in 0..count {
            let own = if self.random.percent(12) { self.random.choose(&DTYPES) } else { dtype };
            let same =
                self.random.percent(30).then(|| self.views.last().map(|last| last.sizes.clone())).flatten();
            let sizes = same.unwrap_or_else(|| self.sizes(0));
            let earlier: Vec<usize> = (0..self.views.len()).filter(|i| self.views[*i].dtype == own).collect();
            match earlier.is_empty() {
                false if shares && number > 0 && self.random.percent(70) => {
                    let first = self.random.choose(&earlier);
                    self.shared(own, sizes, first);
                }
                _ => self.alone(own, sizes),
            }
        }
        for _ in 0..self.random.choose(&[0, 0, 1, 1, 2]) {
            let value = self.random.between(0, 6);
            let name = self.source.number(value);
            self.numbers.push((name, value));
        }
        if !shares {
            match self.random.between(0, 3) {
                0 | 1 if count > 1 => self.distinguishable(),
                2 => {
                    self.source.exact = false;
                    self.source.before =
                        "convert-affine-to-loop{distinct-arguments=true reassociate-floats=true}";
                }
                _ => {}
            }
        }
        if self.source.before.is_empty() && self.random.percent(50) {
            self.source.before = "convert-affine-to-loop{version-aliases=true}";
        }
    }

    /// An argument on a storage of its own.
    fn alone(&mut self, dtype: Dtype, sizes: Vec<i64>) {
        let open: Vec<bool> = sizes.iter().map(|_| self.random.percent(15)).collect();
        let fixed = !open.contains(&true);
        let ty = type_of(dtype, &sizes, &open, None);
        let name = self.source.argument(&mut self.random, dtype, &sizes, ty.clone());
        let strides = layout::contiguous_strides(&sizes);
        let base = self.source.call.storages.len() - 1;
        self.views.push(View { name, ty, dtype, sizes, strides, offset: 0, fixed, base });
    }

    /// An argument on the storage of another one, which it overlaps somehow.
    fn shared(&mut self, dtype: Dtype, sizes: Vec<i64>, first: usize) {
        let base = self.source.call.arguments[first].storage;
        let strides = layout::contiguous_strides(&sizes);
        let offset = if self.random.percent(50) { 0 } else { self.random.between(0, 4) };
        let end = offset + sizes.iter().product::<i64>();
        let elements = &mut self.source.call.storages[base].elements;
        while (elements.len() as i64) < end {
            elements.push(terrace_tensor::Scalar::Int(self.random.between(-2, 3)).cast(dtype));
        }
        let open = vec![false; sizes.len()];
        let layout: Vec<Option<i64>> = strides.iter().map(|own| Some(*own)).collect();
        let ty = match offset {
            0 => type_of(dtype, &sizes, &open, None),
            _ => type_of(dtype, &sizes, &open, Some((&layout, None))),
        };
        let own = Argument::new(base, dtype, sizes.clone(), strides.clone(), offset);
        let name = self.source.argument_in(own, ty.clone());
        self.views.push(View { name, ty, dtype, sizes, strides, offset, fixed: offset == 0, base });
    }

    /// Says that arguments are different memories.
    fn distinguishable(&mut self) {
        let names: Vec<String> = self.views.iter().map(|view| view.name.clone()).collect();
        let types: Vec<String> = self.views.iter().map(|view| view.ty.clone()).collect();
        let own = self.name();
        self.line(format!(
            "{own}:{} = memref.distinct_objects {} : {}",
            names.len(),
            names.join(", "),
            types.join(", ")
        ));
        for (i, view) in self.views.iter_mut().enumerate() {
            view.name = format!("{own}#{i}");
        }
    }

    /// Memory of the function's own, filled.
    pub(super) fn allocated(&mut self) {
        let dtype = match self.views.first() {
            Some(view) if self.random.percent(85) => view.dtype,
            _ => self.random.choose(&DTYPES),
        };
        let like = self.random.percent(40).then(|| self.chosen(None)).flatten();
        let sizes = like.map_or_else(|| self.sizes(0), |like| like.sizes);
        let number =
            |size: &i64| self.numbers.iter().find(|(_, own)| own == size).map(|(name, _)| name.clone());
        let given: Vec<Option<String>> = sizes.iter().map(number).collect();
        let given: Vec<Option<String>> =
            given.into_iter().map(|own| own.filter(|_| self.random.percent(60))).collect();
        let open: Vec<bool> = given.iter().map(Option::is_some).collect();
        let ty = type_of(dtype, &sizes, &open, None);
        let operands: Vec<String> = given.into_iter().flatten().collect();
        let way = if self.random.percent(20) { "alloca" } else { "alloc" };
        let text = format!("memref.{way}({}) : {ty}", operands.join(", "));
        self.defined(&text, ty, dtype, sizes, operands.is_empty());
    }

    /// Memory of the function's own with fixed sizes, filled, of elements as the first memref has them.
    pub(super) fn own(&mut self, sizes: Vec<i64>) -> View {
        let dtype = self.views.first().map_or(DTYPES[0], |view| view.dtype);
        let open = vec![false; sizes.len()];
        let ty = type_of(dtype, &sizes, &open, None);
        self.defined(&format!("memref.alloc() : {ty}"), ty, dtype, sizes, true)
    }

    /// Memory as a text allocates it, filled.
    fn defined(&mut self, text: &str, ty: String, dtype: Dtype, sizes: Vec<i64>, fixed: bool) -> View {
        let name = self.computed(text);
        let strides = layout::contiguous_strides(&sizes);
        let base = 1000 + self.names;
        let view = View { name, ty, dtype, sizes, strides, offset: 0, fixed, base };
        self.filled(&view);
        self.views.push(view.clone());
        view
    }

    /// A view of one of the memrefs.
    pub(super) fn view(&mut self) {
        let Some(of) = self.chosen(None).filter(|of| !of.sizes.is_empty()) else { return };
        let View { name, ty, dtype, sizes, strides, offset, fixed, base } = of.clone();
        let rank = sizes.len();
        let known = |strides: &[i64]| -> Vec<Option<i64>> { strides.iter().map(|own| Some(*own)).collect() };
        let closed = |rank: usize| vec![false; rank];
        let row_major =
            layout::contiguous_strides(&sizes) == strides && offset == 0 && fixed && !sizes.contains(&0);
        let made = match self.random.between(0, 9) {
            0 if fixed && offset == 0 && layout::contiguous_strides(&sizes) == strides => {
                let open: Vec<bool> = sizes.iter().map(|_| self.random.percent(60)).collect();
                let into = type_of(dtype, &sizes, &open, None);
                Some((format!("memref.cast {name} : {ty} to {into}"), into, sizes, strides, offset))
            }
            1 | 2 if row_major && rank > 1 => {
                let count: i64 = sizes.iter().product();
                let all: Vec<String> = (0..rank).map(|d| d.to_string()).collect();
                let into = type_of(dtype, &[count], &[false], None);
                let text = format!("memref.collapse_shape {name} [[{}]] : {ty} into {into}", all.join(", "));
                Some((text, into, vec![count], vec![1], 0))
            }
            3 | 4 if fixed && rank > 1 => {
                let mut order: Vec<usize> = (0..rank).collect();
                self.random.shuffle(&mut order);
                let (sizes, strides): (Vec<i64>, Vec<i64>) =
                    order.iter().map(|d| (sizes[*d], strides[*d])).unzip();
                let dims = |order: &mut dyn Iterator<Item = usize>| {
                    order.map(|d| format!("d{d}")).collect::<Vec<_>>().join(", ")
                };
                let map = format!("({}) -> ({})", dims(&mut (0..rank)), dims(&mut order.iter().copied()));
                let into = type_of(dtype, &sizes, &closed(rank), Some((&known(&strides), Some(offset))));
                Some((
                    format!("memref.transpose {name} {map} : {ty} to {into}"),
                    into,
                    sizes,
                    strides,
                    offset,
                ))
            }
            5 if row_major => {
                let count: i64 = sizes.iter().product();
                let from = self.random.between(0, count - 1);
                let (size, strides) = (vec![count - from], vec![1]);
                let into = type_of(dtype, &size, &[false], Some((&known(&strides), Some(from))));
                let text = format!(
                    "memref.reinterpret_cast {name} to offset: [{from}], sizes: [{}], strides: [1] : {ty} to {into}",
                    size[0]
                );
                Some((text, into, size, strides, from))
            }
            6.. if fixed && !sizes.contains(&0) => Some(self.part(&of)),
            _ => None,
        };
        if let Some((text, ty, sizes, strides, offset)) = made {
            let fixed = !ty.contains('?');
            let name = self.computed(text);
            self.views.push(View { name, ty, dtype, sizes, strides, offset, fixed, base });
        }
    }

    /// A part of a memref: how it is taken, its type, sizes, strides and offset.
    fn part(&mut self, of: &View) -> (String, String, Vec<i64>, Vec<i64>, i64) {
        let (mut froms, mut sizes, mut steps) = (vec![], vec![], vec![]);
        for size in &of.sizes {
            let from = if self.random.percent(40) { 0 } else { self.random.between(0, size - 1) };
            let step = if self.random.percent(70) { 1 } else { 2 };
            let most = (size - from + step - 1) / step;
            let size = if self.random.percent(50) { most } else { self.random.between(1, most) };
            froms.push(from);
            sizes.push(size);
            steps.push(step);
        }
        let strides: Vec<i64> = of.strides.iter().zip(&steps).map(|(own, step)| own * step).collect();
        let offset =
            of.offset + froms.iter().zip(&of.strides).map(|(from, stride)| from * stride).sum::<i64>();
        let known: Vec<Option<i64>> = strides.iter().map(|own| Some(*own)).collect();
        let number =
            self.numbers.iter().find(|(_, own)| froms.first() == Some(own)).map(|(name, _)| name.clone());
        let number = number.filter(|_| self.random.percent(50));
        let offset_known = number.is_none().then_some(offset);
        let into = type_of(of.dtype, &sizes, &vec![false; sizes.len()], Some((&known, offset_known)));
        let list = |of: &[i64]| of.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let mut names: Vec<String> = froms.iter().map(i64::to_string).collect();
        if let Some(number) = number {
            names[0] = number;
        }
        let text = format!(
            "memref.subview {}[{}] [{}] [{}] : {} to {into}",
            of.name,
            names.join(", "),
            list(&sizes),
            list(&steps),
            of.ty
        );
        (text, into, sizes, strides, offset)
    }

    /// A memref copied into another one of another memory.
    pub(super) fn copied(&mut self) {
        let Some(from) = self.chosen(None) else { return };
        let fits = |to: &&View| to.sizes == from.sizes && to.dtype == from.dtype && to.base != from.base;
        if let Some(to) = self.views.iter().rfind(fits).cloned() {
            self.line(format!("memref.copy {}, {} : {} to {}", from.name, to.name, from.ty, to.ty));
        }
    }

    /// What the function returns: memory that it has allocated, or an element.
    pub(super) fn results(&mut self) {
        let made: Vec<View> = self.views.iter().filter(|view| view.base >= 1000).cloned().collect();
        for view in made {
            let own =
                self.source.lines.iter().any(|line| line.contains(&format!("{} = memref.alloc(", view.name)));
            if own && self.random.percent(50) {
                self.source.call.returned.push((view.name, view.ty));
            } else if !view.sizes.contains(&0) && self.random.percent(50) {
                let (dtype, place) = (view.dtype, self.place(&view));
                let name = self.computed(format!("affine.load {}{place} : {}", view.name, view.ty));
                self.source.call.returned.push((name, element_type(dtype).to_owned()));
            }
        }
    }
}
