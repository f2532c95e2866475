/**
 * How a model's vectors are computed, according to its files: what comes before a text, and what follows the graph.
 *
 * @module
 */
import type { ModelFiles } from "../contract/engine_entry.ts";
import { type JsonObject, readModelJson, readModelValue } from "../files/model_json.ts";
import { type DenseLayer, type Pooling, POOLINGS, readDenseLayer } from "./pooling.ts";
import { isObject } from "../../json/json_text.ts";
import { parseTemplate, renderTemplate } from "../../protocol/templates/bounded_interpreter.ts";
import { readTemplate } from "../files/tokenizer_files.ts";

/** The post-processing from token vectors to a text vector. */
export interface EmbeddingRecipe {
  /** Poolings to concatenate. */
  readonly poolings: readonly Pooling[];
  /** Whether the tokens of the prompt are included. */
  readonly includePrompt: boolean;
  readonly dense: readonly DenseLayer[];
  readonly normalize: boolean;
  /** Put before each text; may be empty. */
  readonly prompt: string;
}

/** The output with the vector of a text, in graphs that include pooling. */
export const TEXT_OUTPUT = "sentence_embedding";

/** Outputs with vectors, by the names that exports use; the first one present is used. */
export const VECTOR_OUTPUTS: readonly string[] = [TEXT_OUTPUT, "last_hidden_state", "token_embeddings"];

const POOLING_CONFIG = "1_Pooling/config.json";

/** Whether the files are those of sentence-transformers. */
export function hasEmbeddingRecipe({ names }: ModelFiles): boolean {
  return ["modules.json", POOLING_CONFIG, "config_sentence_transformers.json"].some((name) => names.includes(name));
}

/**
 * Reads `modules.json`, the configurations that it names, and `config_sentence_transformers.json`. Models without them
 * are pooled by their kind: causal ones by their last token, families such as BGE by the first, others by the mean;
 * their vectors are normalized. Without these files a pooling inside the graph takes precedence.
 *
 * @param config The parsed `config.json`.
 * @param pooled Whether the graph includes everything before the normalization.
 * @throws {Error} naming the unusable file.
 */
export async function readEmbeddingRecipe(
  files: ModelFiles,
  config: JsonObject,
  pooled: boolean,
): Promise<EmbeddingRecipe> {
  const prompt = await readPrompt(files);
  const modules = await readModules(files);
  const dense: DenseLayer[] = [];
  let pooling = files.names.includes(POOLING_CONFIG) && modules === undefined ? "1_Pooling" : undefined;
  for (const { kind, path } of modules ?? []) {
    if (kind === "Pooling") pooling = path;
    else if (kind === "Dense" && !pooled) dense.push(await readDenseLayer(files, path));
    else if (!["Transformer", "Dense", "Normalize"].includes(kind)) {
      throw new Error(
        `Cannot use modules.json: a module is a ${kind}, expected Transformer, Pooling, Dense and Normalize only`,
      );
    }
  }
  const normalize = modules === undefined ? !pooled : modules.some(({ kind }) => kind === "Normalize");
  if (pooling === undefined || pooled) {
    return { poolings: [usualPooling(config)], includePrompt: true, dense, normalize, prompt };
  }
  return { ...await readPooling(files, `${pooling}/config.json`), dense, normalize, prompt };
}

async function readModules(
  files: ModelFiles,
): Promise<readonly { readonly kind: string; readonly path: string }[] | undefined> {
  const list = await readModelValue(files, "modules.json");
  if (list === undefined) return undefined;
  if (!Array.isArray(list) || !list.every(isObject)) {
    throw new Error("Cannot use modules.json: it is not a list of modules, expected [{type, path}]");
  }
  return list.map(({ type, path }) => ({
    kind: String(type).slice(String(type).lastIndexOf(".") + 1),
    path: String(path ?? ""),
  }));
}

/** Flags of sentence-transformers for each pooling; newer files name a single mode. */
const switches: Readonly<Record<Pooling, string>> = {
  cls: "pooling_mode_cls_token",
  max: "pooling_mode_max_tokens",
  mean: "pooling_mode_mean_tokens",
  mean_sqrt_len: "pooling_mode_mean_sqrt_len_tokens",
  weighted_mean: "pooling_mode_weightedmean_tokens",
  last_token: "pooling_mode_lasttoken",
};
const shortNames: Readonly<Record<string, Pooling>> = {
  ...Object.fromEntries(POOLINGS.map((pooling) => [pooling, pooling])),
  mean_sqrt_len_tokens: "mean_sqrt_len",
  weightedmean: "weighted_mean",
  lasttoken: "last_token",
};

