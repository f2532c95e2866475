// Written by scripts/generate_kernels.mjs from the .wgsl files of this folder; do not edit.

/** A kernel and the flags of its variant. */
export type KernelName =
  | "attention"
  | "attention WIDE"
  | "attention VEC"
  | "attention VEC WIDE"
  | "attention F16"
  | "attention F16 WIDE"
  | "attention F16 VEC"
  | "attention F16 VEC WIDE"
  | "attention_kept"
  | "attention_kept WIDE"
  | "attention_kept VEC"
  | "attention_kept VEC WIDE"
  | "attention_kept F16"
  | "attention_kept F16 WIDE"
  | "attention_kept F16 VEC"
  | "attention_kept F16 VEC WIDE"
  | "attention_matrix MATRIX8"
  | "attention_matrix MATRIX16"
  | "attention_matrix EMULATED8"
  | "attention_matrix EMULATED16"
  | "attention_matrix VEC MATRIX8"
  | "attention_matrix VEC MATRIX16"
  | "attention_matrix VEC EMULATED8"
  | "attention_matrix VEC EMULATED16"
  | "attention_matrix F16 MATRIX8"
  | "attention_matrix F16 MATRIX16"
  | "attention_matrix F16 EMULATED8"
  | "attention_matrix F16 EMULATED16"
  | "attention_matrix F16 VEC MATRIX8"
  | "attention_matrix F16 VEC MATRIX16"
  | "attention_matrix F16 VEC EMULATED8"
  | "attention_matrix F16 VEC EMULATED16"
  | "conv"
  | "conv PHASES"
  | "conv PAST"
  | "conv PAST PHASES"
  | "conv VEC"
  | "conv VEC PHASES"
  | "conv VEC PAST"
  | "conv VEC PAST PHASES"
  | "conv F16"
  | "conv F16 PHASES"
  | "conv F16 PAST"
  | "conv F16 PAST PHASES"
  | "conv F16 VEC"
  | "conv F16 VEC PHASES"
  | "conv F16 VEC PAST"
  | "conv F16 VEC PAST PHASES"
  | "conv_tiled PORTABLE"
  | "conv_tiled MATRIX8"
  | "conv_tiled MATRIX16"
  | "conv_tiled EMULATED8"
  | "conv_tiled EMULATED16"
  | "conv_tiled SPLIT PORTABLE"
  | "conv_tiled SPLIT MATRIX8"
  | "conv_tiled SPLIT MATRIX16"
  | "conv_tiled SPLIT EMULATED8"
  | "conv_tiled SPLIT EMULATED16"
  | "conv_tiled SMALL PORTABLE"
  | "conv_tiled SMALL MATRIX8"
  | "conv_tiled SMALL MATRIX16"
  | "conv_tiled SMALL EMULATED8"
  | "conv_tiled SMALL EMULATED16"
  | "conv_tiled SMALL SPLIT PORTABLE"
  | "conv_tiled SMALL SPLIT MATRIX8"
  | "conv_tiled SMALL SPLIT MATRIX16"
  | "conv_tiled SMALL SPLIT EMULATED8"
  | "conv_tiled SMALL SPLIT EMULATED16"
  | "conv_tiled PHASES PORTABLE"
  | "conv_tiled PHASES MATRIX8"
  | "conv_tiled PHASES MATRIX16"
  | "conv_tiled PHASES EMULATED8"
  | "conv_tiled PHASES EMULATED16"
  | "conv_tiled PHASES SPLIT PORTABLE"
  | "conv_tiled PHASES SPLIT MATRIX8"
  | "conv_tiled PHASES SPLIT MATRIX16"
  | "conv_tiled PHASES SPLIT EMULATED8"
  | "conv_tiled PHASES SPLIT EMULATED16"
  | "conv_tiled PHASES SMALL PORTABLE"
  | "conv_tiled PHASES SMALL MATRIX8"
  | "conv_tiled PHASES SMALL MATRIX16"
  | "conv_tiled PHASES SMALL EMULATED8"
  | "conv_tiled PHASES SMALL EMULATED16"
  | "conv_tiled PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled PAST PORTABLE"
  | "conv_tiled PAST MATRIX8"
  | "conv_tiled PAST MATRIX16"
  | "conv_tiled PAST EMULATED8"
  | "conv_tiled PAST EMULATED16"
  | "conv_tiled PAST SPLIT PORTABLE"
  | "conv_tiled PAST SPLIT MATRIX8"
  | "conv_tiled PAST SPLIT MATRIX16"
  | "conv_tiled PAST SPLIT EMULATED8"
  | "conv_tiled PAST SPLIT EMULATED16"
  | "conv_tiled PAST SMALL PORTABLE"
  | "conv_tiled PAST SMALL MATRIX8"
  | "conv_tiled PAST SMALL MATRIX16"
  | "conv_tiled PAST SMALL EMULATED8"
  | "conv_tiled PAST SMALL EMULATED16"
  | "conv_tiled PAST SMALL SPLIT PORTABLE"
  | "conv_tiled PAST SMALL SPLIT MATRIX8"
  | "conv_tiled PAST SMALL SPLIT MATRIX16"
  | "conv_tiled PAST SMALL SPLIT EMULATED8"
  | "conv_tiled PAST SMALL SPLIT EMULATED16"
  | "conv_tiled PAST PHASES PORTABLE"
  | "conv_tiled PAST PHASES MATRIX8"
  | "conv_tiled PAST PHASES MATRIX16"
  | "conv_tiled PAST PHASES EMULATED8"
  | "conv_tiled PAST PHASES EMULATED16"
  | "conv_tiled PAST PHASES SPLIT PORTABLE"
  | "conv_tiled PAST PHASES SPLIT MATRIX8"
  | "conv_tiled PAST PHASES SPLIT MATRIX16"
  | "conv_tiled PAST PHASES SPLIT EMULATED8"
  | "conv_tiled PAST PHASES SPLIT EMULATED16"
  | "conv_tiled PAST PHASES SMALL PORTABLE"
  | "conv_tiled PAST PHASES SMALL MATRIX8"
  | "conv_tiled PAST PHASES SMALL MATRIX16"
  | "conv_tiled PAST PHASES SMALL EMULATED8"
  | "conv_tiled PAST PHASES SMALL EMULATED16"
  | "conv_tiled PAST PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled PAST PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled PAST PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled PAST PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled PAST PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled WIDE PORTABLE"
  | "conv_tiled WIDE MATRIX8"
  | "conv_tiled WIDE MATRIX16"
  | "conv_tiled WIDE EMULATED8"
  | "conv_tiled WIDE EMULATED16"
  | "conv_tiled WIDE SPLIT PORTABLE"
  | "conv_tiled WIDE SPLIT MATRIX8"
  | "conv_tiled WIDE SPLIT MATRIX16"
  | "conv_tiled WIDE SPLIT EMULATED8"
  | "conv_tiled WIDE SPLIT EMULATED16"
  | "conv_tiled WIDE SMALL PORTABLE"
  | "conv_tiled WIDE SMALL MATRIX8"
  | "conv_tiled WIDE SMALL MATRIX16"
  | "conv_tiled WIDE SMALL EMULATED8"
  | "conv_tiled WIDE SMALL EMULATED16"
  | "conv_tiled WIDE SMALL SPLIT PORTABLE"
  | "conv_tiled WIDE SMALL SPLIT MATRIX8"
  | "conv_tiled WIDE SMALL SPLIT MATRIX16"
  | "conv_tiled WIDE SMALL SPLIT EMULATED8"
  | "conv_tiled WIDE SMALL SPLIT EMULATED16"
  | "conv_tiled WIDE PHASES PORTABLE"
  | "conv_tiled WIDE PHASES MATRIX8"
  | "conv_tiled WIDE PHASES MATRIX16"
  | "conv_tiled WIDE PHASES EMULATED8"
  | "conv_tiled WIDE PHASES EMULATED16"
  | "conv_tiled WIDE PHASES SPLIT PORTABLE"
  | "conv_tiled WIDE PHASES SPLIT MATRIX8"
  | "conv_tiled WIDE PHASES SPLIT MATRIX16"
  | "conv_tiled WIDE PHASES SPLIT EMULATED8"
  | "conv_tiled WIDE PHASES SPLIT EMULATED16"
  | "conv_tiled WIDE PHASES SMALL PORTABLE"
  | "conv_tiled WIDE PHASES SMALL MATRIX8"
  | "conv_tiled WIDE PHASES SMALL MATRIX16"
  | "conv_tiled WIDE PHASES SMALL EMULATED8"
  | "conv_tiled WIDE PHASES SMALL EMULATED16"
  | "conv_tiled WIDE PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled WIDE PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled WIDE PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled WIDE PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled WIDE PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled WIDE PAST PORTABLE"
  | "conv_tiled WIDE PAST MATRIX8"
  | "conv_tiled WIDE PAST MATRIX16"
  | "conv_tiled WIDE PAST EMULATED8"
  | "conv_tiled WIDE PAST EMULATED16"
  | "conv_tiled WIDE PAST SPLIT PORTABLE"
  | "conv_tiled WIDE PAST SPLIT MATRIX8"
  | "conv_tiled WIDE PAST SPLIT MATRIX16"
  | "conv_tiled WIDE PAST SPLIT EMULATED8"
  | "conv_tiled WIDE PAST SPLIT EMULATED16"
  | "conv_tiled WIDE PAST SMALL PORTABLE"
  | "conv_tiled WIDE PAST SMALL MATRIX8"
  | "conv_tiled WIDE PAST SMALL MATRIX16"
  | "conv_tiled WIDE PAST SMALL EMULATED8"
  | "conv_tiled WIDE PAST SMALL EMULATED16"
  | "conv_tiled WIDE PAST SMALL SPLIT PORTABLE"
  | "conv_tiled WIDE PAST SMALL SPLIT MATRIX8"
  | "conv_tiled WIDE PAST SMALL SPLIT MATRIX16"
  | "conv_tiled WIDE PAST SMALL SPLIT EMULATED8"
  | "conv_tiled WIDE PAST SMALL SPLIT EMULATED16"
  | "conv_tiled WIDE PAST PHASES PORTABLE"
  | "conv_tiled WIDE PAST PHASES MATRIX8"
  | "conv_tiled WIDE PAST PHASES MATRIX16"
  | "conv_tiled WIDE PAST PHASES EMULATED8"
  | "conv_tiled WIDE PAST PHASES EMULATED16"
  | "conv_tiled WIDE PAST PHASES SPLIT PORTABLE"
  | "conv_tiled WIDE PAST PHASES SPLIT MATRIX8"
  | "conv_tiled WIDE PAST PHASES SPLIT MATRIX16"
  | "conv_tiled WIDE PAST PHASES SPLIT EMULATED8"
  | "conv_tiled WIDE PAST PHASES SPLIT EMULATED16"
  | "conv_tiled WIDE PAST PHASES SMALL PORTABLE"
  | "conv_tiled WIDE PAST PHASES SMALL MATRIX8"
  | "conv_tiled WIDE PAST PHASES SMALL MATRIX16"
  | "conv_tiled WIDE PAST PHASES SMALL EMULATED8"
  | "conv_tiled WIDE PAST PHASES SMALL EMULATED16"
  | "conv_tiled WIDE PAST PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled WIDE PAST PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled WIDE PAST PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled WIDE PAST PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled WIDE PAST PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled VEC PORTABLE"
  | "conv_tiled VEC MATRIX8"
  | "conv_tiled VEC MATRIX16"
  | "conv_tiled VEC EMULATED8"
  | "conv_tiled VEC EMULATED16"
  | "conv_tiled VEC SPLIT PORTABLE"
  | "conv_tiled VEC SPLIT MATRIX8"
  | "conv_tiled VEC SPLIT MATRIX16"
  | "conv_tiled VEC SPLIT EMULATED8"
  | "conv_tiled VEC SPLIT EMULATED16"
  | "conv_tiled VEC SMALL PORTABLE"
  | "conv_tiled VEC SMALL MATRIX8"
  | "conv_tiled VEC SMALL MATRIX16"
  | "conv_tiled VEC SMALL EMULATED8"
  | "conv_tiled VEC SMALL EMULATED16"
  | "conv_tiled VEC SMALL SPLIT PORTABLE"
  | "conv_tiled VEC SMALL SPLIT MATRIX8"
  | "conv_tiled VEC SMALL SPLIT MATRIX16"
  | "conv_tiled VEC SMALL SPLIT EMULATED8"
  | "conv_tiled VEC SMALL SPLIT EMULATED16"
  | "conv_tiled VEC PHASES PORTABLE"
  | "conv_tiled VEC PHASES MATRIX8"
  | "conv_tiled VEC PHASES MATRIX16"
  | "conv_tiled VEC PHASES EMULATED8"
  | "conv_tiled VEC PHASES EMULATED16"
  | "conv_tiled VEC PHASES SPLIT PORTABLE"
  | "conv_tiled VEC PHASES SPLIT MATRIX8"
  | "conv_tiled VEC PHASES SPLIT MATRIX16"
  | "conv_tiled VEC PHASES SPLIT EMULATED8"
  | "conv_tiled VEC PHASES SPLIT EMULATED16"
  | "conv_tiled VEC PHASES SMALL PORTABLE"
  | "conv_tiled VEC PHASES SMALL MATRIX8"
  | "conv_tiled VEC PHASES SMALL MATRIX16"
  | "conv_tiled VEC PHASES SMALL EMULATED8"
  | "conv_tiled VEC PHASES SMALL EMULATED16"
  | "conv_tiled VEC PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled VEC PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled VEC PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled VEC PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled VEC PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled VEC PAST PORTABLE"
  | "conv_tiled VEC PAST MATRIX8"
  | "conv_tiled VEC PAST MATRIX16"
  | "conv_tiled VEC PAST EMULATED8"
  | "conv_tiled VEC PAST EMULATED16"
  | "conv_tiled VEC PAST SPLIT PORTABLE"
  | "conv_tiled VEC PAST SPLIT MATRIX8"
  | "conv_tiled VEC PAST SPLIT MATRIX16"
  | "conv_tiled VEC PAST SPLIT EMULATED8"
  | "conv_tiled VEC PAST SPLIT EMULATED16"
  | "conv_tiled VEC PAST SMALL PORTABLE"
  | "conv_tiled VEC PAST SMALL MATRIX8"
  | "conv_tiled VEC PAST SMALL MATRIX16"
  | "conv_tiled VEC PAST SMALL EMULATED8"
  | "conv_tiled VEC PAST SMALL EMULATED16"
  | "conv_tiled VEC PAST SMALL SPLIT PORTABLE"
  | "conv_tiled VEC PAST SMALL SPLIT MATRIX8"
  | "conv_tiled VEC PAST SMALL SPLIT MATRIX16"
  | "conv_tiled VEC PAST SMALL SPLIT EMULATED8"
  | "conv_tiled VEC PAST SMALL SPLIT EMULATED16"
  | "conv_tiled VEC PAST PHASES PORTABLE"
  | "conv_tiled VEC PAST PHASES MATRIX8"
  | "conv_tiled VEC PAST PHASES MATRIX16"
  | "conv_tiled VEC PAST PHASES EMULATED8"
  | "conv_tiled VEC PAST PHASES EMULATED16"
  | "conv_tiled VEC PAST PHASES SPLIT PORTABLE"
  | "conv_tiled VEC PAST PHASES SPLIT MATRIX8"
  | "conv_tiled VEC PAST PHASES SPLIT MATRIX16"
  | "conv_tiled VEC PAST PHASES SPLIT EMULATED8"
  | "conv_tiled VEC PAST PHASES SPLIT EMULATED16"
  | "conv_tiled VEC PAST PHASES SMALL PORTABLE"
  | "conv_tiled VEC PAST PHASES SMALL MATRIX8"
  | "conv_tiled VEC PAST PHASES SMALL MATRIX16"
  | "conv_tiled VEC PAST PHASES SMALL EMULATED8"
  | "conv_tiled VEC PAST PHASES SMALL EMULATED16"
  | "conv_tiled VEC PAST PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled VEC PAST PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled VEC PAST PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled VEC PAST PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled VEC PAST PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled VEC WIDE PORTABLE"
  | "conv_tiled VEC WIDE MATRIX8"
  | "conv_tiled VEC WIDE MATRIX16"
  | "conv_tiled VEC WIDE EMULATED8"
  | "conv_tiled VEC WIDE EMULATED16"
  | "conv_tiled VEC WIDE SPLIT PORTABLE"
  | "conv_tiled VEC WIDE SPLIT MATRIX8"
  | "conv_tiled VEC WIDE SPLIT MATRIX16"
  | "conv_tiled VEC WIDE SPLIT EMULATED8"
  | "conv_tiled VEC WIDE SPLIT EMULATED16"
  | "conv_tiled VEC WIDE SMALL PORTABLE"
  | "conv_tiled VEC WIDE SMALL MATRIX8"
  | "conv_tiled VEC WIDE SMALL MATRIX16"
  | "conv_tiled VEC WIDE SMALL EMULATED8"
  | "conv_tiled VEC WIDE SMALL EMULATED16"
  | "conv_tiled VEC WIDE SMALL SPLIT PORTABLE"
  | "conv_tiled VEC WIDE SMALL SPLIT MATRIX8"
  | "conv_tiled VEC WIDE SMALL SPLIT MATRIX16"
  | "conv_tiled VEC WIDE SMALL SPLIT EMULATED8"
  | "conv_tiled VEC WIDE SMALL SPLIT EMULATED16"
  | "conv_tiled VEC WIDE PHASES PORTABLE"
  | "conv_tiled VEC WIDE PHASES MATRIX8"
  | "conv_tiled VEC WIDE PHASES MATRIX16"
  | "conv_tiled VEC WIDE PHASES EMULATED8"
  | "conv_tiled VEC WIDE PHASES EMULATED16"
  | "conv_tiled VEC WIDE PHASES SPLIT PORTABLE"
  | "conv_tiled VEC WIDE PHASES SPLIT MATRIX8"
  | "conv_tiled VEC WIDE PHASES SPLIT MATRIX16"
  | "conv_tiled VEC WIDE PHASES SPLIT EMULATED8"
  | "conv_tiled VEC WIDE PHASES SPLIT EMULATED16"
  | "conv_tiled VEC WIDE PHASES SMALL PORTABLE"
  | "conv_tiled VEC WIDE PHASES SMALL MATRIX8"
  | "conv_tiled VEC WIDE PHASES SMALL MATRIX16"
  | "conv_tiled VEC WIDE PHASES SMALL EMULATED8"
  | "conv_tiled VEC WIDE PHASES SMALL EMULATED16"
  | "conv_tiled VEC WIDE PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled VEC WIDE PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled VEC WIDE PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled VEC WIDE PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled VEC WIDE PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled VEC WIDE PAST PORTABLE"
  | "conv_tiled VEC WIDE PAST MATRIX8"
  | "conv_tiled VEC WIDE PAST MATRIX16"
  | "conv_tiled VEC WIDE PAST EMULATED8"
  | "conv_tiled VEC WIDE PAST EMULATED16"
  | "conv_tiled VEC WIDE PAST SPLIT PORTABLE"
  | "conv_tiled VEC WIDE PAST SPLIT MATRIX8"
  | "conv_tiled VEC WIDE PAST SPLIT MATRIX16"
  | "conv_tiled VEC WIDE PAST SPLIT EMULATED8"
  | "conv_tiled VEC WIDE PAST SPLIT EMULATED16"
  | "conv_tiled VEC WIDE PAST SMALL PORTABLE"
  | "conv_tiled VEC WIDE PAST SMALL MATRIX8"
  | "conv_tiled VEC WIDE PAST SMALL MATRIX16"
  | "conv_tiled VEC WIDE PAST SMALL EMULATED8"
  | "conv_tiled VEC WIDE PAST SMALL EMULATED16"
  | "conv_tiled VEC WIDE PAST SMALL SPLIT PORTABLE"
  | "conv_tiled VEC WIDE PAST SMALL SPLIT MATRIX8"
  | "conv_tiled VEC WIDE PAST SMALL SPLIT MATRIX16"
  | "conv_tiled VEC WIDE PAST SMALL SPLIT EMULATED8"
  | "conv_tiled VEC WIDE PAST SMALL SPLIT EMULATED16"
  | "conv_tiled VEC WIDE PAST PHASES PORTABLE"
  | "conv_tiled VEC WIDE PAST PHASES MATRIX8"
  | "conv_tiled VEC WIDE PAST PHASES MATRIX16"
  | "conv_tiled VEC WIDE PAST PHASES EMULATED8"
  | "conv_tiled VEC WIDE PAST PHASES EMULATED16"
  | "conv_tiled VEC WIDE PAST PHASES SPLIT PORTABLE"
  | "conv_tiled VEC WIDE PAST PHASES SPLIT MATRIX8"
  | "conv_tiled VEC WIDE PAST PHASES SPLIT MATRIX16"
  | "conv_tiled VEC WIDE PAST PHASES SPLIT EMULATED8"
  | "conv_tiled VEC WIDE PAST PHASES SPLIT EMULATED16"
  | "conv_tiled VEC WIDE PAST PHASES SMALL PORTABLE"
  | "conv_tiled VEC WIDE PAST PHASES SMALL MATRIX8"
  | "conv_tiled VEC WIDE PAST PHASES SMALL MATRIX16"
  | "conv_tiled VEC WIDE PAST PHASES SMALL EMULATED8"
  | "conv_tiled VEC WIDE PAST PHASES SMALL EMULATED16"
  | "conv_tiled VEC WIDE PAST PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled VEC WIDE PAST PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled VEC WIDE PAST PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled VEC WIDE PAST PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled VEC WIDE PAST PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled F16 PORTABLE"
  | "conv_tiled F16 MATRIX8"
  | "conv_tiled F16 MATRIX16"
  | "conv_tiled F16 EMULATED8"
  | "conv_tiled F16 EMULATED16"
  | "conv_tiled F16 SPLIT PORTABLE"
  | "conv_tiled F16 SPLIT MATRIX8"
  | "conv_tiled F16 SPLIT MATRIX16"
  | "conv_tiled F16 SPLIT EMULATED8"
  | "conv_tiled F16 SPLIT EMULATED16"
  | "conv_tiled F16 SMALL PORTABLE"
  | "conv_tiled F16 SMALL MATRIX8"
  | "conv_tiled F16 SMALL MATRIX16"
  | "conv_tiled F16 SMALL EMULATED8"
  | "conv_tiled F16 SMALL EMULATED16"
  | "conv_tiled F16 SMALL SPLIT PORTABLE"
  | "conv_tiled F16 SMALL SPLIT MATRIX8"
  | "conv_tiled F16 SMALL SPLIT MATRIX16"
  | "conv_tiled F16 SMALL SPLIT EMULATED8"
  | "conv_tiled F16 SMALL SPLIT EMULATED16"
  | "conv_tiled F16 PHASES PORTABLE"
  | "conv_tiled F16 PHASES MATRIX8"
  | "conv_tiled F16 PHASES MATRIX16"
  | "conv_tiled F16 PHASES EMULATED8"
  | "conv_tiled F16 PHASES EMULATED16"
  | "conv_tiled F16 PHASES SPLIT PORTABLE"
  | "conv_tiled F16 PHASES SPLIT MATRIX8"
  | "conv_tiled F16 PHASES SPLIT MATRIX16"
  | "conv_tiled F16 PHASES SPLIT EMULATED8"
  | "conv_tiled F16 PHASES SPLIT EMULATED16"
  | "conv_tiled F16 PHASES SMALL PORTABLE"
  | "conv_tiled F16 PHASES SMALL MATRIX8"
  | "conv_tiled F16 PHASES SMALL MATRIX16"
  | "conv_tiled F16 PHASES SMALL EMULATED8"
  | "conv_tiled F16 PHASES SMALL EMULATED16"
  | "conv_tiled F16 PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled F16 PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled F16 PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled F16 PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled F16 PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled F16 PAST PORTABLE"
  | "conv_tiled F16 PAST MATRIX8"
  | "conv_tiled F16 PAST MATRIX16"
  | "conv_tiled F16 PAST EMULATED8"
  | "conv_tiled F16 PAST EMULATED16"
  | "conv_tiled F16 PAST SPLIT PORTABLE"
  | "conv_tiled F16 PAST SPLIT MATRIX8"
  | "conv_tiled F16 PAST SPLIT MATRIX16"
  | "conv_tiled F16 PAST SPLIT EMULATED8"
  | "conv_tiled F16 PAST SPLIT EMULATED16"
  | "conv_tiled F16 PAST SMALL PORTABLE"
  | "conv_tiled F16 PAST SMALL MATRIX8"
  | "conv_tiled F16 PAST SMALL MATRIX16"
  | "conv_tiled F16 PAST SMALL EMULATED8"
  | "conv_tiled F16 PAST SMALL EMULATED16"
  | "conv_tiled F16 PAST SMALL SPLIT PORTABLE"
  | "conv_tiled F16 PAST SMALL SPLIT MATRIX8"
  | "conv_tiled F16 PAST SMALL SPLIT MATRIX16"
  | "conv_tiled F16 PAST SMALL SPLIT EMULATED8"
  | "conv_tiled F16 PAST SMALL SPLIT EMULATED16"
  | "conv_tiled F16 PAST PHASES PORTABLE"
  | "conv_tiled F16 PAST PHASES MATRIX8"
  | "conv_tiled F16 PAST PHASES MATRIX16"
  | "conv_tiled F16 PAST PHASES EMULATED8"
  | "conv_tiled F16 PAST PHASES EMULATED16"
  | "conv_tiled F16 PAST PHASES SPLIT PORTABLE"
  | "conv_tiled F16 PAST PHASES SPLIT MATRIX8"
  | "conv_tiled F16 PAST PHASES SPLIT MATRIX16"
  | "conv_tiled F16 PAST PHASES SPLIT EMULATED8"
  | "conv_tiled F16 PAST PHASES SPLIT EMULATED16"
  | "conv_tiled F16 PAST PHASES SMALL PORTABLE"
  | "conv_tiled F16 PAST PHASES SMALL MATRIX8"
  | "conv_tiled F16 PAST PHASES SMALL MATRIX16"
  | "conv_tiled F16 PAST PHASES SMALL EMULATED8"
  | "conv_tiled F16 PAST PHASES SMALL EMULATED16"
  | "conv_tiled F16 PAST PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled F16 PAST PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled F16 PAST PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled F16 PAST PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled F16 PAST PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled F16 WIDE PORTABLE"
  | "conv_tiled F16 WIDE MATRIX8"
  | "conv_tiled F16 WIDE MATRIX16"
  | "conv_tiled F16 WIDE EMULATED8"
  | "conv_tiled F16 WIDE EMULATED16"
  | "conv_tiled F16 WIDE SPLIT PORTABLE"
  | "conv_tiled F16 WIDE SPLIT MATRIX8"
  | "conv_tiled F16 WIDE SPLIT MATRIX16"
  | "conv_tiled F16 WIDE SPLIT EMULATED8"
  | "conv_tiled F16 WIDE SPLIT EMULATED16"
  | "conv_tiled F16 WIDE SMALL PORTABLE"
  | "conv_tiled F16 WIDE SMALL MATRIX8"
  | "conv_tiled F16 WIDE SMALL MATRIX16"
  | "conv_tiled F16 WIDE SMALL EMULATED8"
  | "conv_tiled F16 WIDE SMALL EMULATED16"
  | "conv_tiled F16 WIDE SMALL SPLIT PORTABLE"
  | "conv_tiled F16 WIDE SMALL SPLIT MATRIX8"
  | "conv_tiled F16 WIDE SMALL SPLIT MATRIX16"
  | "conv_tiled F16 WIDE SMALL SPLIT EMULATED8"
  | "conv_tiled F16 WIDE SMALL SPLIT EMULATED16"
  | "conv_tiled F16 WIDE PHASES PORTABLE"
  | "conv_tiled F16 WIDE PHASES MATRIX8"
  | "conv_tiled F16 WIDE PHASES MATRIX16"
  | "conv_tiled F16 WIDE PHASES EMULATED8"
  | "conv_tiled F16 WIDE PHASES EMULATED16"
  | "conv_tiled F16 WIDE PHASES SPLIT PORTABLE"
  | "conv_tiled F16 WIDE PHASES SPLIT MATRIX8"
  | "conv_tiled F16 WIDE PHASES SPLIT MATRIX16"
  | "conv_tiled F16 WIDE PHASES SPLIT EMULATED8"
  | "conv_tiled F16 WIDE PHASES SPLIT EMULATED16"
  | "conv_tiled F16 WIDE PHASES SMALL PORTABLE"
  | "conv_tiled F16 WIDE PHASES SMALL MATRIX8"
  | "conv_tiled F16 WIDE PHASES SMALL MATRIX16"
  | "conv_tiled F16 WIDE PHASES SMALL EMULATED8"
  | "conv_tiled F16 WIDE PHASES SMALL EMULATED16"
  | "conv_tiled F16 WIDE PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled F16 WIDE PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled F16 WIDE PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled F16 WIDE PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled F16 WIDE PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled F16 WIDE PAST PORTABLE"
  | "conv_tiled F16 WIDE PAST MATRIX8"
  | "conv_tiled F16 WIDE PAST MATRIX16"
  | "conv_tiled F16 WIDE PAST EMULATED8"
  | "conv_tiled F16 WIDE PAST EMULATED16"
  | "conv_tiled F16 WIDE PAST SPLIT PORTABLE"
  | "conv_tiled F16 WIDE PAST SPLIT MATRIX8"
  | "conv_tiled F16 WIDE PAST SPLIT MATRIX16"
  | "conv_tiled F16 WIDE PAST SPLIT EMULATED8"
  | "conv_tiled F16 WIDE PAST SPLIT EMULATED16"
  | "conv_tiled F16 WIDE PAST SMALL PORTABLE"
  | "conv_tiled F16 WIDE PAST SMALL MATRIX8"
  | "conv_tiled F16 WIDE PAST SMALL MATRIX16"
  | "conv_tiled F16 WIDE PAST SMALL EMULATED8"
  | "conv_tiled F16 WIDE PAST SMALL EMULATED16"
  | "conv_tiled F16 WIDE PAST SMALL SPLIT PORTABLE"
  | "conv_tiled F16 WIDE PAST SMALL SPLIT MATRIX8"
  | "conv_tiled F16 WIDE PAST SMALL SPLIT MATRIX16"
  | "conv_tiled F16 WIDE PAST SMALL SPLIT EMULATED8"
  | "conv_tiled F16 WIDE PAST SMALL SPLIT EMULATED16"
  | "conv_tiled F16 WIDE PAST PHASES PORTABLE"
  | "conv_tiled F16 WIDE PAST PHASES MATRIX8"
  | "conv_tiled F16 WIDE PAST PHASES MATRIX16"
  | "conv_tiled F16 WIDE PAST PHASES EMULATED8"
  | "conv_tiled F16 WIDE PAST PHASES EMULATED16"
  | "conv_tiled F16 WIDE PAST PHASES SPLIT PORTABLE"
  | "conv_tiled F16 WIDE PAST PHASES SPLIT MATRIX8"
  | "conv_tiled F16 WIDE PAST PHASES SPLIT MATRIX16"
  | "conv_tiled F16 WIDE PAST PHASES SPLIT EMULATED8"
  | "conv_tiled F16 WIDE PAST PHASES SPLIT EMULATED16"
  | "conv_tiled F16 WIDE PAST PHASES SMALL PORTABLE"
  | "conv_tiled F16 WIDE PAST PHASES SMALL MATRIX8"
  | "conv_tiled F16 WIDE PAST PHASES SMALL MATRIX16"
  | "conv_tiled F16 WIDE PAST PHASES SMALL EMULATED8"
  | "conv_tiled F16 WIDE PAST PHASES SMALL EMULATED16"
  | "conv_tiled F16 WIDE PAST PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled F16 WIDE PAST PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled F16 WIDE PAST PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled F16 WIDE PAST PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled F16 WIDE PAST PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled F16 VEC PORTABLE"
  | "conv_tiled F16 VEC MATRIX8"
  | "conv_tiled F16 VEC MATRIX16"
  | "conv_tiled F16 VEC EMULATED8"
  | "conv_tiled F16 VEC EMULATED16"
  | "conv_tiled F16 VEC SPLIT PORTABLE"
  | "conv_tiled F16 VEC SPLIT MATRIX8"
  | "conv_tiled F16 VEC SPLIT MATRIX16"
  | "conv_tiled F16 VEC SPLIT EMULATED8"
  | "conv_tiled F16 VEC SPLIT EMULATED16"
  | "conv_tiled F16 VEC SMALL PORTABLE"
  | "conv_tiled F16 VEC SMALL MATRIX8"
  | "conv_tiled F16 VEC SMALL MATRIX16"
  | "conv_tiled F16 VEC SMALL EMULATED8"
  | "conv_tiled F16 VEC SMALL EMULATED16"
  | "conv_tiled F16 VEC SMALL SPLIT PORTABLE"
  | "conv_tiled F16 VEC SMALL SPLIT MATRIX8"
  | "conv_tiled F16 VEC SMALL SPLIT MATRIX16"
  | "conv_tiled F16 VEC SMALL SPLIT EMULATED8"
  | "conv_tiled F16 VEC SMALL SPLIT EMULATED16"
  | "conv_tiled F16 VEC PHASES PORTABLE"
  | "conv_tiled F16 VEC PHASES MATRIX8"
  | "conv_tiled F16 VEC PHASES MATRIX16"
  | "conv_tiled F16 VEC PHASES EMULATED8"
  | "conv_tiled F16 VEC PHASES EMULATED16"
  | "conv_tiled F16 VEC PHASES SPLIT PORTABLE"
  | "conv_tiled F16 VEC PHASES SPLIT MATRIX8"
  | "conv_tiled F16 VEC PHASES SPLIT MATRIX16"
  | "conv_tiled F16 VEC PHASES SPLIT EMULATED8"
  | "conv_tiled F16 VEC PHASES SPLIT EMULATED16"
  | "conv_tiled F16 VEC PHASES SMALL PORTABLE"
  | "conv_tiled F16 VEC PHASES SMALL MATRIX8"
  | "conv_tiled F16 VEC PHASES SMALL MATRIX16"
  | "conv_tiled F16 VEC PHASES SMALL EMULATED8"
  | "conv_tiled F16 VEC PHASES SMALL EMULATED16"
  | "conv_tiled F16 VEC PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled F16 VEC PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled F16 VEC PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled F16 VEC PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled F16 VEC PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled F16 VEC PAST PORTABLE"
  | "conv_tiled F16 VEC PAST MATRIX8"
  | "conv_tiled F16 VEC PAST MATRIX16"
  | "conv_tiled F16 VEC PAST EMULATED8"
  | "conv_tiled F16 VEC PAST EMULATED16"
  | "conv_tiled F16 VEC PAST SPLIT PORTABLE"
  | "conv_tiled F16 VEC PAST SPLIT MATRIX8"
  | "conv_tiled F16 VEC PAST SPLIT MATRIX16"
  | "conv_tiled F16 VEC PAST SPLIT EMULATED8"
  | "conv_tiled F16 VEC PAST SPLIT EMULATED16"
  | "conv_tiled F16 VEC PAST SMALL PORTABLE"
  | "conv_tiled F16 VEC PAST SMALL MATRIX8"
  | "conv_tiled F16 VEC PAST SMALL MATRIX16"
  | "conv_tiled F16 VEC PAST SMALL EMULATED8"
  | "conv_tiled F16 VEC PAST SMALL EMULATED16"
  | "conv_tiled F16 VEC PAST SMALL SPLIT PORTABLE"
  | "conv_tiled F16 VEC PAST SMALL SPLIT MATRIX8"
  | "conv_tiled F16 VEC PAST SMALL SPLIT MATRIX16"
  | "conv_tiled F16 VEC PAST SMALL SPLIT EMULATED8"
  | "conv_tiled F16 VEC PAST SMALL SPLIT EMULATED16"
  | "conv_tiled F16 VEC PAST PHASES PORTABLE"
  | "conv_tiled F16 VEC PAST PHASES MATRIX8"
  | "conv_tiled F16 VEC PAST PHASES MATRIX16"
  | "conv_tiled F16 VEC PAST PHASES EMULATED8"
  | "conv_tiled F16 VEC PAST PHASES EMULATED16"
  | "conv_tiled F16 VEC PAST PHASES SPLIT PORTABLE"
  | "conv_tiled F16 VEC PAST PHASES SPLIT MATRIX8"
  | "conv_tiled F16 VEC PAST PHASES SPLIT MATRIX16"
  | "conv_tiled F16 VEC PAST PHASES SPLIT EMULATED8"
  | "conv_tiled F16 VEC PAST PHASES SPLIT EMULATED16"
  | "conv_tiled F16 VEC PAST PHASES SMALL PORTABLE"
  | "conv_tiled F16 VEC PAST PHASES SMALL MATRIX8"
  | "conv_tiled F16 VEC PAST PHASES SMALL MATRIX16"
  | "conv_tiled F16 VEC PAST PHASES SMALL EMULATED8"
  | "conv_tiled F16 VEC PAST PHASES SMALL EMULATED16"
  | "conv_tiled F16 VEC PAST PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled F16 VEC PAST PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled F16 VEC PAST PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled F16 VEC PAST PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled F16 VEC PAST PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled F16 VEC WIDE PORTABLE"
  | "conv_tiled F16 VEC WIDE MATRIX8"
  | "conv_tiled F16 VEC WIDE MATRIX16"
  | "conv_tiled F16 VEC WIDE EMULATED8"
  | "conv_tiled F16 VEC WIDE EMULATED16"
  | "conv_tiled F16 VEC WIDE SPLIT PORTABLE"
  | "conv_tiled F16 VEC WIDE SPLIT MATRIX8"
  | "conv_tiled F16 VEC WIDE SPLIT MATRIX16"
  | "conv_tiled F16 VEC WIDE SPLIT EMULATED8"
  | "conv_tiled F16 VEC WIDE SPLIT EMULATED16"
  | "conv_tiled F16 VEC WIDE SMALL PORTABLE"
  | "conv_tiled F16 VEC WIDE SMALL MATRIX8"
  | "conv_tiled F16 VEC WIDE SMALL MATRIX16"
  | "conv_tiled F16 VEC WIDE SMALL EMULATED8"
  | "conv_tiled F16 VEC WIDE SMALL EMULATED16"
  | "conv_tiled F16 VEC WIDE SMALL SPLIT PORTABLE"
  | "conv_tiled F16 VEC WIDE SMALL SPLIT MATRIX8"
  | "conv_tiled F16 VEC WIDE SMALL SPLIT MATRIX16"
  | "conv_tiled F16 VEC WIDE SMALL SPLIT EMULATED8"
  | "conv_tiled F16 VEC WIDE SMALL SPLIT EMULATED16"
  | "conv_tiled F16 VEC WIDE PHASES PORTABLE"
  | "conv_tiled F16 VEC WIDE PHASES MATRIX8"
  | "conv_tiled F16 VEC WIDE PHASES MATRIX16"
  | "conv_tiled F16 VEC WIDE PHASES EMULATED8"
  | "conv_tiled F16 VEC WIDE PHASES EMULATED16"
  | "conv_tiled F16 VEC WIDE PHASES SPLIT PORTABLE"
  | "conv_tiled F16 VEC WIDE PHASES SPLIT MATRIX8"
  | "conv_tiled F16 VEC WIDE PHASES SPLIT MATRIX16"
  | "conv_tiled F16 VEC WIDE PHASES SPLIT EMULATED8"
  | "conv_tiled F16 VEC WIDE PHASES SPLIT EMULATED16"
  | "conv_tiled F16 VEC WIDE PHASES SMALL PORTABLE"
  | "conv_tiled F16 VEC WIDE PHASES SMALL MATRIX8"
  | "conv_tiled F16 VEC WIDE PHASES SMALL MATRIX16"
  | "conv_tiled F16 VEC WIDE PHASES SMALL EMULATED8"
  | "conv_tiled F16 VEC WIDE PHASES SMALL EMULATED16"
  | "conv_tiled F16 VEC WIDE PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled F16 VEC WIDE PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled F16 VEC WIDE PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled F16 VEC WIDE PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled F16 VEC WIDE PHASES SMALL SPLIT EMULATED16"
  | "conv_tiled F16 VEC WIDE PAST PORTABLE"
  | "conv_tiled F16 VEC WIDE PAST MATRIX8"
  | "conv_tiled F16 VEC WIDE PAST MATRIX16"
  | "conv_tiled F16 VEC WIDE PAST EMULATED8"
  | "conv_tiled F16 VEC WIDE PAST EMULATED16"
  | "conv_tiled F16 VEC WIDE PAST SPLIT PORTABLE"
  | "conv_tiled F16 VEC WIDE PAST SPLIT MATRIX8"
  | "conv_tiled F16 VEC WIDE PAST SPLIT MATRIX16"
  | "conv_tiled F16 VEC WIDE PAST SPLIT EMULATED8"
  | "conv_tiled F16 VEC WIDE PAST SPLIT EMULATED16"
  | "conv_tiled F16 VEC WIDE PAST SMALL PORTABLE"
  | "conv_tiled F16 VEC WIDE PAST SMALL MATRIX8"
  | "conv_tiled F16 VEC WIDE PAST SMALL MATRIX16"
  | "conv_tiled F16 VEC WIDE PAST SMALL EMULATED8"
  | "conv_tiled F16 VEC WIDE PAST SMALL EMULATED16"
  | "conv_tiled F16 VEC WIDE PAST SMALL SPLIT PORTABLE"
  | "conv_tiled F16 VEC WIDE PAST SMALL SPLIT MATRIX8"
  | "conv_tiled F16 VEC WIDE PAST SMALL SPLIT MATRIX16"
  | "conv_tiled F16 VEC WIDE PAST SMALL SPLIT EMULATED8"
  | "conv_tiled F16 VEC WIDE PAST SMALL SPLIT EMULATED16"
  | "conv_tiled F16 VEC WIDE PAST PHASES PORTABLE"
  | "conv_tiled F16 VEC WIDE PAST PHASES MATRIX8"
  | "conv_tiled F16 VEC WIDE PAST PHASES MATRIX16"
  | "conv_tiled F16 VEC WIDE PAST PHASES EMULATED8"
  | "conv_tiled F16 VEC WIDE PAST PHASES EMULATED16"
  | "conv_tiled F16 VEC WIDE PAST PHASES SPLIT PORTABLE"
  | "conv_tiled F16 VEC WIDE PAST PHASES SPLIT MATRIX8"
  | "conv_tiled F16 VEC WIDE PAST PHASES SPLIT MATRIX16"
  | "conv_tiled F16 VEC WIDE PAST PHASES SPLIT EMULATED8"
  | "conv_tiled F16 VEC WIDE PAST PHASES SPLIT EMULATED16"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL PORTABLE"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL MATRIX8"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL MATRIX16"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL EMULATED8"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL EMULATED16"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL SPLIT PORTABLE"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL SPLIT MATRIX8"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL SPLIT MATRIX16"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL SPLIT EMULATED8"
  | "conv_tiled F16 VEC WIDE PAST PHASES SMALL SPLIT EMULATED16"
  | "copy UNIT2"
  | "copy UNIT4"
  | "copy UNIT8"
  | "copy UNIT16"
  | "elementwise"
  | "elementwise VEC"
  | "elementwise F16"
  | "elementwise F16 VEC"
  | "gather UNIT2"
  | "gather UNIT4"
  | "gather UNIT8"
  | "gather UNIT16"
  | "load_weight PLAIN"
  | "load_weight TAPS"
  | "load_weight PHASES"
  | "matmul"
  | "matmul QUANTIZED"
  | "matmul VEC"
  | "matmul VEC QUANTIZED"
  | "matmul F16"
  | "matmul F16 QUANTIZED"
  | "matmul F16 VEC"
  | "matmul F16 VEC QUANTIZED"
  | "matmul_tiled PORTABLE"
  | "matmul_tiled MATRIX8"
  | "matmul_tiled MATRIX16"
  | "matmul_tiled EMULATED8"
  | "matmul_tiled EMULATED16"
  | "matmul_tiled SPLIT PORTABLE"
  | "matmul_tiled SPLIT MATRIX8"
  | "matmul_tiled SPLIT MATRIX16"
  | "matmul_tiled SPLIT EMULATED8"
  | "matmul_tiled SPLIT EMULATED16"
  | "matmul_tiled SMALL PORTABLE"
  | "matmul_tiled SMALL MATRIX8"
  | "matmul_tiled SMALL MATRIX16"
  | "matmul_tiled SMALL EMULATED8"
  | "matmul_tiled SMALL EMULATED16"
  | "matmul_tiled SMALL SPLIT PORTABLE"
  | "matmul_tiled SMALL SPLIT MATRIX8"
  | "matmul_tiled SMALL SPLIT MATRIX16"
  | "matmul_tiled SMALL SPLIT EMULATED8"
  | "matmul_tiled SMALL SPLIT EMULATED16"
  | "matmul_tiled QUANTIZED PORTABLE"
  | "matmul_tiled QUANTIZED MATRIX8"
  | "matmul_tiled QUANTIZED MATRIX16"
  | "matmul_tiled QUANTIZED EMULATED8"
  | "matmul_tiled QUANTIZED EMULATED16"
  | "matmul_tiled QUANTIZED SPLIT PORTABLE"
  | "matmul_tiled QUANTIZED SPLIT MATRIX8"
  | "matmul_tiled QUANTIZED SPLIT MATRIX16"
  | "matmul_tiled QUANTIZED SPLIT EMULATED8"
  | "matmul_tiled QUANTIZED SPLIT EMULATED16"
  | "matmul_tiled QUANTIZED SMALL PORTABLE"
  | "matmul_tiled QUANTIZED SMALL MATRIX8"
  | "matmul_tiled QUANTIZED SMALL MATRIX16"
  | "matmul_tiled QUANTIZED SMALL EMULATED8"
  | "matmul_tiled QUANTIZED SMALL EMULATED16"
  | "matmul_tiled QUANTIZED SMALL SPLIT PORTABLE"
  | "matmul_tiled QUANTIZED SMALL SPLIT MATRIX8"
  | "matmul_tiled QUANTIZED SMALL SPLIT MATRIX16"
  | "matmul_tiled QUANTIZED SMALL SPLIT EMULATED8"
  | "matmul_tiled QUANTIZED SMALL SPLIT EMULATED16"
  | "matmul_tiled VEC PORTABLE"
  | "matmul_tiled VEC MATRIX8"
  | "matmul_tiled VEC MATRIX16"
  | "matmul_tiled VEC EMULATED8"
  | "matmul_tiled VEC EMULATED16"
  | "matmul_tiled VEC SPLIT PORTABLE"
  | "matmul_tiled VEC SPLIT MATRIX8"
  | "matmul_tiled VEC SPLIT MATRIX16"
  | "matmul_tiled VEC SPLIT EMULATED8"
  | "matmul_tiled VEC SPLIT EMULATED16"
  | "matmul_tiled VEC SMALL PORTABLE"
  | "matmul_tiled VEC SMALL MATRIX8"
  | "matmul_tiled VEC SMALL MATRIX16"
  | "matmul_tiled VEC SMALL EMULATED8"
  | "matmul_tiled VEC SMALL EMULATED16"
  | "matmul_tiled VEC SMALL SPLIT PORTABLE"
  | "matmul_tiled VEC SMALL SPLIT MATRIX8"
  | "matmul_tiled VEC SMALL SPLIT MATRIX16"
  | "matmul_tiled VEC SMALL SPLIT EMULATED8"
  | "matmul_tiled VEC SMALL SPLIT EMULATED16"
  | "matmul_tiled VEC QUANTIZED PORTABLE"
  | "matmul_tiled VEC QUANTIZED MATRIX8"
  | "matmul_tiled VEC QUANTIZED MATRIX16"
  | "matmul_tiled VEC QUANTIZED EMULATED8"
  | "matmul_tiled VEC QUANTIZED EMULATED16"
  | "matmul_tiled VEC QUANTIZED SPLIT PORTABLE"
  | "matmul_tiled VEC QUANTIZED SPLIT MATRIX8"
  | "matmul_tiled VEC QUANTIZED SPLIT MATRIX16"
  | "matmul_tiled VEC QUANTIZED SPLIT EMULATED8"
  | "matmul_tiled VEC QUANTIZED SPLIT EMULATED16"
  | "matmul_tiled VEC QUANTIZED SMALL PORTABLE"
  | "matmul_tiled VEC QUANTIZED SMALL MATRIX8"
  | "matmul_tiled VEC QUANTIZED SMALL MATRIX16"
  | "matmul_tiled VEC QUANTIZED SMALL EMULATED8"
  | "matmul_tiled VEC QUANTIZED SMALL EMULATED16"
  | "matmul_tiled VEC QUANTIZED SMALL SPLIT PORTABLE"
  | "matmul_tiled VEC QUANTIZED SMALL SPLIT MATRIX8"
  | "matmul_tiled VEC QUANTIZED SMALL SPLIT MATRIX16"
  | "matmul_tiled VEC QUANTIZED SMALL SPLIT EMULATED8"
  | "matmul_tiled VEC QUANTIZED SMALL SPLIT EMULATED16"
  | "matmul_tiled F16 PORTABLE"
  | "matmul_tiled F16 MATRIX8"
  | "matmul_tiled F16 MATRIX16"
  | "matmul_tiled F16 EMULATED8"
  | "matmul_tiled F16 EMULATED16"
  | "matmul_tiled F16 SPLIT PORTABLE"
  | "matmul_tiled F16 SPLIT MATRIX8"
  | "matmul_tiled F16 SPLIT MATRIX16"
  | "matmul_tiled F16 SPLIT EMULATED8"
  | "matmul_tiled F16 SPLIT EMULATED16"
  | "matmul_tiled F16 SMALL PORTABLE"
  | "matmul_tiled F16 SMALL MATRIX8"
  | "matmul_tiled F16 SMALL MATRIX16"
  | "matmul_tiled F16 SMALL EMULATED8"
  | "matmul_tiled F16 SMALL EMULATED16"
  | "matmul_tiled F16 SMALL SPLIT PORTABLE"
  | "matmul_tiled F16 SMALL SPLIT MATRIX8"
  | "matmul_tiled F16 SMALL SPLIT MATRIX16"
  | "matmul_tiled F16 SMALL SPLIT EMULATED8"
  | "matmul_tiled F16 SMALL SPLIT EMULATED16"
  | "matmul_tiled F16 QUANTIZED PORTABLE"
  | "matmul_tiled F16 QUANTIZED MATRIX8"
  | "matmul_tiled F16 QUANTIZED MATRIX16"
  | "matmul_tiled F16 QUANTIZED EMULATED8"
  | "matmul_tiled F16 QUANTIZED EMULATED16"
  | "matmul_tiled F16 QUANTIZED SPLIT PORTABLE"
  | "matmul_tiled F16 QUANTIZED SPLIT MATRIX8"
  | "matmul_tiled F16 QUANTIZED SPLIT MATRIX16"
  | "matmul_tiled F16 QUANTIZED SPLIT EMULATED8"
  | "matmul_tiled F16 QUANTIZED SPLIT EMULATED16"
  | "matmul_tiled F16 QUANTIZED SMALL PORTABLE"
  | "matmul_tiled F16 QUANTIZED SMALL MATRIX8"
  | "matmul_tiled F16 QUANTIZED SMALL MATRIX16"
  | "matmul_tiled F16 QUANTIZED SMALL EMULATED8"
  | "matmul_tiled F16 QUANTIZED SMALL EMULATED16"
  | "matmul_tiled F16 QUANTIZED SMALL SPLIT PORTABLE"
  | "matmul_tiled F16 QUANTIZED SMALL SPLIT MATRIX8"
  | "matmul_tiled F16 QUANTIZED SMALL SPLIT MATRIX16"
  | "matmul_tiled F16 QUANTIZED SMALL SPLIT EMULATED8"
  | "matmul_tiled F16 QUANTIZED SMALL SPLIT EMULATED16"
  | "matmul_tiled F16 VEC PORTABLE"
  | "matmul_tiled F16 VEC MATRIX8"
  | "matmul_tiled F16 VEC MATRIX16"
  | "matmul_tiled F16 VEC EMULATED8"
  | "matmul_tiled F16 VEC EMULATED16"
  | "matmul_tiled F16 VEC SPLIT PORTABLE"
  | "matmul_tiled F16 VEC SPLIT MATRIX8"
  | "matmul_tiled F16 VEC SPLIT MATRIX16"
  | "matmul_tiled F16 VEC SPLIT EMULATED8"
  | "matmul_tiled F16 VEC SPLIT EMULATED16"
  | "matmul_tiled F16 VEC SMALL PORTABLE"
  | "matmul_tiled F16 VEC SMALL MATRIX8"
  | "matmul_tiled F16 VEC SMALL MATRIX16"
  | "matmul_tiled F16 VEC SMALL EMULATED8"
  | "matmul_tiled F16 VEC SMALL EMULATED16"
  | "matmul_tiled F16 VEC SMALL SPLIT PORTABLE"
  | "matmul_tiled F16 VEC SMALL SPLIT MATRIX8"
  | "matmul_tiled F16 VEC SMALL SPLIT MATRIX16"
  | "matmul_tiled F16 VEC SMALL SPLIT EMULATED8"
  | "matmul_tiled F16 VEC SMALL SPLIT EMULATED16"
  | "matmul_tiled F16 VEC QUANTIZED PORTABLE"
  | "matmul_tiled F16 VEC QUANTIZED MATRIX8"
  | "matmul_tiled F16 VEC QUANTIZED MATRIX16"
  | "matmul_tiled F16 VEC QUANTIZED EMULATED8"
  | "matmul_tiled F16 VEC QUANTIZED EMULATED16"
  | "matmul_tiled F16 VEC QUANTIZED SPLIT PORTABLE"
  | "matmul_tiled F16 VEC QUANTIZED SPLIT MATRIX8"
  | "matmul_tiled F16 VEC QUANTIZED SPLIT MATRIX16"
  | "matmul_tiled F16 VEC QUANTIZED SPLIT EMULATED8"
  | "matmul_tiled F16 VEC QUANTIZED SPLIT EMULATED16"
  | "matmul_tiled F16 VEC QUANTIZED SMALL PORTABLE"
  | "matmul_tiled F16 VEC QUANTIZED SMALL MATRIX8"
  | "matmul_tiled F16 VEC QUANTIZED SMALL MATRIX16"
  | "matmul_tiled F16 VEC QUANTIZED SMALL EMULATED8"
  | "matmul_tiled F16 VEC QUANTIZED SMALL EMULATED16"
  | "matmul_tiled F16 VEC QUANTIZED SMALL SPLIT PORTABLE"
  | "matmul_tiled F16 VEC QUANTIZED SMALL SPLIT MATRIX8"
  | "matmul_tiled F16 VEC QUANTIZED SMALL SPLIT MATRIX16"
  | "matmul_tiled F16 VEC QUANTIZED SMALL SPLIT EMULATED8"
  | "matmul_tiled F16 VEC QUANTIZED SMALL SPLIT EMULATED16"
  | "matvec"
  | "matvec QUANTIZED"
  | "matvec VEC"
  | "matvec VEC QUANTIZED"
  | "matvec F16"
  | "matvec F16 QUANTIZED"
  | "matvec F16 VEC"
  | "matvec F16 VEC QUANTIZED"
  | "norm SINGLE"
  | "norm ALONG"
  | "norm ACROSS"
  | "norm F16 SINGLE"
  | "norm F16 ALONG"
  | "norm F16 ACROSS"
  | "pad UNIT2"
  | "pad UNIT4"
  | "pad UNIT8"
  | "pad UNIT16"
  | "reduce SINGLE"
  | "reduce ALONG"
  | "reduce ACROSS"
  | "reduce F16 SINGLE"
  | "reduce F16 ALONG"
  | "reduce F16 ACROSS"
  | "rope"
  | "rope VEC"
  | "rope F16"
  | "rope F16 VEC"
  | "softmax SINGLE"
  | "softmax ALONG"
  | "softmax F16 SINGLE"
  | "softmax F16 ALONG"
  | "sum_parts"
  | "sum_parts VEC"
  | "sum_parts F16"
  | "sum_parts F16 VEC";

