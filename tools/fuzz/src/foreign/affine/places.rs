//! Subscripts that stay inside of a memref wherever loops are.

use super::{Maker, View};

/// An expression of indices, and between what it is.
struct Term {
    text: String,
    low: i64,
    high: i64,
}

impl Term {
    fn constant(value: i64) -> Term {
        Term { text: value.to_string(), low: value, high: value }
    }
}

impl Maker {
    /// Subscripts of a memref, in brackets.
    pub(super) fn place(&mut self, view: &View) -> String {
        let all: Vec<String> = view.sizes.iter().map(|size| self.subscript(*size)).collect();
        format!("[{}]", all.join(", "))
    }

    /// Subscripts that are mostly different wherever loops are: each loop moves one of them.
    pub(super) fn spread(&mut self, view: &View) -> String {
        if self.random.percent(35) || self.dead > 0 {
            return self.place(view);
        }
        let mut left = self.around.clone();
        if self.random.percent(30) {
            self.random.shuffle(&mut left);
        }
        let mut subscript = |size: &i64| {
            let fits = left.iter().position(|own| own.high - own.low < *size)?;
            let own = left.remove(fits);
            let (least, most) = (-own.low, size - 1 - own.high);
            let stays = least <= 0 && most >= 0 && self.random.percent(70);
            let more = if stays { 0 } else { self.random.between(least, most) };
            Some(if more == 0 { own.name } else { format!("{} + {more}", own.name).replace("+ -", "- ") })
        };
        let known: Vec<Option<String>> = view.sizes.iter().map(&mut subscript).collect();
        let all = known
            .into_iter()
            .zip(&view.sizes)
            .map(|(own, size)| own.unwrap_or_else(|| self.subscript(*size)));
        format!("[{}]", all.collect::<Vec<_>>().join(", "))
    }

    /// An expression that is from 0 up to below a size; anything where no iteration comes.
    pub(super) fn subscript(&mut self, size: i64) -> String {
        for _ in 0..8 {
            let Term { text, low, high } = self.term();
            if self.dead > 0 {
                return text;
            }
            if high - low >= size {
                continue;
            }
            let (least, most) = (-low, size - 1 - high);
            let fits = least <= 0 && most >= 0;
            return match if fits && self.random.percent(65) { 0 } else { self.random.between(least, most) } {
                0 => text,
                more if more > 0 => format!("{text} + {more}"),
                less => format!("{text} - {}", -less),
            };
        }
        self.random.between(0, (size - 1).max(0)).to_string()
    }

    /// An expression of the indices of the loops around.
    fn term(&mut self) -> Term {
        let index = |maker: &mut Maker| {
            let last = maker.around.len() as i64 - 1;
            maker.around[maker.random.between(0, last) as usize].clone()
        };
        if self.around.is_empty() {
            return Term::constant(0);
        }
        let (i, j) = (index(self), index(self));
        let [a, b] = [&i.name, &j.name];
        let (text, low, high) = match self.random.between(0, 99) {
            0..60 => (a.clone(), i.low, i.high),
            60..68 => (format!("-{a}"), -i.high, -i.low),
            68..75 => (format!("{a} * 2"), 2 * i.low, 2 * i.high),
            75..83 if a != b => (format!("{a} + {b}"), i.low + j.low, i.high + j.high),
            83..88 if a != b => (format!("{a} - {b}"), i.low - j.high, i.high - j.low),
            88..91 => (format!("{a} floordiv 2"), i.low.div_euclid(2), i.high.div_euclid(2)),
            91..94 => (format!("{a} mod 3"), 0, 2),
            94..97 if !self.numbers.is_empty() => {
                let (name, value) = self.random.choose(&self.numbers.iter().collect::<Vec<_>>()).clone();
                (format!("symbol({name})"), value, value)
            }
            _ => return Term::constant(0),
        };
        Term { text, low, high }
    }

    /// An index as a value, which is from 0 up to below a size.
    pub(super) fn applied(&mut self, size: i64) -> String {
        let text = self.subscript(size);
        let used: Vec<String> = self.around.iter().map(|index| index.name.clone()).collect();
        let used: Vec<String> = used
            .into_iter()
            .filter(|name| text.split(' ').any(|word| word.trim_start_matches('-') == name))
            .collect();
        let mut map = text.replace("symbol(", "").replace(')', "");
        let symbols: Vec<String> = self
            .numbers
            .iter()
            .filter(|(name, _)| text.contains(name.as_str()))
            .map(|(name, _)| name.clone())
            .collect();
        let mut words: Vec<String> = map.split(' ').map(str::to_owned).collect();
        for word in &mut words {
            let (sign, name) = word.strip_prefix('-').map_or(("", word.as_str()), |name| ("-", name));
            if let Some(d) = used.iter().position(|own| own == name) {
                *word = format!("{sign}d{d}");
            } else if let Some(s) = symbols.iter().position(|own| own == name) {
                *word = format!("{sign}s{s}");
            }
        }
        map = words.join(" ");
        let list = |letter: &str, count: usize| {
            (0..count).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(", ")
        };
        let (dims, known) = (list("d", used.len()), list("s", symbols.len()));
        self.computed(format!(
            "affine.apply affine_map<({dims})[{known}] -> ({map})>({})[{}]",
            used.join(", "),
            symbols.join(", ")
        ))
    }
}
