//! The plugin that stock mlir-opt loads