/** The files without their comments, by their paths in this folder. */
export const kernelSources: Readonly<Record<string, string>> = {
  "attention.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias part = f32;
#include "include/attention_operands.wgsl"
const QUERIES = 32u;
const KEYS = 32u;
const CHUNK = 8u;
#if WIDE
const GROUPS = 2u;
#else
const GROUPS = 1u;
#endif
const PART = 16u * GROUPS;
const VALUE_KEYS = 16u;
const LOWEST = -3.4028234e38;
var<workgroup> stage: array<vec4<f32>, 512>;
var<workgroup> weights: array<f32, 1024>;
var<workgroup> quarters: array<f32, 128>;
var<workgroup> rowMaximum: array<f32, 32>;
var<workgroup> rowSum: array<f32, 32>;
var<workgroup> rowScale: array<f32, 32>;
struct Logits {
  near: vec4<f32>,
  far: vec4<f32>,
}
fn logitsOf(qBase: u32, kBase: u32, firstQuery: u32, firstKey: u32, thread: vec2<u32>, invocation: u32) -> Logits {
  var sums: Logits;
  for (var c = 0u; c < params.width; c += CHUNK * 4u) {
    for (var i = invocation; i < (QUERIES + KEYS) * CHUNK; i += 128u) {
      let token = i / CHUNK;
      let at = c + i % CHUNK * 4u;
      var quad = vec4<f32>();
      if at < params.width {
        if token < QUERIES {
          if firstQuery + token < params.queries {
            quad = qQuad(qBase + (firstQuery + token) * params.qStrides.y, at);
          }
        } else if firstKey + token - QUERIES < params.keys {
          quad = kQuad(kBase + (firstKey + token - QUERIES) * params.kStrides.y, at);
        }
      }
      stage[i] = quad;
    }
    workgroupBarrier();
    for (var i = 0u; i < CHUNK; i++) {
      let query = thread.y * 4u * CHUNK + i;
      let q0 = stage[query];
      let q1 = stage[query + CHUNK];
      let q2 = stage[query + 2u * CHUNK];
      let q3 = stage[query + 3u * CHUNK];
      let near = stage[(QUERIES + thread.x) * CHUNK + i];
      let far = stage[(QUERIES + 16u + thread.x) * CHUNK + i];
      sums.near += vec4<f32>(dot(q0, near), dot(q1, near), dot(q2, near), dot(q3, near));
      sums.far += vec4<f32>(dot(q0, far), dot(q1, far), dot(q2, far), dot(q3, far));
    }
    workgroupBarrier();
  }
  return sums;
}
fn finished(product: f32, biasBase: u32, query: u32, key: u32) -> f32 {
  if key >= params.keys {
    return LOWEST;
  }
  var logit = product * params.scale;
  if params.hasBias != 0u {
    if query < params.queries {
      logit += f32(bias[biasBase + query * params.biasStrides.z + key * params.biasStrides.w]);
    }
  }
  return max(logit, LOWEST);
}
fn storeLogits(logits: Logits, biasBase: u32, firstQuery: u32, firstKey: u32, thread: vec2<u32>) {
  for (var i = 0u; i < 4u; i++) {
    let query = thread.y * 4u + i;
    weights[query * KEYS + thread.x] =
      finished(logits.near[i], biasBase, firstQuery + query, firstKey + thread.x);
    weights[query * KEYS + thread.x + 16u] =
      finished(logits.far[i], biasBase, firstQuery + query, firstKey + thread.x + 16u);
  }
}
fn weigh(invocation: u32, firstKey: u32) {
  let query = invocation / 4u;
  let first = query * KEYS + invocation % 4u * 8u;
  var highest = LOWEST;
  for (var i = 0u; i < 8u; i++) {
    highest = max(highest, weights[first + i]);
  }
  quarters[invocation] = highest;
  workgroupBarrier();
  let before = rowMaximum[query];
  let four = query * 4u;
  let maximum = max(
    max(before, max(quarters[four], quarters[four + 1u])),
    max(quarters[four + 2u], quarters[four + 3u]),
  );
  var sum = 0.0;
  for (var i = 0u; i < 8u; i++) {
    let isKey = firstKey + invocation % 4u * 8u + i < params.keys;
    let weight = select(0.0, exp(weights[first + i] - maximum), isKey);
    weights[first + i] = weight;
    sum += weight;
  }
  workgroupBarrier();
  quarters[invocation] = sum;
  workgroupBarrier();
  if invocation % 4u == 0u {
    let correction = exp(before - maximum);
    rowMaximum[query] = maximum;
    rowScale[query] = correction;
    rowSum[query] = rowSum[query] * correction + quarters[four] + quarters[four + 1u] + quarters[four + 2u] +
      quarters[four + 3u];
  }
  workgroupBarrier();
}
struct Products {
  r0: vec4<f32>,
  r1: vec4<f32>,
  r2: vec4<f32>,
  r3: vec4<f32>,
}
fn rescaled(p: Products, query: u32) -> Products {
  return Products(
    p.r0 * rowScale[query],
    p.r1 * rowScale[query + 1u],
    p.r2 * rowScale[query + 2u],
    p.r3 * rowScale[query + 3u],
  );
}
fn addValues(p: Products, query: u32, key: u32, value: vec4<f32>) -> Products {
  let at = query * KEYS + key;
  return Products(
    p.r0 + weights[at] * value,
    p.r1 + weights[at + KEYS] * value,
    p.r2 + weights[at + 2u * KEYS] * value,
    p.r3 + weights[at + 3u * KEYS] * value,
  );
}
fn storeProducts(base: u32, p: Products, firstQuery: u32, column: u32, query: u32) {
  let rows = array<vec4<f32>, 4>(p.r0, p.r1, p.r2, p.r3);
  for (var i = 0u; i < 4u; i++) {
    let token = firstQuery + query + i;
    if token < params.queries {
      let values = rows[i] / rowSum[query + i];
      let at = base + token * params.heads * params.valueWidth + column;
      for (var j = 0u; j < 4u; j++) {
        if column + j < params.valueWidth {
          output[at + j] = scalar(values[j]);
        }
      }
    }
  }
}
@compute @workgroup_size(16, 8)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let part = workgroup % params.parts;
  let firstQuery = workgroup / params.parts % params.queryTiles * QUERIES;
  let head = workgroup / (params.parts * params.queryTiles) % params.heads;
  let batch = workgroup / (params.parts * params.queryTiles * params.heads);
  let qBase = params.qStrides.w + batch * params.qStrides.x + head * params.qStrides.z;
  let kBase = params.kStrides.w + batch * params.kStrides.x + head * params.kStrides.z;
  let vBase = params.vStrides.w + batch * params.vStrides.x + head * params.vStrides.z;
  let biasBase = params.biasStart + batch * params.biasStrides.x + head * params.biasStrides.y;
  let firstColumn = part * PART * 4u;
  let query = local.y * 4u;
  if invocation < QUERIES {
    rowMaximum[invocation] = LOWEST;
    rowSum[invocation] = 0.0;
  }
  workgroupBarrier();
  var near: Products;
#if WIDE
  var far: Products;
#endif
  for (var firstKey = 0u; firstKey < params.keys; firstKey += KEYS) {
    let logits = logitsOf(qBase, kBase, firstQuery, firstKey, local.xy, invocation);
    storeLogits(logits, biasBase, firstQuery, firstKey, local.xy);
    workgroupBarrier();
    weigh(invocation, firstKey);
    near = rescaled(near, query);
#if WIDE
    far = rescaled(far, query);
#endif
    for (var half = 0u; half < KEYS; half += VALUE_KEYS) {
      for (var i = invocation; i < VALUE_KEYS * PART; i += 128u) {
        let key = firstKey + half + i / PART;
        let column = firstColumn + i % PART * 4u;
        var quad = vec4<f32>();
        if key < params.keys && column < params.valueWidth {
          quad = vQuad(vBase + key * params.vStrides.y, column);
        }
        stage[i] = quad;
      }
      workgroupBarrier();
      for (var j = 0u; j < VALUE_KEYS; j++) {
        near = addValues(near, query, half + j, stage[j * PART + local.x]);
#if WIDE
        far = addValues(far, query, half + j, stage[j * PART + 16u + local.x]);
#endif
      }
      workgroupBarrier();
    }
  }
  let base = (batch * params.queries * params.heads + head) * params.valueWidth;
  storeProducts(base, near, firstQuery, firstColumn + local.x * 4u, query);
#if WIDE
  storeProducts(base, far, firstQuery, firstColumn + 64u + local.x * 4u, query);
#endif
}`,
  "attention_kept.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias part = f32;
#include "include/attention_operands.wgsl"
const QUERIES = 64u;
const KEYS = 8u;
#if WIDE
const QUADS = 32u;
#else
const QUADS = 16u;
#endif
const LOWEST = -3.4028234e38;
struct Pair {
  a: vec4<f32>,
  b: vec4<f32>,
}
struct Logits {
  nearA: vec4<f32>,
  farA: vec4<f32>,
  nearB: vec4<f32>,
  farB: vec4<f32>,
}
struct Ahead {
  a: vec4<f32>,
#if WIDE
  b: vec4<f32>,
#endif
}
var<workgroup> keyTile: array<vec4<f32>, KEYS * QUADS>;
var<workgroup> valueTile: array<vec4<f32>, KEYS * QUADS>;
var<workgroup> quarters: array<vec4<f32>, 512>;
fn quarterAt(which: u32, quarter: u32, pair: u32) -> u32 {
  return (which * 4u + quarter) * 32u + (pair + 2u * quarter) % 32u;
}
fn logitsOf(which: u32, pair: u32) -> vec4<f32> {
  return quarters[quarterAt(which, 0u, pair)] + quarters[quarterAt(which, 1u, pair)] +
    quarters[quarterAt(which, 2u, pair)] + quarters[quarterAt(which, 3u, pair)];
}
fn finished(products: vec4<f32>, biasBase: u32, query: u32, firstKey: u32) -> vec4<f32> {
  let keys = vec4<u32>(firstKey) + vec4<u32>(0u, 1u, 2u, 3u);
  var logits = products * params.scale;
  if params.hasBias != 0u && query < params.queries {
    let at = vec4<u32>(biasBase + query * params.biasStrides.z) +
      min(keys, vec4<u32>(params.keys - 1u)) * params.biasStrides.w;
    logits += vec4<f32>(f32(bias[at.x]), f32(bias[at.y]), f32(bias[at.z]), f32(bias[at.w]));
  }
  return select(vec4<f32>(LOWEST), max(logits, vec4<f32>(LOWEST)), keys < vec4<u32>(params.keys));
}
fn highestOf(near: vec4<f32>, far: vec4<f32>) -> f32 {
  let four = max(near, far);
  return max(max(four.x, four.y), max(four.z, four.w));
}
fn weightsOf(logits: vec4<f32>, maximum: f32, firstKey: u32) -> vec4<f32> {
  let keys = vec4<u32>(firstKey) + vec4<u32>(0u, 1u, 2u, 3u);
  return select(vec4<f32>(), exp(logits - vec4<f32>(maximum)), keys < vec4<u32>(params.keys));
}
fn queryPair(base: u32, query: u32, column: u32) -> Pair {
  var pair = Pair();
  if column < params.width && query < params.queries {
    pair.a = qQuad(base + query * params.qStrides.y, column);
    if query + 1u < params.queries {
      pair.b = qQuad(base + (query + 1u) * params.qStrides.y, column);
    }
  }
  return pair;
}
fn keyQuad(base: u32, key: u32, column: u32) -> vec4<f32> {
  if key < params.keys && column < params.width {
    return kQuad(base + key * params.kStrides.y, column);
  }
  return vec4<f32>();
}
fn valueQuad(base: u32, key: u32, column: u32) -> vec4<f32> {
  if key < params.keys && column < params.valueWidth {
    return vQuad(base + key * params.vStrides.y, column);
  }
  return vec4<f32>();
}
fn keysAhead(base: u32, firstKey: u32, invocation: u32) -> Ahead {
  let key = firstKey + invocation / QUADS;
  let column = invocation % QUADS * 4u;
  var ahead: Ahead;
  ahead.a = keyQuad(base, key, column);
#if WIDE
  ahead.b = keyQuad(base, key + 4u, column);
#endif
  return ahead;
}
fn valuesAhead(base: u32, firstKey: u32, invocation: u32) -> Ahead {
  let key = firstKey + invocation / QUADS;
  let column = invocation % QUADS * 4u;
  var ahead: Ahead;
  ahead.a = valueQuad(base, key, column);
#if WIDE
  ahead.b = valueQuad(base, key + 4u, column);
#endif
  return ahead;
}
fn stageKeys(ahead: Ahead, invocation: u32) {
  keyTile[invocation] = ahead.a;
#if WIDE
  keyTile[invocation + 128u] = ahead.b;
#endif
}
fn stageValues(ahead: Ahead, invocation: u32) {
  valueTile[invocation] = ahead.a;
#if WIDE
  valueTile[invocation + 128u] = ahead.b;
#endif
}
fn addLogits(logits: Logits, query: Pair, at: u32) -> Logits {
  let a = query.a;
  let b = query.b;
  let k0 = keyTile[at];
  let k1 = keyTile[at + QUADS];
  let k2 = keyTile[at + 2u * QUADS];
  let k3 = keyTile[at + 3u * QUADS];
  let k4 = keyTile[at + 4u * QUADS];
  let k5 = keyTile[at + 5u * QUADS];
  let k6 = keyTile[at + 6u * QUADS];
  let k7 = keyTile[at + 7u * QUADS];
  return Logits(
    logits.nearA + vec4<f32>(dot(a, k0), dot(a, k1), dot(a, k2), dot(a, k3)),
    logits.farA + vec4<f32>(dot(a, k4), dot(a, k5), dot(a, k6), dot(a, k7)),
    logits.nearB + vec4<f32>(dot(b, k0), dot(b, k1), dot(b, k2), dot(b, k3)),
    logits.farB + vec4<f32>(dot(b, k4), dot(b, k5), dot(b, k6), dot(b, k7)),
  );
}
fn addValues(result: Pair, correction: vec2<f32>, weights: Logits, at: u32) -> Pair {
  let v0 = valueTile[at];
  let v1 = valueTile[at + QUADS];
  let v2 = valueTile[at + 2u * QUADS];
  let v3 = valueTile[at + 3u * QUADS];
  let v4 = valueTile[at + 4u * QUADS];
  let v5 = valueTile[at + 5u * QUADS];
  let v6 = valueTile[at + 6u * QUADS];
  let v7 = valueTile[at + 7u * QUADS];
  let nearA = weights.nearA;
  let farA = weights.farA;
  let nearB = weights.nearB;
  let farB = weights.farB;
  return Pair(
    result.a * correction.x + nearA.x * v0 + nearA.y * v1 + nearA.z * v2 + nearA.w * v3 + farA.x * v4 + farA.y * v5 +
      farA.z * v6 + farA.w * v7,
    result.b * correction.y + nearB.x * v0 + nearB.y * v1 + nearB.z * v2 + nearB.w * v3 + farB.x * v4 + farB.y * v5 +
      farB.z * v6 + farB.w * v7,
  );
}
fn storeQuad(base: u32, query: u32, column: u32, values: vec4<f32>) {
  if query < params.queries {
    let at = base + query * params.heads * params.valueWidth + column;
    for (var j = 0u; j < 4u; j++) {
      if column + j < params.valueWidth {
        output[at + j] = scalar(values[j]);
      }
    }
  }
}
fn storePair(base: u32, query: u32, column: u32, result: Pair, sum: vec2<f32>) {
  storeQuad(base, query, column, result.a / sum.x);
  storeQuad(base, query + 1u, column, result.b / sum.y);
}
@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let head = workgroup / params.queryTiles % params.heads;
  let batch = workgroup / (params.queryTiles * params.heads);
  let qBase = params.qStrides.w + batch * params.qStrides.x + head * params.qStrides.z;
  let kBase = params.kStrides.w + batch * params.kStrides.x + head * params.kStrides.z;
  let vBase = params.vStrides.w + batch * params.vStrides.x + head * params.vStrides.z;
  let biasBase = params.biasStart + batch * params.biasStrides.x + head * params.biasStrides.y;
  let quarter = invocation % 4u;
  let pair = invocation / 4u;
  let query = workgroup % params.queryTiles * QUERIES + pair * 2u;
  let column = quarter * 4u;
  let query0 = queryPair(qBase, query, column + 0u);
  var result0 = Pair();
  let query1 = queryPair(qBase, query, column + 16u);
  var result1 = Pair();
  let query2 = queryPair(qBase, query, column + 32u);
  var result2 = Pair();
  let query3 = queryPair(qBase, query, column + 48u);
  var result3 = Pair();
#if WIDE
  let query4 = queryPair(qBase, query, column + 64u);
  var result4 = Pair();
  let query5 = queryPair(qBase, query, column + 80u);
  var result5 = Pair();
  let query6 = queryPair(qBase, query, column + 96u);
  var result6 = Pair();
  let query7 = queryPair(qBase, query, column + 112u);
  var result7 = Pair();
#endif
  var maximum = vec2<f32>(LOWEST);
  var sum = vec2<f32>();
  stageKeys(keysAhead(kBase, 0u, invocation), invocation);
  for (var firstKey = 0u; firstKey < params.keys; firstKey += KEYS) {
    workgroupBarrier();
    let values = valuesAhead(vBase, firstKey, invocation);
    var logits = Logits();
    logits = addLogits(logits, query0, quarter + 0u);
    logits = addLogits(logits, query1, quarter + 4u);
    logits = addLogits(logits, query2, quarter + 8u);
    logits = addLogits(logits, query3, quarter + 12u);
#if WIDE
    logits = addLogits(logits, query4, quarter + 16u);
    logits = addLogits(logits, query5, quarter + 20u);
    logits = addLogits(logits, query6, quarter + 24u);
    logits = addLogits(logits, query7, quarter + 28u);
#endif
    quarters[quarterAt(0u, quarter, pair)] = logits.nearA;
    quarters[quarterAt(1u, quarter, pair)] = logits.farA;
    quarters[quarterAt(2u, quarter, pair)] = logits.nearB;
    quarters[quarterAt(3u, quarter, pair)] = logits.farB;
    stageValues(values, invocation);
    workgroupBarrier();
    let keys = keysAhead(kBase, firstKey + KEYS, invocation);
    let farKey = firstKey + 4u;
    let nearA = finished(logitsOf(0u, pair), biasBase, query, firstKey);
    let farA = finished(logitsOf(1u, pair), biasBase, query, farKey);
    let nearB = finished(logitsOf(2u, pair), biasBase, query + 1u, firstKey);
    let farB = finished(logitsOf(3u, pair), biasBase, query + 1u, farKey);
    let before = maximum;
    maximum = max(before, vec2<f32>(highestOf(nearA, farA), highestOf(nearB, farB)));
    let correction = exp(before - maximum);
    let weights = Logits(
      weightsOf(nearA, maximum.x, firstKey),
      weightsOf(farA, maximum.x, farKey),
      weightsOf(nearB, maximum.y, firstKey),
      weightsOf(farB, maximum.y, farKey),
    );
    sum = sum * correction +
      vec2<f32>(dot(weights.nearA + weights.farA, vec4<f32>(1.0)), dot(weights.nearB + weights.farB, vec4<f32>(1.0)));
    result0 = addValues(result0, correction, weights, quarter + 0u);
    result1 = addValues(result1, correction, weights, quarter + 4u);
    result2 = addValues(result2, correction, weights, quarter + 8u);
    result3 = addValues(result3, correction, weights, quarter + 12u);
#if WIDE
    result4 = addValues(result4, correction, weights, quarter + 16u);
    result5 = addValues(result5, correction, weights, quarter + 20u);
    result6 = addValues(result6, correction, weights, quarter + 24u);
    result7 = addValues(result7, correction, weights, quarter + 28u);
#endif
    stageKeys(keys, invocation);
  }
  let base = (batch * params.queries * params.heads + head) * params.valueWidth;
  storePair(base, query, column + 0u, result0, sum);
  storePair(base, query, column + 16u, result1, sum);
  storePair(base, query, column + 32u, result2, sum);
  storePair(base, query, column + 48u, result3, sum);
#if WIDE
  storePair(base, query, column + 64u, result4, sum);
  storePair(base, query, column + 80u, result5, sum);
  storePair(base, query, column + 96u, result6, sum);
  storePair(base, query, column + 112u, result7, sum);
#endif
}`,
  "attention_matrix.wgsl": `#if MATRIX8
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
#endif
#if MATRIX16
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
#endif
#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/attention_strips.wgsl"
#include "include/attention_operands.wgsl"
const INVOCATIONS = 128u;
const CHUNK = 128u;
override CHUNKS: u32 = 1u;
const LOWEST = -3.4028234e38;
const GROWTH = 8.0;
var<workgroup> grown: u32;
struct Queries {
  a: LeftStrip,
  b: LeftStrip,
  c: LeftStrip,
  d: LeftStrip,
  e: LeftStrip,
  f: LeftStrip,
  g: LeftStrip,
  h: LeftStrip,
}
struct Results {
  a: SumStrip,
  b: SumStrip,
  c: SumStrip,
  d: SumStrip,
  e: SumStrip,
  f: SumStrip,
  g: SumStrip,
  h: SumStrip,
}
struct Ahead {
  a: vec4<part>,
  b: vec4<part>,
  c: vec4<part>,
  d: vec4<part>,
  e: vec4<part>,
  f: vec4<part>,
  g: vec4<part>,
  h: vec4<part>,
}
struct Share {
  a: vec4<f32>,
  b: vec4<f32>,
  c: vec4<f32>,
  d: vec4<f32>,
}
const ROW_QUADS = STRIP / 4u;
fn putQuad(number: u32, values: vec4<part>) {
  let row = number / (STRIPS * ROW_QUADS);
  let at = row * (STRIPS * STRIP + SKEW) + number % (STRIPS * ROW_QUADS) * 4u;
  if row < KEYS {
    tile[at] = values.x;
    tile[at + 1u] = values.y;
    tile[at + 2u] = values.z;
    tile[at + 3u] = values.w;
  }
}
fn put(ahead: Ahead, i: u32) {
  putQuad(i, ahead.a);
  putQuad(i + INVOCATIONS, ahead.b);
  if KEYS * STRIPS > 64u {
    putQuad(i + 2u * INVOCATIONS, ahead.c);
    putQuad(i + 3u * INVOCATIONS, ahead.d);
  }
  if KEYS * STRIPS > 128u {
    putQuad(i + 4u * INVOCATIONS, ahead.e);
    putQuad(i + 5u * INVOCATIONS, ahead.f);
    putQuad(i + 6u * INVOCATIONS, ahead.g);
    putQuad(i + 7u * INVOCATIONS, ahead.h);
  }
}
fn keyQuad(number: u32, base: u32, firstKey: u32, firstColumn: u32) -> vec4<part> {
  let row = number / (STRIPS * ROW_QUADS);
  let key = firstKey + row;
  let column = firstColumn + number % (STRIPS * ROW_QUADS) * 4u;
  if row < KEYS && key < params.keys && column < params.width {
    return kQuad(base + key * params.kStrides.y, column);
  }
  return vec4<part>();
}
fn readKeys(base: u32, firstKey: u32, firstColumn: u32, i: u32) -> Ahead {
  var ahead: Ahead;
  ahead.a = keyQuad(i, base, firstKey, firstColumn);
  ahead.b = keyQuad(i + INVOCATIONS, base, firstKey, firstColumn);
  if KEYS * STRIPS > 64u {
    ahead.c = keyQuad(i + 2u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.d = keyQuad(i + 3u * INVOCATIONS, base, firstKey, firstColumn);
  }
  if KEYS * STRIPS > 128u {
    ahead.e = keyQuad(i + 4u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.f = keyQuad(i + 5u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.g = keyQuad(i + 6u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.h = keyQuad(i + 7u * INVOCATIONS, base, firstKey, firstColumn);
  }
  return ahead;
}
fn valueQuad(number: u32, base: u32, firstKey: u32, firstColumn: u32) -> vec4<part> {
  let row = number / (STRIPS * ROW_QUADS);
  let key = firstKey + row;
  let column = firstColumn + number % (STRIPS * ROW_QUADS) * 4u;
  if row < KEYS && key < params.keys && column < params.valueWidth {
    return vQuad(base + key * params.vStrides.y, column);
  }
  return vec4<part>();
}
fn readValues(base: u32, firstKey: u32, firstColumn: u32, i: u32) -> Ahead {
  var ahead: Ahead;
  ahead.a = valueQuad(i, base, firstKey, firstColumn);
  ahead.b = valueQuad(i + INVOCATIONS, base, firstKey, firstColumn);
  if KEYS * STRIPS > 64u {
    ahead.c = valueQuad(i + 2u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.d = valueQuad(i + 3u * INVOCATIONS, base, firstKey, firstColumn);
  }
  if KEYS * STRIPS > 128u {
    ahead.e = valueQuad(i + 4u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.f = valueQuad(i + 5u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.g = valueQuad(i + 6u * INVOCATIONS, base, firstKey, firstColumn);
    ahead.h = valueQuad(i + 7u * INVOCATIONS, base, firstKey, firstColumn);
  }
  return ahead;
}
fn takeQueries(queries: ptr<function, Queries>, base: u32, firstQuery: u32, firstColumn: u32, invocation: u32) {
  let own = invocation / LANES * EDGE;
  let at = own % KEYS * (STRIPS * STRIP + SKEW);
  for (var first = 0u; first < QUERIES; first += KEYS) {
    for (var i = invocation; i < KEYS * STRIPS * ROW_QUADS; i += INVOCATIONS) {
      let query = firstQuery + first + i / (STRIPS * ROW_QUADS);
      let column = firstColumn + i % (STRIPS * ROW_QUADS) * 4u;
      var quad = vec4<part>();
      if query < params.queries && column < params.width {
        quad = qQuad(base + query * params.qStrides.y, column);
      }
      putQuad(i, quad);
    }
    workgroupBarrier();
    if first == own / KEYS * KEYS {
      (*queries).a = leftOfTile(at, invocation);
      if STRIPS > 1u {
        (*queries).b = leftOfTile(at + STRIP, invocation);
      }
      if STRIPS > 2u {
        (*queries).c = leftOfTile(at + 2u * STRIP, invocation);
      }
      if STRIPS > 3u {
        (*queries).d = leftOfTile(at + 3u * STRIP, invocation);
      }
      if STRIPS > 4u {
        (*queries).e = leftOfTile(at + 4u * STRIP, invocation);
      }
      if STRIPS > 5u {
        (*queries).f = leftOfTile(at + 5u * STRIP, invocation);
      }
      if STRIPS > 6u {
        (*queries).g = leftOfTile(at + 6u * STRIP, invocation);
      }
      if STRIPS > 7u {
        (*queries).h = leftOfTile(at + 7u * STRIP, invocation);
      }
    }
    workgroupBarrier();
  }
}
fn addLogits(before: SumStrip, queries: ptr<function, Queries>, row: u32, lane: u32) -> SumStrip {
  let at = row * (STRIPS * STRIP + SKEW);
  var sums = timesKeys((*queries).a, at, before, lane);
  if STRIPS > 1u {
    sums = timesKeys((*queries).b, at + STRIP, sums, lane);
  }
  if STRIPS > 2u {
    sums = timesKeys((*queries).c, at + 2u * STRIP, sums, lane);
  }
  if STRIPS > 3u {
    sums = timesKeys((*queries).d, at + 3u * STRIP, sums, lane);
  }
  if STRIPS > 4u {
    sums = timesKeys((*queries).e, at + 4u * STRIP, sums, lane);
  }
  if STRIPS > 5u {
    sums = timesKeys((*queries).f, at + 5u * STRIP, sums, lane);
  }
  if STRIPS > 6u {
    sums = timesKeys((*queries).g, at + 6u * STRIP, sums, lane);
  }
  if STRIPS > 7u {
    sums = timesKeys((*queries).h, at + 7u * STRIP, sums, lane);
  }
  return sums;
}
fn addValues(results: ptr<function, Results>, weights: LeftStrip, row: u32, lane: u32) {
  let at = row * (STRIPS * STRIP + SKEW);
  (*results).a = timesValues(weights, at, (*results).a, lane);
  if STRIPS > 1u {
    (*results).b = timesValues(weights, at + STRIP, (*results).b, lane);
  }
  if STRIPS > 2u {
    (*results).c = timesValues(weights, at + 2u * STRIP, (*results).c, lane);
  }
  if STRIPS > 3u {
    (*results).d = timesValues(weights, at + 3u * STRIP, (*results).d, lane);
  }
  if STRIPS > 4u {
    (*results).e = timesValues(weights, at + 4u * STRIP, (*results).e, lane);
  }
  if STRIPS > 5u {
    (*results).f = timesValues(weights, at + 5u * STRIP, (*results).f, lane);
  }
  if STRIPS > 6u {
    (*results).g = timesValues(weights, at + 6u * STRIP, (*results).g, lane);
  }
  if STRIPS > 7u {
    (*results).h = timesValues(weights, at + 7u * STRIP, (*results).h, lane);
  }
}
fn scaled(sums: SumStrip, factor: f32, invocation: u32) -> SumStrip {
  const OWN = STRIP / SHARERS;
  let lane = invocation % LANES;
  let place = invocation / LANES * EDGE * (KEYS + 4u);
  let first = place + lane / SHARERS * (KEYS + 4u) + lane % SHARERS * OWN;
  stage(place, sums, lane);
  workgroupBarrier();
  for (var i = 0u; i < OWN; i++) {
    logitTile[first + i] *= factor;
  }
  workgroupBarrier();
  let result = staged(place, lane);
  workgroupBarrier();
  return result;
}
fn scaleAll(results: ptr<function, Results>, factor: f32, invocation: u32) {
  (*results).a = scaled((*results).a, factor, invocation);
  if STRIPS > 1u {
    (*results).b = scaled((*results).b, factor, invocation);
  }
  if STRIPS > 2u {
    (*results).c = scaled((*results).c, factor, invocation);
  }
  if STRIPS > 3u {
    (*results).d = scaled((*results).d, factor, invocation);
  }
  if STRIPS > 4u {
    (*results).e = scaled((*results).e, factor, invocation);
  }
  if STRIPS > 5u {
    (*results).f = scaled((*results).f, factor, invocation);
  }
  if STRIPS > 6u {
    (*results).g = scaled((*results).g, factor, invocation);
  }
  if STRIPS > 7u {
    (*results).h = scaled((*results).h, factor, invocation);
  }
}
fn storeStrip(sums: SumStrip, factor: f32, base: u32, query: u32, firstColumn: u32, invocation: u32) {
  const OWN = STRIP / SHARERS;
  let lane = invocation % LANES;
  let place = invocation / LANES * EDGE * (KEYS + 4u);
  let first = place + lane / SHARERS * (KEYS + 4u) + lane % SHARERS * OWN;
  stage(place, sums, lane);
  workgroupBarrier();
  if query < params.queries {
    let column = firstColumn + lane % SHARERS * OWN;
    let at = base + query * params.heads * params.valueWidth + column;
    for (var i = 0u; i < OWN; i++) {
      if column + i < params.valueWidth {
        output[at + i] = scalar(logitTile[first + i] * factor);
      }
    }
  }
  workgroupBarrier();
}
fn finished(at: u32, biasBase: u32, query: u32, firstKey: u32) -> vec4<f32> {
  let keys = vec4<u32>(firstKey) + vec4<u32>(0u, 1u, 2u, 3u);
  var logits = vec4<f32>(logitTile[at], logitTile[at + 1u], logitTile[at + 2u], logitTile[at + 3u]) * params.scale;
  if params.hasBias != 0u && query < params.queries {
    let place = vec4<u32>(biasBase + query * params.biasStrides.z) +
      min(keys, vec4<u32>(params.keys - 1u)) * params.biasStrides.w;
    logits += vec4<f32>(f32(bias[place.x]), f32(bias[place.y]), f32(bias[place.z]), f32(bias[place.w]));
  }
  return select(vec4<f32>(LOWEST), max(logits, vec4<f32>(LOWEST)), keys < vec4<u32>(params.keys));
}
fn highestOf(four: vec4<f32>) -> f32 {
  return max(max(four.x, four.y), max(four.z, four.w));
}
fn weigh(logits: vec4<f32>, maximum: f32, at: u32, firstKey: u32) -> f32 {
  let keys = vec4<u32>(firstKey) + vec4<u32>(0u, 1u, 2u, 3u);
  let weights = select(vec4<f32>(), exp(logits - vec4<f32>(maximum)), keys < vec4<u32>(params.keys));
  putWeight(at, weights.x);
  putWeight(at + 1u, weights.y);
  putWeight(at + 2u, weights.z);
  putWeight(at + 3u, weights.w);
  return weights.x + weights.y + weights.z + weights.w;
}
@compute @workgroup_size(INVOCATIONS)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let firstColumn = workgroup % params.parts * CHUNK;
  let firstQuery = workgroup / params.parts % params.queryTiles * QUERIES;
  let head = workgroup / (params.parts * params.queryTiles) % params.heads;
  let batch = workgroup / (params.parts * params.queryTiles * params.heads);
  let qBase = params.qStrides.w + batch * params.qStrides.x + head * params.qStrides.z;
  let kBase = params.kStrides.w + batch * params.kStrides.x + head * params.kStrides.z;
  let vBase = params.vStrides.w + batch * params.vStrides.x + head * params.vStrides.z;
  let biasBase = params.biasStart + batch * params.biasStrides.x + head * params.biasStrides.y;
  let lane = invocation % LANES;
  let group = invocation / LANES;
  let row = group * EDGE + lane / SHARERS;
  let share = KEYS / SHARERS;
  let firstOwn = lane % SHARERS * share;
  let logitAt = row * (KEYS + 4u) + firstOwn;
  let weightOwn = row * (KEYS + SKEW) + firstOwn;
  let query = firstQuery + row;
  if invocation == 0u {
    grown = 0u;
  }
  var queries: Queries;
  if CHUNKS == 1u {
    takeQueries(&queries, qBase, firstQuery, 0u, invocation);
  }
  var results: Results;
  var maximum = LOWEST;
  var sum = 0.0;
  var ahead: Ahead;
  if CHUNKS == 1u {
    ahead = readKeys(kBase, 0u, 0u, invocation);
  }
  for (var firstKey = 0u; firstKey < params.keys; firstKey += KEYS) {
    var near = SumStrip();
    var far = SumStrip();
    for (var chunk = 0u; chunk < CHUNKS; chunk++) {
      if CHUNKS > 1u {
        takeQueries(&queries, qBase, firstQuery, chunk * CHUNK, invocation);
        ahead = readKeys(kBase, firstKey, chunk * CHUNK, invocation);
      }
      put(ahead, invocation);
      workgroupBarrier();
      if chunk + 1u == CHUNKS {
        ahead = readValues(vBase, firstKey, firstColumn, invocation);
      }
      near = addLogits(near, &queries, 0u, lane);
      if KEYS > STRIP {
        far = addLogits(far, &queries, STRIP, lane);
      }
      if chunk + 1u < CHUNKS {
        workgroupBarrier();
      }
    }
    stage(group * EDGE * (KEYS + 4u), near, lane);
    if KEYS > STRIP {
      stage(group * EDGE * (KEYS + 4u) + STRIP, far, lane);
    }
    workgroupBarrier();
    put(ahead, invocation);
    let key = firstKey + firstOwn;
    var logits = Share(vec4<f32>(LOWEST), vec4<f32>(LOWEST), vec4<f32>(LOWEST), vec4<f32>(LOWEST));
    logits.a = finished(logitAt, biasBase, query, key);
    if KEYS > SHARERS * 4u {
      logits.b = finished(logitAt + 4u, biasBase, query, key + 4u);
    }
    if KEYS > SHARERS * 8u {
      logits.c = finished(logitAt + 8u, biasBase, query, key + 8u);
      logits.d = finished(logitAt + 12u, biasBase, query, key + 12u);
    }
    let highest = rowMaximum(highestOf(max(max(logits.a, logits.b), max(logits.c, logits.d))), invocation);
    var correction = 1.0;
    if firstKey == 0u {
      maximum = highest;
    } else if highest > maximum + GROWTH {
      correction = exp(maximum - highest);
      maximum = highest;
      grown = firstKey; // whoever writes writes the same
    }
    sum = sum * correction + weigh(logits.a, maximum, weightOwn, key);
    if KEYS > SHARERS * 4u {
      sum += weigh(logits.b, maximum, weightOwn + 4u, key + 4u);
    }
    if KEYS > SHARERS * 8u {
      sum += weigh(logits.c, maximum, weightOwn + 8u, key + 8u);
      sum += weigh(logits.d, maximum, weightOwn + 12u, key + 12u);
    }
    let growing = workgroupUniformLoad(&grown);
    if CHUNKS == 1u {
      ahead = readKeys(kBase, firstKey + KEYS, 0u, invocation);
    }
    let weightRow = group * EDGE * (KEYS + SKEW);
    let nearWeights = leftOfWeights(weightRow, lane);
    var farWeights: LeftStrip;
    if KEYS > STRIP {
      farWeights = leftOfWeights(weightRow + STRIP, lane);
    }
    if growing == firstKey && firstKey > 0u {
      workgroupBarrier();
      scaleAll(&results, correction, invocation);
    }
    addValues(&results, nearWeights, 0u, lane);
    if KEYS > STRIP {
      addValues(&results, farWeights, STRIP, lane);
    }
    workgroupBarrier();
  }
  let factor = 1.0 / rowSum(sum, invocation);
  let base = (batch * params.queries * params.heads + head) * params.valueWidth;
  storeStrip(results.a, factor, base, query, firstColumn, invocation);
  if STRIPS > 1u {
    storeStrip(results.b, factor, base, query, firstColumn + STRIP, invocation);
  }
  if STRIPS > 2u {
    storeStrip(results.c, factor, base, query, firstColumn + 2u * STRIP, invocation);
  }
  if STRIPS > 3u {
    storeStrip(results.d, factor, base, query, firstColumn + 3u * STRIP, invocation);
  }
  if STRIPS > 4u {
    storeStrip(results.e, factor, base, query, firstColumn + 4u * STRIP, invocation);
  }
  if STRIPS > 5u {
    storeStrip(results.f, factor, base, query, firstColumn + 5u * STRIP, invocation);
  }
  if STRIPS > 6u {
    storeStrip(results.g, factor, base, query, firstColumn + 6u * STRIP, invocation);
  }
  if STRIPS > 7u {
    storeStrip(results.h, factor, base, query, firstColumn + 7u * STRIP, invocation);
  }
}`,
  "conv.wgsl": `#include "include/conv_operands.wgsl"
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let owner = workgroupNumber(id, count) * 64u + invocation;
  if owner >= params.owners {
    return;
  }
  let column = owner % params.ownerColumns * 4u;
  let o = owner / params.ownerColumns % params.ownerRows * 4u;
  let outPlane = owner / (params.ownerColumns * params.ownerRows);
  let first = vec4<u32>(column) + vec4<u32>(0u, 1u, 2u, 3u);
  let y = first / planeWidth();
  let x = first % planeWidth();
  let planeSize = params.height * params.width;
  var sums0 = vec4<f32>();
  var sums1 = vec4<f32>();
  var sums2 = vec4<f32>();
  var sums3 = vec4<f32>();
  var tap = firstTap(outPlane);
  for (var dt = 0u; dt < params.depth; dt++) {
    let frame = frameOfPlane(outPlane) * params.strideT + dt;
    let isPast = frame < params.pastFrames;
    for (var dy = 0u; dy < params.kernelHeight; dy++) {
      for (var dx = 0u; dx < params.kernelWidth; dx++) {
        let offsets = placeOfPixels(outPlane, y, x, dy, dx);
        var plane = frameInBinding(frame) * params.channels * planeSize;
#if VEC
        var at = (tap * params.channels * params.outputs + o) / 4u;
#endif
        for (var channel = 0u; channel < params.channels; channel++) {
#if VEC
          let w = vec4<f32>(weight[at]);
          at += params.outputs / 4u;
#else
          let w = weightQuad(tap, channel, o);
#endif
          let pixels = pixelQuad(isPast, plane, offsets);
          sums0 += w.x * pixels;
          sums1 += w.y * pixels;
          sums2 += w.z * pixels;
          sums3 += w.w * pixels;
          plane += planeSize;
        }
        tap++;
      }
    }
  }
  let sums = array<vec4<f32>, 4>(sums0, sums1, sums2, sums3);
  for (var i = 0u; i < 4u; i++) {
    storeQuad(outPlane, o + i, column, sums[i]);
  }
}`,
  "conv_tiled.wgsl": `#include "include/conv_operands.wgsl"
const LEFT_ROWS = false;
const TRANSPOSED = false;
#include "include/tile.wgsl"
struct Source {
  plane: u32,
  output: u32,
  y: vec4<u32>,
  x: vec4<u32>,
}
struct Tap {
  weights: u32,
  channel: u32,
  isPast: bool,
  frame: u32,
  dy: u32,
  dx: u32,
}
fn slicesOfTap() -> u32 {
  return (params.channels + DEPTH - 1u) / DEPTH;
}
fn tapOf(plane: u32, slice: u32) -> Tap {
  let tap = slice / slicesOfTap();
  let ofFrame = params.kernelHeight * params.kernelWidth;
  let frame = frameOfPlane(plane) * params.strideT + tap / ofFrame;
  return Tap(
    firstTap(plane) + tap,
    slice % slicesOfTap() * DEPTH,
    frame < params.pastFrames,
    frameInBinding(frame),
    tap % ofFrame / params.kernelWidth,
    tap % params.kernelWidth,
  );
}
fn pixelsAt(tap: Tap, channel: u32, place: PixelPlace) -> vec4<f32> {
  if channel < params.channels {
    return pixelQuad(tap.isPast, (tap.frame * params.channels + channel) * params.height * params.width, place);
  }
  return vec4<f32>();
}
#if PORTABLE
fn loadWeights(tap: Tap, firstOutput: u32, invocation: u32) {
  for (var i = invocation; i < TILE_QUADS * DEPTH; i += INVOCATIONS) {
    putLeft(i, weightQuad(tap.weights, tap.channel + i / TILE_QUADS, firstOutput + (i % TILE_QUADS) * 4u));
  }
}
fn loadPixels(tap: Tap, place: PixelPlace, invocation: u32) {
  for (var i = invocation; i < TILE_QUADS * DEPTH; i += INVOCATIONS) {
    putRight(i, pixelsAt(tap, tap.channel + i / TILE_QUADS, place));
  }
}
fn addSlices(sums: ptr<function, Sums>, source: Source, first: u32, end: u32, invocation: u32) {
  var place: PixelPlace;
  for (var slice = first; slice < end; slice++) {
    let tap = tapOf(source.plane, slice);
    if slice == first || tap.channel == 0u {
      place = placeOfPixels(source.plane, source.y, source.x, tap.dy, tap.dx);
    }
    loadWeights(tap, source.output, invocation);
    loadPixels(tap, place, invocation);
    workgroupBarrier();
    addTiles(sums, invocation);
    workgroupBarrier();
  }
}
#else
fn fetchSlice(source: Source, slice: u32, invocation: u32) -> Share {
  let tap = tapOf(source.plane, slice);
  let place = placeOfPixels(source.plane, source.y, source.x, tap.dy, tap.dx);
  var share: Share;
  for (var n = 0u; n < OWN_QUADS; n++) {
    let i = invocation + n * INVOCATIONS;
    let channel = tap.channel + i / TILE_QUADS;
    share.left[n] = vec4<part>(weightQuad(tap.weights, channel, source.output + i % TILE_QUADS * 4u));
    share.right[n] = vec4<part>(pixelsAt(tap, channel, place));
  }
  return share;
}
#endif
@compute @workgroup_size(INVOCATIONS)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let owner = workgroupNumber(id, count);
  if owner >= params.owners {
    return;
  }
  let column = owner % params.ownerColumns * TILE;
  let o = owner / params.ownerColumns % params.ownerRows * TILE;
  let slab = owner / (params.ownerColumns * params.ownerRows);
  let first = vec4<u32>(column + invocation % TILE_QUADS * 4u) + vec4<u32>(0u, 1u, 2u, 3u);
  let slices = slicesOf(slab, params.depth * params.kernelHeight * params.kernelWidth * slicesOfTap());
  var sums: Sums;
  let source = Source(entryOf(slab), o, first / planeWidth(), first % planeWidth());
  addSlices(&sums, source, slices.x, slices.y, invocation);
  storeSums(slab, &sums, o, column, invocation);
}`,
  "copy.wgsl": `#include "include/units.wgsl"
#include "include/grid.wgsl"
struct Params {
  count: u32,
  inputStart: u32,
  outputStart: u32,
  sizes: array<vec4<u32>, 2>,
  inputStrides: array<vec4<u32>, 2>,
  outputStrides: array<vec4<u32>, 2>,
  rank: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<unit>;
@group(0) @binding(2) var<storage, read_write> output: array<unit>;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 64u + invocation;
  if i >= params.count {
    return;
  }
  var rest = i;
  var source = params.inputStart;
  var destination = params.outputStart;
  for (var axis = params.rank; axis > 0u; axis--) {
    let d = axis - 1u;
    let size = params.sizes[d / 4u][d % 4u];
    let coordinate = rest % size;
    rest /= size;
    source += coordinate * params.inputStrides[d / 4u][d % 4u];
    destination += coordinate * params.outputStrides[d / 4u][d % 4u];
  }
  output[destination] = input[source];
}`,
  "elementwise.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
