/**
 * The sizes in the metadata of GGUF files.
 *
 * @module
 */
import { MAX_CONTEXT, MAX_VOCABULARY, MAX_WIDTH, shown } from "../files/model_json.ts";
import { CHOOSE_ANOTHER, type GgufMetadata, type GgufValue, textOfList } from "./gguf_metadata.ts";

/** The most layers and experts that llama.cpp runs: it ends its process at more. */
const MAX_LAYERS = 512;
const MAX_EXPERTS = 512;
const MAX_HEADS = 2 ** 16;

interface Range {
  readonly from: number;
  readonly to: number;
  /** Whether it may have a fraction. */
  readonly real?: true;
}

const size = (to: number, from = 0): Range => ({ from, to });
const real = (to: number): Range => ({ from: 0, to, real: true });

/**
 * From where to where a field is believed, by its name after the architecture. Zero stands for a part that some
 * architectures do not have.
 */
const believed: Readonly<Record<string, Range>> = {
  "context_length": size(MAX_CONTEXT, 1),
  "block_count": size(MAX_LAYERS, 1),
  "embedding_length": size(MAX_WIDTH, 1),
  "embedding_length_out": size(MAX_WIDTH),
  "feed_forward_length": size(MAX_WIDTH * 16),
  "expert_count": size(MAX_EXPERTS),
  "expert_used_count": size(MAX_EXPERTS),
  "vocab_size": size(MAX_VOCABULARY),
  "attention.head_count": size(MAX_HEADS),
  "attention.head_count_kv": size(MAX_HEADS),
  "attention.key_length": size(MAX_WIDTH),
  "attention.value_length": size(MAX_WIDTH),
  "attention.sliding_window": size(MAX_CONTEXT),
  "attention.layer_norm_epsilon": real(1),
  "attention.layer_norm_rms_epsilon": real(1),
  "rope.dimension_count": size(MAX_WIDTH),
  "rope.freq_base": real(1e12),
  "rope.scaling.factor": real(1e6),
  "rope.scaling.original_context_length": size(MAX_CONTEXT),
  "ssm.conv_kernel": size(MAX_WIDTH),
  "ssm.inner_size": size(MAX_WIDTH),
  "ssm.state_size": size(MAX_WIDTH),
  "ssm.time_step_rank": size(MAX_WIDTH),
  "ssm.group_count": size(MAX_WIDTH),
};

/** What llama.cpp calls its ways to reach beyond the trained context. */
const SCALINGS: readonly unknown[] = ["none", "linear", "yarn", "longrope"];

/** Architectures without attention name no heads. */
const headless: ReadonlySet<string> = new Set(["mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7", "arwkv7"]);

/** What every model with attention has, where its file names it. */
const needed = [
  "attention.head_count",
  "attention.head_count_kv",
  "attention.key_length",
  "attention.value_length",
];

/** What may differ from layer to layer. */
const perLayer = ["attention.head_count", "attention.head_count_kv", "feed_forward_length"];

/**
 * Checks the sizes of a model; lists have one for each layer.
 *
 * @param name The file, for errors.
 * @throws {Error} naming a size that no model has, or that llama.cpp would not survive.
 */
export function checkGgufSizes(metadata: GgufMetadata, architecture: string, name: string): void {
  const refuse = (key: string, what: string, expected: string): Error =>
    new Error(`Cannot use ${name}: its ${key} ${what}, expected ${expected}: ${CHOOSE_ANOTHER}`);
  for (const [field, range] of Object.entries(believed)) {
    const key = `${architecture}.${field}`;
    const value = metadata.get(key);
    if (value === undefined) continue;
    const wrong = (Array.isArray(value) ? value : [value]).find((item) => !within(item, range));
    if (wrong !== undefined) throw refuse(key, `is ${shown(wrong)}`, expectation(range));
  }
  const field = (name: string): GgufValue | undefined => metadata.get(`${architecture}.${name}`);
  const attends = !headless.has(architecture);
  for (const name of attends ? needed : []) {
    if (field(name) === 0) throw refuse(`${architecture}.${name}`, "is 0", "a positive whole number");
  }
  const rotated = field("rope.dimension_count");
  if (typeof rotated === "number" && rotated % 2 !== 0) {
    throw refuse(`${architecture}.rope.dimension_count`, `is ${rotated}`, "an even number");
  }
  const scaling = field("rope.scaling.type");
  if (scaling !== undefined && !SCALINGS.includes(scaling)) {
    throw refuse(`${architecture}.rope.scaling.type`, `is ${shown(scaling)}`, `one of ${SCALINGS.join(", ")}`);
  }
  const [used, experts] = [field("expert_used_count") ?? 0, field("expert_count") ?? 0];
  if (typeof used === "number" && used > Number(experts)) {
    throw refuse(`${architecture}.expert_used_count`, `is ${used}`, `at most the expert_count, ${experts}`);
  }
  if (field("feed_forward_length") === 0 && attends && experts === 0) {
    throw refuse(`${architecture}.feed_forward_length`, "is 0", "a positive whole number where there are no experts");
  }
  const layers = field("block_count");
  for (const name of perLayer) {
    const list = field(name);
    if (Array.isArray(list) && list.length < Number(layers)) {
      throw refuse(`${architecture}.${name}`, `has ${list.length} sizes`, `one for each of ${layers} layers`);
    }
  }
  const tokens = metadata.get("tokenizer.ggml.tokens");
  if (tokens !== undefined && textOfList(metadata, "tokenizer.ggml.tokens", 0) === undefined) {
    throw refuse("tokenizer.ggml.tokens", `is ${shown(tokens)} without texts`, "the texts of all tokens");
  }
}

function within(value: GgufValue, { from, to, real }: Range): boolean {
  return typeof value === "number" && value >= from && value <= to && (real === true || Number.isInteger(value));
}

function expectation({ from, to, real }: Range): string {
  return `${real ? "a number" : "a whole number"} from ${from} to ${to}`;
}
