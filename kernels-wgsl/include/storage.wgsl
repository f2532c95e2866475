// MATRIX8, MATRIX16: products by the subgroup matrices of Dawn, see fragments.wgsl.
#if MATRIX8
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
#endif
#if MATRIX16
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
#endif
// The element type of float buffers. Sums are always kept in f32.
#if F16
enable f16;
alias scalar = f16;
#else
alias scalar = f32;
#endif
