//! Machine code of a GPU as nvdisasm prints it: how long a kernel is outside of its innermost loops, and
//! each of these.
//!
//! ```text
//! .L_x_0:
//!         /*0310*/                   LDG.E.128.CONSTANT R4, desc[UR6][R20.64] ;
//!         /*0320*/                   FFMA R3, R4, R5, R3 ;
//!         /*1980*/              @!P0 BRA `(.L_x_0) ;
//! ```
//!
//! A jump backwards closes a loop. Of what is in no innermost loop a thread may leave out parts: what counts
//! is the longest way through it. Instructions that do nothing are not counted, nor the jump to itself that
//! ends each kernel.

use std::collections::{HashMap, HashSet};

/// A part of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub instructions: u64,
    /// Multiply-adds of floats.
    pub multiply_adds: u64,
    /// Bytes of global memory that a thread loads, and that it stores.
    pub loaded: u64,
    pub stored: u64,
    /// Bytes of the block's memory that it loads or stores.
    pub shared: u64,
}

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    pub name: String,
    /// The longest way through what is in none of the innermost loops.
    pub outside: Part,
    /// The loops that have none inside.
    pub innermost: Vec<Part>,
}

/// What an instruction does, by its name with what stands behind points.
fn part(instruction: &str) -> Part {
    let mut words = instruction.split('.');
    let name = words.next().unwrap_or_default();
    let suffixes: Vec<&str> = words.collect();
    let multiply_adds = match name {
        "FFMA" | "DFMA" => 1,
        "HFMA2" => 2,
        _ => 0,
    };
    let width = suffixes.iter().find_map(|suffix| match *suffix {
        "128" => Some(16),
        "64" => Some(8),
        "U16" | "S16" => Some(2),
        "U8" | "S8" => Some(1),
        _ => None,
    });
    let of = |names: &[&str]| if names.contains(&name) { width.unwrap_or(4) } else { 0 };
    Part {
        instructions: 1,
        multiply_adds,
        loaded: of(&["LDG", "LD"]),
        stored: of(&["STG", "ST", "RED", "ATOMG"]),
        shared: of(&["LDS", "STS"]),
    }
}

fn sum(parts: &[Part]) -> Part {
    parts.iter().fold(Part::default(), |sum, part| Part {
        instructions: sum.instructions + part.instructions,
        multiply_adds: sum.multiply_adds + part.multiply_adds,
        loaded: sum.loaded + part.loaded,
        stored: sum.stored + part.stored,
        shared: sum.shared + part.shared,
    })
}

/// The instructions of a kernel as they are read.
#[derive(Default)]
struct Body {
    parts: Vec<Part>,
    /// Labels, by the instructions in front of them.
    labels: HashMap<String, usize>,
    /// Jumps: from where, and to which label.
    jumps: Vec<(usize, String)>,
    /// After which instructions the next one never comes.
    ends: HashSet<usize>,
}

impl Body {
    fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some(label) = line.strip_suffix(':') {
            self.labels.insert(label.to_owned(), self.parts.len());
            return;
        }
        let Some((_, text)) = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) else { return };
        let is_sure = !text.trim_start().starts_with('@');
        let mut words = text.split([' ', ';']).filter(|word| !word.is_empty() && !word.starts_with('@'));
        let Some(name) = words.next().filter(|name| *name != "NOP") else { return };
        if name.starts_with("BRA")
            && let Some((_, target)) = text.split_once("`(")
        {
            let target = target.split(')').next().unwrap_or_default().to_owned();
            if self.labels.get(&target) == Some(&self.parts.len()) {
                return;
            }
            self.jumps.push((self.parts.len(), target));
        }
        if is_sure && ["BRA", "EXIT", "RET"].contains(&name.split('.').next().unwrap_or_default()) {
            self.ends.insert(self.parts.len());
        }
        self.parts.push(part(name));
    }

    fn end(self, name: String) -> Kernel {
        let place = |(from, label): &(usize, String)| Some((*self.labels.get(label)?, *from));
        let loops: Vec<(usize, usize)> =
            self.jumps.iter().filter_map(place).filter(|(to, from)| to <= from).collect();
        let is_inside = |(to, from): &(usize, usize), other: &(usize, usize)| {
            (to, from) != (&other.0, &other.1) && to >= &other.0 && from <= &other.1
        };
        let mut innermost: Vec<_> =
            loops.iter().filter(|own| !loops.iter().any(|other| is_inside(other, own))).collect();
        innermost.dedup();
        let outside = |place: usize| !innermost.iter().any(|(to, from)| (*to..=*from).contains(&place));
        let jumps: HashMap<usize, usize> =
            self.jumps.iter().filter_map(place).map(|(to, from)| (from, to)).collect();
        // From the last instruction on: the longest way from each to the end.
        let mut ways = vec![Part::default(); self.parts.len() + 1];
        for i in (0..self.parts.len()).rev() {
            let next = Some(i + 1).filter(|_| !self.ends.contains(&i));
            let jump = jumps.get(&i).copied().filter(|to| *to > i);
            let on = next.into_iter().chain(jump).map(|place| ways[place]);
            let on = on.max_by_key(|way| way.instructions).unwrap_or_default();
            ways[i] = if outside(i) { sum(&[self.parts[i], on]) } else { on };
        }
        Kernel {
            name,
            outside: ways[0],
            innermost: innermost.into_iter().map(|(to, from)| sum(&self.parts[*to..=*from])).collect(),
        }
    }
}

