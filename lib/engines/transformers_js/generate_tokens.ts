/**
 * Generates tokens with transformers.js and our own sampling.
 *
 * @module
 */
import type { Sequence } from "../onnx_text/decoding/sequence.ts";
import type { KeptText } from "./kept_text.ts";
import type { LibraryInputs, LibraryOutputs, LibraryTensor } from "./transformers_library.ts";
import type { TransformersParts } from "./transformers_parts.ts";

/** Settings of a model that would change logits after we have chosen. */
const NEUTRAL = {
  do_sample: false,
  num_beams: 1,
  repetition_penalty: 1,
  no_repeat_ngram_size: 0,
  min_length: 0,
  min_new_tokens: null,
  bad_words_ids: null,
  guidance_scale: null,
  forced_bos_token_id: null,
  forced_eos_token_id: null,
  suppress_tokens: null,
  begin_suppress_tokens: null,
  eos_token_id: null,
  return_dict_in_generate: true,
};

/**
 * Runs a sequence to its end. The library prepares the inputs of each step and keeps the caches of every family; it
 * gets logits in which only our choice is possible.
 *
 * @param given Inputs with images; undefined for tokens alone.
 * @throws the reason of the sequence's signal when it aborts, at the latest after the prompt or a token.
 */
export async function generateTokens(
  { library, model, family }: TransformersParts,
  sequence: Sequence,
  given: LibraryInputs | undefined,
  kept: KeptText,
): Promise<void> {
  const { job, signal } = sequence;
  const found = given === undefined ? await kept.take(job.prompt) : undefined;
  sequence.cachedTokens = found?.length ?? 0;
  const started = performance.now();
  const forward = model.forward.bind(model);
  let isFirst = true;
  const step = async (inputs: LibraryInputs): Promise<LibraryOutputs> => {
    signal.throwIfAborted();
    // The library takes an image that is null for one.
    if (inputs.pixel_values === null) delete inputs.pixel_values;
    const outputs = await forward(inputs);
    signal.throwIfAborted();
    if (isFirst) {
      sequence.addPrefill(performance.now() - started);
      job.onPrefill(job.prompt.length, job.prompt.length);
      isFirst = false;
    }
    const logits = outputs.logits.slice(null, -1, null).to("float32").data as Float32Array;
    const id = await sequence.choose(logits);
    return { ...outputs, logits: onlyChoice(library.Tensor, logits.length, id ?? 0) };
  };
  class Ended extends library.StoppingCriteria {
    _call(): boolean[] {
      return [sequence.ended !== undefined];
    }
  }
  const tokens = new library.Tensor("int64", BigInt64Array.from(job.prompt, BigInt), [1, job.prompt.length]);
  const mask = new library.Tensor("int64", new BigInt64Array(job.prompt.length).fill(1n), [1, job.prompt.length]);
  try {
    model.forward = step;
    const { past_key_values: cache } = await model.generate({
      ...given ?? { input_ids: tokens, attention_mask: mask },
      ...found === undefined ? {} : { past_key_values: found.cache },
      ...NEUTRAL,
      max_new_tokens: job.maxTokens + 1,
      stopping_criteria: new Ended(),
    });
    // The last token of an answer that did not end by itself was chosen, and not read.
    const read = sequence.tokens.length - (sequence.endedByToken ? 0 : 1);
    if (given === undefined && family.kind !== "encoder-decoder") {
      await kept.keep(sequence.tokens.slice(0, read), cache);
    } else await cache.dispose();
  } catch (error) {
    await found?.cache.dispose();
    throw error;
  } finally {
    model.forward = forward;
  }
}

/** Logits `[1, 1, vocabulary]` of which one is above the others. */
function onlyChoice(
  Tensor: TransformersParts["library"]["Tensor"],
  size: number,
  id: number,
): LibraryTensor {
  const logits = new Float32Array(size);
  logits[id] = 1;
  return new Tensor("float32", logits, [1, 1, size]);
}
