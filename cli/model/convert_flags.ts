/**
 * The flags of `svc model convert`.
 *
 * @module
 */
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import type { ConvertActionworldOptions } from "../../lib/store/convert/world/convert_actionworld.ts";
import type { ConvertWorldOptions } from "../../lib/store/convert/world/convert_world.ts";
import type { WeightType } from "../../lib/store/convert/world/stored_form.ts";
import type { ConvertOptions } from "../../lib/store/convert/convert_tensors.ts";

const COMMAND = "svc model convert";

const types = ["f32", "f16", "q8", "q4"] as const;

const FLAGS = {
  kind: { kind: "choice", choices: ["tensors", "arworld", "actionworld"], help: "kind of the weights" },
  output: {
    kind: "string",
    value: "PATH",
    short: "o",
    help: "the .safetensors file, or the folder of a world, to write",
  },
  part: { kind: "string", value: "NAME", help: "tensors: the part to take where several have them, such as ema" },
  "text-encoder": { kind: "string", value: "SRC", help: "arworld: the UMT5 text encoder" },
  vae: { kind: "string", value: "SRC", help: "arworld: the video autoencoder" },
  causal: { kind: "string", value: "SRC", help: "arworld: the causal transformer" },
  "tiny-decoder": { kind: "string", value: "SRC", help: "arworld: a small decoder (taew2_2) for --decoder tiny" },
  tokenizer: { kind: "string", value: "FILE", help: "arworld: tokenizer.json, if not beside the text encoder" },
  dtype: {
    kind: "choice",
    choices: types,
    default: "f16",
    help: "worlds: type of the converted weights; q8 and q4 for matrices",
  },
  "text-encoder-dtype": { kind: "choice", choices: types, help: "the same for the text encoder alone" },
  "vae-dtype": {
    kind: "choice",
    choices: ["f32", "f16"],
    help: "the same for the autoencoder alone (never quantised)",
  },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** The help of the command. */
export const CONVERT_HELP: string = `Convert published weights

Usage: ${COMMAND} --kind tensors SRC -o FILE.safetensors
       ${COMMAND} --kind arworld [--text-encoder SRC] [--vae SRC] [--causal SRC] -o DIR [--dtype q8]
       ${COMMAND} --kind actionworld SRC -o DIR [--dtype q8]

SRC is a file (.safetensors, .pt, .pth, .ckpt, .bin or .gguf), an index of shards, or a folder with one of them. Nothing
in it is executed: a file with anything but tensors and plain values is refused, and the message names what it contains.

tensors turns a checkpoint into one safetensors file: names, types and numbers stay the same (GGUF becomes f32).

arworld makes the folders base/ and causal/ that svc world serve --model DIR takes, from the names of Wan, Diffusers,
Hugging Face or llama.cpp, 8-bit floats with scales included. Any part may be left out and added later. An interrupted
run resumes. DIR/conversion.json has the SHA-256 of every source file and the largest error of every weight. Fields of
config.json and copied files that were edited since the last run are kept and named.

actionworld takes a snapshot (transformer/, vae/, vision_encoder/, scheduler/ and a tokenizer) and makes one of the same
layout for svc world serve --backend actionworld --model DIR. A snapshot of safetensors can also be served as it is;
conversion makes it smaller, or reads what is not safetensors.

Options:
${flagsHelp(FLAGS)}

Examples:
  ${COMMAND} --kind tensors video_depth_anything_vits.pth -o model.safetensors
  ${COMMAND} --kind arworld --text-encoder models_t5_umt5-xxl-enc-bf16.pth --vae Wan2.2_VAE.pth \\
    --causal DreamX-World-5B --dtype q8 -o dreamx
  ${COMMAND} --kind actionworld Cosmos3-Edge --dtype q8 -o cosmos`;

/** The parsed command line. */
export type ConvertCommand =
  | { readonly kind: "help" }
  | { readonly kind: "tensors"; readonly options: ConvertOptions }
  | { readonly kind: "arworld"; readonly options: ConvertWorldOptions }
  | { readonly kind: "actionworld"; readonly options: ConvertActionworldOptions };

/**
 * Parses the arguments.
 *
 * @throws {UsageError}
 */
export function readConvertFlags(args: readonly string[]): ConvertCommand {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) return { kind: "help" };
  const fail = (problem: string) => new UsageError(`Cannot run ${COMMAND}: ${problem}`);
  const { kind, output = "", part, dtype } = flags;
  const vaeType = flags["vae-dtype"] ?? (dtype === "f32" ? "f32" : "f16");
  if (kind === undefined) throw fail("--kind is missing, expected --kind tensors, arworld or actionworld");
  if (kind === "tensors") {
    if (words.length !== 1) throw fail(`got ${words.length} checkpoints, expected one`);
    if (!/[^/\\]\.safetensors$/i.test(output)) throw fail(`the output is "${output}", expected -o FILE.safetensors`);
    return { kind, options: { source: words[0], output, part } };
  }
  if (output === "") throw fail("there is no output, expected -o DIR");
  if (kind === "actionworld") {
    if (words.length !== 1) throw fail(`got ${words.length} snapshots, expected one folder`);
    const types = { vae: vaeType, transformer: dtype, "vision encoder": dtype };
    return { kind, options: { source: words[0], output, types } };
  }
  if (words.length > 0) throw fail(`"${words[0]}" has no flag, expected --text-encoder, --vae or --causal before it`);
  type Part = ConvertWorldOptions["parts"][number];
  const given = (part: Part["part"], source: string | undefined, type: WeightType): Part[] =>
    source === undefined ? [] : [{ part, source, type }];
  const parts = [
    ...given("vae", flags.vae, vaeType),
    ...given("text encoder", flags["text-encoder"], flags["text-encoder-dtype"] ?? dtype),
    ...given("causal", flags.causal, dtype),
    ...given("tiny decoder", flags["tiny-decoder"], vaeType),
  ];
  if (parts.length === 0) {
    throw fail("there is nothing to convert, expected --text-encoder, --vae, --causal or --tiny-decoder");
  }
  return { kind, options: { parts, output, tokenizer: flags.tokenizer } };
}
