//! Prints validated kernel modules as Metal Shading Language.
