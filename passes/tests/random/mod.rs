//! Random programs of the functional dialect, as text: what passes may not change the values of.
//!
//! Elements are small whole numbers, and operators keep them so: values agree to the bit. Sizes are small and
//! recur, so that tensors fit together; views of views, scatters into what is still read, branches and loops
//! that hand tensors on.

use std::fmt::Write;

/// Random numbers: a linear congruential generator with the multiplier of Knuth's MMIX.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.below(2);
        random
    }

    /// A number from 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }

    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }
}

/// A tensor of a program.
#[derive(Clone)]
pub struct Tensor {
    pub name: String,
    pub shape: Vec<usize>,
    /// Whether it depends on an argument with a tangent.
    pub tangent: bool,
}

/// A program: its function, and what its arguments are.
pub struct Program {
    pub text: String,
    pub arguments: Vec<Vec<usize>>,
    /// Arguments whose memory may be written over.
    pub donated: Vec<bool>,
}

/// What programs have.
#[derive(Clone, Copy, Default)]
pub struct Features {
    pub regions: bool,
    pub donations: bool,
    pub tangents: bool,
}

struct Maker {
    random: Random,
    text: String,
    names: usize,
    features: Features,
}

pub fn ty(shape: &[usize]) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}f32>")
}

/// The program of a seed.
pub fn program(seed: u64, features: Features) -> Program {
    let mut m = Maker { random: Random::new(seed), text: String::new(), names: 0, features };
    let shapes: [&[usize]; 4] = [&[4, 3], &[3], &[4, 4], &[2, 3]];
    let mut pool = vec![];
    for i in 0..2 + m.random.below(3) {
        let shape = shapes[m.random.below(shapes.len())].to_vec();
        let tangent = features.tangents && (i == 0 || m.random.percent(25));
        pool.push(Tensor { name: format!("%a{i}"), shape, tangent });
    }
    let arguments = pool.clone();
    let steps = 6 + m.random.below(14);
    m.steps(&mut pool, steps, 2);
    let mut returned: Vec<Tensor> = pool[pool.len().saturating_sub(2)..].to_vec();
    for _ in 0..m.random.below(3) {
        returned.push(pool[m.random.below(pool.len())].clone());
    }
    // An argument gives its memory to a result of its type.
    let mut donated = vec![None; arguments.len()];
    for (i, argument) in arguments.iter().enumerate() {
        if features.donations && m.random.percent(60) {
            let fits = |k: &usize| returned[*k].shape == argument.shape && !donated.contains(&Some(*k));
            donated[i] = (0..returned.len()).find(fits);
        }
    }
    let facts = |i: usize, argument: &Tensor| match (donated[i], argument.tangent) {
        (Some(result), _) => format!(" {{functional.donated = {result} : i64}}"),
        (None, true) => " {functional.tangent}".to_owned(),
        _ => String::new(),
    };
    let inputs: Vec<String> = arguments
        .iter()
        .enumerate()
        .map(|(i, a)| format!("{}: {}{}", a.name, ty(&a.shape), facts(i, a)))
        .collect();
    let gradient = |t: &Tensor| if t.tangent { " {functional.gradient}" } else { "" };
    let results: Vec<String> = returned.iter().map(|t| format!("{}{}", ty(&t.shape), gradient(t))).collect();
    let types: Vec<String> = returned.iter().map(|t| ty(&t.shape)).collect();
    let names: Vec<&str> = returned.iter().map(|t| t.name.as_str()).collect();
    let text = format!(
        "func.func @main({}, %c: i1) -> ({}) {{\n  %i0 = arith.constant 0 : index\n  %i1 = arith.constant 1 : index\n  \
         %i3 = arith.constant 3 : index\n{}  return {} : {}\n}}\n",
        inputs.join(", "),
        results.join(", "),
        m.text,
        names.join(", "),
        types.join(", ")
    );
    let arguments = arguments.into_iter().map(|a| a.shape).collect();
    Program { text, arguments, donated: donated.iter().map(Option::is_some).collect() }
}

impl Maker {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn any(&mut self, pool: &[Tensor]) -> Tensor {
        // Late ones more often: chains.
        let last = pool.len().saturating_sub(4);
        let from = if self.random.percent(50) { last } else { 0 };
        pool[from + self.random.below(pool.len() - from)].clone()
    }

    fn other(&mut self, pool: &[Tensor], shape: &[usize]) -> Option<Tensor> {
        let fitting: Vec<&Tensor> = pool.iter().filter(|t| t.shape == shape).collect();
        (!fitting.is_empty()).then(|| fitting[self.random.below(fitting.len())].clone())
    }

