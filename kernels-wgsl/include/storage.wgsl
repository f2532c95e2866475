// The element type of float buffers. Sums are always kept in f32.
#if F16
enable f16;
alias scalar = f16;
#else
alias scalar = f32;
#endif