#if VEC
alias V = vec4<f32>;
alias I = vec4<i32>;
alias element = vec4<scalar>;
#else
alias V = f32;
alias I = i32;
alias element = scalar;
#endif
#include "include/activation.wgsl"
struct Params {
  words: array<vec4<u32>, 24>,
}
@group(0) @binding(0) var<uniform> params: Params;
//@bindings
fn word(i: u32) -> u32 {
  return params.words[i / 4u][i % 4u];
}
fn constant(i: u32) -> V {
  return V(bitcast<f32>(word(i)));
}
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 64u + invocation;
  if i >= word(0u) {
    return;
  }
//@loads
//@expression
}`,
  "gather.wgsl": `#include "include/units.wgsl"
#include "include/grid.wgsl"
struct Params {
  count: u32,
  firstRow: u32,
  rows: u32,
  picks: u32,
  inner: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<unit>;
@group(0) @binding(2) var<storage, read> indices: array<i32>;
@group(0) @binding(3) var<storage, read_write> output: array<unit>;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 64u + invocation;
  if i >= params.count {
    return;
  }
  let pick = i / params.inner % params.picks;
  let outer = i / (params.inner * params.picks);
  let row = u32(indices[pick]) - params.firstRow;
  if row < params.rows {
    output[i] = input[(outer * params.rows + row) * params.inner + i % params.inner];
  }
}`,
  "load_weight.wgsl": `#include "include/grid.wgsl"
