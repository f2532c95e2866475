import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import { ChatTemplate, NEUTRAL_SAMPLING, readChatRequest } from "../../../lib/protocol/mod.ts";
import { tinyJob, tinyPrompt, withTinyModel, write } from "../../support/tiny_text_model.ts";

const random = { kind: "gqa", script: false } as const;
const sampled = { ...NEUTRAL_SAMPLING, temperature: 0.9, topP: 0.95 };

function user(model: LanguageModel, text: string): readonly number[] {
  const request = readChatRequest({ model: "", messages: [{ role: "user", content: text }] });
  return model.encode(new ChatTemplate(model.template).render(request, new Date(0)).text);
}

for (const kind of ["std", "gqa"] as const) {
  // @row model-api > Engine behavior > 3: prefix reuse with a private copy for each request
  test(`generate() says the same alone, in company and after a cached prefix on ${kind} graphs`, async () => {
    const texts = [
      tinyPrompt(300, 1),
      tinyPrompt(33, 2),
      tinyPrompt(120, 3),
      [...tinyPrompt(300, 1), 77],
      tinyPrompt(1, 5),
    ];
    for (const sampling of [tinyJob([]).sampling, sampled]) {
      const jobs = texts.map((prompt, i) => tinyJob(prompt, { sampling, seed: i, maxTokens: 10 + 3 * i }));
      const alone: number[][] = [];
      await withTinyModel({ ...random, kind }, async (model) => {
        for (const job of jobs) alone.push([...(await write(model, job)).ids]);
        const { enabled, hits, misses } = model.counters().prefixKVCache!;
        assert.deepEqual({ enabled, hits, misses }, { enabled: false, hits: 0, misses: 0 });
      }, { prefixCache: false });
      assert.ok(alone.some((ids) => ids.length > 10));
      await withTinyModel({ ...random, kind }, async (model) => {
        const together = await Promise.all(jobs.map((job) => write(model, job)));
        assert.deepEqual(together.map(({ ids }) => ids), alone);
        const again = await Promise.all(jobs.map((job) => write(model, job)));
        assert.deepEqual(again.map(({ ids }) => ids), alone);
        assert.deepEqual(again.map(({ cachedTokens }) => cachedTokens), [299, 32, 119, 300, 0]);
        const { continuousBatching: batching } = model.counters();
        assert.ok(
          batching!.maxBatchSize === 4 && batching!.variablePositionBatchedSteps > 10,
          JSON.stringify(batching),
        );
      });
    }
  });
}

test("generate() draws the same text from the same seed, others from others", async () => {
  await withTinyModel(random, async (model) => {
    const draw = async (seed: number) =>
      (await write(model, tinyJob(tinyPrompt(20, 1), { sampling: sampled, seed }))).ids.join();
    const [first, ...others] = [await draw(1), await draw(2), await draw(3)];
    assert.equal(await draw(1), first);
    assert.ok(!others.includes(first));
  });
});

test("generate() says what the model was made to say, and where it ends", async () => {
  await withTinyModel({ kind: "gqa", weights: "q4", externalData: true }, async (model) => {
    const prompt = user(model, "hello");
    const answer = await write(model, tinyJob(prompt, { maxTokens: 500 }));
    assert.equal(model.decode(answer.ids), "Hello! I am a tiny model, and I say what my script says.");
    assert.equal(answer.reason, "stop");
    const cut = await write(model, tinyJob(prompt, { maxTokens: 3 }));
    assert.deepEqual(cut.ids, answer.ids.slice(0, 3));
    assert.equal(cut.reason, "length");
    let left = 2;
    const stopped = await write(model, tinyJob(prompt, { onToken: () => --left > 0 }));
    assert.deepEqual(stopped.ids, answer.ids.slice(0, 2));
    assert.equal(stopped.reason, "stop");
    for (const seconds of [answer.prefillSeconds, answer.decodeSeconds, answer.firstTokenSeconds]) {
      assert.ok(seconds > 0 && seconds < 30, `${seconds}`);
    }
  });
});

