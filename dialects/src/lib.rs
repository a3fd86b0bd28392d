//! The four dialects: definitions, bridge, typed views, verifiers, type inference, folds
