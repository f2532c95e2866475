import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { addModel } from "../../lib/store/add_model.ts";
import { MODEL_TASKS } from "../../lib/store/catalog/installed_model.ts";
import { type ModelHost, oneWord } from "./model_host.ts";
import { modelLine } from "./model_report.ts";

const COMMAND = "svc model add";

const FLAGS = {
  id: {
    kind: "string",
    value: "ID",
    help: "id of the model: lower-case letters, digits, . _ -; by default from its name",
  },
  task: { kind: "string", value: "TASK", help: "task of the model, if its files do not specify it" },
  quantization: { kind: "string", value: "Q", help: "quantization to use, such as q4, fp16 or Q4_K_M" },
  link: { kind: "boolean", help: "use the files in place; they must not change or move" },
  test: { kind: "boolean", help: "mark it as a test model, whose answers mean nothing; its id begins with tiny-" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP = `Add a local model to the store

Usage: ${COMMAND} DIR|FILE.gguf|FILE.whl|FILE.zip [options]

DIR holds a model in Hugging Face layout: config.json, tokenizer.json and onnx/model_q4.onnx or other ONNX weights; it
may be a repository in the cache of the hub, or have the model in a folder below it. The required files are copied into
the store; with --link they are used in place. A Python package (.whl) or ZIP archive holds one such model; known
packages are hibari-tts (speech) and moonshine-voice (transcription). A Whisper model for CTranslate2 (model.bin, as
faster-whisper uses them) is converted to ONNX. Without --id the name of the file, folder or package becomes the id. If
a file is missing, the message names it.

Options:
${flagsHelp(FLAGS)}

TASK is one of ${MODEL_TASKS.slice(0, 5).join(", ")},
${MODEL_TASKS.slice(5).join(", ")}.

Examples:
  ${COMMAND} ./Qwen3-0.6B-ONNX --id qwen3 --quantization q4
  ${COMMAND} ~/Downloads/llama-3.2-1b-Q4_K_M.gguf --link
  ${COMMAND} moonshine_voice-0.0.59-py3-none-any.whl`;

/** Runs `svc model add`. */
export async function modelAdd(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) {
    host.terminal.out(HELP);
    return 0;
  }
  const { id, task: word, ...options } = flags;
  const task = MODEL_TASKS.find((one) => one === word);
  const path = oneWord(COMMAND, words, "folder, .gguf file or archive");
  if (word !== undefined && task === undefined) {
    const expected = `expected one of ${MODEL_TASKS.join(", ")}`;
    throw new UsageError(`Cannot run ${COMMAND}: --task is "${word}", ${expected}`);
  }
  const view = await host.progress();
  try {
    const model = await addModel(host.store, { ...options, path, id, task }, view.update, host.signal);
    view.stop();
    host.terminal.out(`Added ${modelLine(model)}`);
    return 0;
  } finally {
    view.stop();
  }
}
