/**
 * Says why no engine takes the files of a model: which of them is missing, or what they are instead.
 *
 * @module
 */
import type { FilesProblem } from "./catalog/detect_model.ts";
import { show } from "../errors/show.ts";
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { type JsonObject, readModelJson } from "../engines/files/model_json.ts";
import { chooseGraph, chooseWeights, readOnnxFile } from "../engines/onnx_sessions/onnx_file.ts";

/** Such as `it has no config.json and no tokenizer.json`. */
export function lackOf(missing: readonly string[]): FilesProblem {
  const what = missing.length === 1 ? "the file" : "the files";
  return {
    problem: `it has no ${missing.join(" and no ")}`,
    expected: `add ${what}, as the model's repository has ${missing.length === 1 ? "it" : "them"}`,
  };
}

/** Files that no reader of profiles accepts. */
export async function explainFiles(files: ModelFiles): Promise<FilesProblem> {
  const { names } = files;
  const lacking = layouts.find(({ marks }) => names.some((name) => marks.test(name)))?.needs
    .filter(([, pattern]) => !names.some((name) => pattern.test(name))).map(([name]) => name) ?? [];
  if (lacking.length > 0) return lackOf(lacking);
  const config = await readModelJson(files, "config.json");
  if (names.some((name) => name.endsWith(".onnx"))) {
    return config ? explainGraphs(names, config) : lackOf(["config.json", ...await lacksTokenizer(files)]);
  }
  return await explainTensors(files);
}

/** Models whose files have names of their own, by which a part of them is recognised. */
const layouts: readonly {
  readonly marks: RegExp;
  readonly needs: readonly (readonly [name: string, pattern: RegExp])[];
}[] = [
  {
    marks: /^(onnx\/)?(encoder-model|decoder_joint-model)(\.\w+)?\.onnx$/,
    needs: [
      ["encoder-model.onnx", /^(onnx\/)?encoder-model(\.\w+)?\.onnx$/],
      ["decoder_joint-model.onnx", /^(onnx\/)?decoder_joint-model(\.\w+)?\.onnx$/],
      ["vocab.txt", /^vocab\.txt$/],
    ],
  },
  {
    marks: /^(hibari[^/]*\.onnx|lexicon_\w+\.json\.gz|tagger\.json\.gz|oov(_gb)?\.onnx)$/,
    needs: [
      ["voices.json", /^voices\.json$/],
      ["vocab.json", /^vocab\.json$/],
      ["normalize.json", /^normalize\.json$/],
    ],
  },
  {
    marks: /^voices\/|^(onnx\/)?kokoro[^/]*\.onnx$/i,
    needs: [
      ["onnx/model.onnx", /^(onnx\/)?(model|kokoro)[^/]*\.onnx$/i],
      ["voices/af_heart.bin or other voices", /^voices\/[abefhijpz][fm]_[a-z0-9]{1,30}\.bin$/],
    ],
  },
  {
    marks: /\.ort$/,
    needs: ["encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"].map((name) =>
      [name, new RegExp(`^${name.replace(".", "\\.")}$`)] as const
    ),
  },
];

/** The tokenizer that a graph which reads tokens is without. */
async function lacksTokenizer(files: ModelFiles): Promise<string[]> {
  const graph = files.names.find((name) => name.endsWith(".onnx"));
  if (graph === undefined || files.names.includes("tokenizer.json")) return [];
  const { inputs } = await readOnnxFile(files, graph);
  return inputs.some(({ name }) => /^(decoder_)?input_ids$|^inputs_embeds$/.test(name)) ? ["tokenizer.json"] : [];
}

/** Graphs that families cannot do without beside their decoder, by `model_type`. */
const families: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(m?t5|longt5|m?bart|marian|m2m_100|blenderbot(-small)?)$/, ["encoder_model", "decoder_model_merged"]],
  [/^(qwen2(_5)?_vl|qwen3_vl|qwen3_5|gemma3n)$/, ["embed_tokens", "vision_encoder", "decoder_model_merged"]],
];

function explainGraphs(names: readonly string[], config: JsonObject): FilesProblem {
  const { model_type: type, architectures } = config;
  const needed = families.find(([types]) => types.test(String(type)))?.[1] ?? [];
  const missing = needed.filter((graph) => chooseGraph(names, graph) === undefined);
  if (missing.length > 0) return lackOf(missing.map((graph) => `onnx/${graph}.onnx`));
  const [graph] = names.filter((name) => name.endsWith(".onnx"));
  if (chooseWeights(names) === undefined && chooseGraph(names, "embed_tokens", "vision_encoder") !== undefined) {
    return lackOf(["onnx/decoder_model_merged.onnx"]);
  }
  if (chooseWeights(names) === undefined) {
    return {
      problem: `its graph is called ${graph}`,
      expected: "expected onnx/model.onnx or onnx/decoder_model_merged.onnx, with the quantization before the ending",
    };
  }
  // Diffusion models without a template are those that were not taught to chat.
  if (Number.isInteger(config.mask_token_id) && /llada|dream|diffusion/i.test(`${type} ${architectures}`)) {
    return {
      problem: "it is a base model: it has no chat template",
      expected: "expected its instruct or chat version, or add its chat_template.jinja",
    };
  }
  const named = Array.isArray(architectures) && architectures.length > 0 ? show(architectures[0]) : undefined;
  const what = named ?? (type === undefined ? "neither model_type nor architectures" : show(type));
  return {
    problem: `its config.json names ${what}, which no engine runs with ${graph}`,
    expected: "expected a model for chats, embeddings, rerank, speech, transcription, images or vision",
  };
}

async function explainTensors(files: ModelFiles): Promise<FilesProblem> {
  const { names } = files;
  const index = await readModelJson(files, "model_index.json");
  if (index) {
    return {
      problem: `its model_index.json names the pipeline ${show(index._class_name)}, which no engine runs`,
      expected: "expected Flux2KleinPipeline or ZImagePipeline",
    };
  }
  if (names.includes("model.safetensors") || names.includes("model.safetensors.index.json")) {
    return {
      problem: "the tensors of its safetensors are of no network that an engine runs",
      expected: "expected one of vision, or .onnx or .gguf files",
    };
  }
  return { problem: `no engine runs ${names.slice(0, 5).join(", ")}`, expected: "expected .onnx or .gguf files" };
}
