import assert from "node:assert/strict";
import { test } from "node:test";
import { type EvaluatedSequence, EvaluationRounds } from "../../../lib/engines/gguf_text/evaluation_rounds.ts";

/** Decodes some tokens after a prompt, and writes down what it does. */
class FakeRow implements EvaluatedSequence {
  position = 0;
  readonly #name: string;
  readonly #prompt: number;
  readonly #total: number;
  readonly #diary: string[];
  readonly #failsAt: number | undefined;

  constructor(name: string, prompt: number, total: number, diary: string[], failsAt?: number) {
    this.#name = name;
    this.#prompt = prompt;
    this.#total = total;
    this.#diary = diary;
    this.#failsAt = failsAt;
  }

  get decoding(): boolean {
    return this.position >= this.#prompt;
  }

  async prepare(): Promise<void> {
    await Promise.resolve();
    if (this.position === this.#failsAt) throw new Error(`${this.#name} fails`);
  }

  async step(limit: number): Promise<boolean> {
    const count = this.decoding ? 1 : Math.min(limit, this.#prompt - this.position);
    this.#diary.push(`${this.#name}${count}`);
    await Promise.resolve();
    this.position += count;
    return this.position === this.#total;
  }
}

test("EvaluationRounds makes every row do a step in each round", async () => {
  const rounds = new EvaluationRounds();
  const diary: string[] = [];
  await Promise.all([
    rounds.run(new FakeRow("a", 2, 4, diary)),
    rounds.run(new FakeRow("b", 2, 5, diary)),
    rounds.run(new FakeRow("c", 3, 5, diary)),
  ]);
  assert.deepEqual(diary.join(" "), "a2 b2 c3 a1 b1 c1 a1 b1 c1 b1");
  assert.deepEqual(rounds.counters(true, 7), {
    enabled: true,
    activeRows: 0,
    queuedRows: 7,
    batchedDecodeSteps: 2,
    samePositionBatchedSteps: 0,
    variablePositionBatchedSteps: 2,
    singleDecodeSteps: 1,
    totalBatchedRows: 6,
    maxBatchSize: 3,
  });
});

test("EvaluationRounds separates sequences at the same position from others", async () => {
  const rounds = new EvaluationRounds();
  await Promise.all([rounds.run(new FakeRow("a", 2, 6, [])), rounds.run(new FakeRow("b", 2, 6, []))]);
  const { samePositionBatchedSteps, variablePositionBatchedSteps } = rounds.counters(true, 0);
  assert.deepEqual([samePositionBatchedSteps, variablePositionBatchedSteps], [4, 0]);
});

test("EvaluationRounds takes prompts in smaller pieces beside answers", async () => {
  const rounds = new EvaluationRounds();
  const diary: string[] = [];
  const answer = rounds.run(new FakeRow("a", 300, 303, diary));
  while (diary.length < 3) await Promise.resolve();
  const prompt = rounds.run(new FakeRow("p", 200, 201, diary));
  await Promise.all([answer, prompt]);
  assert.deepEqual(diary.join(" "), "a256 a44 a1 a1 p64 a1 p64 p72 p1");
});

test("EvaluationRounds continues when a sequence fails", async () => {
  const rounds = new EvaluationRounds();
  const diary: string[] = [];
  const failing = rounds.run(new FakeRow("a", 1, 9, diary, 3));
  const other = rounds.run(new FakeRow("b", 1, 5, diary));
  await assert.rejects(failing, /a fails/);
  await other;
  assert.deepEqual(diary.join(" "), "a1 b1 a1 b1 a1 b1 b1 b1");
  await rounds.run(new FakeRow("c", 1, 2, diary));
  assert.equal(rounds.counters(true, 0).activeRows, 0);
});
