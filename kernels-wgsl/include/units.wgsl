// Data is moved without looking at it, in units of 2, 4, 8 or 16 bytes: the largest that fits the shapes.
#if UNIT2
enable f16;
alias unit = f16;
#endif
#if UNIT4
alias unit = u32;
#endif
#if UNIT8
alias unit = vec2<u32>;
#endif
#if UNIT16
alias unit = vec4<u32>;
#endif
