import assert from "node:assert/strict";
import { test } from "node:test";
import { OpenAI } from "openai";
import { completionEntries } from "../../../lib/protocol/completions/read_completion_request.ts";
import { type ApiHarness, framesOf, modelApi, refusal, withApi } from "../../support/api_harness.ts";
import { deferred } from "../../support/world_harness.ts";
import { settle } from "../../support/fake_clock.ts";

const complete = (h: ApiHarness, body: Record<string, unknown>): Promise<Response> =>
  h.call("POST", "/v1/completions", { json: { model: "chat-a", prompt: "Once", ...body } });

// @row model-api > Endpoints > POST `/v1/completions`
test("POST /v1/completions continues a text, with usage and times", () =>
  withApi({}, async (h) => {
    const response = await complete(h, {});
    const { id, created: _, ...rest } = await response.json();
    assert.match(id, /^cmpl-[0-9a-f]{8}$/);
    assert.deepEqual(rest, {
      object: "text_completion",
      model: "chat-a",
      choices: [{ text: "Hello there", index: 0, logprobs: null, finish_reason: "stop" }],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 2,
        total_tokens: 9,
        prompt_tokens_details: { cached_tokens: 3 },
      },
    });
    assert.match(response.headers.get("server-timing") ?? "", /prefill/);
    const { request } = h.chats.get("chat-a")!.calls[0];
    assert.deepEqual([request.messages, request.rawPrompt, request.maxTokens], [[], { text: "Once" }, 16]);
  }));

// @row dialects > Completions > `prompt` as text, tokens or a list of them
test("prompts are a text, tokens or several of them, one answer each", () =>
  withApi({}, async (h) => {
    for (const prompt of ["a", [1, 2], ["a", "b"], [[1, 2], [3]], ["a", [3]]]) {
      const { choices, usage } = await (await complete(h, { prompt })).json();
      const count = Array.isArray(prompt) && typeof prompt[0] !== "number" ? 2 : 1;
      assert.deepEqual(choices.map(({ index }: { index: number }) => index), [0, 1].slice(0, count));
      assert.equal(usage.prompt_tokens, 7 * count);
    }
    const raw = h.chats.get("chat-a")!.calls.map(({ request }) => request.rawPrompt);
    assert.deepEqual(raw.slice(-4), [{ tokens: [1, 2] }, { tokens: [3] }, { text: "a" }, { tokens: [3] }]);
  }));

// @row dialects > Completions > `echo`
test("echo puts the prompt before its answer, whole and streamed, also one of tokens", () =>
  withApi({}, async (h) => {
    const prompts: [unknown, string][] = [["Once", "OnceHello there"], [[72, 105], "HiHello there"]];
    for (const [prompt, text] of prompts) {
      const { choices } = await (await complete(h, { prompt, echo: true })).json();
      assert.equal(choices[0].text, text);
      const frames = await framesOf(await complete(h, { prompt, echo: true, stream: true }));
      assert.equal(textOf(frames, 0), text);
    }
    await refusal(await complete(h, { echo: true, logprobs: 1 }), 400, "unsupported_parameter");
  }));

type Chunk = { choices: { index: number; text: string; finish_reason: string | null }[]; usage?: unknown };

function textOf(frames: unknown[], index: number): string {
  return (frames.slice(0, -1) as Chunk[]).flatMap(({ choices }) => choices).filter((one) => one.index === index)
    .map(({ text }) => text).join("");
}

// @row dialects > Completions > `stream`
test("a streamed completion is that without stream, prompt after prompt", () =>
  withApi({}, async (h) => {
    const prompt = ["a", "b"];
    const whole = await (await complete(h, { prompt })).json();
    const frames = await framesOf(await complete(h, { prompt, stream: true, stream_options: { include_usage: true } }));
    assert.equal(frames.at(-1), "[DONE]");
    for (const { index, text } of whole.choices) assert.equal(textOf(frames, index), text);
    const chunks = frames.slice(0, -1) as Chunk[];
    for (const chunk of chunks) modelApi.assertMatches("/components/schemas/Completion", chunk, "a chunk");
    const ends = chunks.flatMap(({ choices }) => choices).filter((one) => one.finish_reason !== null);
    assert.deepEqual(ends.map(({ index, finish_reason }) => [index, finish_reason]), [[0, "stop"], [1, "stop"]]);
    assert.deepEqual(chunks.at(-1), { ...chunks.at(-1), choices: [], usage: whole.usage });
    assert.ok(chunks.slice(0, -1).every(({ usage }) => usage === null));
  }));

// @row dialects > Completions > `logprobs`
test("log probabilities come in the form of completions", () => {
  const one = (token: string, logprob: number) => ({ token, bytes: [], logprob, raw_logprob: 0, policy_logprob: 0 });
  const more = { raw_entropy: 0, policy_entropy: 0, raw_top1_top2_margin: 0, policy_top1_top2_margin: 0 };
  const content = [
    { ...one("He", -1), top_logprobs: [one("He", -1), one("She", -2)], ...more, region: "visible" as const },
    { ...one("llo", -3), top_logprobs: [], ...more, region: "visible" as const },
  ];
  const logprobs = { content, svc_summary: {} as never, svc_capture_seconds: 0, svc_source: "final_target" as const };
  return withApi({ answer: () => ({ outcome: { logprobs } }) }, async (h) => {
    const { choices } = await (await complete(h, { logprobs: 2 })).json();
    assert.deepEqual(choices[0].logprobs, {
      tokens: ["He", "llo"],
      token_logprobs: [-1, -3],
      top_logprobs: [{ He: -1, She: -2 }, {}],
      text_offset: [0, 2],
    });
    assert.equal(h.chats.get("chat-a")!.calls[0].request.topLogprobs, 2);
    await refusal(await complete(h, { logprobs: 2, stream: true }), 400, "invalid_logprobs");
  });
});