override SOURCE: u32 = 0; // 0 f32, 1 bf16, 2 f16, 3 i8, 4 u8
override HALF: bool = false;
struct Params {
  words: u32,
  count: u32,
  first: u32,
  available: u32,
  taps: u32,
  channels: u32,
  outputs: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
fn raw(i: u32) -> u32 {
  if SOURCE == 0u {
    return source[i];
  }
  if SOURCE <= 2u {
    return (source[i / 2u] >> (i % 2u * 16u)) & 0xffffu;
  }
  return (source[i / 4u] >> (i % 4u * 8u)) & 0xffu;
}
fn widen(half: u32) -> u32 {
  let sign = (half & 0x8000u) << 16u;
  let exponent = (half >> 10u) & 0x1fu;
  let mantissa = half & 0x3ffu;
  if exponent == 31u {
    return sign | 0x7f800000u | (mantissa << 13u);
  }
  if exponent > 0u {
    return sign | ((exponent + 112u) << 23u) | (mantissa << 13u);
  }
  if mantissa == 0u {
    return sign;
  }
  let shift = countLeadingZeros(mantissa) - 21u;
  return sign | ((113u - shift) << 23u) | (((mantissa << shift) & 0x3ffu) << 13u);
}
fn narrow(x: u32) -> u32 {
  let sign = (x >> 16u) & 0x8000u;
  let magnitude = x & 0x7fffffffu;
  var half = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13u) & 1u)) >> 13u;
  if magnitude - 0x38800000u >= 0x477ff000u - 0x38800000u {
    half = unusual(magnitude);
  }
  return sign | half;
}
fn unusual(magnitude: u32) -> u32 {
  if magnitude > 0x7f800000u {
    return 0x7e00u; // not a number
  }
  if magnitude >= 0x477ff000u {
    return 0x7c00u; // rounds past 65504
  }
  if magnitude < 0x33000001u {
    return 0u; // rounds to zero
  }
  let shift = 126u - (magnitude >> 23u); // subnormal: shift the mantissa with its hidden bit
  let mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  return rounded(mantissa >> shift, mantissa & ((1u << shift) - 1u), 1u << (shift - 1u));
}
fn rounded(quotient: u32, rest: u32, middle: u32) -> u32 {
  return quotient + select(0u, 1u, rest > middle || (rest == middle && (quotient & 1u) == 1u));
}
fn float(i: u32) -> u32 {
  let x = raw(i);
  if SOURCE == 1u {
    return x << 16u;
  }
  if SOURCE == 2u {
    return widen(x);
  }
  if SOURCE == 3u {
    return bitcast<u32>(f32(bitcast<i32>(x << 24u) >> 24u));
  }
  if SOURCE == 4u {
    return bitcast<u32>(f32(x));
  }
  return x;
}
fn converted(i: u32) -> u32 {
  if !HALF {
    return float(i);
  }
  if SOURCE == 2u {
    return raw(i);
  }
  return narrow(float(i));
}
#if PHASES
fn sum(kernel: u32, rows: vec2<u32>, columns: vec2<u32>) -> u32 {
  var top = 1u;
  var infinite = vec2<bool>(false, false); // above, below
  var wrong = false;
  for (var row = rows.x; row < rows.y; row++) {
    for (var column = columns.x; column < columns.y; column++) {
      let x = float(kernel + 3u * row + column);
      top = max(top, (x >> 23u) & 0xffu);
      wrong = wrong || (x & 0x7fffffffu) > 0x7f800000u;
      infinite.x = infinite.x || x == 0x7f800000u;
      infinite.y = infinite.y || x == 0xff800000u;
    }
  }
  if top == 255u {
    return select(select(0xff800000u, 0x7f800000u, infinite.x), 0x7fc00000u, wrong || (infinite.x && infinite.y));
  }
  var high = 0u;
  var low = 0u;
  for (var row = rows.x; row < rows.y; row++) {
    for (var column = columns.x; column < columns.y; column++) {
      let x = float(kernel + 3u * row + column);
      let exponent = (x >> 23u) & 0xffu;
      let mantissa = ((x & 0x7fffffu) | select(0u, 0x800000u, exponent > 0u)) << 4u;
      let shift = top - max(exponent, 1u);
      var h = 0u;
      var l = 0u;
      if shift == 0u {
        h = mantissa;
      } else if shift < 32u {
        h = mantissa >> shift;
        l = mantissa << (32u - shift);
      } else if shift < 64u { // what is shifted out leaves a trace
        l = mantissa >> (shift - 32u);
        l |= select(0u, 1u, (mantissa & ((1u << (shift - 32u)) - 1u)) != 0u);
      } else {
        l = select(0u, 1u, mantissa != 0u);
      }
      if (x >> 31u) == 1u {
        l = ~l + 1u;
        h = ~h + select(0u, 1u, l == 0u);
      }
      low += l;
      high += h + select(0u, 1u, low < l);
    }
  }
  let sign = high & 0x80000000u;
  if sign != 0u {
    low = ~low + 1u;
    high = ~high + select(0u, 1u, low == 0u);
  }
  if high == 0u && low == 0u {
    return 0u;
  }
  let first = select(firstLeadingBit(low), 32u + firstLeadingBit(high), high != 0u);
  let least = 37 - i32(top);
  let shift = max(i32(first) - 23, least);
  var mantissa = 0u;
  if shift <= 0 {
    mantissa = low << u32(-shift);
  } else if shift < 32 {
    let by = u32(shift);
    mantissa = rounded((high << (32u - by)) | (low >> by), low & ((1u << by) - 1u), 1u << (by - 1u));
  } else if shift == 32 {
    mantissa = rounded(high, low, 0x80000000u);
  } else {
    let by = u32(shift - 32);
    let rest = (high & ((1u << by) - 1u)) * 2u + select(0u, 1u, low != 0u);
    mantissa = rounded(high >> by, rest, 1u << by);
  }
  return sign | min(mantissa + (u32(shift - least) << 23u), 0x7f800000u);
}
#endif
#if PLAIN
#else
fn find(i: u32) -> vec2<u32> {
  let rest = i / params.outputs;
  let matrix = rest / params.channels;
  return vec2<u32>((i - rest * params.outputs) * params.channels + rest - matrix * params.channels, matrix);
}
fn made(place: vec2<u32>, kept: u32) -> u32 {
#if PHASES
  let origin = place.x * 9u;
#else
  let origin = place.x * params.taps + place.y;
#endif
  if origin < params.first || origin - params.first >= params.available {
    return kept;
  }
  let at = origin - params.first;
#if PHASES
  let phase = vec2<u32>(place.y / 8u, (place.y / 4u) % 2u);
  let second = vec2<u32>((place.y / 2u) % 2u, place.y % 2u) == vec2<u32>(1u);
  let begin = select(vec2<u32>(0u), 1u + phase, second);
  let end = select(1u + phase, vec2<u32>(3u), second);
  let x = sum(at, vec2<u32>(begin.x, end.x), vec2<u32>(begin.y, end.y));
  if HALF {
    return narrow(x);
  }
  return x;
#else
  return converted(at);
#endif
}
#endif
fn writeWord(i: u32) {
#if PLAIN
  if !HALF {
    output[i] = float(i);
    return;
  }
  if SOURCE == 1u { // both in one word, and padded with zeros as the output is
    let word = source[i];
    output[i] = narrow(word << 16u) | (narrow(word & 0xffff0000u) << 16u);
    return;
  }
  var word = converted(2u * i);
  if 2u * i + 1u < params.count {
    word |= converted(2u * i + 1u) << 16u;
  }
  output[i] = word;
#else
  let place = find(i * select(1u, 2u, HALF));
  let kept = output[i];
  if !HALF {
    output[i] = made(place, kept);
    return;
  }
  var word = made(place, kept & 0xffffu);
  if 2u * i + 1u < params.count {
    var next = place + vec2<u32>(params.channels, 0u);
    if next.x >= params.channels * params.outputs {
      next = find(2u * i + 1u);
    }
    word |= made(next, kept >> 16u) << 16u;
  }
  output[i] = word;
#endif
}
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let first = workgroupNumber(id, count) * 1024u + invocation;
  let end = min(first + 1024u, params.words);
  for (var i = first; i < end; i += 64u) {
    writeWord(i);
  }
}`,
  "matmul.wgsl": `#include "include/matmul_operands.wgsl"