async function readPooling(
  files: ModelFiles,
  name: string,
): Promise<{ readonly poolings: readonly Pooling[]; readonly includePrompt: boolean }> {
  const config = await readModelJson(files, name);
  if (config === undefined) throw new Error(`Cannot open the model: it has no ${name}, which defines its pooling`);
  const includePrompt = config.include_prompt !== false;
  if (config.pooling_mode !== undefined) {
    const named = [config.pooling_mode].flat().map((mode) => shortNames[String(mode)]);
    if (named.length > 0 && named.every((mode) => mode !== undefined)) return { poolings: named, includePrompt };
    const known = Object.keys(shortNames).join(", ");
    throw new Error(`Cannot use ${name}: pooling_mode is ${JSON.stringify(config.pooling_mode)}, expected ${known}`);
  }
  const poolings = POOLINGS.filter((mode) => config[switches[mode]] === true);
  if (poolings.length > 0) return { poolings, includePrompt };
  throw new Error(
    `Cannot use ${name}: no pooling mode is enabled, expected one of ${Object.values(switches).join(", ")}`,
  );
}

/** More prompts, or longer ones, than any model has. */
const MAX_PROMPTS = 100;
const MAX_PROMPT = 4096;

/** What sentence-transformers puts before texts, by the names of their purposes, such as `query` and `document`. */
export async function readPrompts(files: ModelFiles): Promise<ReadonlyMap<string, string>> {
  const config = await readModelJson(files, "config_sentence_transformers.json");
  const prompts = Object.entries(isObject(config?.prompts) ? config.prompts : {});
  return new Map(
    prompts.slice(0, MAX_PROMPTS).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string" && entry[1].length <= MAX_PROMPT && entry[0].length <= MAX_PROMPT
    ),
  );
}

/** The default prompt that sentence-transformers puts before each text. */
async function readPrompt(files: ModelFiles): Promise<string> {
  const config = await readModelJson(files, "config_sentence_transformers.json");
  const name = config?.default_prompt_name;
  if (typeof name !== "string") return "";
  const prompt = (await readPrompts(files)).get(name);
  if (prompt !== undefined) return prompt;
  throw new Error(
    `Cannot use config_sentence_transformers.json: default_prompt_name is "${name}", expected a key of prompts`,
  );
}

/** Families of encoders whose vector is that of the first token, by the name of the checkpoint that was exported. */
const FIRST_TOKEN = /(^|\/)(bge-(small|base|large|m3)|mxbai-embed-large|snowflake-arctic-embed-)/i;

function usualPooling({ architectures, model_type: type, _name_or_path: from }: JsonObject): Pooling {
  if (typeof from === "string" && FIRST_TOKEN.test(from)) return "cls";
  const causal = [architectures].flat().some((name) => String(name).endsWith("ForCausalLM"));
  return causal || /^(qwen|mistral|llama)/.test(String(type)) ? "last_token" : "mean";
}

/**
 * Reads whether a model expects its texts as chat messages, according to `modality_config` of
 * `sentence_bert_config.json`.
 *
 * @param prompt The system prompt; may be empty.
 * @returns A function that wraps a text into a chat; undefined for models that take plain texts.
 * @throws {Error} when the template is not Jinja.
 */
export async function readMessageFormat(
  files: ModelFiles,
  prompt: string,
): Promise<((text: string) => string) | undefined> {
  const sentences = await readModelJson(files, "sentence_bert_config.json");
  const wanted = member(sentences?.modality_config, "message");
  const { chat, tokens } = await readTemplate(files);
  if (!isObject(wanted) || chat === undefined) return undefined;
  const program = parseTemplate(chat);
  const given = member(sentences?.processing_kwargs, "chat_template");
  const message = (role: string, text: string) => ({
    role,
    content: wanted.format === "structured" ? [{ type: "text", text }] : text,
  });
  const first = prompt === "" ? [] : [message("system", prompt)];
  return (text) => {
    const variables = {
      add_generation_prompt: false,
      ...isObject(given) ? given : {},
      ...tokens,
      messages: [...first, message("user", text)],
    };
    return renderTemplate(program, variables, new Date());
  };
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}
