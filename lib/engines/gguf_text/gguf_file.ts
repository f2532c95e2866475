/**
 * The GGUF files of a model: which one to open it by, whether llama.cpp runs its architecture, whether it embeds or
 * ranks texts, and the projector of its images.
 *
 * @module
 */
import { bestProjector, isProjector } from "../files/projector_files.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import {
  CHOOSE_ANOTHER,
  type GgufMetadata,
  numberField,
  readGgufMetadata,
  readGgufTensors,
  textField,
} from "./gguf_metadata.ts";
import { MAX_WIDTH, shown } from "../files/model_json.ts";

/** Files that an error names. */
const NAMED = 5;

const PART = /-(\d{5})-of-(\d{5})\.gguf$/i;

/**
 * The file to open a model by: for a split model its first part. Undefined when there is no GGUF file.
 *
 * @throws {Error} when there are several models, or parts are missing.
 */
export function findGgufFile({ names }: ModelFiles): string | undefined {
  const found = names.filter((name) => /\.gguf$/i.test(name) && !isProjector(name));
  const models = new Set(found.map((name) => name.replace(PART, "")));
  if (models.size > 1) {
    throw new Error(
      `Cannot open the model: it has the files ${first(found)}, expected one model: keep one of them in ` +
        "its folder",
    );
  }
  const parts = Number(PART.exec(found[0] ?? "")?.[2] ?? 1);
  if (found.length > 0 && found.length !== parts) {
    throw new Error(
      `Cannot open the model: it has ${found.length} of ${parts} parts (${first(found)}), expected all: download the ` +
        "others into the same folder",
    );
  }
  return found.toSorted()[0];
}

function first(names: readonly string[]): string {
  return names.slice(0, NAMED).join(", ") + (names.length > NAMED ? " and others" : "");
}

/** Those of the version of llama.cpp that is installed, by its names. */
export const GGUF_ARCHITECTURES: ReadonlySet<string> = new Set(
  [
    "llama llama4 deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder refact bert modern-bert nomic-bert",
    "nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert bloom stablelm qwen qwen2 qwen2moe qwen2vl qwen3",
    "qwen3moe qwen3next qwen3vl qwen3vlmoe qwen35 qwen35moe phi2 phi3 phimoe plamo plamo2 plamo3 codeshell orion",
    "internlm2 minicpm minicpm3 gemma gemma2 gemma3 gemma3n gemma4 gemma4-assistant gemma-embedding starcoder2",
    "mamba mamba2 jamba falcon-h1 xverse command-r cohere2 cohere2moe dbrx olmo olmo2 olmoe muse-glimmer openelm",
    "arctic deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 chatglm glm4 glm4moe glm-dsa bitnet t5",
    "t5encoder jais jais2 nemotron nemotron_h nemotron_h_moe exaone exaone4 exaone-moe rwkv6 rwkv6qwen2 rwkv7",
    "arwkv7 granite granitemoe granitehybrid graniteswitch chameleon wavtokenizer-dec plm bailingmoe bailingmoe2",
    "dots1 arcee afmoe laguna ernie4_5 ernie4_5-moe hunyuan-moe hunyuan-dense hunyuan_vl hy_v3 smollm3 gpt-oss",
    "lfm2 lfm2moe dream smallthinker llada llada-moe seed_oss grovemoe apertus minimax-m2 minimax-m3 cogvlm rnd1",
    "pangu-embedded mistral3 eagle3 dflash mistral4 paddleocr mimo2 step35 llama-embed maincoder kimi-linear",
    "talkie mellum nanbeige qwen3tts clip",
  ].flatMap((line) => line.split(" ")),
);

/** What does not continue a text, and why. */
const others: Readonly<Record<string, string>> = {
  "clip": "the part of a model that looks at images",
  "dream": "a diffusion model",
  "llada": "a diffusion model",
  "llada-moe": "a diffusion model",
  "rnd1": "a diffusion model",
  "eagle3": "a draft for another model",
  "dflash": "a draft for another model",
  "gemma4-assistant": "a draft for another model",
  "t5": "an encoder-decoder",
  "qwen3tts": "a speech model",
  "wavtokenizer-dec": "a speech model",
};

/** Why llama.cpp cannot chat with models of an architecture; undefined where it can. */
export function architectureProblem(architecture: string): string | undefined {
  if (others[architecture] !== undefined) return `it is ${others[architecture]} (${architecture})`;
  if (GGUF_ARCHITECTURES.has(architecture)) return undefined;
  return `its architecture is ${
    JSON.stringify(architecture.slice(0, 80))
  }, which this version of llama.cpp does not support`;
}