struct Block {
  r0: vec4<f32>,
  r1: vec4<f32>,
  r2: vec4<f32>,
  r3: vec4<f32>,
}
fn addDotProducts(sums: Block, l: Block, r: Block) -> Block {
  return Block(
    sums.r0 + vec4<f32>(dot(l.r0, r.r0), dot(l.r0, r.r1), dot(l.r0, r.r2), dot(l.r0, r.r3)),
    sums.r1 + vec4<f32>(dot(l.r1, r.r0), dot(l.r1, r.r1), dot(l.r1, r.r2), dot(l.r1, r.r3)),
    sums.r2 + vec4<f32>(dot(l.r2, r.r0), dot(l.r2, r.r1), dot(l.r2, r.r2), dot(l.r2, r.r3)),
    sums.r3 + vec4<f32>(dot(l.r3, r.r0), dot(l.r3, r.r1), dot(l.r3, r.r2), dot(l.r3, r.r3)),
  );
}
fn addProducts(sums: Block, l: Block, r: Block) -> Block {
  return Block(
    sums.r0 + l.r0.x * r.r0 + l.r0.y * r.r1 + l.r0.z * r.r2 + l.r0.w * r.r3,
    sums.r1 + l.r1.x * r.r0 + l.r1.y * r.r1 + l.r1.z * r.r2 + l.r1.w * r.r3,
    sums.r2 + l.r2.x * r.r0 + l.r2.y * r.r1 + l.r2.z * r.r2 + l.r2.w * r.r3,
    sums.r3 + l.r3.x * r.r0 + l.r3.y * r.r1 + l.r3.z * r.r2 + l.r3.w * r.r3,
  );
}
#if QUANTIZED
#else
#if VEC
fn leftAt(i: u32) -> vec4<f32> {
  return vec4<f32>(left[i]);
}
fn rightAt(i: u32) -> vec4<f32> {
  return vec4<f32>(right[i]);
}
#endif
#endif
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let owner = workgroupNumber(id, count) * 64u + invocation;
  if owner >= params.owners {
    return;
  }
  let column = owner % params.ownerColumns * 4u;
  let row = owner / params.ownerColumns % params.ownerRows * 4u;
  let batch = owner / (params.ownerColumns * params.ownerRows);
  let leftBase = batch * params.leftBatch;
  let rightBase = batch * params.rightBatch;
