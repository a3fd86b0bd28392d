//! The LLVM IR of kernels for a GPU as such for this machine.
//!
//! Address spaces go, intrinsics of a GPU become calls of functions that the emulator gives addresses of, and
//! so does word of each access to memory: before what is read, after what is written.

use std::collections::BTreeSet;
use terrace_call::DeviceError;
use terrace_threads::{CALL, FUNCTIONS, LINK, SPOIL};

/// The types of the parameters of a function, from its line in LLVM IR.
fn parameters(line: &str) -> Vec<&str> {
    let Some((_, text)) = line.split_once('(') else { return vec![] };
    let (mut types, mut depth, mut from) = (vec![], 1, 0);
    for (i, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if (letter == ',' && depth == 1) || depth == 0 {
            types.extend(text[from..i].split_whitespace().next());
            from = i + 1;
        }
        if depth == 0 {
            break;
        }
    }
    types
}

/// Intrinsics of a GPU that compute, as functions: the names and the text. The card's own are off by up to 2
/// ULP.
const COMPUTED: [&str; 2] = ["div.approx.ftz.f", "ex2.approx.ftz.f32"];
const COMPUTING: &str = "
define float @gpu.ex2.approx.ftz.f32(float %x) {
  %power = call float @llvm.exp2.f32(float %x)
  %small = fcmp olt float %power, 0x3810000000000000
  %result = select i1 %small, float 0.0, float %power
  ret float %result
}
define float @gpu.div.approx.ftz.f(float %x, float %y) {
  %quotient = fdiv float %x, %y
  %size = call float @llvm.fabs.f32(float %quotient)
  %small = fcmp olt float %size, 0x3810000000000000
  %result = select i1 %small, float 0.0, float %quotient
  ret float %result
}
";

/// What LLVM calls to round to bf16 where the machine has no instruction for it; not every libgcc has it. To
/// nearest, ties to even.
const ROUNDING: &str = "
define bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %shifted = lshr i32 %bits, 16
  %odd = and i32 %shifted, 1
  %half = add i32 %odd, 32767
  %sum = add i32 %bits, %half
  %upper = lshr i32 %sum, 16
  %rounded = trunc i32 %upper to i16
  %nan = fcmp uno float %x, %x
  %chosen = select i1 %nan, i16 32704, i16 %rounded
  %result = bitcast i16 %chosen to bfloat
  ret bfloat %result
}
define bfloat @__truncdfbf2(double %x) {
  %single = fptrunc double %x to float
  %result = call bfloat @__truncsfbf2(float %single)
  ret bfloat %result
}
";

/// The memory that the threads of a block share, by its line in LLVM IR: name and type. What a block finds
/// there is nobody's.
fn shared(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" = ").filter(|(name, _)| name.starts_with('@'))?;
    let (_, rest) = rest.split_once("addrspace(3) global ")?;
    let (ty, _) = rest.split_once(" undef").or_else(|| rest.split_once(" poison"))?;
    Some((name, ty))
}

