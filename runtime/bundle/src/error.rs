//! What can be wrong with a bundle.

/// What is wrong with a bundle, or with what a device makes of it; one line for the user.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BundleError(pub String);

impl From<terrace_call::Error> for BundleError {
    fn from(error: terrace_call::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<terrace_call::DeviceError> for BundleError {
    fn from(error: terrace_call::DeviceError) -> Self {
        Self(error.to_string())
    }
}

impl From<terrace_tensor::TensorError> for BundleError {
    fn from(error: terrace_tensor::TensorError) -> Self {
        Self(error.to_string())
    }
}
