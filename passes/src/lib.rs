//! Passes within and between the four dialects

include!(concat!(env!("OUT_DIR"), "/passes.rs"));
