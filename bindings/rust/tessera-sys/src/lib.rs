// SPDX-License-Identifier: MIT
//! The declarations of the C interface of Tessera, as in `include/tessera.h`, which documents them. Use the crate
//! `tessera` instead.

#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod declarations;

pub use declarations::*;
