//! What ODS says of an operator beside its signature: its role, what its loops do with elements, which
//! strides its results have, and where its operands may be.
//!
//! `let strides = "Like", devices = ["There", "Anywhere"] in` before an entry of `dialects/td/operators/`
//! names variants of these. What they mean is stated in `dialects/src/aten`: `placement` computes strides,
//! `rules::devices` compares devices.

/// What kind of operation it is, where passes ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It stands at a boundary: put there by `graph-functionalize`, or it asks or makes true something of
    /// storages.
    Boundary,
    /// It gives its first operand with a part of it written.
    Scatter,
    /// Any other.
    Other,
}

/// What the loops of an operator of the functional dialect do with elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// They have none: the result is the elements of the first operand, at other places, which loads look
    /// through.
    Viewed,
    /// They move elements without looking at them.
    Moved,
    /// They compute by the dtype of the elements what is to be cast, and cast it themselves.
    ByDtype,
    /// They compute with elements, of dtypes that loops compute in.
    Computed,
}

/// The strides of an operator's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strides {
    /// Those of a pointwise iteration over the operands that `placement::iterated` gives.
    Pointwise,
    /// Those of the first operand, or as near as a dense tensor comes.
    Like,
    /// Row-major.
    Contiguous,
    /// Those of its memory format.
    Given,
    /// Those of `cat`.
    Cat,
    /// Those of `index`.
    Index,
    /// Those of `convolution`.
    Convolution,
    /// Channels last where the first operand suggests it, else row-major.
    Suggested,
    /// The same; what has no elements is cloned.
    Unshuffled,
    /// Those of `rms_norm`.
    Scaled,
    /// Those of `Suggested`, or of the first operand, as eager chooses a library.
    BatchNorm,
    /// Those of the first operand, of which the whole storage is copied.
    Whole,
    /// Those of a product of a column and a row.
    Outer,
    /// Those of a product with a bias.
    Bilinear,
    /// Those of the last step.
    Einsum,
    /// Those of a convolution of a batch or of one image.
    ConvolutionOfOne,
    /// Those of eager's choice of a kernel.
    Attention,
    /// Those of the query; logarithms have their heads innermost.
    FlashAttention,
    /// Those of images of one row.
    Rows,
    /// Those of a Fourier transform.
    Fourier,
    /// Those of a product and a sum.
    Fma,
    /// Those of the operand of the same number.
    LikeEach,
    /// Those of the second operand.
    LikeSecond,
    /// Heads inside of rows.
    HeadsInside,
    /// Channels last where the second operand suggests it.
    SuggestedBySecond,
    /// Row-major, but of a mean of all.
    AdaptiveAvgPool3d,
    /// Channels last where the gradient suggests it, but for cubic ones.
    UpsampleBackward,
    /// The output with the steps outermost.
    Recurrent,
    /// Pointwise, where nothing is reduced.
    Loss,
    /// Those of a transposed matrix.
    Columns,
    /// Volumes with channels innermost where those that came in suggest it.
    Volumes,
    /// Those of windows over images or volumes.
    Pooling,
    /// Rows that begin at multiples of 16 bytes.
    GroupedProduct,
    /// Those of an iteration over the halves.
    Glu,
    /// Row-major; of the kernel for CUDA those of the first operand.
    LogSigmoid,
}

/// Where an operand of an operator of graph may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandDevice {
    /// On the device of the results.
    There,
    /// There; without dimensions on the CPU.
    Scalar,
    /// There; one of all operands without dimensions on the CPU, as a number.
    Number,
    /// There; without dimensions anywhere.
    Value,
    /// There, or on the CPU.
    Index,
    /// On the CPU only.
    Host,
    /// Anywhere: a number is taken out of it, or it is copied, or only its sizes count.
    Anywhere,
}
