//! Convolutions and pooling: what goes on in windows.

use super::{Maker, limit, listed};
use terrace_tensor::Dtype;

/// Names; the dimensions of the input, of the filter and of the result. `x` and `y` are those that a window
/// goes along, `X` and `Y` in the result, `v` and `w` in the filter; letters without a meaning are sizes.
const WINDOWS: [(&str, &str, &str, &str); 12] = [
    ("conv_1d", "x", "v", "X"),
    ("conv_2d", "xy", "vw", "XY"),
    ("conv_1d_nwc_wcf", "nxc", "vcf", "nXf"),
    ("conv_1d_ncw_fcw", "ncx", "fcv", "nfX"),
    ("conv_2d_nhwc_hwcf", "nxyc", "vwcf", "nXYf"),
    ("conv_2d_nhwc_fhwc", "nxyc", "fvwc", "nXYf"),
    ("conv_2d_nchw_fchw", "ncxy", "fcvw", "nfXY"),
    ("depthwise_conv_2d_nhwc_hwc", "nxyc", "vwc", "nXYc"),
    ("pooling_nhwc_sum", "nxyc", "vw", "nXYc"),
    ("pooling_nhwc_max", "nxyc", "vw", "nXYc"),
    ("pooling_nchw_max", "ncxy", "vw", "ncXY"),
    ("pooling_nhwc_min", "nxyc", "vw", "nXYc"),
];

impl Maker {
    /// A window that goes along.
    pub(super) fn window(&mut self) {
        let (name, input, filter, result) = self.random.choose(&WINDOWS);
        let dtype = match self.number_dtype() {
            Dtype::I8 | Dtype::I16 => Dtype::I32,
            dtype => dtype,
        };
        let plain = matches!(name, "conv_1d" | "conv_2d");
        let mut about = |most: i64| self.random.between(1, most);
        let [n, c, f] = [about(2), about(3), about(3)];
        let mut along = || -> [i64; 5] {
            let (out, own) = (about(4), about(3));
            let [stride, dilation] = if plain { [1, 1] } else { [about(2), about(2)] };
            [(out - 1) * stride + (own - 1) * dilation + 1 + about(2) - 1, own, out, stride, dilation]
        };
        let (x, y) = (along(), along());
        // The result is as large as it can be.
        let room =
            |[size, own, _, stride, dilation]: [i64; 5]| (size - (own - 1) * dilation - 1) / stride + 1;
        let size = |letter: char| match letter {
            'n' => n,
            'c' => c,
            'f' => f,
            'x' => x[0],
            'y' => y[0],
            'v' => x[1],
            'w' => y[1],
            'X' => room(x),
            _ => room(y),
        };
        let sizes = |letters: &str| letters.chars().map(size).collect::<Vec<i64>>();
        let pooled = name.starts_with("pooling");
        let points = filter.chars().filter(|letter| *letter != 'f').map(size).product::<i64>() as f64;
        let a = self.operand(dtype, &sizes(input), limit(dtype) / points / 4.0 - 50.0);
        let b = match pooled {
            true => self.operand(dtype, &sizes(filter), f64::INFINITY),
            false => self.operand(dtype, &sizes(filter), (limit(dtype) - 100.0) / points / a.bound.max(1.0)),
        };
        let own = if pooled { 1.0 } else { b.bound };
        if points * a.bound * own + 100.0 > limit(dtype) {
            return;
        }
        let into = self.destination(dtype, &sizes(result), &[a.clone(), b.clone()], true);
        let two = input.contains('y');
        let list = |k: usize| {
            let ty = if two { "2" } else { "1" };
            let all = if two { format!("[{}, {}]", x[k], y[k]) } else { format!("[{}]", x[k]) };
            format!("dense<{all}> : tensor<{ty}xi64>")
        };
        let attributes = match plain {
            true => String::new(),
            false => format!(" {{strides = {}, dilations = {}}}", list(3), list(4)),
        };
        let ins = listed([&a, &b].into_iter());
        let bound = into.bound + points * a.bound * own;
        self.write(&format!("linalg.{name}"), &attributes, &ins, &into, bound);
    }
}
