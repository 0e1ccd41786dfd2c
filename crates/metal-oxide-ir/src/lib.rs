//! The intermediate representation of kernels: text form, validator, analyses and passes.