#if QUANTIZED
  var sums: Block;
  for (var k = 0u; k < params.inner; k += 4u) {
    let l = Block(
      leftQuad(leftBase, row, k),
      leftQuad(leftBase, row + 1u, k),
      leftQuad(leftBase, row + 2u, k),
      leftQuad(leftBase, row + 3u, k),
    );
    let r = Block(
      quantizedQuad(column, k),
      quantizedQuad(column + 1u, k),
      quantizedQuad(column + 2u, k),
      quantizedQuad(column + 3u, k),
    );
    sums = addDotProducts(sums, l, r);
  }
#else
#if VEC
  let lastRow = vec4<u32>(params.rows - 1u);
  let rows = (leftBase + min(vec4<u32>(row, row + 1u, row + 2u, row + 3u), lastRow) * params.inner) / 4u;
  let quads = params.inner / 4u;
  var sums: Block;
  if params.transposeRight != 0u {
    let right0 = (rightBase + column * params.inner) / 4u;
    for (var i = 0u; i < quads; i++) {
      let at = right0 + i;
      sums = addDotProducts(
        sums,
        Block(leftAt(rows.x + i), leftAt(rows.y + i), leftAt(rows.z + i), leftAt(rows.w + i)),
        Block(rightAt(at), rightAt(at + quads), rightAt(at + 2u * quads), rightAt(at + 3u * quads)),
      );
    }
  } else {
    let right0 = (rightBase + column) / 4u;
    let step = params.columns / 4u;
    for (var i = 0u; i < quads; i++) {
      let at = right0 + i * params.columns;
      sums = addProducts(
        sums,
        Block(leftAt(rows.x + i), leftAt(rows.y + i), leftAt(rows.z + i), leftAt(rows.w + i)),
        Block(rightAt(at), rightAt(at + step), rightAt(at + 2u * step), rightAt(at + 3u * step)),
      );
    }
  }
#else
  var sums: Block;
  for (var k = 0u; k < params.inner; k += 4u) {
    let l = Block(
      leftQuad(leftBase, row, k),
      leftQuad(leftBase, row + 1u, k),
      leftQuad(leftBase, row + 2u, k),
      leftQuad(leftBase, row + 3u, k),
    );
    if params.transposeRight != 0u {
      let r = Block(
        rightQuad(rightBase, column, k),
        rightQuad(rightBase, column + 1u, k),
        rightQuad(rightBase, column + 2u, k),
        rightQuad(rightBase, column + 3u, k),
      );
      sums = addDotProducts(sums, l, r);
    } else {
      let r = Block(
        rightQuad(rightBase, k, column),
        rightQuad(rightBase, k + 1u, column),
        rightQuad(rightBase, k + 2u, column),
        rightQuad(rightBase, k + 3u, column),
      );
      sums = addProducts(sums, l, r);
    }
  }
#endif
#endif
  let rowSums = array<vec4<f32>, 4>(sums.r0, sums.r1, sums.r2, sums.r3);
  for (var i = 0u; i < 4u; i++) {
    storeQuad(batch, row + i, column, rowSums[i]);
  }
}`,
  "matmul_tiled.wgsl": `#include "include/matmul_operands.wgsl"
override TRANSPOSED: bool = false;
const LEFT_ROWS = true;
#include "include/tile.wgsl"
struct Source {
  left: u32,
  right: u32,
  row: u32,
  column: u32,
}
#if PORTABLE
fn loadLeft(source: Source, firstK: u32, invocation: u32) {
  const QUADS = DEPTH / 4u;
  let width = TILE_QUADS;
  for (var i = invocation; i < width * QUADS; i += INVOCATIONS) {
    let group = i / QUADS;
    let k = (i % QUADS) * 4u;
    let row = source.row + group * 4u;
    var quads: array<vec4<f32>, 4>;
    for (var j = 0u; j < 4u; j++) {
      quads[j] = leftQuad(source.left, row + j, firstK + k);
    }
    for (var j = 0u; j < 4u; j++) {
      putLeft((k + j) * width + group, vec4<f32>(quads[0][j], quads[1][j], quads[2][j], quads[3][j]));
    }
  }
}
fn loadRight(source: Source, firstK: u32, invocation: u32) {
  const QUADS = DEPTH / 4u;
  let width = TILE_QUADS;
  if TRANSPOSED {
    for (var i = invocation; i < width * QUADS; i += INVOCATIONS) {
      let group = i / QUADS;
      let k = (i % QUADS) * 4u;
      let column = source.column + group * 4u;
      var quads: array<vec4<f32>, 4>;
      for (var j = 0u; j < 4u; j++) {
        quads[j] = rightQuad(source.right, column + j, firstK + k);
      }
      for (var j = 0u; j < 4u; j++) {
        putRight((k + j) * width + group, vec4<f32>(quads[0][j], quads[1][j], quads[2][j], quads[3][j]));
      }
    }
  } else {
    for (var i = invocation; i < width * DEPTH; i += INVOCATIONS) {
      putRight(i, rightQuad(source.right, firstK + i / width, source.column + (i % width) * 4u));
    }
  }
}
fn addSlices(sums: ptr<function, Sums>, source: Source, first: u32, end: u32, invocation: u32) {
  for (var slice = first; slice < end; slice++) {
    loadLeft(source, slice * DEPTH, invocation);
    loadRight(source, slice * DEPTH, invocation);
    workgroupBarrier();
    addTiles(sums, invocation);
    workgroupBarrier();
  }
}
#else
fn fetchSlice(source: Source, slice: u32, invocation: u32) -> Share {
  const QUADS = DEPTH / 4u;
  let firstK = slice * DEPTH;
  var share: Share;
  for (var n = 0u; n < OWN_QUADS; n++) {
    let i = invocation + n * INVOCATIONS;
    let k = firstK + i % QUADS * 4u;
    share.left[n] = vec4<part>(leftQuad(source.left, source.row + i / QUADS, k));
    if TRANSPOSED {
      share.right[n] = vec4<part>(rightQuad(source.right, source.column + i / QUADS, k));
    } else {
      let column = source.column + i % TILE_QUADS * 4u;
      share.right[n] = vec4<part>(rightQuad(source.right, firstK + i / TILE_QUADS, column));
    }
  }
  return share;
}
#endif
@compute @workgroup_size(INVOCATIONS)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let owner = workgroupNumber(id, count);
  if owner >= params.owners {
    return;
  }
  let column = owner % params.ownerColumns * TILE;
  let row = owner / params.ownerColumns % params.ownerRows * TILE;
  let slab = owner / (params.ownerColumns * params.ownerRows);
  let batch = entryOf(slab);
  let slices = slicesOf(slab, (params.inner + DEPTH - 1u) / DEPTH);
  var sums: Sums;
  let source = Source(batch * params.leftBatch, batch * params.rightBatch, row, column);
  addSlices(&sums, source, slices.x, slices.y, invocation);
  storeSums(slab, &sums, row, column, invocation);
}`,
  "matvec.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias V = vec4<f32>;
#include "include/epilogue.wgsl"
#if VEC
alias element = vec4<scalar>;
#else
alias element = scalar;
#endif
struct Params {
  workgroups: u32,
  rows: u32,
  columns: u32,
  inner: u32,
  columnTiles: u32,
  outputStride: u32,
  firstColumn: u32,
  hasBias: u32,
  activation: u32,
#if QUANTIZED
  groups: u32,
  hasZeroPoints: u32,
#endif
}
const LANES = 32u;
const COLUMNS = 4u;
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> left: array<element>;
#if QUANTIZED
@group(0) @binding(2) var<storage, read> bias: array<scalar>;
#include "include/quantized.wgsl"
@group(0) @binding(6) var<storage, read_write> output: array<scalar>;
#else
@group(0) @binding(2) var<storage, read> right: array<element>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read_write> output: array<scalar>;
#endif
var<workgroup> partial: array<vec4<f32>, LANES * COLUMNS>;
#if QUANTIZED
const STEP = 4u;
fn productSum(x: vec4<f32>, w: vec4<f32>) -> f32 {
  return dot(x, w);
}
fn leftElements(row: u32, k: u32) -> vec4<f32> {
  var quad = vec4<f32>();
  if row < params.rows {
    let at = row * params.inner + k;
#if VEC
    quad = vec4<f32>(left[at / 4u]);
#else
    for (var i = 0u; i < min(4u, params.inner - k); i++) {
      quad[i] = f32(left[at + i]);
    }
#endif
  }
  return quad;
}
fn rightElements(column: u32, k: u32) -> vec4<f32> {
  return quantizedQuad(column, k);
}
#else
#if VEC
const STEP = 4u;
fn productSum(x: vec4<f32>, w: vec4<f32>) -> f32 {
  return dot(x, w);
}
fn leftElements(row: u32, k: u32) -> vec4<f32> {
  if row >= params.rows {
    return vec4<f32>();
  }
  return vec4<f32>(left[(row * params.inner + k) / 4u]);
}
fn rightElements(column: u32, k: u32) -> vec4<f32> {
  return vec4<f32>(right[(column * params.inner + k) / 4u]);
}
#else
const STEP = 1u;
fn productSum(x: f32, w: f32) -> f32 {
  return x * w;
}
fn leftElements(row: u32, k: u32) -> f32 {
  if row >= params.rows {
    return 0.0;
  }
  return f32(left[row * params.inner + k]);
}
fn rightElements(column: u32, k: u32) -> f32 {
  return f32(right[column * params.inner + k]);
}
#endif
#endif
@compute @workgroup_size(LANES, COLUMNS)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_id) local: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let column = workgroup % params.columnTiles * COLUMNS + local.y;
  let row = workgroup / params.columnTiles * 4u;
  var sums = vec4<f32>();
  if column < params.columns {
    for (var k = local.x * STEP; k < params.inner; k += LANES * STEP) {
      let w = rightElements(column, k);
      for (var j = 0u; j < 4u; j++) {
        sums[j] += productSum(leftElements(row + j, k), w);
      }
    }
  }
  partial[invocation] = sums;
  workgroupBarrier();
  for (var lanes = LANES / 2u; lanes > 0u; lanes /= 2u) {
    if local.x < lanes {
      partial[invocation] += partial[invocation + lanes];
    }
    workgroupBarrier();
  }
  if local.x == 0u && column < params.columns {
    var values = partial[invocation];
    if params.hasBias != 0u {
      values += vec4<f32>(f32(bias[params.firstColumn + column]));
    }
    values = activate(params.activation, values);
    for (var i = 0u; i < min(4u, params.rows - row); i++) {
      output[(row + i) * params.outputStride + params.firstColumn + column] = scalar(values[i]);
    }
  }
}`,
  "norm.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/columns.wgsl"
#include "include/epilogue.wgsl"
#if ALONG
alias factor = vec4<scalar>;
alias factored = vec4<f32>;
#else
alias factor = scalar;
alias factored = f32;
#endif
struct Params {
  workgroups: u32,
  columns: u32,
  length: u32,
  inner: u32,
  eps: f32,
  centred: u32,
  hasWeight: u32,
  hasBias: u32,
  activation: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<element>;
@group(0) @binding(2) var<storage, read> weight: array<factor>;
@group(0) @binding(3) var<storage, read> bias: array<factor>;
@group(0) @binding(4) var<storage, read_write> output: array<element>;
@compute @workgroup_size(COLUMNS * LANES)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let column = workgroup * COLUMNS + invocation % COLUMNS;
  let lane = invocation / COLUMNS;
  let elements = params.length / EACH;
  let base = column / params.inner * elements * params.inner + column % params.inner;
  let length = select(0u, elements, column < params.columns);
  var mean = V();
  if params.centred != 0u {
    var sum = V();
    for (var i = lane; i < length; i += LANES) {
      sum += V(input[base + i * params.inner]);
    }
    mean = V(overLanes(ADD, sum, invocation) / f32(params.length));
  }
  var squares = V();
  for (var i = lane; i < length; i += LANES) {
    let x = V(input[base + i * params.inner]) - mean;
    squares += x * x;
  }
  let deviation = sqrt(overLanes(ADD, squares, invocation) / f32(params.length) + total(params.eps));
  let scale = V(total(1.0) / deviation);
  for (var i = lane; i < length; i += LANES) {
    var y = (V(input[base + i * params.inner]) - mean) * scale;
    if params.hasWeight != 0u {
      y *= V(factored(weight[i]));
    }
    if params.hasBias != 0u {
      y += V(factored(bias[i]));
    }
    output[base + i * params.inner] = element(activate(params.activation, y));
  }
}`,
  "pad.wgsl": `#include "include/units.wgsl"
#include "include/grid.wgsl"
struct Params {
  count: u32,
  outputSizes: array<vec4<u32>, 2>,
  sizes: array<vec4<u32>, 2>,
  before: array<vec4<u32>, 2>,
  rank: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<unit>;
@group(0) @binding(2) var<storage, read_write> output: array<unit>;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 64u + invocation;
  if i >= params.count {
    return;
  }
  var rest = i;
  var source = 0u;
  var stride = 1u;
  var inside = true;
  for (var axis = params.rank; axis > 0u; axis--) {
    let d = axis - 1u;
    let outputSize = params.outputSizes[d / 4u][d % 4u];
    let size = params.sizes[d / 4u][d % 4u];
    let coordinate = rest % outputSize - params.before[d / 4u][d % 4u];
    rest /= outputSize;
    inside = inside && coordinate < size;
    source += coordinate * stride;
    stride *= size;
  }
  var value = unit();
  if inside {
    value = input[source];
  }
  output[i] = value;
}`,
  "reduce.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/columns.wgsl"
#if ACROSS
alias result = vec4<scalar>;
#else
alias result = scalar;
#endif
struct Params {
  workgroups: u32,
  columns: u32,
  length: u32,
  inner: u32,
  factor: f32,
  how: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<element>;
@group(0) @binding(2) var<storage, read_write> output: array<result>;
@compute @workgroup_size(COLUMNS * LANES)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let column = workgroup * COLUMNS + invocation % COLUMNS;
  let lane = invocation / COLUMNS;
  let elements = params.length / EACH;
  let base = column / params.inner * elements * params.inner + column % params.inner;
  let length = select(0u, elements, column < params.columns);
  var value = V(0.0);
  if params.how != ADD {
    value = V(input[select(0u, base, column < params.columns)]);
  }
  for (var i = lane; i < length; i += LANES) {
    value = combine(params.how, value, V(input[base + i * params.inner]));
  }
  let combined = overLanes(params.how, value, invocation);
  if lane == 0u && column < params.columns {
    output[column] = result(combined * params.factor);
  }
}`,
  "rope.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
