//! Devices, as torch names them.
//!
//! `cpu`, `cuda:1`, `meta`: a type, and a number where a machine may have several. A tensor on the CPU has no
//! device in its type, and one without a number is that of number 0, so that a device has one name. Source:
//! c10's `Device`, and PyTorch's fake tensors.

/// The types that torch knows, those first of which a machine may have several.
const NUMBERED: [&str; 6] = ["cuda", "xpu", "mps", "hpu", "mtia", "privateuseone"];
const OTHER: [&str; 14] = [
    "cpu", "ipu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy",
    "vulkan", "meta",
];
/// The types in torch's order.
const ALL: &str = "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, \
                   privateuseone";
/// The first of each numbered type.
const FIRST: [&str; 6] = ["cuda:0", "xpu:0", "mps:0", "hpu:0", "mtia:0", "privateuseone:0"];

/// The device that a text names, None for the CPU.
///
/// # Errors
/// A text that names none, in eager's words.
pub fn named(text: &str) -> Result<Option<&str>, String> {
    let (kind, number) = match text.split_once(':') {
        Some((kind, number)) => (kind, Some(number)),
        None => (text, None),
    };
    if text.is_empty() {
        return Err("Device string must not be empty".into());
    }
    let invalid = || format!("Invalid device string: '{text}'");
    let letters = |kind: &str| !kind.is_empty() && kind.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    let is_number = |number: &str| match number.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', ..] => number.parse::<i8>().is_ok(),
        _ => false,
    };
    if !letters(kind) || number.is_some_and(|number| !is_number(number)) {
        return Err(invalid());
    }
    let numbered = NUMBERED.iter().position(|known| *known == kind);
    if numbered.is_none() && !OTHER.contains(&kind) {
        return Err(format!("Expected one of {ALL} device type at start of device string: {kind}"));
    }
    Ok(match (kind, numbered) {
        ("cpu", _) => None,
        // Eager has one of it, whatever its number.
        ("meta", _) => Some("meta"),
        (_, Some(at)) if number.is_none() => Some(FIRST[at]),
        _ => Some(text),
    })
}

/// What torch calls a device of a type.
pub fn name(device: Option<&str>) -> &str {
    device.unwrap_or("cpu")
}

/// Whether it is one of CUDA's: eager has kernels of their own there, whose results have other strides, and
/// statistics other dtypes.
pub fn is_cuda(device: Option<&str>) -> bool {
    device.is_some_and(|device| device.starts_with("cuda"))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_device_has_one_name() {
        for text in ["cpu", "cpu:0", "cpu:1"] {
            assert_eq!(named(text), Ok(None));
        }
        for (text, device) in
            [("cuda", "cuda:0"), ("cuda:0", "cuda:0"), ("cuda:7", "cuda:7"), ("meta:0", "meta")]
        {
            assert_eq!(named(text), Ok(Some(device)));
        }
    }

    #[test]
    fn what_is_no_device_is_refused_in_eagers_words() {
        for text in ["cuda:", "cuda:-1", "cuda:01", "cuda:x", "cuda:128", " cuda", "cuda:1:2"] {
            assert_eq!(named(text), Err(format!("Invalid device string: '{text}'")));
        }
        assert_eq!(named(""), Err("Device string must not be empty".into()));
        assert!(named("gpu").unwrap_err().ends_with("device type at start of device string: gpu"));
    }
}