    fn put(&mut self, pool: &mut Vec<Tensor>, op: &str, shape: Vec<usize>, of: &[&Tensor]) -> Tensor {
        let name = self.name();
        let _ = writeln!(self.text, "  {name} = {op}");
        let made = Tensor { name, shape, tangent: of.iter().any(|t| t.tangent) };
        pool.push(made.clone());
        made
    }

    fn steps(&mut self, pool: &mut Vec<Tensor>, count: usize, depth: usize) {
        for _ in 0..count {
            match self.random.below(10) {
                0..=2 => self.pointwise(pool),
                3 | 4 => {
                    let own = self.any(pool);
                    self.view(pool, &own);
                }
                5..=7 => self.scatter(pool),
                8 if depth > 0 && self.features.regions => self.region(pool, depth),
                9 if depth == 2 && self.features.tangents && self.random.percent(50) => self.draw(pool),
                _ => self.reduction(pool),
            }
        }
    }

    fn pointwise(&mut self, pool: &mut Vec<Tensor>) {
        let a = self.any(pool);
        let t = ty(&a.shape);
        match self.other(pool, &a.shape) {
            Some(b) if self.random.percent(60) => {
                let op = ["maximum", "minimum", "sub", "add"][self.random.below(4)];
                let op = format!("functional.{op} {}, {} : {t}, {t}", a.name, b.name);
                self.put(pool, &op, a.shape.clone(), &[&a, &b]);
            }
            _ => {
                let op = ["neg", "abs"][self.random.below(2)];
                let op = format!("functional.{op} {} : {t}", a.name);
                self.put(pool, &op, a.shape.clone(), &[&a]);
            }
        }
    }

    /// Numbers that are drawn: another run would draw others.
    fn draw(&mut self, pool: &mut Vec<Tensor>) {
        let drawn = self.name();
        let _ = writeln!(self.text, "  {drawn} = graph.rand [4, 3]");
        self.put(pool, &format!("graph.value {drawn} : !graph.tensor<4x3xf32>"), vec![4, 3], &[]);
    }

    /// Sums, which stay small: of few elements.
    fn reduction(&mut self, pool: &mut Vec<Tensor>) {
        let a = self.any(pool);
        let t = ty(&a.shape);
        if let [rows, inner] = a.shape[..]
            && let Some(b) = self.other(pool, &[inner, inner])
            && self.random.percent(30)
        {
            let op = format!("functional.mm {}, {} : {t}, {}", a.name, b.name, ty(&b.shape));
            let product = self.put(pool, &op, vec![rows, inner], &[&a, &b]);
            // Back to small numbers.
            let t = ty(&product.shape);
            self.put(
                pool,
                &format!("functional.sign {} : {t}", product.name),
                product.shape.clone(),
                &[&product],
            );
        } else if !a.shape.is_empty() {
            let op = format!("functional.amax {} {{dim = array<i64: 0>}} : {t}", a.name);
            self.put(pool, &op, a.shape[1..].to_vec(), &[&a]);
        }
    }

    /// A view of a tensor: what names it after the dialect, and its shape.
    fn region_of(&mut self, shape: &[usize]) -> Option<(&'static str, String, Vec<usize>)> {
        if shape.is_empty() || shape.contains(&0) {
            return None;
        }
        let dim = self.random.below(shape.len());
        let size = shape[dim];
        let mut to = shape.to_vec();
        Some(match self.random.below(4) {
            0 => {
                to.remove(dim);
                let index = self.random.below(size);
                ("select", format!("index [{index}] {{dim = {dim} : i64}}"), to)
            }
            1 if shape.len() == 2 => ("diagonal", String::new(), vec![shape[0].min(shape[1])]),
            2 => {
                let count: usize = shape.iter().product();
                let (start, step) = (self.random.below(count), 1 + self.random.below(3));
                let length = 1 + self.random.below((count - 1 - start) / step + 1);
                let text = format!("size [{length}] stride [{step}] storage_offset [{start}]");
                ("as_strided", text, vec![length])
            }
            _ => {
                let start = self.random.below(size);
                let step = 1 + self.random.below(2);
                let end = start + 1 + self.random.below(size - start);
                to[dim] = (end - start).div_ceil(step);
                ("slice", format!("start [{start}] end [{end}] step [{step}] {{dim = {dim} : i64}}"), to)
            }
        })
    }