#if VEC
alias element = vec4<scalar>;
alias V = vec4<f32>;
#else
alias element = scalar;
alias V = f32;
#endif
struct Params {
  count: u32,
  heads: u32,
  pairs: u32,
  stride: u32,
  reach: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<element>;
@group(0) @binding(2) var<storage, read> cosines: array<element>;
@group(0) @binding(3) var<storage, read> sines: array<element>;
@group(0) @binding(4) var<storage, read_write> output: array<element>;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 64u + invocation;
  if i >= params.count {
    return;
  }
  let pair = i % params.pairs;
  let at = i / (params.heads * params.pairs) * params.pairs + pair;
  let c = V(cosines[at]);
  let s = V(sines[at]);
  let first = i / params.pairs * 2u * params.pairs + pair * params.stride;
  let second = first + params.reach;
#if VEC
  let near = V(input[first]);
  let far = V(input[second]);
  if params.stride == 2u {
    let x0 = vec4<f32>(near.xz, far.xz);
    let x1 = vec4<f32>(near.yw, far.yw);
    let y0 = x0 * c - x1 * s;
    let y1 = x0 * s + x1 * c;
    output[first] = element(vec4<f32>(y0.x, y1.x, y0.y, y1.y));
    output[second] = element(vec4<f32>(y0.z, y1.z, y0.w, y1.w));
  } else {
    output[first] = element(near * c - far * s);
    output[second] = element(near * s + far * c);
  }
#else
  let x0 = V(input[first]);
  let x1 = V(input[second]);
  output[first] = scalar(x0 * c - x1 * s);
  output[second] = scalar(x0 * s + x1 * c);
#endif
}`,
  "softmax.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
#include "include/columns.wgsl"
struct Params {
  workgroups: u32,
  columns: u32,
  length: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<element>;
@group(0) @binding(2) var<storage, read_write> output: array<element>;
@compute @workgroup_size(COLUMNS * LANES)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let workgroup = workgroupNumber(id, count);
  if workgroup >= params.workgroups {
    return;
  }
  let column = workgroup * COLUMNS + invocation % COLUMNS;
  let lane = invocation / COLUMNS;
  let length = select(0u, params.length / EACH, column < params.columns);
  let base = column * (params.length / EACH);
  var highest = V(-3.4028234e38);
  for (var i = lane; i < length; i += LANES) {
    highest = max(highest, V(input[base + i]));
  }
  let maximum = overLanes(MAXIMUM, highest, invocation);
  var sum = V(0.0);
  for (var i = lane; i < length; i += LANES) {
    sum += exp(V(input[base + i]) - V(maximum));
  }
  let divisor = overLanes(ADD, sum, invocation);
  for (var i = lane; i < length; i += LANES) {
    output[base + i] = element(exp(V(input[base + i]) - V(maximum)) / divisor);
  }
}`,
  "sum_parts.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
#if VEC
alias V = vec4<f32>;
alias element = vec4<scalar>;
#else
alias V = f32;
alias element = scalar;
#endif
#include "include/epilogue.wgsl"
struct Params {
  elements: u32,
  parts: u32,
  activation: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> partial: array<V>;
@group(0) @binding(2) var<storage, read_write> output: array<element>;
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) count: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let i = workgroupNumber(id, count) * 256u + invocation;
  if i >= params.elements {
    return;
  }
  var sum = partial[i];
  for (var part = 1u; part < params.parts; part++) {
    sum += partial[part * params.elements + i];
  }
  output[i] = element(activate(params.activation, sum));
}`,
  "include/activation.wgsl": `fn sigmoidOf(x: V) -> V {
  return 1.0 / (1.0 + exp(min(-x, V(80.0))));
}
fn tanhOf(x: V) -> V {
  let e = exp(-2.0 * abs(x));
  let large = sign(x) * (1.0 - e) / (1.0 + e);
  let s = x * x;
  let small = x * (1.0 + s * (-0.33333333 + s * (0.13333333 + s * -0.05396825)));
  return select(large, small, abs(x) < V(0.2));
}
fn erfOf(x: V) -> V {
  let a = abs(x);
  let t = 1.0 / (1.0 + 0.3275911 * a);
  let p = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return sign(x) * (1.0 - p * exp(-a * a));
}
fn siluOf(x: V) -> V {
  return x * sigmoidOf(x);
}
fn geluOf(x: V) -> V {
  return x * sigmoidOf(1.5957691216 * (x + 0.044715 * x * x * x));
}
fn geluErfOf(x: V) -> V {
  return 0.5 * x * (1.0 + erfOf(x * 0.70710678));
}
fn beyondQuarterTurns(x: V, turns: V) -> V {
  return ((x - turns * 1.5703125) - turns * 4.837512969970703125e-4) - turns * 7.54978995489188216e-8;
}
fn sinOfQuarter(r: V) -> V {
  let s = r * r;
  return r + r * s * (-0.16666654611 + s * (8.3321608736e-3 + s * -1.9515295891e-4));
}
fn cosOfQuarter(r: V) -> V {
  let s = r * r;
  return 1.0 - 0.5 * s + s * s * (4.166664568e-2 + s * (-1.388731625e-3 + s * 2.443315712e-5));
}
fn turnedSin(x: V, quarters: V) -> V {
  let turns = round(x * 0.6366197723675814);
  let r = beyondQuarterTurns(x, turns);
  let phase = turns + quarters;
  let quadrant = phase - 4.0 * floor(phase * 0.25);
  let odd = (quadrant == V(1.0)) | (quadrant == V(3.0));
  let value = select(sinOfQuarter(r), cosOfQuarter(r), odd);
  return select(value, -value, quadrant >= V(2.0));
}
fn sinOf(x: V) -> V {
  return turnedSin(x, V(0.0));
}
fn cosOf(x: V) -> V {
  return turnedSin(x, V(1.0));
}`,
  "include/attention_emulated.wgsl": `const HELD = EDGE / 2u;
alias LeftStrip = u32;
alias SumStrip = array<f32, HELD>;
override QUERY_TILE: u32 = 1024u;
var<workgroup> queryTile: array<part, QUERY_TILE>;
var<workgroup> exchanged: array<f32, 128>;
fn rowMaximum(value: f32, invocation: u32) -> f32 {
  exchanged[invocation] = value;
  workgroupBarrier();
  var highest = value;
  for (var i = 0u; i < SHARERS; i++) {
    highest = max(highest, exchanged[invocation / SHARERS * SHARERS + i]);
  }
  workgroupBarrier();
  return highest;
}
fn rowSum(value: f32, invocation: u32) -> f32 {
  exchanged[invocation] = value;
  workgroupBarrier();
  var sum = 0.0;
  for (var i = 0u; i < SHARERS; i++) {
    sum += exchanged[invocation / SHARERS * SHARERS + i];
  }
  workgroupBarrier();
  return sum;
}
fn leftOfTile(at: u32, invocation: u32) -> LeftStrip {
  let lane = invocation % LANES;
  let place = invocation / LANES * EDGE * STRIPS * STRIP + at % (STRIPS * STRIP + SKEW);
  for (var i = 0u; i < HELD; i++) {
    let row = 2u * i + lane / STRIP;
    queryTile[place + row * STRIPS * STRIP + lane % STRIP] = tile[at + row * (STRIPS * STRIP + SKEW) + lane % STRIP];
  }
  return place;
}
fn leftOfWeights(at: u32, lane: u32) -> LeftStrip {
  return at;
}
fn timesKeys(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  var sums = before;
  for (var c = 0u; c < STRIP; c++) {
    let key = f32(tile[at + lane % STRIP * (STRIPS * STRIP + SKEW) + c]);
    for (var i = 0u; i < HELD; i++) {
      sums[i] += f32(queryTile[left + (2u * i + lane / STRIP) * STRIPS * STRIP + c]) * key;
    }
  }
  return sums;
}
fn timesValues(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  var sums = before;
  for (var c = 0u; c < STRIP; c++) {
    let value = f32(tile[at + c * (STRIPS * STRIP + SKEW) + lane % STRIP]);
    for (var i = 0u; i < HELD; i++) {
      sums[i] += f32(weightTile[left + (2u * i + lane / STRIP) * (KEYS + SKEW) + c]) * value;
    }
  }
  return sums;
}
fn stage(at: u32, sums: SumStrip, lane: u32) {
  var own = sums;
  for (var i = 0u; i < HELD; i++) {
    logitTile[at + (2u * i + lane / STRIP) * (KEYS + 4u) + lane % STRIP] = own[i];
  }
}
fn staged(at: u32, lane: u32) -> SumStrip {
  var sums: SumStrip;
  for (var i = 0u; i < HELD; i++) {
    sums[i] = logitTile[at + (2u * i + lane / STRIP) * (KEYS + 4u) + lane % STRIP];
  }
  return sums;
}`,
  "include/attention_operands.wgsl": `#if VEC