test("decode() leaves out end tokens only", async () => {
  // deno-lint-ignore require-await -- nothing is generated
  await withTinyModel({}, async (model) => {
    const ids = model.encode("<|im_start|>a 😀<|im_end|>");
    assert.equal(model.decode(ids), "<|im_start|>a 😀");
    assert.equal(model.decode([]), "");
    assert.deepEqual(model.encode(""), []);
    assert.equal(new TextDecoder().decode(model.bytesOf(ids[0])), "<|im_start|>");
  });
});

// @row model-api > Engine behavior > 5: speculation gives the same tokens
test("generate() speculates on repetitions, with the same tokens as without", async () => {
  await withTinyModel({ kind: "gqa", weights: "q4" }, async (model) => {
    const prompt = user(model, "forever");
    const short = { maxTokens: 15 };
    await write(model, tinyJob(prompt, short));
    assert.equal(model.counters().mtp!.rounds, 0, "too short to guess");
    const long = await write(model, tinyJob(prompt, { maxTokens: 200 }));
    const { mtp } = model.counters();
    assert.ok(mtp!.acceptedTokens > 100 && mtp!.rounds < 60, JSON.stringify(mtp));
    assert.equal(mtp!.draftedTokens, mtp!.acceptedTokens + mtp!.rejectedTokens);
    const penalized = { ...tinyJob([]).sampling, presencePenalty: 1e-9 };
    const plain = await write(model, tinyJob(prompt, { maxTokens: 200, sampling: penalized }));
    assert.equal(model.counters().mtp!.rounds, mtp!.rounds, "penalties change what follows");
    assert.deepEqual(long.ids, plain.ids);
    const two = await Promise.all([1, 2].map((seed) => write(model, tinyJob(prompt, { maxTokens: 60, seed }))));
    assert.equal(model.counters().mtp!.rounds, mtp!.rounds, "peers are batched");
    assert.deepEqual(two.map(({ ids }) => ids), [long.ids.slice(0, 60), long.ids.slice(0, 60)]);
  });
});

test("generate() speculates with the random numbers of each position when it samples", async () => {
  const prompt = [...tinyPrompt(40, 8), ...tinyPrompt(40, 8)];
  const job = tinyJob(prompt, { maxTokens: 120, sampling: { ...sampled, temperature: 0.25 } });
  const penalized = { ...job.sampling, frequencyPenalty: 1e-12 };
  await withTinyModel(random, async (model) => {
    for (const seed of [1, 2, 3]) {
      const guessed = await write(model, { ...job, seed });
      const plain = await write(model, { ...job, seed, sampling: penalized });
      assert.deepEqual(guessed.ids, plain.ids);
    }
    assert.ok(model.counters().mtp!.rejectedTokens > 0, JSON.stringify(model.counters().mtp));
  });
});

// @row model-api > Engine behavior > 4: chunked prefill with cancellation and progress
test("generate() reports the prompt in chunks, cached ones included", async () => {
  await withTinyModel(random, async (model) => {
    const seen: number[][] = [];
    const onPrefill = (done: number, total: number) => void seen.push([done, total]);
    await write(model, tinyJob(tinyPrompt(300, 1), { onPrefill }));
    assert.deepEqual(seen, [[128, 300], [256, 300], [300, 300]]);
    seen.length = 0;
    await write(model, tinyJob([...tinyPrompt(300, 1), 66, 67], { onPrefill }));
    assert.deepEqual(seen, [[302, 302]]);
  });
});

// @row model-api > Engine behavior > 4: chunked prefill with cancellation and progress
test("generate() ends within the prompt when it is aborted", async () => {
  await withTinyModel(random, async (model) => {
    const abort = new AbortController();
    const seen: number[] = [];
    const onPrefill = (done: number) => {
      seen.push(done);
      if (done === 256) abort.abort(new Error("gone"));
    };
    await assert.rejects(write(model, tinyJob(tinyPrompt(1000, 1), { onPrefill }), abort.signal), /gone/);
    assert.deepEqual(seen, [128, 256]);
    await assert.rejects(write(model, tinyJob([50]), abort.signal), /gone/);
    assert.equal((await write(model, tinyJob([50]))).ids.length, 12);
    assert.equal(model.counters().continuousBatching!.activeRows, 0);
  });
});