/// The kernels of a text, in its order.
pub fn kernels(text: &str) -> Vec<Kernel> {
    let (mut kernels, mut open) = (vec![], None);
    let mut end = |open: Option<(String, Body)>| kernels.extend(open.map(|(name, body)| body.end(name)));
    for line in text.lines() {
        if let Some(name) = line.trim().strip_prefix(".text.").and_then(|rest| rest.strip_suffix(':')) {
            end(open.replace((name.to_owned(), Body::default())));
        } else if line.trim_start().starts_with(".section") {
            end(open.take());
        } else if let Some((_, body)) = &mut open {
            body.read(line);
        }
    }
    end(open);
    kernels
}

#[cfg(test)]
mod tests {
    use super::{Part, kernels};

    const TEXT: &str = "
	.section	.text.sum,\"ax\",@progbits
sum:
.text.sum:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   MOV R3, RZ ;
.L_x_0:
        /*0020*/                   LDG.E.128.CONSTANT R4, desc[UR6][R20.64] ;
        /*0030*/                   FFMA R3, R4, R5, R3 ;
        /*0040*/              @!P0 BRA `(.L_x_0) ;
        /*0050*/               @P1 BRA `(.L_x_1) ;
        /*0060*/                   STG.E desc[UR6][R2.64], R3 ;
        /*0070*/                   EXIT ;
.L_x_2:
        /*0080*/                   BRA `(.L_x_2);
        /*0090*/                   NOP;
.L_x_3:
";

    #[test]
    fn the_innermost_loop_is_found() {
        let [sum] = &kernels(TEXT)[..] else { panic!("one kernel") };
        assert_eq!(sum.name, "sum");
        assert_eq!(sum.outside, Part { instructions: 5, stored: 4, ..Part::default() });
        let inside = Part { instructions: 3, multiply_adds: 1, loaded: 16, ..Part::default() };
        assert_eq!(sum.innermost, [inside]);
    }

    #[test]
    fn what_has_no_jump_backwards_has_no_loop() {
        let text = TEXT.replace(".L_x_0) ;", ".L_x_3) ;").replace(".L_x_1) ;", ".L_x_3) ;");
        assert_eq!(kernels(&text)[0].innermost, []);
    }

    #[test]
    fn of_two_ways_the_longer_one_counts() {
        let lines = [
            "@P0 BRA `(.L_x_1)",
            "FADD R1",
            "BRA `(.L_x_2)",
            ".L_x_1:",
            "FMUL R1",
            "FMUL R1",
            ".L_x_2:",
            "EXIT",
        ];
        let line = |text: &&str| match text.ends_with(':') {
            true => format!("{text}\n"),
            false => format!("        /*0000*/  {text} ;\n"),
        };
        let text = lines.iter().map(line).collect::<String>();
        let kernels = kernels(&format!(".text.two:\n{text}"));
        assert_eq!(kernels[0].outside.instructions, 4);
    }
}