    fn view(&mut self, pool: &mut Vec<Tensor>, own: &Tensor) {
        let t = ty(&own.shape);
        match self.random.below(5) {
            0 if own.shape.len() == 2 => {
                let op = format!("functional.permute {} {{dims = array<i64: 1, 0>}} : {t}", own.name);
                self.put(pool, &op, vec![own.shape[1], own.shape[0]], &[own]);
            }
            1 => {
                let count: usize = own.shape.iter().product();
                let op = format!("functional.view {} size [{count}] : {t}", own.name);
                self.put(pool, &op, vec![count], &[own]);
            }
            2 if own.shape.len() == 1 => {
                let op = format!("functional.expand {} size [4, {}] : {t}", own.name, own.shape[0]);
                self.put(pool, &op, vec![4, own.shape[0]], &[own]);
            }
            _ => {
                if let Some((name, text, shape)) = self.region_of(&own.shape) {
                    let op = format!("functional.{name} {} {text} : {t}", own.name);
                    self.put(pool, &op, shape, &[own]);
                }
            }
        }
    }

    /// A scatter of what a view of another tensor, or of the same one, reads.
    fn scatter(&mut self, pool: &mut Vec<Tensor>) {
        let own = self.any(pool);
        let Some((name, text, shape)) = self.region_of(&own.shape) else { return };
        let src = match self.other(pool, &shape) {
            Some(src) => src,
            None => {
                let Some(from) = self.other(pool, &own.shape) else { return };
                let op = format!("functional.{name} {} {text} : {}", from.name, ty(&from.shape));
                let part = self.put(pool, &op, shape.clone(), &[&from]);
                if self.random.percent(30) {
                    part
                } else {
                    let op = format!("functional.neg {} : {}", part.name, ty(&shape));
                    self.put(pool, &op, shape.clone(), &[&part])
                }
            }
        };
        let (t, s) = (ty(&own.shape), ty(&shape));
        let op = format!("functional.{name}_scatter {}, {} {text} : {t}, {s}", own.name, src.name);
        self.put(pool, &op, own.shape.clone(), &[&own, &src]);
    }

    /// A branch or a loop that hands tensors on.
    fn region(&mut self, pool: &mut Vec<Tensor>, depth: usize) {
        let count = 1 + self.random.below(2);
        let carried: Vec<Tensor> = (0..count).map(|_| self.any(pool)).collect();
        let types: Vec<String> = carried.iter().map(|t| ty(&t.shape)).collect();
        let types = types.join(", ");
        let name = self.name();
        let before = self.text.len();
        if self.random.percent(50) {
            let _ = writeln!(self.text, "  {name}:{count} = scf.if %c -> ({types}) {{");
            for branch in 0..2 {
                let mut inner = pool.clone();
                if branch == 0 || self.random.percent(50) {
                    let steps = 1 + self.random.below(4);
                    self.steps(&mut inner, steps, depth - 1);
                }
                self.hand_on(&inner, &carried, &types);
                self.text.push_str(if branch == 0 { "  } else {\n" } else { "  }\n" });
            }
        } else {
            let arguments: Vec<Tensor> =
                carried.iter().map(|t| Tensor { name: self.name(), ..t.clone() }).collect();
            let given: Vec<String> =
                arguments.iter().zip(&carried).map(|(a, t)| format!("{} = {}", a.name, t.name)).collect();
            let index = self.name();
            let _ = writeln!(
                self.text,
                "  {name}:{count} = scf.for {index} = %i0 to %i3 step %i1 iter_args({}) -> ({types}) {{",
                given.join(", ")
            );
            let mut inner = pool.clone();
            inner.extend(arguments);
            let steps = 1 + self.random.below(5);
            self.steps(&mut inner, steps, depth - 1);
            self.hand_on(&inner, &carried, &types);
            self.text.push_str("  }\n");
        }
        // It depends on all that its bodies read.
        let body = &self.text[before..];
        let words: Vec<&str> = body.split(|c: char| !c.is_alphanumeric() && !"%#".contains(c)).collect();
        let tangent = pool.iter().any(|t| t.tangent && words.contains(&t.name.as_str()));
        let made = carried.into_iter().enumerate();
        pool.extend(made.map(|(k, t)| Tensor { name: format!("{name}#{k}"), tangent, ..t }));
    }

    /// The end of a body: values of the types that are carried, the last ones first.
    fn hand_on(&mut self, inner: &[Tensor], carried: &[Tensor], types: &str) {
        let mut names = vec![];
        for wanted in carried {
            let last = inner.iter().rev().find(|t| t.shape == wanted.shape).map(|t| t.name.clone());
            let any = self.other(inner, &wanted.shape).map(|t| t.name);
            names.extend(if self.random.percent(70) { last } else { any });
        }
        let _ = writeln!(self.text, "  scf.yield {} : {types}", names.join(", "));
    }
}