/// The parts of a text between commas outside of brackets.
fn operands(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (vec![], 0, 0);
    for (i, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

/// The type that a text starts with.
fn leading_type(text: &str) -> &str {
    let mut depth = 0;
    for (i, letter) in text.char_indices() {
        match letter {
            '<' | '[' | '{' => depth += 1,
            '>' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => return &text[..i],
            _ => {}
        }
    }
    text
}

/// The value of an operand, behind its type and attributes.
fn value(operand: &str) -> Option<&str> {
    const CONSTANTS: [&str; 6] = ["bitcast", "getelementptr", "inttoptr", "null", "splat", "zeroinitializer"];
    let rest = &operand[leading_type(operand).len()..];
    let starts = rest.match_indices(' ').map(|(i, _)| &rest[i + 1..]);
    let is_value = |text: &str| {
        let word = text.split([' ', '(']).next().unwrap_or_default();
        text.starts_with(['%', '@', '<']) || CONSTANTS.contains(&word)
    };
    starts.into_iter().find(|text| is_value(text))
}

/// The bits that a type has in memory, vectors packed.
fn bits(ty: &str) -> Option<usize> {
    let several = ty.strip_prefix('<').and_then(|ty| ty.strip_suffix('>'));
    let several = several.or_else(|| ty.strip_prefix('[')?.strip_suffix(']'));
    if let Some((count, element)) = several.and_then(|ty| ty.split_once(" x ")) {
        return count.parse::<usize>().ok()?.checked_mul(bits(element)?);
    }
    match ty {
        "half" | "bfloat" => Some(16),
        "float" => Some(32),
        "double" | "ptr" => Some(64),
        _ => ty.strip_prefix('i')?.parse().ok(),
    }
}

/// The bits of an element of a vector, or of what is none.
fn element_bits(ty: &str) -> Option<usize> {
    match ty.strip_prefix(['<', '[']).and_then(|ty| ty.split_once(" x ")) {
        Some((_, element)) => element_bits(element.trim_end_matches(['>', ']'])),
        None => bits(ty),
    }
}

/// Numbers that the elements of one access under a mask have.
const LANES: usize = 64;

/// An access to memory: a pointer, or a vector of one for each element, and the type of what is there.
struct Access<'a> {
    writes: bool,
    pointer: &'a str,
    ty: &'a str,
    /// The elements of the vector that are touched; None: all.
    mask: Option<&'a str>,
    /// What divides the address, as far as the line says.
    alignment: u64,
}

/// The number behind `align `, which stands once in an access.
fn alignment(line: &str) -> u64 {
    let digits = |text: &str| text.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok());
    line.split_once("align ").and_then(|(_, rest)| digits(rest)).unwrap_or(1)
}

/// What the operands of a call are, by the name up to a point that its callee starts with.
fn call<'a>(line: &'a str, callee: &str) -> Option<Vec<&'a str>> {
    let (_, rest) = line.split_once("call ").and_then(|(_, call)| call.split_once(callee))?;
    let (_, inner) = rest.split_once('(')?;
    Some(operands(inner.rsplit_once(')')?.0))
}

/// The access that a line is.
fn access(line: &str) -> Result<Option<Access<'_>>, DeviceError> {
    let alignment = alignment(line);
    let (writes, parts) = if let Some((_, load)) = line.split_once(" = load ") {
        (false, operands(load))
    } else if let Some(store) = line.trim_start().strip_prefix("store ") {
        (true, operands(store))
    } else if let Some(parts) =
        call(line, "@llvm.masked.load.").or_else(|| call(line, "@llvm.masked.gather."))
    {
        let [pointer, mask, value] = parts[..] else { return Ok(None) };
        return Ok(Some(Access {
            writes: false,
            pointer,
            ty: leading_type(value),
            mask: Some(mask),
            alignment,
        }));
    } else if let Some(parts) =
        call(line, "@llvm.masked.store.").or_else(|| call(line, "@llvm.masked.scatter."))
    {
        let [value, pointer, mask] = parts[..] else { return Ok(None) };
        return Ok(Some(Access {
            writes: true,
            pointer,
            ty: leading_type(value),
            mask: Some(mask),
            alignment,
        }));
    } else if call(line, "@llvm.mem").is_some() || call(line, "@llvm.masked.").is_some() {
        return Err(DeviceError(format!("is not emulated: {}", line.trim())));
    } else {
        return Ok(None);
    };
    let [value, pointer, ..] = parts[..] else { return Ok(None) };
    let ty = leading_type(value.strip_prefix("volatile ").unwrap_or(value));
    Ok(Some(Access { writes, pointer, ty, mask: None, alignment }))
}

