//! The reference interpreter: what a program means
