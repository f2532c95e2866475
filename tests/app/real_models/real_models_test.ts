/** One case of each kind with published weights, through the SDK; tests/proof/models compares them with other programs. */
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import type { Models } from "../../../lib/app/models/models.ts";
import { openModels } from "../../../lib/app/models/open_models.ts";
import { linkModels, type RealModel, realModel } from "../../support/real_models.ts";
import { wordErrorRate } from "../../support/word_error_rate.ts";
import { passages, QUESTIONS } from "./documents.ts";

// One after the other: they share the programs that fetch them.
const chat = await realModel("smollm2-135m");
const embedder = await realModel("all-minilm-l6-v2");
const voice = await realModel("speech-hibari");
const ears = await realModel("transcription-moonshine-tiny");
const skip = (...models: readonly RealModel[]): string | false => {
  const missing = models.find((one) => !one.ok);
  return missing && !missing.ok ? `not run: ${missing.reason}` : false;
};

let opened: Promise<Models> | undefined;
let home: string | undefined;

/** The installed models, opened for the first test that needs them. */
function models(): Promise<Models> {
  return opened ??= open();
}

async function open(): Promise<Models> {
  home = realpathSync(mkdtempSync(join(tmpdir(), "svc-test-")));
  await linkModels(home, [chat, embedder, voice, ears]);
  // Other files' tests run in this process, so that the variable stays for the start only.
  const given = process.env.SVC_HOME;
  process.env.SVC_HOME = home;
  try {
    return await openModels({ device: "cpu", memoryGuard: { tier: "off" } });
  } finally {
    if (given === undefined) delete process.env.SVC_HOME;
    else process.env.SVC_HOME = given;
  }
}

after(async () => {
  await (await opened)?.close();
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
});

/** Texts of a request: it has at most 256. */
const TOGETHER = 32;

async function embed(input: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = [];
  for (let at = 0; at < input.length; at += TOGETHER) {
    const part = input.slice(at, at + TOGETHER);
    const { data } = await (await models()).embed({ model: "all-minilm-l6-v2", input: part });
    vectors.push(...data.map(({ embedding }) => embedding as number[]));
  }
  return vectors;
}

const likeness = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i], 0);

test("SmolLM2 answers as the conversation asks for, token by token", { skip: skip(chat) }, async () => {
  const turns = ["What is the capital of Italy?", "Rome", "What is the capital of Germany?", "Berlin"];
  const messages = [...turns, "What is the capital of France?"].map((content, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content,
  }));
  // The likeliest tokens: the second one is a hundredth as likely, so that no processor's rounding changes the answer.
  const body = { model: "smollm2-135m", messages, temperature: 0, max_tokens: 8 };
  const { choices: [{ message, finish_reason }], usage } = await (await models()).chat(body);
  assert.deepEqual([message.content, finish_reason, usage.prompt_tokens], ["Paris", "stop", 76]);
  let text = "";
  for await (const { choices: [choice] } of (await models()).stream(body)) text += choice?.delta.content ?? "";
  assert.equal(text, "Paris");
});

test("MiniLM finds the sentence that is meant", { skip: skip(embedder) }, async () => {
  const sentences = [
    "The cat sleeps on the warm windowsill.",
    "Interest rates rose for the third time this year.",
    "Simmer the tomatoes until the sauce is thick.",
  ];
  const asked = ["Where does the kitten nap?", "What did the central bank do?", "How do I cook pasta topping?"];
  const [queries, texts] = [await embed(asked), await embed(sentences)];
  for (const [i, query] of queries.entries()) {
    assert.ok(Math.abs(likeness(query, query) - 1) < 1e-5);
    const scores = texts.map((text) => likeness(query, text));
    assert.equal(scores.indexOf(Math.max(...scores)), i, `${asked[i]} ${scores}`);
  }
});

test("MiniLM finds the pages of the documentation that answer 20 questions", { skip: skip(embedder) }, async () => {
  const all = passages();
  const vectors = await embed(all.map(({ text }) => text));
  const queries = await embed(QUESTIONS.map(([question]) => question));
  const missed = QUESTIONS.filter(([, page], i) => {
    const scores = vectors.map((vector, at) => ({ page: all[at].page, score: likeness(queries[i], vector) }));
    return !scores.sort((a, b) => b.score - a.score).slice(0, 3).some((one) => one.page === page);
  });
  const recall = 1 - missed.length / QUESTIONS.length;
  // Every one was found on 2026-11-27; pages change.
  assert.ok(recall >= 0.85, `recall at 3 is ${recall.toFixed(2)}, not found: ${missed.map(([one]) => one).join(" ")}`);
});

test("Moonshine writes down what Hibari says in one sentence", { skip: skip(voice, ears) }, async () => {
  const input = "Good morning. The capital of France is Paris.";
  const { bytes, seconds } = await (await models()).speak({ model: "speech-hibari", input });
  assert.ok(seconds > 1.5 && seconds < 6, `${seconds} s`);
  const { text } = await (await models()).transcribe({ model: "transcription-moonshine-tiny", file: bytes });
  assert.equal(wordErrorRate(input, text), 0, text);
});