impl Access<'_> {
    /// The lines that tell of it: so many bytes from a pointer on, once or for each element that a mask says;
    /// which instruction it is, its alignment, and the bytes of an element.
    fn reported(&self, number: usize) -> Result<String, DeviceError> {
        let unknown = || DeviceError(format!("an access to memory of {} is not emulated", self.ty));
        let bits = bits(self.ty).ok_or_else(unknown)?;
        let (types, pointer) = (leading_type(self.pointer), value(self.pointer).ok_or_else(unknown)?);
        let function = if self.writes { "written" } else { "reads" };
        let element = element_bits(self.ty).ok_or_else(unknown)?.div_ceil(8);
        let call = |pointer: &str, bytes: usize, which: &str, site: usize| {
            // An element alone lies as its type does.
            let alignment = if self.mask.is_some() { element as u64 } else { self.alignment };
            format!(
                "  call void @gpu.{function}(ptr {pointer}, i64 {bytes}, i64 {which}, i64 {site}, i64 {alignment}, i64 {element})\n"
            )
        };
        let site = number * LANES;
        let Some(mask) = self.mask else { return Ok(call(pointer, bits.div_ceil(8), "1", site)) };
        let count = mask.strip_prefix('<').and_then(|mask| mask.split_once(" x ")?.0.parse::<usize>().ok());
        let count = count.ok_or_else(unknown)?;
        let name = |what: &str, lane: usize| format!("%told.{what}.{number}.{lane}");
        let mut lines = String::new();
        for lane in 0..count {
            let (bit, wide, at) = (name("bit", lane), name("wide", lane), name("at", lane));
            lines +=
                &format!("  {bit} = extractelement {mask}, i64 {lane}\n  {wide} = zext i1 {bit} to i64\n");
            lines += &match types {
                "ptr" => {
                    format!("  {at} = getelementptr i8, ptr {pointer}, i64 {}\n", lane * bits / count / 8)
                }
                _ => format!("  {at} = extractelement {types} {pointer}, i64 {lane}\n"),
            };
            lines += &call(&at, bits / count / 8, &wide, site + lane % LANES);
        }
        Ok(lines)
    }
}

/// LLVM IR for a GPU as such for this machine. Beside the kernels stand the functions that
/// [`Code`](terrace_threads::Code) asks for.
pub(crate) fn translate(ir: &str) -> Result<String, DeviceError> {
    let (mut text, mut forms, mut used) = (String::new(), String::new(), BTreeSet::new());
    let mut spoil = String::new();
    for (number, line) in ir.lines().enumerate() {
        if let Some((name, ty)) = shared(line) {
            let size = format!("ptrtoint (ptr getelementptr ({ty}, ptr null, i64 1) to i64)");
            spoil += &format!("  call void @gpu.spoil(ptr {name}, i64 {size})\n");
        }
        if line.starts_with("target ") || (line.starts_with("declare") && line.contains("@llvm.nvvm.")) {
            continue;
        }
        let mut line = line.replace("addrspacecast", "bitcast");
        while let Some(start) = line.find(" addrspace(") {
            let end = line[start..].find(')').map_or(line.len() - 1, |end| start + end);
            line.replace_range(start..=end, "");
        }
        for rest in line.split("@llvm.nvvm.").skip(1) {
            used.insert(rest.split('(').next().unwrap_or_default().to_owned());
        }
        line = line.replace("@llvm.nvvm.", "@gpu.");
        if line.contains("define ptx_kernel ") {
            line = line.replace("ptx_kernel ", "");
            let name = line.split(['@', '(']).nth(1).unwrap_or_default();
            let types = parameters(&line);
            forms += &format!("define void @{CALL}{name}(ptr %all) {{\n");
            for (i, ty) in types.iter().enumerate() {
                forms += &format!(
                    "  %at{i} = getelementptr ptr, ptr %all, i64 {i}\n  %p{i} = load ptr, ptr %at{i}\n  \
                     %v{i} = load {ty}, ptr %p{i}\n"
                );
            }
            let values: Vec<_> = types.iter().enumerate().map(|(i, ty)| format!("{ty} %v{i}")).collect();
            forms += &format!("  call void @{name}({})\n  ret void\n}}\n", values.join(", "));
        }
        let Some(access) = access(&line)? else {
            text += &line;
            text += "\n";
            continue;
        };
        let reported = access.reported(number)?;
        // Said in words where it does not hold, and no trap.
        let line = line.replacen(&format!("align {}", access.alignment), "align 1", 1);
        text += &if access.writes { format!("{line}\n{reported}") } else { format!("{reported}{line}\n") };
    }
    let is_known =
        |name: &String| COMPUTED.contains(&&**name) || FUNCTIONS.iter().any(|(known, ..)| known == name);
    if let Some(name) = used.iter().find(|name| !is_known(name)) {
        return Err(DeviceError(format!("llvm.nvvm.{name} is not emulated")));
    }
    let mut link = String::new();
    for (number, (name, result, types)) in FUNCTIONS.iter().enumerate() {
        let list = |at: fn(usize) -> String| {
            let each: Vec<_> = types.iter().enumerate().map(|(i, ty)| format!("{ty}{}", at(i))).collect();
            each.join(", ")
        };
        let (taken, is) = (list(|i| format!(" %{i}")), if *result == "void" { "" } else { "%r = " });
        let value = if *result == "void" { "" } else { " %r" };
        forms += &format!(
            "@at.{name} = internal global ptr null\ndefine internal {result} @gpu.{name}({taken}) alwaysinline {{\n  \
             %f = load ptr, ptr @at.{name}\n  {is}call {result} %f({taken})\n  ret {result}{value}\n}}\n"
        );
        link += &format!(
            "  %e{number} = getelementptr ptr, ptr %table, i64 {number}\n  %f{number} = load ptr, ptr %e{number}\n  \
             store ptr %f{number}, ptr @at.{name}\n"
        );
    }
    forms += &format!("define void @{LINK}(ptr %table) {{\n{link}  ret void\n}}\n");
    forms += &format!("define void @{SPOIL}() {{\n{spoil}  ret void\n}}\n");
    if text.contains("bfloat") {
        forms += ROUNDING;
    }
    if COMPUTED.iter().any(|name| used.contains(*name)) {
        forms += COMPUTING;
    }
    Ok(text + &forms)
}

