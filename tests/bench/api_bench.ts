/**
 * `deno task bench:api [--parts engines,gguf,token,real,first,drafts,retrieval,server,prefill,dialects,vision,speech,transcription] [--threads N]`: how fast text engines and the model API
 * server are, beside others with the same weights, the machine named.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeBenchModels } from "./api_bench_model.ts";
import { overheadBench, prefillBench } from "./api_server_bench.ts";
import { ggufBench } from "./gguf_bench.ts";
import { dialectBench, type DialectFigures, DIALECTS, SIZES } from "./dialect_bench.ts";
import { retrievalBench } from "./retrieval_bench.ts";
import { draftBench } from "./draft_bench.ts";
import { firstTokenBench } from "./first_token_bench.ts";
import { serversOf } from "./compare_servers.ts";
import { realChatBench } from "./real_chat_bench.ts";
import { speechBench } from "./speech_bench.ts";
import { printMachine, printTable } from "./table.ts";
import type { TextEngineName } from "./text_engine.ts";
import { type TextEngineFigures, textEnginesBench } from "./text_engines_bench.ts";
import { tokenBench } from "./token_bench.ts";
import { transcriptionBench } from "./transcription_bench.ts";
import { visionBench } from "./vision_bench.ts";

/** The models of real size stay here. */
const CACHE = fileURLToPath(new URL("../../.cache/api-bench", import.meta.url));

const PARTS = [
  "engines",
  "gguf",
  "token",
  "real",
  "first",
  "drafts",
  "retrieval",
  "server",
  "prefill",
  "dialects",
  "vision",
  "speech",
  "transcription",
];
const { values: flags } = parseArgs({
  options: {
    parts: { type: "string", default: PARTS.join(",") },
    // As many as there are cores for all: some engines take more by themselves, and wait for each other then.
    threads: { type: "string", default: `${availableParallelism()}` },
  },
});
const parts = flags.parts.split(",");
for (const part of parts) {
  if (!PARTS.includes(part)) {
    console.error(`Cannot measure ${part}: the parts are ${PARTS.join(", ")}`);
    process.exit(2);
  }
}

printMachine();

if (parts.includes("engines")) {
  const names: TextEngineName[] = ["svc onnx-text", "transformers.js", "svc gguf-text", "node-llama-cpp"];
  const figures = await textEnginesBench(makeBenchModels(CACHE), names, Number(flags.threads));
  const [onnx, transformers, , llama] = names.map((name) => figures.get(name)!);
  const rate = (rate: number | undefined): string => rate?.toFixed(1) ?? "-";
  const row = (title: string, key: keyof TextEngineFigures): string[] => [
    title,
    ...names.map((name) => rate(figures.get(name)![key])),
  ];
  printTable([`Qwen2.5-0.5B sizes, 4 bits, threads: ${flags.threads}; tokens/s`, ...names], [
    row("prefill, 512 tokens", "prefill"),
    row("decode after 512 tokens", "decode"),
    row("  the same, guessing from the text before", "guessed"),
    row("1 short request, prompt included", "alone"),
    row("4 short requests together", "together"),
  ]);
  const times = (a: number, b: number): string => `${(a / b).toFixed(2)}x`;
  printTable(["svc onnx-text against", "is", "aim"], [
    ["transformers.js, decode", times(onnx.decode, transformers.decode), "1.2x"],
    ["node-llama-cpp, decode", times(onnx.decode, llama.decode), "1.0x"],
    ["node-llama-cpp, prefill", times(onnx.prefill, llama.prefill), "0.85x"],
    ["itself, 4 requests for 1", times(onnx.together ?? NaN, onnx.alone), "2x"],
  ]);
}

if (parts.includes("gguf")) await ggufBench(makeBenchModels(CACHE), Number(flags.threads));
if (parts.includes("token")) await tokenBench(makeBenchModels(CACHE), Number(flags.threads));
if (parts.includes("real")) await realChatBench(CACHE, Number(flags.threads));
if (parts.includes("first")) await firstTokenBench(CACHE);
if (parts.includes("retrieval")) await retrievalBench(Number(flags.threads));
if (parts.includes("drafts")) await draftBench(CACHE, Number(flags.threads));

if (["server", "prefill", "dialects"].some((part) => parts.includes(part))) {
  const compare = serversOf("api");
  if (parts.includes("server")) {
    await compare("server beyond its engine, ms", overheadBench, {
      "a request (aim 3)": (f) => f.request.toFixed(2),
      "a streamed token (aim 0.3)": (f) => f.token.toFixed(3),
    });
  }
  if (parts.includes("dialects")) {
    await compare(
      "a request for one token, ms",
      dialectBench,
      Object.fromEntries(
        SIZES.flatMap((size) =>
          DIALECTS.map((name) => {
            const title = name === "chats" ? `${size} request, chats` : `  ${size}, ${name} beyond it (aim 3)`;
            return [title, (f: DialectFigures) => f[size][name].toFixed(2)];
          })
        ),
      ),
    );
  }
  if (parts.includes("prefill")) {
    const { onnx } = makeBenchModels(CACHE);
    await compare("server while it reads prompts, ms", (command) => prefillBench(command, onnx), {
      "to the first text, 1,500 tokens of the prompt new": (f) => f.cold.toFixed(0),
      "to the first text, the same 1,500 tokens known": (f) => f.warm.toFixed(0),
      "  times less (aim 10)": (f) => `${(f.cold / f.warm).toFixed(1)}x`,
      "/health meanwhile, p99 (aim 20)": (f) => f.health99.toFixed(1),
    });
  }
}

const python = process.env.SVC_PYTHON ?? "python3";
if (parts.includes("vision")) await visionBench(Number(flags.threads), python);
if (parts.includes("speech")) await speechBench(python);
if (parts.includes("transcription")) await transcriptionBench(python);
