/** What llama.cpp's own library for images makes of a text: in a process, since it writes about it. */
import { loadLlamaNode } from "../../../../lib/engines/gguf_text/images/llama_node_library.ts";
import { parentChannel } from "../../../../lib/platform/processes/parent_channel.ts";

/** A text with `<__media__>` for each image. */
export interface MtmdQuestion {
  readonly model: string;
  readonly projector: string;
  readonly prompt: string;
  readonly images: readonly string[];
}

/** The likeliest tokens after the text, with their probabilities. */
export type MtmdAnswer = readonly { readonly tok_str: string; readonly prob: number }[];

interface Completing {
  completion(options: Readonly<Record<string, unknown>>): Promise<{
    readonly completion_probabilities: readonly { readonly probs: MtmdAnswer }[];
  }>;
}

const channel = parentChannel("mtmd reference");
channel.onMessage(async (message) => {
  const { model, projector, prompt, images } = message as MtmdQuestion;
  const { loadModel } = await loadLlamaNode();
  const batch = { n_batch: 1152, n_ubatch: 1152 };
  const context = await loadModel({ model, n_ctx: 2048, ...batch, n_threads: 1, n_gpu_layers: 0, ctx_shift: false });
  context.initMultimodal({ path: projector, use_gpu: false });
  const neutral = {
    temperature: 1,
    top_k: 0,
    top_p: 1,
    min_p: 0,
    dry_multiplier: 0,
    n_probs: 5,
    n_predict: 1,
    seed: 1,
  };
  const result = await (context as unknown as Completing).completion({ prompt, media_paths: images, ...neutral });
  await channel.send(result.completion_probabilities[0].probs);
});