#[cfg(test)]
mod tests {
    use super::access;

    fn reported(line: &str) -> String {
        access(line).unwrap().map_or(String::new(), |access| access.reported(0).unwrap())
    }

    #[test]
    fn accesses_tell_of_pointer_and_bytes() {
        let calls = [
            (
                "  %3 = load <4 x float>, ptr %2, align 16, !tbaa !1",
                "@gpu.reads(ptr %2, i64 16, i64 1, i64 0, i64 16, i64 4)",
            ),
            (
                "  %3 = load i1, ptr getelementptr (i8, ptr @s, i64 4)",
                "reads(ptr getelementptr (i8, ptr @s, i64 4), i64 1,",
            ),
            (
                "  store <2 x half> <half 0.0, half 1.0>, ptr %2, align 4",
                "@gpu.written(ptr %2, i64 4, i64 1, i64 0, i64 4, i64 2)",
            ),
            (
                "  %3 = load i64, ptr bitcast (ptr @s to ptr), align 8",
                "reads(ptr bitcast (ptr @s to ptr), i64 8,",
            ),
            ("  %3 = fadd float %1, %2", ""),
        ];
        for (line, call) in calls {
            assert!(reported(line).contains(call), "{line}: {}", reported(line));
        }
    }

    #[test]
    fn accesses_under_a_mask_tell_for_each_element() {
        let load = "  %3 = call <2 x i16> @llvm.masked.load.v2i16.p0(ptr nonnull align 4 %2, <2 x i1> %1, <2 x i16> zeroinitializer)";
        assert!(
            reported(load).contains("%told.at.0.1 = getelementptr i8, ptr %2, i64 2"),
            "{}",
            reported(load)
        );
        let scatter = "  call void @llvm.masked.scatter.v2f64.v2p0(<2 x double> %3, <2 x ptr> align 8 %2, <2 x i1> splat (i1 true))";
        assert!(
            reported(scatter).contains("%told.at.0.1 = extractelement <2 x ptr> %2, i64 1"),
            "{}",
            reported(scatter)
        );
        assert!(
            reported(scatter)
                .contains("@gpu.written(ptr %told.at.0.1, i64 8, i64 %told.wide.0.1, i64 1, i64 8, i64 8)")
        );
    }
}
