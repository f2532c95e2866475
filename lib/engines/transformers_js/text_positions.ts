/**
 * Positions of texts without images.
 *
 * @module
 */
import type { LibraryModel, LibraryTensor, TransformersLibrary } from "./transformers_library.ts";

/** A model whose tokens have three positions each. */
interface ThreePositions {
  _get_text_only_rope_index(ids: LibraryTensor, mask: LibraryTensor): [positions: LibraryTensor, deltas: LibraryTensor];
}

/**
 * Makes the tokens of an answer follow those of the prompt. A delta says how far the next position is from the number of
 * tokens (Wang et al. 2024, "Qwen2-VL", section 2.1): 0 for a text. The library, up to 4.3.1 at least, adds the number of
 * tokens where it has to subtract it, so that answers to texts would begin at three times the length of their prompts.
 */
export function mendTextPositions(
  { Tensor }: TransformersLibrary,
  model: LibraryModel & Partial<ThreePositions>,
): void {
  const positionsOf = model._get_text_only_rope_index?.bind(model);
  if (positionsOf === undefined) return;
  model._get_text_only_rope_index = (ids, mask) => [
    positionsOf(ids, mask)[0],
    new Tensor("int64", BigInt64Array.of(0n), [1, 1]),
  ];
}