test("generate() ends within the answer when it is aborted, and peers continue undisturbed", async () => {
  await withTinyModel(random, async (model) => {
    const prompts = [1, 2, 3].map((seed) => tinyPrompt(30 * seed, seed));
    const alone = [];
    for (const prompt of prompts) alone.push((await write(model, tinyJob(prompt, { maxTokens: 40 }))).ids);
    const abort = new AbortController();
    let count = 0;
    const onToken = () => {
      if (++count === 10) abort.abort(new Error("gone"));
      return true;
    };
    const results = await Promise.allSettled([
      write(model, tinyJob(prompts[0], { maxTokens: 40, onToken }), abort.signal),
      ...prompts.slice(1).map((prompt) => write(model, tinyJob(prompt, { maxTokens: 40 }))),
    ]);
    assert.equal(results[0].status, "rejected");
    assert.equal(count, 10);
    assert.deepEqual(results.slice(1).map((one) => one.status === "fulfilled" && one.value.ids), alone.slice(1));
  });
});

test("generate() keeps jobs beyond its rows in line, and those that are aborted there never begin", async () => {
  await withTinyModel(random, async (model) => {
    const order: number[] = [];
    const abort = new AbortController();
    const jobs = [0, 1, 2, 3].map((i) =>
      write(
        model,
        tinyJob(tinyPrompt(20, i), { onPrefill: () => void order.push(i) }),
        i === 2 ? abort.signal : undefined,
      )
    );
    assert.equal(model.counters().continuousBatching!.queuedRows, 4);
    abort.abort(new Error("gone"));
    const ends = await Promise.allSettled(jobs);
    assert.deepEqual(ends.map(({ status }) => status), ["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(order, [0, 1, 3]);
    const { continuousBatching: batching } = model.counters();
    assert.deepEqual([batching!.activeRows, batching!.queuedRows, batching!.maxBatchSize], [0, 0, 2]);
  }, { concurrency: 2 });
});

test("generate() keeps decoding other sequences while a long prompt is prefilled", async () => {
  await withTinyModel(random, async (model) => {
    let read = 0;
    let written = 0;
    const during: number[] = [];
    const writer = write(model, tinyJob(tinyPrompt(10, 1), { maxTokens: 60, onToken: () => ++written > 0 }));
    const reader = write(
      model,
      tinyJob(tinyPrompt(640, 2), {
        onPrefill: (done) => {
          during.push(done - read);
          read = done;
        },
        onToken: () => false,
      }),
    );
    await reader;
    assert.ok(during.every((count) => count <= 128) && written >= during.length - 2, `${during} ${written}`);
    await writer;
  });
});

test("generate() fails alone when whoever listens fails", async () => {
  await withTinyModel(random, async (model) => {
    const broken = () => {
      throw new Error("no ears");
    };
    const [bad, good] = await Promise.allSettled([
      write(model, tinyJob(tinyPrompt(20, 1), { onToken: broken })),
      write(model, tinyJob(tinyPrompt(40, 2))),
    ]);
    assert.equal(bad.status === "rejected" && bad.reason.message, "no ears");
    assert.equal(good.status === "fulfilled" && good.value.ids.length, 12);
  });
});

test("generate() reports log probabilities of each token", async () => {
  await withTinyModel(random, async (model) => {
    const told: number[] = [];
    const job = tinyJob(tinyPrompt(20, 1), {
      topLogprobs: 2,
      onToken: (id, logprobs) => {
        assert.ok(logprobs!.id === id && logprobs!.top.length === 2 && logprobs!.raw <= 0);
        told.push(logprobs!.top[0].id);
        return true;
      },
    });
    const { ids, captureSeconds } = await write(model, job);
    assert.deepEqual(told, ids);
    assert.ok(captureSeconds! > 0);
  });
});

test("generate() chooses only tokens that a constraint allows", async () => {
  const accepted: number[] = [];
  let closed = 0;
  const openConstrainer = ({ size, endTokens }: { size: number; endTokens: readonly number[] }) => ({
    constrain: () =>
      Promise.resolve({
        mask: () => {
          const mask = new Int32Array(Math.ceil(size / 32));
          const allowed = accepted.length < 5 ? [60 + accepted.length] : endTokens;
          for (const id of allowed) mask[id >> 5] |= 1 << (id & 31);
          return Promise.resolve(mask);
        },
        accept: (id: number) => accepted.push(id) > 0,
        close: () => closed++,
      }),
    prepare: () => Promise.resolve(),
    close: () => {},
  });
  await withTinyModel(random, async (model) => {
    const answer = await write(
      model,
      tinyJob(tinyPrompt(20, 1), { constraint: { kind: "json_object" }, maxTokens: 50 }),
    );
    assert.deepEqual(answer.ids, [60, 61, 62, 63, 64]);
    assert.deepEqual(accepted, [60, 61, 62, 63, 64]);
    assert.equal(answer.reason, "stop");
    assert.equal(closed, 1);
    assert.equal(model.counters().mtp!.rounds, 0);
  }, { openConstrainer });
});

test("trim() drops prefixes and counts them", async () => {
  await withTinyModel(random, async (model) => {
    const prompt = tinyPrompt(100, 1);
    await write(model, tinyJob(prompt, { stablePrefix: 80 }));
    assert.equal((await write(model, tinyJob([...prompt.slice(0, 80), 44, 45]))).cachedTokens, 80);
    const { hits, misses, reusedTokens, entries, enabled } = model.counters().prefixKVCache!;
    assert.deepEqual({ hits, misses, reusedTokens, entries, enabled }, {
      hits: 1,
      misses: 1,
      reusedTokens: 80,
      entries: 2,
      enabled: true,
    });
    await model.trim();
    assert.equal(model.counters().prefixKVCache!.storedTokens, 0);
    assert.equal((await write(model, tinyJob(prompt))).cachedTokens, 0);
  });
});

test("generate() begins again whenever a job comes after the last one", async () => {
  await withTinyModel(random, async (model) => {
    for (let turns = 0; turns < 12; turns++) {
      await model.generate(tinyJob([50], { maxTokens: 1 }), new AbortController().signal);
      for (let i = 0; i < turns; i++) await Promise.resolve();
    }
    assert.equal(model.counters().continuousBatching!.activeRows, 0);
  });
});

test("generate() says the same after a prefix that is kept in 8 bits", async () => {
  await withTinyModel({ kind: "gqa" }, async (model) => {
    assert.deepEqual(model.profile.kvCacheModes, ["affine8", "polar2", "auto"]);
    const job = tinyJob(user(model, "story"), { maxTokens: 100 });
    const first = await write(model, job);
    const again = await write(model, job);
    assert.ok(again.cachedTokens > 16);
    assert.deepEqual(again.ids, first.ids);
  }, { kvCacheMode: "affine8" });
});

for (const [kvCacheMode, min, max] of [["polar2", 1e-4, 1], ["auto", 0, 1e-5]] as const) {
  test(`generate() continues after a short prefix cached as ${kvCacheMode}`, async () => {
    await withTinyModel(random, async (model) => {
      const job = tinyJob(tinyPrompt(200, 3), { maxTokens: 1, topLogprobs: 0 });
      const score = async () => {
        let found = NaN;
        const { cachedTokens } = await write(model, { ...job, onToken: (_, scored) => (found = scored!.raw) < 0 });
        return { cachedTokens, found };
      };
      const [first, again] = [await score(), await score()];
      assert.deepEqual([first.cachedTokens, again.cachedTokens], [0, 199]);
      const distance = Math.abs(again.found - first.found);
      assert.ok(distance >= min && distance <= max, `${distance}`);
    }, { kvCacheMode });
  });
}
