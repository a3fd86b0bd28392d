//! Passes within and between the four dialects