const refused: [Record<string, unknown>, string, string?][] = [
  [{ n: 2 }, "unsupported_parameter", "n"],
  [{ best_of: 2 }, "unsupported_parameter", "best_of"],
  [{ tools: [{}] }, "unsupported_parameter", "tools"],
  [{ messages: [] }, "unsupported_parameter", "messages"],
  [{ reasoning_effort: "low" }, "unsupported_parameter", "reasoning_effort"],
  [{ mirostat: 2 }, "unsupported_parameter", "mirostat"],
  [{ prompt: [] }, "invalid_prompt", "prompt"],
  [{ prompt: [1, "a"] }, "wrong_type", "prompt[1]"],
  [{ prompt: undefined }, "missing_field", "prompt"],
  [{ prompt: [1], suffix: "x" }, "unsupported_parameter", "suffix"],
  [{ logprobs: 6 }, "invalid_logprobs", "logprobs"],
  [{ temperature: 3 }, "invalid_temperature", "temperature"],
  [{ max_tokens: 0 }, "invalid_max_tokens", "max_tokens"],
];
for (const [body, code, param] of refused) {
  // @row dialects > Completions > what would change the answer is refused by name
  test(`a completion with ${JSON.stringify(body)} is refused before it begins`, () =>
    withApi({}, async (h) => {
      const error = await refusal(await complete(h, body), 400, code);
      assert.equal(error.param, param);
      assert.equal(h.starts.length, 0);
    }));
}

test("the document of the model API has every field of a completion", () => {
  const described = Object.keys(modelApi.description["components"]["schemas"]["CompletionRequest"]["properties"]);
  assert.deepEqual(described.sort(), Object.keys(completionEntries).sort());
});

test("the OpenAI client completes text, whole and streamed", () =>
  withApi({}, async (h) => {
    const client = new OpenAI({
      apiKey: "none",
      baseURL: "http://localhost:8080/v1",
      fetch: (url, init) => h.app(new Request(url as string, init as RequestInit), "127.0.0.1"),
    });
    const whole = await client.completions.create({ model: "chat-a", prompt: "Once" });
    let text = "";
    for await (const chunk of await client.completions.create({ model: "chat-a", prompt: "Once", stream: true })) {
      text += chunk.choices[0].text;
    }
    assert.deepEqual([whole.choices[0].text, text], ["Hello there", "Hello there"]);
  }));

// @row model-api > Endpoints > POST `/tokenize`
// @row model-api > Endpoints > POST `/detokenize`
// @row model-api > Endpoints > POST `/apply-template`
// @row dialects > Tokens > the tokens of a text, with the marks of a prompt and with pieces
// @row dialects > Tokens > the text of tokens
test("tokens and prompts are answered while the one slot is taken", async () => {
  const gate = deferred();
  await withApi({ answer: () => ({ hold: { at: "start", until: gate.promise } }) }, async (h) => {
    const running = h.chat();
    await settle();
    const ask = async (path: string, json: unknown) => (await h.call("POST", path, { json })).json();
    assert.deepEqual(await ask("/tokenize", { content: "Hi" }), { tokens: [72, 105] });
    assert.deepEqual(await ask("/tokenize", { model: "chat-a", content: "H", add_special: true }), {
      tokens: [94, 72],
    });
    assert.deepEqual(await ask("/tokenize", { content: "é", with_pieces: true }), {
      tokens: [{ id: 233, piece: "é" }],
    });
    assert.deepEqual(await ask("/detokenize", { tokens: [72, 105] }), { content: "Hi" });
    const messages = [{ role: "system", content: "Be brief" }, { role: "user", content: "Hi" }];
    const { prompt } = await ask("/apply-template", { model: "", messages });
    assert.equal(prompt, "<system>Be brief<user>Hi");
    assert.equal((await h.api.status()).admission.activeRequests, 1);
    gate.resolve();
    await running;
  });
});

test("tokens and prompts load their model, and refuse what chats refuse", () =>
  withApi({}, async (h) => {
    const ask = (path: string, json: unknown) => h.call("POST", path, { json });
    assert.equal((await ask("/tokenize", { content: "Hi", model: "chat-a" })).status, 200);
    assert.deepEqual(h.starts.map(({ id }) => id), ["chat-a"]);
    await refusal(await ask("/tokenize", { content: "Hi", model: "nothing" }), 404, "model_not_found");
    await refusal(await ask("/tokenize", { content: "Hi", model: "embed-a" }), 404, "model_not_found");
    await refusal(await ask("/tokenize", { content: "Hi", parse_special: false }), 400, "unsupported_parameter");
    await refusal(await ask("/tokenize", {}), 400, "missing_field");
    await refusal(await ask("/detokenize", { tokens: [-1] }), 400, "invalid_tokens");
    await refusal(await ask("/apply-template", { model: "", messages: [] }), 400, "invalid_messages");
    const odd = await ask("/detokenize", { tokens: [72], extra: 1 });
    assert.equal(odd.headers.get("x-svc-warning"), 'Ignored the unknown field "extra"');
  }));

test("a model that is unloaded while it turns a text into tokens is loaded again", () =>
  withApi({}, async (h) => {
    const ask = () => h.call("POST", "/tokenize", { json: { content: "Hi" } });
    await ask();
    h.chats.get("chat-a")!.crash();
    await settle();
    assert.equal((await ask()).status, 200);
    assert.equal(h.starts.length, 2);
  }));
