import assert from "node:assert/strict";
import { test } from "node:test";
import type { LlamaContext, LlamaContextSequence } from "node-llama-cpp";
import { SequencePool, type SequencePoolSettings } from "../../../lib/engines/gguf_text/sequence_pool.ts";

const never = new AbortController().signal;

/** A pool whose contexts write down when they are opened and closed. */
function fakePool({ fails = [], ...given }: Partial<SequencePoolSettings> & { readonly fails?: number[] } = {}) {
  const diary: string[] = [];
  const open = async (tokens: number): Promise<LlamaContext> => {
    diary.push(`open ${tokens}`);
    await Promise.resolve();
    if (fails.includes(tokens)) throw new Error(`no memory for ${tokens}`);
    const context = {
      sequencesLeft: 2,
      getSequence: () => {
        assert.ok(context.sequencesLeft-- > 0, "there is no sequence left");
        return new FakeSequence(tokens, context);
      },
      dispose: async () => {
        await Promise.resolve();
        diary.push(`close ${tokens}`);
      },
    };
    return context as unknown as LlamaContext;
  };
  const pool = new SequencePool({ open, size: 2, max: 10_000, reuse: true, ...given });
  const use = (tokens: number, work: (sequence: FakeSequence) => Promise<void> = async () => {}) =>
    pool.use([1, 2, 3], tokens, never, (sequence) => work(sequence as unknown as FakeSequence));
  return { pool, diary, use };
}

class FakeSequence {
  readonly contextSize: number;
  readonly context: { sequencesLeft: number };
  nextTokenIndex = 0;

  constructor(contextSize: number, context: { sequencesLeft: number }) {
    this.contextSize = contextSize;
    this.context = context;
  }

  async dispose(): Promise<void> {
    await Promise.resolve();
    this.context.sequencesLeft++;
  }

  compareContextTokens(): ReturnType<LlamaContextSequence["compareContextTokens"]> {
    return { firstDifferentIndex: this.nextTokenIndex };
  }

  async adaptStateToTokens(): Promise<void> {}
}

test("SequencePool begins small and grows with the first prompt that needs it", async () => {
  const { pool, diary, use } = fakePool();
  await pool.open();
  const sizes: number[] = [];
  const look = (sequence: FakeSequence) => Promise.resolve(void sizes.push(sequence.contextSize));
  for (const tokens of [10, 4096, 4097, 10, 9000, 10_000]) await use(tokens, look);
  assert.deepEqual(sizes, [4096, 4096, 8192, 8192, 10_000, 10_000]);
  assert.deepEqual(diary, ["open 4096", "close 4096", "open 8192", "close 8192", "open 10000"]);
  await assert.rejects(use(10_001), /Cannot generate: prompt and answer have 10001 tokens, expected at most 10000/);
  await pool.trim();
  await use(10, look);
  assert.equal(sizes.at(-1), 4096);
});

test("SequencePool opens no more than the model can take", async () => {
  const { pool, diary } = fakePool({ max: 2048 });
  await pool.open();
  assert.deepEqual(diary, ["open 2048"]);
});

test("SequencePool grows alone and lets no caller overtake a waiting one", async () => {
  const { diary, use } = fakePool();
  let release = () => {};
  const first = use(10, () => new Promise((resolve) => release = resolve));
  const long = use(5000, () => Promise.resolve(void diary.push("long")));
  const short = use(10, () => Promise.resolve(void diary.push("short")));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(diary, ["open 4096"]);
  release();
  await Promise.all([first, long, short]);
  assert.deepEqual(diary, ["open 4096", "close 4096", "open 8192", "long", "short"]);
});

test("SequencePool grows as far as memory allows, and stays small without", async () => {
  const { diary, use } = fakePool({ fails: [8192, 6144] });
  await use(10);
  const sizes: number[] = [];
  const look = (sequence: FakeSequence) => Promise.resolve(void sizes.push(sequence.contextSize));
  await use(5000, look);
  assert.deepEqual(sizes, [5120], "what the prompt needs, in whole steps, where twice as much is too much");
  await assert.rejects(use(6000), {
    code: "memory_pressure",
    message: /have 6000 tokens, and llama\.cpp says "no memory for 6144", expected enough memory for them/,
  });
  await use(10, look);
  assert.deepEqual(sizes, [5120, 4096]);
  assert.deepEqual(diary.slice(0, 4), ["open 4096", "close 4096", "open 8192", "open 5120"]);
  assert.deepEqual(diary.slice(4), ["close 5120", "open 8192", "open 6144", "open 4096"]);
});

test("SequencePool gives back the places of those that fail or leave", async () => {
  const { pool, use } = fakePool();
  const used = new Set<FakeSequence>();
  const fail = (sequence: FakeSequence) => {
    used.add(sequence);
    return Promise.reject(new Error("broken"));
  };
  for (let i = 0; i < 3; i++) await assert.rejects(use(10, fail), /broken/);
  assert.equal(used.size, 3, "a sequence is not used again after a failure");
  const abort = new AbortController();
  let release = () => {};
  const busy = [0, 1].map(() =>
    use(10, () =>
      new Promise((resolve) => {
        const before = release;
        release = () => (before(), resolve());
      }))
  );
  const leaving = pool.use([1], 10, abort.signal, () => Promise.resolve());
  assert.equal(pool.waiting, 1);
  abort.abort(new Error("left"));
  await assert.rejects(leaving, /left/);
  assert.equal(pool.waiting, 0);
  await new Promise((resolve) => setImmediate(resolve));
  release();
  await Promise.all(busy);
  await use(10);
});