/** Architectures that read in both directions: they cannot continue a text. */
const encoders: ReadonlySet<string> = new Set([
  "bert",
  "modern-bert",
  "nomic-bert",
  "nomic-bert-moe",
  "neo-bert",
  "jina-bert-v2",
  "jina-bert-v3",
  "eurobert",
  "gemma-embedding",
  "t5encoder",
  "llama-embed",
]);

/** `pooling_type` of llama.cpp. */
const MEAN = 1;
const LAST = 3;
const RANK = 4;

/** The heads of rerankers. */
const heads: ReadonlySet<string> = new Set(["cls.weight", "cls.output.weight"]);

/**
 * Whether a file embeds or ranks texts, by its `pooling_type`; older files of rerankers have none and are known by
 * their head. Undefined for models that chat.
 *
 * @throws {Error} for an encoder that does not say how its vectors are pooled.
 */
export async function ggufRetrieval(
  files: ModelFiles,
  name: string,
  metadata: GgufMetadata,
): Promise<"embedding" | "rerank" | undefined> {
  const architecture = textField(metadata, "general.architecture");
  if (architecture === "gemma3" && metadata.get("gemma3.attention.causal") === false) {
    throw new Error(
      `Cannot use ${name}: it is an EmbeddingGemma for Ollama, whose layers llama.cpp would let see one side only, ` +
        "expected the architecture gemma-embedding: get it with svc model pull embeddinggemma-300m",
    );
  }
  const pooling = numberField(metadata, `${architecture}.pooling_type`) ?? 0;
  if (pooling === RANK || metadata.has("tokenizer.chat_template.rerank")) return "rerank";
  const encoder = architecture !== undefined && encoders.has(architecture);
  if (encoder && (await readGgufTensors(files, name)).some((tensor) => heads.has(tensor.name))) return "rerank";
  if (pooling >= MEAN && pooling <= LAST) return "embedding";
  if (!encoder) return undefined;
  throw new Error(
    `Cannot use ${name}: its ${architecture}.pooling_type is ${pooling}, expected mean, cls, last or rank: ` +
      CHOOSE_ANOTHER,
  );
}

/** A file that turns images into vectors of its model. */
export interface Projector {
  readonly name: string;
  /** Such as `mlp` or `gemma3`. */
  readonly kind: string;
}

/** What llama.cpp divides by, or allocates. */
const sizes: Readonly<Record<string, number>> = {
  "embedding_length": MAX_WIDTH,
  "attention.head_count": 2 ** 10,
  "block_count": 2 ** 10,
  "image_size": 2 ** 14,
  "patch_size": 2 ** 10,
};

/**
 * Reads the projector beside a model.
 *
 * @returns Undefined when there is none, or one for sounds alone.
 * @throws {Error} when the file is broken or something else.
 */
export async function readProjector(files: ModelFiles): Promise<Projector | undefined> {
  const name = bestProjector(files.names);
  if (name === undefined) return undefined;
  const metadata = await readGgufMetadata(files, name);
  const architecture = textField(metadata, "general.architecture");
  if (architecture !== "clip") {
    throw unusable(name, `its general.architecture is ${shown(architecture)}`, '"clip", a projector of images');
  }
  if (metadata.get("clip.has_vision_encoder") !== true) return undefined;
  const kind = textField(metadata, "clip.projector_type") ?? textField(metadata, "clip.vision.projector_type");
  if (kind === undefined) throw unusable(name, "it names no clip.projector_type", "such as mlp or gemma3");
  checkSizes(metadata, name);
  return { name, kind };
}

function checkSizes(metadata: GgufMetadata, name: string): void {
  for (const [field, max] of Object.entries(sizes)) {
    const key = `clip.vision.${field}`;
    const value = numberField(metadata, key);
    // Some kinds do without some of them.
    if (!metadata.has(key) || (value !== undefined && Number.isInteger(value) && value >= 1 && value <= max)) continue;
    throw unusable(name, `its ${key} is ${shown(metadata.get(key))}`, `a whole number from 1 to ${max}`);
  }
}

function unusable(name: string, what: string, expected: string): Error {
  return new Error(
    `Cannot use ${name}: ${what}, expected ${expected}: download it again, or remove it to use the model without images`,
  );
}