alias element = vec4<scalar>;
#else
alias element = scalar;
#endif
struct Params {
  workgroups: u32,
  queries: u32,
  keys: u32,
  heads: u32,
  width: u32,
  valueWidth: u32,
  queryTiles: u32,
  parts: u32,
  qStrides: vec4<u32>,
  kStrides: vec4<u32>,
  vStrides: vec4<u32>,
  biasStrides: vec4<u32>,
  scale: f32,
  hasBias: u32,
  biasStart: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<element>;
@group(0) @binding(2) var<storage, read> k: array<element>;
@group(0) @binding(3) var<storage, read> v: array<element>;
@group(0) @binding(4) var<storage, read> bias: array<scalar>;
@group(0) @binding(5) var<storage, read_write> output: array<scalar>;
#if VEC
fn qQuad(base: u32, c: u32) -> vec4<part> {
  return vec4<part>(q[(base + c) / 4u]);
}
fn kQuad(base: u32, c: u32) -> vec4<part> {
  return vec4<part>(k[(base + c) / 4u]);
}
fn vQuad(base: u32, c: u32) -> vec4<part> {
  return vec4<part>(v[(base + c) / 4u]);
}
#else
fn qQuad(base: u32, c: u32) -> vec4<part> {
  var quad = vec4<part>();
  for (var i = 0u; i < 4u; i++) {
    if c + i < params.width {
      quad[i] = part(q[base + c + i]);
    }
  }
  return quad;
}
fn kQuad(base: u32, c: u32) -> vec4<part> {
  var quad = vec4<part>();
  for (var i = 0u; i < 4u; i++) {
    if c + i < params.width {
      quad[i] = part(k[base + c + i]);
    }
  }
  return quad;
}
fn vQuad(base: u32, c: u32) -> vec4<part> {
  var quad = vec4<part>();
  for (var i = 0u; i < 4u; i++) {
    if c + i < params.valueWidth {
      quad[i] = part(v[base + c + i]);
    }
  }
  return quad;
}
#endif`,
  "include/attention_strips.wgsl": `#if MATRIX8
const EDGE = 8u;
alias part = f32;
#endif
#if EMULATED8
const EDGE = 8u;
alias part = f32;
#endif
#if MATRIX16
const EDGE = 16u;
alias part = scalar;
#endif
#if EMULATED16
const EDGE = 16u;
alias part = scalar;
#endif
const LANES = 32u;
const STRIP = 16u;
const QUERIES = 4u * EDGE;
const SHARERS = LANES / EDGE;
override STRIPS: u32 = 8u;
override KEYS: u32 = 16u;
override TILE: u32 = 2176u;
override LOGITS: u32 = 1280u;
var<workgroup> tile: array<part, TILE>;
var<workgroup> logitTile: array<f32, LOGITS>;
#if F16
#if MATRIX16
const SKEW = 8u;
#include "include/attention_weights.wgsl"
#endif
#if EMULATED16
const SKEW = 8u;
#include "include/attention_weights.wgsl"
#endif
#else
#if MATRIX16
const SKEW = 4u;
#include "include/attention_weights_in_place.wgsl"
#endif
#if EMULATED16
const SKEW = 4u;
#include "include/attention_weights.wgsl"
#endif
#endif
#if MATRIX8
const SKEW = 4u;
#include "include/attention_weights_in_place.wgsl"
#endif
#if EMULATED8
const SKEW = 4u;
#include "include/attention_weights.wgsl"
#endif
#if EMULATED8
#include "include/attention_emulated.wgsl"
#else
#if EMULATED16
#include "include/attention_emulated.wgsl"
#else
fn rowMaximum(value: f32, invocation: u32) -> f32 {
  var highest = max(value, subgroupShuffleXor(value, 1u));
  if SHARERS > 2u {
    highest = max(highest, subgroupShuffleXor(highest, 2u));
  }
  return highest;
}
fn rowSum(value: f32, invocation: u32) -> f32 {
  var sum = value + subgroupShuffleXor(value, 1u);
  if SHARERS > 2u {
    sum += subgroupShuffleXor(sum, 2u);
  }
  return sum;
}
alias Left = subgroup_matrix_left<part, EDGE, EDGE>;
alias Right = subgroup_matrix_right<part, EDGE, EDGE>;
alias Result = subgroup_matrix_result<f32, EDGE, EDGE>;
#if MATRIX8
struct LeftStrip {
  near: Left,
  far: Left,
}
struct SumStrip {
  near: Result,
  far: Result,
}
fn leftOfTile(at: u32, invocation: u32) -> LeftStrip {
  return LeftStrip(
    subgroupMatrixLoad<Left, row_major>(&tile, at, STRIPS * STRIP + SKEW),
    subgroupMatrixLoad<Left, row_major>(&tile, at + EDGE, STRIPS * STRIP + SKEW),
  );
}
fn leftOfWeights(at: u32, lane: u32) -> LeftStrip {
  return LeftStrip(
    subgroupMatrixLoad<Left, row_major>(&logitTile, at, KEYS + 4u),
    subgroupMatrixLoad<Left, row_major>(&logitTile, at + EDGE, KEYS + 4u),
  );
}
fn timesKeys(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  let below = at + EDGE * (STRIPS * STRIP + SKEW);
  var sums = before;
  sums.near = subgroupMatrixMultiplyAccumulate(
    left.near, subgroupMatrixLoad<Right, col_major>(&tile, at, STRIPS * STRIP + SKEW), sums.near);
  sums.far = subgroupMatrixMultiplyAccumulate(
    left.near, subgroupMatrixLoad<Right, col_major>(&tile, below, STRIPS * STRIP + SKEW), sums.far);
  sums.near = subgroupMatrixMultiplyAccumulate(
    left.far, subgroupMatrixLoad<Right, col_major>(&tile, at + EDGE, STRIPS * STRIP + SKEW), sums.near);
  sums.far = subgroupMatrixMultiplyAccumulate(
    left.far, subgroupMatrixLoad<Right, col_major>(&tile, below + EDGE, STRIPS * STRIP + SKEW), sums.far);
  return sums;
}
fn timesValues(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  let below = at + EDGE * (STRIPS * STRIP + SKEW);
  var sums = before;
  sums.near = subgroupMatrixMultiplyAccumulate(
    left.near, subgroupMatrixLoad<Right, row_major>(&tile, at, STRIPS * STRIP + SKEW), sums.near);
  sums.far = subgroupMatrixMultiplyAccumulate(
    left.near, subgroupMatrixLoad<Right, row_major>(&tile, at + EDGE, STRIPS * STRIP + SKEW), sums.far);
  sums.near = subgroupMatrixMultiplyAccumulate(
    left.far, subgroupMatrixLoad<Right, row_major>(&tile, below, STRIPS * STRIP + SKEW), sums.near);
  sums.far = subgroupMatrixMultiplyAccumulate(
    left.far, subgroupMatrixLoad<Right, row_major>(&tile, below + EDGE, STRIPS * STRIP + SKEW), sums.far);
  return sums;
}
fn stage(at: u32, sums: SumStrip, lane: u32) {
  subgroupMatrixStore<row_major>(&logitTile, at, sums.near, KEYS + 4u);
  subgroupMatrixStore<row_major>(&logitTile, at + EDGE, sums.far, KEYS + 4u);
}
fn staged(at: u32, lane: u32) -> SumStrip {
  return SumStrip(
    subgroupMatrixLoad<Result, row_major>(&logitTile, at, KEYS + 4u),
    subgroupMatrixLoad<Result, row_major>(&logitTile, at + EDGE, KEYS + 4u),
  );
}
#else
alias LeftStrip = Left;
alias SumStrip = Result;
fn leftOfTile(at: u32, invocation: u32) -> LeftStrip {
  return subgroupMatrixLoad<Left, row_major>(&tile, at, STRIPS * STRIP + SKEW);
}
fn leftOfWeights(at: u32, lane: u32) -> LeftStrip {
#if F16
  return subgroupMatrixLoad<Left, row_major>(&weightTile, at, KEYS + SKEW);
#else
  return subgroupMatrixLoad<Left, row_major>(&logitTile, at, KEYS + SKEW);
#endif
}
fn timesKeys(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  return subgroupMatrixMultiplyAccumulate(left, subgroupMatrixLoad<Right, col_major>(&tile, at, STRIPS * STRIP + SKEW), before);
}
fn timesValues(left: LeftStrip, at: u32, before: SumStrip, lane: u32) -> SumStrip {
  return subgroupMatrixMultiplyAccumulate(left, subgroupMatrixLoad<Right, row_major>(&tile, at, STRIPS * STRIP + SKEW), before);
}
fn stage(at: u32, sums: SumStrip, lane: u32) {
  subgroupMatrixStore<row_major>(&logitTile, at, sums, KEYS + 4u);
}
fn staged(at: u32, lane: u32) -> SumStrip {
  return subgroupMatrixLoad<Result, row_major>(&logitTile, at, KEYS + 4u);
}
#endif
#endif
#endif`,
  "include/attention_weights.wgsl": `override WEIGHTS: u32 = 1280u;
var<workgroup> weightTile: array<part, WEIGHTS>;
fn putWeight(at: u32, weight: f32) {
  weightTile[at] = part(weight);
}`,
  "include/attention_weights_in_place.wgsl": `fn putWeight(at: u32, weight: f32) {
  logitTile[at] = weight;
}`,
  "include/columns.wgsl": `override COLUMNS: u32 = 1u;
override LANES: u32 = 64u;
#if SINGLE
alias element = scalar;
alias V = f32;
alias total = f32;
const EACH = 1u;
#endif
#if ALONG
alias element = vec4<scalar>;
alias V = vec4<f32>;
alias total = f32;
const EACH = 4u;
#endif
#if ACROSS
alias element = vec4<scalar>;
alias V = vec4<f32>;
alias total = vec4<f32>;
const EACH = 1u;
#endif
var<workgroup> partial: array<total, COLUMNS * LANES>;
const ADD = 0u;
const MAXIMUM = 1u;
const MINIMUM = 2u;
fn combine(how: u32, a: V, b: V) -> V {
  switch how {
    case MAXIMUM: {
      return max(a, b);
    }
    case MINIMUM: {
      return min(a, b);
    }
    default: {
      return a + b;
    }
  }
}
#if ALONG
fn combineTotals(how: u32, a: f32, b: f32) -> f32 {
  switch how {
    case MAXIMUM: {
      return max(a, b);
    }
    case MINIMUM: {
      return min(a, b);
    }
    default: {
      return a + b;
    }
  }
}
fn totalOf(how: u32, four: V) -> total {
  return combineTotals(how, combineTotals(how, four.x, four.y), combineTotals(how, four.z, four.w));
}
#else
fn combineTotals(how: u32, a: total, b: total) -> total {
  return combine(how, a, b);
}
fn totalOf(how: u32, value: V) -> total {
  return value;
}
#endif
fn overLanes(how: u32, value: V, invocation: u32) -> total {
  let own = totalOf(how, value);
  if LANES == 1u {
    return own;
  }
  partial[invocation] = own;
  workgroupBarrier();
  for (var lanes = LANES / 2u; lanes > 0u; lanes /= 2u) {
    if invocation < lanes * COLUMNS {
      partial[invocation] = combineTotals(how, partial[invocation], partial[invocation + lanes * COLUMNS]);
    }
    workgroupBarrier();
  }
  let result = partial[invocation % COLUMNS];
  workgroupBarrier();
  return result;
}`,
  "include/conv_operands.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias V = vec4<f32>;
#include "include/epilogue.wgsl"
#include "include/parts.wgsl"
#if SPLIT
alias result = f32;
#else
alias result = scalar;
#endif
#if VEC
alias weightElement = vec4<scalar>;
#else
alias weightElement = scalar;
#endif
#if WIDE
alias inputElement = vec4<scalar>;
#if PHASES
alias residualElement = scalar;
alias resultElement = result;
#else
alias residualElement = vec4<scalar>;
alias resultElement = vec4<result>;
#endif
#else
alias inputElement = scalar;
alias residualElement = scalar;
alias resultElement = result;
#endif
struct Params {
  owners: u32,
  ownerRows: u32,
  ownerColumns: u32,
  outputs: u32,
  channels: u32,
  height: u32,
  width: u32,
  depth: u32,
  kernelHeight: u32,
  kernelWidth: u32,
  strideT: u32,
  strideY: u32,
  strideX: u32,
  padTop: u32,
  padLeft: u32,
  outHeight: u32,
  outWidth: u32,
  hasBias: u32,
  scale: u32,
  pastFrames: u32,
  hasResidual: u32,
  activation: u32,
#if SPLIT
  entries: u32,
  partSlices: u32,
#endif
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<inputElement>;
@group(0) @binding(2) var<storage, read> weight: array<weightElement>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read> residual: array<residualElement>;
#if PAST
@group(0) @binding(5) var<storage, read> past: array<inputElement>;
@group(0) @binding(6) var<storage, read_write> output: array<resultElement>;
#else
@group(0) @binding(5) var<storage, read_write> output: array<resultElement>;
#endif
fn weightQuad(tap: u32, channel: u32, o: u32) -> vec4<f32> {
  var quad = vec4<f32>();
  if channel < params.channels && o < params.outputs {
    let at = (tap * params.channels + channel) * params.outputs + o;
#if VEC
    quad = vec4<f32>(weight[at / 4u]);
#else
    for (var i = 0u; i < 4u; i++) {
      if o + i < params.outputs {
        quad[i] = f32(weight[at + i]);
      }
    }
#endif
  }
  return quad;
}
#if PHASES
const SIDE: u32 = 2u;
#else
const SIDE: u32 = 1u;
#endif
const PHASES_OF_FRAME: u32 = SIDE * SIDE;
fn planeHeight() -> u32 {
  return params.outHeight / SIDE;
}
fn planeWidth() -> u32 {
  return params.outWidth / SIDE;
}
fn frameOfPlane(plane: u32) -> u32 {
  return plane / PHASES_OF_FRAME;
}
fn firstTap(plane: u32) -> u32 {
  return plane % PHASES_OF_FRAME * params.kernelHeight * params.kernelWidth;
}
#if WIDE
struct PixelPlace {
  low: i32,
  high: i32,
  shift: u32,
}
fn placeOfPixels(outPlane: u32, y: vec4<u32>, x: vec4<u32>, dy: u32, dx: u32) -> PixelPlace {
  let phase = outPlane % PHASES_OF_FRAME;
  let row = i32(y.x * params.strideY + dy + phase / SIDE) - i32(params.padTop);
  let column = i32(x.x + dx + phase % SIDE) - i32(params.padLeft);
  let shift = u32(column & 3);
  let low = column - i32(shift);
  let quad = (row * i32(params.width) + low) / 4;
  let inside = row >= 0 && row < i32(params.height) && y.x < planeHeight();
  return PixelPlace(
    select(-1, quad, inside && low >= 0 && low < i32(params.width)),
    select(-1, quad + 1, inside && low >= -4 && low + 4 < i32(params.width) && shift != 0u),
    shift,
  );
}
#else
alias PixelPlace = vec4<i32>;
fn placeOfPixels(outPlane: u32, y: vec4<u32>, x: vec4<u32>, dy: u32, dx: u32) -> PixelPlace {
  let phase = outPlane % PHASES_OF_FRAME;
  var row = vec4<i32>(y * params.strideY + dy + phase / SIDE) - i32(params.padTop);
  var column = vec4<i32>(x * params.strideX + dx + phase % SIDE) - i32(params.padLeft);
  let inside = (row >= vec4<i32>()) & (row < vec4<i32>(i32(params.height * params.scale))) &
    (column >= vec4<i32>()) & (column < vec4<i32>(i32(params.width * params.scale))) &
    (y < vec4<u32>(planeHeight()));
  if params.scale != 1u {
    let scale = vec4<i32>(i32(params.scale));
    row /= scale;
    column /= scale;
  }
  return select(vec4<i32>(-1), row * i32(params.width) + column, inside);
}
#endif
fn frameInBinding(frame: u32) -> u32 {
  return select(frame - params.pastFrames, frame, frame < params.pastFrames);
}
#if WIDE
fn alignedQuad(isPast: bool, plane: u32, quad: i32) -> vec4<f32> {
  if quad < 0 {
    return vec4<f32>();
  }
  let at = plane / 4u + u32(quad);
#if PAST
  if isPast {
    return vec4<f32>(past[at]);
  }
#endif
  return vec4<f32>(input[at]);
}
fn pixelQuad(isPast: bool, plane: u32, place: PixelPlace) -> vec4<f32> {
  let low = alignedQuad(isPast, plane, place.low);
  if place.shift == 0u {
    return low;
  }
  let high = alignedQuad(isPast, plane, place.high);
  switch place.shift {
    case 1u: {
      return vec4<f32>(low.yzw, high.x);
    }
    case 2u: {
      return vec4<f32>(low.zw, high.xy);
    }
    default: {
      return vec4<f32>(low.w, high.xyz);
    }
  }
}
#else
fn pixelQuad(isPast: bool, plane: u32, offsets: PixelPlace) -> vec4<f32> {
  let at = vec4<u32>(max(offsets, vec4<i32>())) + plane;
#if PAST
  if isPast {
    let before = vec4<f32>(f32(past[at.x]), f32(past[at.y]), f32(past[at.z]), f32(past[at.w]));
    return select(before, vec4<f32>(), offsets < vec4<i32>());
  }
#endif
  let pixels = vec4<f32>(f32(input[at.x]), f32(input[at.y]), f32(input[at.z]), f32(input[at.w]));
  return select(pixels, vec4<f32>(), offsets < vec4<i32>());
}
#endif
fn placeOfPixel(plane: u32, pixel: u32) -> u32 {
#if PHASES
  let row = pixel / planeWidth() * SIDE + plane % PHASES_OF_FRAME / SIDE;
  return row * params.outWidth + pixel % planeWidth() * SIDE + plane % SIDE;
#else
  return pixel;
#endif
}
fn storeQuad(slab: u32, o: u32, column: u32, sums: vec4<f32>) {
  let pixels = planeHeight() * planeWidth();
  if o >= params.outputs || column >= pixels {
    return;
  }
  let isFirst = partOf(slab) == 0u;
  var values = sums;
  if params.hasBias != 0u && isFirst {
    values += vec4<f32>(f32(bias[o]));
  }
  let at = (frameOfPlane(slab) * params.outputs + o) * params.outHeight * params.outWidth;
#if WIDE
#if PHASES
#include "include/store_pixels.wgsl"
#else
  if params.hasResidual != 0u && isFirst {
    values += vec4<f32>(residual[(at + column) / 4u]);
  }
  output[(at + column) / 4u] = resultElement(activate(params.activation, values));
#endif
#else
#include "include/store_pixels.wgsl"
#endif
}`,
  "include/emulated_fragments.wgsl": `alias LeftFragment = u32;
alias Fragment = array<f32, ELEMENTS / LANES>;
fn leftFragment(base: u32, row: u32) -> u32 {
  return base + row * select(1u, DEPTH, LEFT_ROWS);
}
fn rightFragment(base: u32, column: u32) -> u32 {
  return base + column * select(1u, DEPTH, TRANSPOSED);
}
fn multiplyAdd(left: u32, right: u32, before: Fragment, lane: u32) -> Fragment {
  let leftRow = select(1u, DEPTH, LEFT_ROWS);
  let leftK = select(TILE, 1u, LEFT_ROWS);
  let rightColumn = select(1u, DEPTH, TRANSPOSED);
  let rightK = select(TILE, 1u, TRANSPOSED);
  var sums = before;
  for (var i = 0u; i < ELEMENTS / LANES; i++) {
    let element = i * LANES + lane;
    let l = left + element / EDGE * leftRow;
    let r = right + element % EDGE * rightColumn;
    for (var k = 0u; k < EDGE; k++) {
      sums[i] += f32(leftTile[l + k * leftK]) * f32(rightTile[r + k * rightK]);
    }
  }
  return sums;
}
fn stage(place: u32, sums: Fragment, lane: u32) {
  for (var i = 0u; i < ELEMENTS / LANES; i++) {
    staged[place + i * LANES + lane] = sums[i];
  }
}`,
  "include/epilogue.wgsl": `#include "include/activation.wgsl"
const RELU = 1u;
const SILU = 2u;
const GELU = 3u;
const GELU_ERF = 4u;
fn activate(activation: u32, x: V) -> V {
  switch activation {
    case RELU: {
      return max(x, V(0.0));
    }
    case SILU: {
      return siluOf(x);
    }
    case GELU: {
      return geluOf(x);
    }
    case GELU_ERF: {
      return geluErfOf(x);
    }
    default: {
      return x;
    }
  }
}`,
  "include/fragment_builtins.wgsl": `#if EMULATED8
#include "include/emulated_fragments.wgsl"
#else
#if EMULATED16
#include "include/emulated_fragments.wgsl"
#else
alias LeftFragment = subgroup_matrix_left<part, EDGE, EDGE>;
alias RightFragment = subgroup_matrix_right<part, EDGE, EDGE>;
alias Fragment = subgroup_matrix_result<f32, EDGE, EDGE>;
fn leftFragment(base: u32, row: u32) -> LeftFragment {
  if LEFT_ROWS {
    return subgroupMatrixLoad<LeftFragment, row_major>(&leftTile, base + row * DEPTH, DEPTH);
  }
  return subgroupMatrixLoad<LeftFragment, col_major>(&leftTile, base + row, TILE);
}
fn rightFragment(base: u32, column: u32) -> RightFragment {
  if TRANSPOSED {
    return subgroupMatrixLoad<RightFragment, col_major>(&rightTile, base + column * DEPTH, DEPTH);
  }
  return subgroupMatrixLoad<RightFragment, row_major>(&rightTile, base + column, TILE);
}
fn multiplyAdd(left: LeftFragment, right: RightFragment, before: Fragment, lane: u32) -> Fragment {
  return subgroupMatrixMultiplyAccumulate(left, right, before);
}
fn stage(place: u32, sums: Fragment, lane: u32) {
  subgroupMatrixStore<row_major>(&staged, place, sums, EDGE);
}
#endif
#endif`,
  "include/fragments.wgsl": `override BUFFERS: u32 = 1u;
#if MATRIX8
const EDGE = 8u;
alias part = f32;
#endif
#if EMULATED8
const EDGE = 8u;
alias part = f32;
#endif
#if MATRIX16
const EDGE = 16u;
alias part = scalar;
#endif
#if EMULATED16
const EDGE = 16u;
alias part = scalar;
#endif
const LANES = 32u;
const DEPTH = EDGE;
const GROUP_ROWS = TILE / 32u;
const GROUP_COLUMNS = 2u;
const INVOCATIONS = GROUP_ROWS * GROUP_COLUMNS * LANES;
const ROWS = TILE / EDGE / GROUP_ROWS;
const COLUMNS = TILE / EDGE / GROUP_COLUMNS;
const OWN = ROWS * COLUMNS;
const ELEMENTS = EDGE * EDGE;
const SLICE = TILE * DEPTH;
const OWN_QUADS = SLICE / 4u / INVOCATIONS;
var<workgroup> leftTile: array<part, BUFFERS * SLICE>;
var<workgroup> rightTile: array<part, BUFFERS * SLICE>;
var<workgroup> staged: array<f32, GROUP_ROWS * GROUP_COLUMNS * ELEMENTS>;
struct Share {
  left: array<vec4<part>, OWN_QUADS>,
  right: array<vec4<part>, OWN_QUADS>,
}
#include "include/fragment_builtins.wgsl"
struct Sums {
  fragments: array<Fragment, OWN>,
}
fn putShare(share: Share, base: u32, invocation: u32) {
  var quads = share;
  for (var n = 0u; n < OWN_QUADS; n++) {
    let at = base + (invocation + n * INVOCATIONS) * 4u;
    let left = quads.left[n];
    leftTile[at] = left.x;
    leftTile[at + 1u] = left.y;
    leftTile[at + 2u] = left.z;
    leftTile[at + 3u] = left.w;
    let right = quads.right[n];
    rightTile[at] = right.x;
    rightTile[at + 1u] = right.y;
    rightTile[at + 2u] = right.z;
    rightTile[at + 3u] = right.w;
  }
}
fn addSlice(sums: ptr<function, Sums>, base: u32, invocation: u32) {
  let group = invocation / LANES;
  let row = group / GROUP_COLUMNS * ROWS * EDGE;
  let column = group % GROUP_COLUMNS * COLUMNS * EDGE;
  var lefts: array<LeftFragment, ROWS>;
  for (var i = 0u; i < ROWS; i++) {
    lefts[i] = leftFragment(base, row + i * EDGE);
  }
  for (var j = 0u; j < COLUMNS; j++) {
    let right = rightFragment(base, column + j * EDGE);
    for (var i = 0u; i < ROWS; i++) {
      let at = i * COLUMNS + j;
      (*sums).fragments[at] = multiplyAdd(lefts[i], right, (*sums).fragments[at], invocation % LANES);
    }
  }
}
fn addSlices(sums: ptr<function, Sums>, source: Source, first: u32, end: u32, invocation: u32) {
  putShare(fetchSlice(source, first, invocation), 0u, invocation);
  workgroupBarrier();
  for (var slice = first; slice < end; slice++) {
    var next: Share;
    if slice + 1u < end {
      next = fetchSlice(source, slice + 1u, invocation);
    }
    addSlice(sums, (slice - first) % BUFFERS * SLICE, invocation);
    if BUFFERS == 1u {
      workgroupBarrier();
    }
    if slice + 1u < end {
      putShare(next, (slice + 1u - first) % BUFFERS * SLICE, invocation);
    }
    workgroupBarrier();
  }
}
fn storeSums(slice: u32, sums: ptr<function, Sums>, firstRow: u32, firstColumn: u32, invocation: u32) {
  const QUADS = EDGE / 4u;
  let group = invocation / LANES;
  let lane = invocation % LANES;
  let row = firstRow + group / GROUP_COLUMNS * ROWS * EDGE;
  let column = firstColumn + group % GROUP_COLUMNS * COLUMNS * EDGE;
  let place = group * ELEMENTS;
  for (var i = 0u; i < OWN; i++) {
    stage(place, (*sums).fragments[i], lane);
    workgroupBarrier();
    for (var quad = lane; quad < ELEMENTS / 4u; quad += LANES) {
      let at = place + quad * 4u;
      storeQuad(
        slice,
        row + i / COLUMNS * EDGE + quad / QUADS,
        column + i % COLUMNS * EDGE + quad % QUADS * 4u,
        vec4<f32>(staged[at], staged[at + 1u], staged[at + 2u], staged[at + 3u]),
      );
    }
    workgroupBarrier();
  }
}`,
  "include/grid.wgsl": `fn workgroupNumber(id: vec3<u32>, count: vec3<u32>) -> u32 {
  return id.x + id.y * count.x;
}`,
  "include/matmul_operands.wgsl": `#include "include/storage.wgsl"
#include "include/grid.wgsl"
alias V = vec4<f32>;
#include "include/epilogue.wgsl"
#include "include/parts.wgsl"
#if SPLIT
alias result = f32;
#else
alias result = scalar;
#endif
#if VEC
alias element = vec4<scalar>;
alias resultElement = vec4<result>;
#else
alias element = scalar;
alias resultElement = result;
#endif
struct Params {
  owners: u32,
  rows: u32,
  columns: u32,
  inner: u32,
  ownerRows: u32,
  ownerColumns: u32,
  leftBatch: u32,
  rightBatch: u32,
  outputStride: u32,
  firstColumn: u32,
  transposeRight: u32,
  hasBias: u32,
  activation: u32,
#if QUANTIZED
  groups: u32,
  hasZeroPoints: u32,
#endif
#if SPLIT
  entries: u32,
  partSlices: u32,
#endif
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> left: array<element>;
#if QUANTIZED
@group(0) @binding(2) var<storage, read> bias: array<scalar>;
#include "include/quantized.wgsl"
@group(0) @binding(6) var<storage, read_write> output: array<resultElement>;
#else
@group(0) @binding(2) var<storage, read> right: array<element>;
@group(0) @binding(3) var<storage, read> bias: array<scalar>;
@group(0) @binding(4) var<storage, read_write> output: array<resultElement>;
#endif
fn leftQuad(base: u32, row: u32, k: u32) -> vec4<f32> {
  var quad = vec4<f32>();
  if row < params.rows {
    let at = base + row * params.inner + k;
#if VEC
    if k < params.inner {
      quad = vec4<f32>(left[at / 4u]);
    }
#else
    for (var i = 0u; i < 4u; i++) {
      if k + i < params.inner {
        quad[i] = f32(left[at + i]);
      }
    }
#endif
  }
  return quad;
}
#if QUANTIZED
fn rightQuad(base: u32, major: u32, minor: u32) -> vec4<f32> {
  return quantizedQuad(major, minor);
}
#else
fn rightQuad(base: u32, major: u32, minor: u32) -> vec4<f32> {
  let majors = select(params.inner, params.columns, params.transposeRight != 0u);
  let minors = select(params.columns, params.inner, params.transposeRight != 0u);
  var quad = vec4<f32>();
  if major < majors {
    let at = base + major * minors + minor;
#if VEC
    if minor < minors {
      quad = vec4<f32>(right[at / 4u]);
    }
#else
    for (var i = 0u; i < 4u; i++) {
      if minor + i < minors {
        quad[i] = f32(right[at + i]);
      }
    }
#endif
  }
  return quad;
}
#endif
fn storeQuad(slab: u32, row: u32, column: u32, sums: vec4<f32>) {
  if row >= params.rows || column >= params.columns {
    return;
  }
  var values = sums;
  if params.hasBias != 0u && partOf(slab) == 0u {
    for (var i = 0u; i < 4u; i++) {
      if column + i < params.columns {
        values[i] += f32(bias[params.firstColumn + column + i]);
      }
    }
  }
  values = activate(params.activation, values);
  let at = (slab * params.rows + row) * params.outputStride + params.firstColumn + column;
#if VEC
  output[at / 4u] = resultElement(values);
#else
  for (var i = 0u; i < 4u; i++) {
    if column + i < params.columns {
      output[at + i] = result(values[i]);
    }
  }
#endif
}`,
  "include/parts.wgsl": `#if SPLIT
fn partOf(slab: u32) -> u32 {
  return slab / params.entries;
}
fn entryOf(slab: u32) -> u32 {
  return slab % params.entries;
}
fn slicesOf(slab: u32, slices: u32) -> vec2<u32> {
  let first = partOf(slab) * params.partSlices;
  return vec2<u32>(first, min(first + params.partSlices, slices));
}
#else
fn partOf(slab: u32) -> u32 {
  return 0u;
}
fn entryOf(slab: u32) -> u32 {
  return slab;
}
fn slicesOf(slab: u32, slices: u32) -> vec2<u32> {
  return vec2<u32>(0u, slices);
}
#endif`,
  "include/quantized.wgsl": `override BITS: u32 = 8u;
override GROUP: u32 = 32u;
@group(0) @binding(3) var<storage, read> numbers: array<u32>;
@group(0) @binding(4) var<storage, read> scales: array<scalar>;
@group(0) @binding(5) var<storage, read> zeroPoints: array<u32>;
fn quantizedQuad(n: u32, k: u32) -> vec4<f32> {
  if n >= params.columns || k >= params.inner {
    return vec4<f32>();
  }
  let group = n * params.groups + k / GROUP;
  let at = n * params.groups * GROUP + k;
  let word = numbers[at * BITS / 32u] >> (at * BITS % 32u);
  let quad = (vec4<u32>(word) >> (vec4<u32>(0u, 1u, 2u, 3u) * BITS)) & vec4<u32>((1u << BITS) - 1u);
  var zero = 1u << (BITS - 1u);
  if params.hasZeroPoints != 0u {
    zero = (zeroPoints[group / 4u] >> (group % 4u * 8u)) & 255u;
  }
  return vec4<f32>(vec4<i32>(quad) - i32(zero)) * f32(scales[group]);
}`,
  "include/storage.wgsl": `#if MATRIX8
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
#endif
#if MATRIX16
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
#endif
#if F16
enable f16;
alias scalar = f16;
#else
alias scalar = f32;
#endif`,
  "include/store_pixels.wgsl": `  if params.hasResidual != 0u && isFirst {
    for (var i = 0u; i < 4u; i++) {
      values[i] += f32(residual[at + placeOfPixel(slab, min(column + i, pixels - 1u))]);
    }
  }
  values = activate(params.activation, values);
  for (var i = 0u; i < 4u; i++) {
    if column + i < pixels {
      output[at + placeOfPixel(slab, column + i)] = result(values[i]);
    }
  }`,
  "include/tile.wgsl": `#if SMALL
const TILE = 64u;
#else
const TILE = 128u;
#endif
const TILE_QUADS = TILE / 4u;
#if PORTABLE
const DEPTH = 16u;
const THREADS = TILE / 8u;
const INVOCATIONS = THREADS * THREADS;
var<workgroup> leftTile: array<vec4<f32>, TILE_QUADS * DEPTH>;
var<workgroup> rightTile: array<vec4<f32>, TILE_QUADS * DEPTH>;
fn putLeft(quad: u32, values: vec4<f32>) {
  leftTile[quad] = values;
}
fn putRight(quad: u32, values: vec4<f32>) {
  rightTile[quad] = values;
}
struct Block {
  r0: vec4<f32>,
  r1: vec4<f32>,
  r2: vec4<f32>,
  r3: vec4<f32>,
}
fn addOuterProduct(b: Block, left: vec4<f32>, right: vec4<f32>) -> Block {
  return Block(
    b.r0 + left.x * right,
    b.r1 + left.y * right,
    b.r2 + left.z * right,
    b.r3 + left.w * right,
  );
}
struct Sums {
  b00: Block,
  b01: Block,
  b10: Block,
  b11: Block,
}
fn addTiles(sums: ptr<function, Sums>, invocation: u32) {
  let thread = vec2<u32>(invocation % THREADS, invocation / THREADS);
  var s = *sums;
  for (var k = 0u; k < DEPTH; k++) {
    let left = k * TILE_QUADS + thread.y;
    let right = k * TILE_QUADS + thread.x;
    let l0 = leftTile[left];
    let l1 = leftTile[left + THREADS];
    let r0 = rightTile[right];
    let r1 = rightTile[right + THREADS];
    s.b00 = addOuterProduct(s.b00, l0, r0);
    s.b01 = addOuterProduct(s.b01, l0, r1);
    s.b10 = addOuterProduct(s.b10, l1, r0);
    s.b11 = addOuterProduct(s.b11, l1, r1);
  }
  *sums = s;
}
fn storeSums(slice: u32, sums: ptr<function, Sums>, firstRow: u32, firstColumn: u32, invocation: u32) {
  let thread = vec2<u32>(invocation % THREADS, invocation / THREADS);
  let s = *sums;
  var quads = array<vec4<f32>, 16>(
    s.b00.r0, s.b00.r1, s.b00.r2, s.b00.r3,
    s.b01.r0, s.b01.r1, s.b01.r2, s.b01.r3,
    s.b10.r0, s.b10.r1, s.b10.r2, s.b10.r3,
    s.b11.r0, s.b11.r1, s.b11.r2, s.b11.r3,
  );
  for (var i = 0u; i < 16u; i++) {
    let row = firstRow + thread.y * 4u + i / 8u * (TILE / 2u) + i % 4u;
    let column = firstColumn + thread.x * 4u + i / 4u % 2u * (TILE / 2u);
    storeQuad(slice, row, column, quads[i]);
  }
}
#else
#include "include/fragments.wgsl"
#endif`,
  "include/units.wgsl": `#if UNIT2
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
#endif`,
};
