//! Tensors as the runtime sees them: storages, strided views, JSON and npy
