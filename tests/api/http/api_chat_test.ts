import assert from "node:assert/strict";
import { test } from "node:test";
import type { WireLogprobs } from "../../../lib/protocol/mod.ts";
import { chatProfile, installed } from "../../support/fake_catalog.ts";
import { type ApiHarnessOptions, framesOf, refusal, withApi } from "../../support/api_harness.ts";
import { settle } from "../../support/fake_clock.ts";
import { deferred } from "../../support/world_harness.ts";
import { invalidRequest, SvcError } from "../../../lib/errors/svc_error.ts";

// @row model-api > Endpoints > POST `/v1/chat/completions`
// @row model-api > Rules of the model API > A whole chat has an ordinary status and headers
// @row model-api > Rules of the model API > `cached_tokens` in the usage
test("POST /v1/chat/completions answers whole, with usage and times", () =>
  withApi({}, async (h) => {
    const response = await h.chat();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    const { id, created, ...answer } = await response.json();
    assert.match(id, /^chatcmpl-[0-9a-f]{8}$/);
    assert.equal(created, Date.UTC(2026, 0, 1) / 1000);
    assert.deepEqual(answer, {
      object: "chat.completion",
      model: "chat-a",
      choices: [{
        index: 0,
        message: { role: "assistant", content: "Hello there" },
        finish_reason: "stop",
        logprobs: null,
      }],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 2,
        total_tokens: 9,
        prompt_tokens_details: { cached_tokens: 3 },
      },
    });
    const headers = Object.fromEntries([...response.headers].filter(([name]) => /^x-svc-|^server-/.test(name)));
    assert.deepEqual(headers, {
      "server-timing": "model_load;dur=0.000, prefill;dur=500.000, decode;dur=250.000, ttft;dur=625.000",
      "x-svc-prompt-tokens": "7",
      "x-svc-cached-tokens": "3",
      "x-svc-generated-tokens": "2",
      "x-svc-prefill-tokens-per-second": "8.000",
      "x-svc-decode-tokens-per-second": "8.000",
    });
  }));

test("a chat that had to load its model reports how long that took", () =>
  withApi({}, async (h) => {
    const gate = deferred();
    h.startGate = gate.promise;
    const answer = h.chat();
    await settle();
    await h.clock.advance(2);
    gate.resolve();
    assert.match((await answer).headers.get("server-timing") ?? "", /^model_load;dur=2000.000.*ttft;dur=2625.000$/);
    const warm = (await h.chat()).headers.get("server-timing") ?? "";
    assert.match(warm, /^model_load;dur=0.000.*ttft;dur=625.000$/);
  }));

// @row model-api > Chat request > `stream_options`
// @row model-api > Chat rules > 12: streams send assistant content only
// @row model-api > Chat rules > 12: a usage chunk before `[DONE]`
// @row model-api > Events > Data frames, comments, the usage chunk, `[DONE]`
test("a stream begins with the role, then text, a reason, the usage when it is asked for, and [DONE]", () =>
  withApi({}, async (h) => {
    for (const usage of [true, false]) {
      const response = await h.chat({ stream: true, stream_options: { include_usage: usage } });
      assert.equal(response.headers.get("content-type"), "text/event-stream");
      assert.equal(response.headers.get("cache-control"), "no-store");
      const frames = await framesOf(response) as { choices: unknown[]; usage?: unknown }[];
      const last = frames.splice(usage ? -2 : -1);
      assert.equal(last.at(-1), "[DONE]");
      const step = (delta: unknown, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }];
      assert.deepEqual(frames.map(({ choices }) => choices), [
        step({ role: "assistant", content: "" }),
        step({ content: "Hello" }),
        step({ content: " there" }),
        step({}, "stop"),
      ]);
      if (!usage) continue;
      assert.ok(frames.every((frame) => frame.usage === null));
      const { choices, usage: told } = last[0] as unknown as Record<string, unknown>;
      assert.deepEqual([choices, (told as { total_tokens: number }).total_tokens], [[], 9]);
    }
  }));

const call = { id: "call_0_abc", type: "function", function: { name: "f", arguments: "{}" } } as const;
const toolAnswer = {
  rest: "",
  restReasoning: "why",
  message: { role: "assistant", content: "", reasoning_content: "why", tool_calls: [call] },
  finishReason: "tool_calls",
} as const;
const tools = [{ type: "function", function: { name: "f" } }];

// @row model-api > Chat rules > 5: streams with tools are held back
test("rule 5: a stream with tools sends all at once: reasoning and calls in one chunk", () =>
  withApi({ answer: () => ({ outcome: { answer: toolAnswer } }) }, async (h) => {
    const frames = await framesOf(await h.chat({ stream: true, tools })) as { choices: { delta: unknown }[] }[];
    assert.deepEqual(frames.slice(0, -1).map(({ choices }) => choices[0].delta), [
      { role: "assistant", content: "" },
      { reasoning_content: "why", tool_calls: [{ index: 0, ...call }] },
      {},
    ]);
    const whole = await (await h.chat({ tools })).json();
    assert.deepEqual([whole.choices[0].message, whole.choices[0].finish_reason], [toolAnswer.message, "tool_calls"]);
  }));

test("what was left out of an answer is named in x-svc-warning, in an open stream in a comment", () => {
  const answer = {
    rest: "",
    restReasoning: undefined,
    message: { role: "assistant", content: "" },
    finishReason: "length",
    warnings: ["Left out a call of the answer that was cut off or could not be read"],
  } as const;
  return withApi({ answer: () => ({ pieces: ["Hm"], outcome: { answer } }) }, async (h) => {
    const whole = await h.chat({ tools });
    assert.equal(whole.headers.get("x-svc-warning"), answer.warnings[0]);
    assert.equal((await whole.json()).choices[0].finish_reason, "length");
    const streamed = await h.chat({ tools, stream: true });
    assert.equal(streamed.headers.get("x-svc-warning"), answer.warnings[0]);
    assert.ok(!(await streamed.text()).includes(answer.warnings[0]));
    const open = await h.chat({ stream: true });
    assert.equal(open.headers.get("x-svc-warning"), null);
    assert.ok((await open.text()).includes(`: ${answer.warnings[0]}\n\ndata: `));
  });
});

test("arguments and schemas come to the engine as written in the body", () =>
  withApi({}, async (h) => {
    const text = '{"id": 9007199254740993, "10": 1.0, "2": "\\u00e9"}';
    const send = (given: string) =>
      h.call("POST", "/v1/chat/completions", {
        headers: { "content-type": "application/json" },
        body: `{"model": "chat-a", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": [
          {"id": "c", "type": "function", "function": {"name": "f", "arguments": ${given}}}]},
          {"role": "tool", "tool_call_id": "c", "content": "no"}],
          "tools": [{"type": "function", "function": {"name": "f", "parameters": {"maximum": 9007199254740993, "1": 1.0}}}]}`,
      });
    for (
      const [given, expected] of [
        [JSON.stringify(text), text],
        ['{"id": 9007199254740993, "1": 1.0}', '{"id":9007199254740993,"1":1.0}'],
        ['""', "{}"],
        ['"null"', "{}"],
        ["null", "{}"],
        ['"{\\"city\\": \\"Par"', '{"city": "Par'],
      ]
    ) {
      const response = await send(given);
      assert.equal(response.status, 200, await response.text());
      const isForeign = expected.startsWith('{"city');
      assert.equal(/as a text/.test(response.headers.get("x-svc-warning") ?? ""), isForeign, given);
      const { request } = h.chats.get("chat-a")!.calls.at(-1)!;
      const [, message] = request.messages;
      assert.equal(message.role === "assistant" && message.toolCalls[0].arguments, expected);
      assert.equal(request.tools[0].parametersText, '{"maximum":9007199254740993,"1":1.0}');
    }
  }));

// @row model-api > Engine behavior > 6: error paths are sanitized
// @row model-api > Rules of the model API > Too long a prompt: 400 `context_length_exceeded`, never truncated
test("what fails before the first token has its own status, streamed or not", async () => {
  const failures: [error: unknown, status: number, code: string][] = [
    [
      invalidRequest("context_length_exceeded", "Cannot: 9 tokens, expected 8", "messages"),
      400,
      "context_length_exceeded",
    ],
    [new SvcError("invalid_output", "Cannot"), 500, "invalid_output"],
    [new Error("/secret/path"), 500, "internal_error"],
  ];
  for (const [error, status, code] of failures) {
    for (const stream of [true, false]) {
      const options: ApiHarnessOptions = { answer: () => ({ failure: { at: "start", error } }) };
      await withApi(options, async (h) => {
        const response = await h.chat({ stream });
        assert.equal(response.headers.get("content-type"), "application/json");
        const { message } = await refusal(response, status, code);
        assert.doesNotMatch(message, /secret/);
        assert.deepEqual(h.errors.map((e) => e.error), code === "internal_error" ? [error] : []);
      });
    }
  }
});

// @row model-api > Engine behavior > 6: error paths are sanitized
// @row model-api > Rules of the model API > An error after the start of a stream is one frame, no `[DONE]`
test("what fails after the start of a stream is its last frame, and no [DONE] follows", async () => {
  for (const [error, code] of [[new Error("/secret"), "internal_error"], [crash(), "engine_crashed"]] as const) {
    await withApi({ answer: () => ({ failure: { at: "end", error } }) }, async (h) => {
      const response = await h.chat({ stream: true });
      assert.equal(response.status, 200);
      const frames = await framesOf(response) as Record<string, Record<string, unknown>>[];
      assert.deepEqual(frames.map((frame) => Object.keys(frame)[0]), ["id", "id", "id", "error"]);
      assert.deepEqual([frames.at(-1)?.error.type, frames.at(-1)?.error.code], ["server_error", code]);
      assert.doesNotMatch(JSON.stringify(frames), /secret/);
      assert.deepEqual(h.errors.map(({ id }) => id), [response.headers.get("x-request-id")]);
    });
  }
});

function crash(): SvcError {
  return new SvcError("engine_crashed", "Cannot finish the request: the engine has crashed", {
    cause: new Error("/secret"),
  });
}

// @row model-api > Chat rules > 12: keepalive comments
// @row model-api > Events > Data frames, comments, the usage chunk, `[DONE]`
test("a stream that waits for 15 s, whatever for, begins with a keepalive and has one every 15 s", async () => {
  const hold = deferred();
  const gate = deferred();
  await withApi({ answer: () => ({ hold: { at: "start", until: hold.promise } }) }, async (h) => {
    h.startGate = gate.promise;
    const waits = [h.chat({ stream: true }), h.chat({ stream: true })]; // one for its model, one for its turn
    await settle();
    await h.clock.advance(14.9);
    assert.equal(h.answers.length, 0);
    await h.clock.advance(0.1);
    const [loading, queued] = await Promise.all(waits);
    assert.deepEqual([loading.status, queued.status], [200, 200]);
    gate.resolve();
    await settle();
    await h.clock.advance(30);
    hold.resolve();
    const frames = await framesOf(loading);
    assert.deepEqual(frames.slice(0, 3), Array(3).fill(": keepalive"));
    assert.deepEqual((frames[3] as { choices: { delta: unknown }[] }).choices[0].delta, {
      role: "assistant",
      content: "",
    });
    assert.equal(frames.at(-1), "[DONE]");
    assert.equal((await framesOf(queued)).at(-1), "[DONE]");
    assert.equal(h.clock.pending, 0);
  });
});

// @row model-api > Rules of the model API > An error after the start of a stream is one frame, no `[DONE]`
test("a stream that has begun waiting reports later failures as a frame", async () => {
  await withApi({}, async (h) => {
    const gate = deferred();
    h.startGate = gate.promise;
    h.startFailure = new Error("/secret");
    const answer = h.chat({ stream: true });
    await settle();
    await h.clock.advance(15);
    gate.resolve();
    const frames = await framesOf(await answer) as Record<string, Record<string, unknown>>[];
    assert.equal(frames.length, 2);
    assert.deepEqual([frames[1].error.type, frames[1].error.code], ["model_unavailable_error", "model_unavailable"]);
  });
});

test("a client that stops reading ends the chat and frees its slot", async () => {
  const hold = deferred();
  await withApi({ answer: () => ({ hold: { at: "end", until: hold.promise } }) }, async (h) => {
    const response = await h.chat({ stream: true });
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await settle();
    await settle();
    const { admission } = await h.api.status();
    assert.deepEqual([admission.activeRequests, admission.totalCancelledRequests], [0, 1]);
    assert.equal(h.clock.pending, 0);
    assert.deepEqual(h.errors, []);
  });
});

test("a client that disconnects before the answer gets none, and the log has no error", async () => {
  const hold = deferred();
  await withApi({ answer: () => ({ hold: { at: "start", until: hold.promise } }) }, async (h) => {
    for (const stream of [true, false]) {
      const client = new AbortController();
      const answer = h.chat({ stream }, { signal: client.signal });
      await settle();
      client.abort();
      await refusal(await answer, 499, "client_disconnected");
    }
    assert.deepEqual(h.errors, []);
    assert.equal((await h.api.status()).admission.totalCancelledRequests, 2);
    assert.equal((await h.api.status()).benchmarkStats.failedRequests, 0);
  });
});

const diffusion = {
  seed: 5,
  canvasTokens: 64,
  denoisingSteps: 8,
  workTokens: 512,
  canvasTokensPerSecond: 10,
  workTokensPerSecond: 80.5,
  firstDraftSeconds: 0.125,
};
const diffusionModel = installed(
  "diffuse",
  "chat.completions",
  chatProfile({ engine: "onnx-diffusion", maxOutputTokens: 256, features: ["tools", "stop", "seed", "drafts"] }),
);
const draft = { text: "H_llo", step: 1, total_steps: 8, canvas_index: 0, block_complete: false };

// @row model-api > Chat rules > 11: diffusion: 256 tokens, seed, drafts, diagnostics, headers
test("rule 11: a diffusion-style model reports its run in headers and in svc_diffusion", () =>
  withApi({ models: [diffusionModel], answer: () => ({ outcome: { diffusion } }) }, async (h) => {
    for (const stream of [false, true]) {
      const response = await h.chat({ model: "diffuse", seed: 5, stream });
      const headers = Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("x-svc-diffusion")));
      assert.deepEqual(headers, {
        "x-svc-diffusion-seed": "5",
        "x-svc-diffusion-canvas-tokens": "64",
        "x-svc-diffusion-denoising-steps": "8",
        "x-svc-diffusion-work-tokens": "512",
        "x-svc-diffusion-work-tokens-per-second": "80.500",
        "x-svc-diffusion-first-draft-seconds": "0.125",
      });
      const told = stream ? (await framesOf(response)).at(-2) : await response.json();
      assert.deepEqual(told.svc_diffusion, diffusion);
    }
  }));

// @row model-api > Chat request > `svc_show_unmasking`
// @row model-api > Chat rules > 11: diffusion: 256 tokens, seed, drafts, diagnostics, headers
test("rule 11: with svc_show_unmasking drafts come as they are made, the text after them", () =>
  withApi({ models: [diffusionModel], answer: () => ({ drafts: [draft], outcome: { diffusion } }) }, async (h) => {
    const response = await h.chat({ model: "diffuse", stream: true, svc_show_unmasking: true });
    const frames = await framesOf(response) as { choices: { delta: unknown }[]; svc_diffusion?: unknown }[];
    assert.deepEqual(frames.slice(0, 4).map(({ choices }) => choices[0].delta), [
      { role: "assistant", content: "" },
      { svc_diffusion_draft: draft },
      { content: "Hello" },
      { content: " there" },
    ]);
    assert.deepEqual(frames.at(-2)?.svc_diffusion, diffusion);
    await refusal(
      await h.chat({ model: "diffuse", svc_show_unmasking: true }),
      400,
      "invalid_svc_show_unmasking",
    );
  }));

// @row model-api > Chat rules > 11: diffusion: 256 tokens, seed, drafts, diagnostics, headers
test("rule 11: a diffusion-style model generates 256 tokens at most", async () => {
  const gate = deferred();
  const options: ApiHarnessOptions = {
    models: [diffusionModel],
    answer: () => ({ hold: { at: "start", until: gate.promise } }),
    maxActiveRequests: 4,
  };
  await withApi(options, async (h) => {
    const asked = [undefined, 255, 256, 257].map((max_tokens) => h.chat({ model: "diffuse", max_tokens }));
    await settle();
    const { activeRequestDetails } = (await h.api.status()).admission;
    assert.deepEqual(activeRequestDetails.map((one) => one.requestedMaxTokens), [256, 255, 256, 256]);
    gate.resolve();
    await Promise.all(asked);
  });
});

// @row model-api > Chat rules > 8: log probabilities without stream, with extension fields
test("log probabilities of the engine are in the choice", () => {
  const token = { token: "H", bytes: [72], logprob: -1, raw_logprob: -1, policy_logprob: -0.5 };
  const entropy = { raw_entropy: 2, policy_entropy: 1, raw_top1_top2_margin: 0.1, policy_top1_top2_margin: 0.2 };
  const logprobs: WireLogprobs = {
    content: [{ ...token, top_logprobs: [token], ...entropy, region: "visible" }],
    svc_summary: {
      tokenCount: 1,
      meanRawLogprob: -1,
      minimumRawLogprob: -1,
      meanPolicyLogprob: -0.5,
      minimumPolicyLogprob: -0.5,
      meanRawEntropy: 2,
      meanPolicyEntropy: 1,
      meanRawTop1Top2Margin: 0.1,
      meanPolicyTop1Top2Margin: 0.2,
    },
    svc_capture_seconds: 0.001,
    svc_source: "final_target",
  };
  return withApi({ answer: () => ({ outcome: { logprobs } }) }, async (h) => {
    const { choices } = await (await h.chat({ logprobs: true, top_logprobs: 2 })).json();
    assert.deepEqual(choices[0].logprobs, logprobs);
    assert.equal(h.chats.get("chat-a")?.calls[0]?.request.topLogprobs, 2);
  });
});

// @row model-api > Chat request > `metadata`, `user`, `service_tier`, `safety_identifier`, `prompt_cache_key`: no effect
// @row model-api > Rules of the model API > Unknown fields: refused where they would change the output, else named in `x-svc-warning`
test("fields without effect are named in x-svc-warning, those of real clients are not", () =>
  withApi({}, async (h) => {
    const known = { metadata: { a: "b" }, user: "u", service_tier: "auto", safety_identifier: "s", store: false };
    const quiet = await h.chat({ ...known, prompt_cache_key: "k" });
    assert.equal(quiet.headers.get("x-svc-warning"), null);
    for (const stream of [true, false]) {
      const response = await h.chat({ stream, temprature: 1, "caché": 2 });
      assert.equal(
        response.headers.get("x-svc-warning"),
        'Ignored the unknown field "temprature", did you mean "temperature"?, ' +
          'Ignored the unknown field "cach\\u00e9"',
      );
      await response.body?.cancel();
    }
  }));

// @row model-api > Options > `--max-active-requests`, 1 by default
// @row model-api > Engine behavior > 1: one fair line for requests, loads and unloads
test("queued chats are answered in the order in which they came", async () => {
  const gate = deferred();
  const order: string[] = [];
  const answer: ApiHarnessOptions["answer"] = (request) => {
    order.push(request.messages[0].content as string);
    return { hold: { at: "start", until: gate.promise } };
  };
  await withApi({ answer }, async (h) => {
    const ask = (content: string) => h.chat({ messages: [{ role: "user", content }] });
    const answers = ["1", "2", "3", "4"].map(ask);
    await settle();
    assert.deepEqual(order, ["1"]);
    assert.deepEqual((await h.api.status()).admission.queuedRequests, 3);
    gate.resolve();
    for (const one of answers) assert.equal((await one).status, 200);
    assert.deepEqual(order, ["1", "2", "3", "4"]);
    assert.equal(h.chats.get("chat-a")?.maxActive, 1);
  });
});

// @row model-api > Options > `--max-active-requests`, 1 by default
test("--max-active-requests chats are answered at a time", async () => {
  const gate = deferred();
  await withApi(
    { maxActiveRequests: 3, answer: () => ({ hold: { at: "start", until: gate.promise } }) },
    async (h) => {
      const answers = Array.from({ length: 5 }, () => h.chat());
      await settle();
      await settle();
      assert.equal(h.chats.get("chat-a")?.active, 3);
      gate.resolve();
      for (const one of answers) assert.equal((await one).status, 200);
      assert.equal(h.chats.get("chat-a")?.maxActive, 3);
      assert.equal(h.starts.length, 1);
    },
  );
});

// @row model-api > Errors > a full line: 429
test("a full queue is 429 with Retry-After", async () => {
  const gate = deferred();
  await withApi(
    { maxQueuedRequests: 1, answer: () => ({ hold: { at: "start", until: gate.promise } }) },
    async (h) => {
      const answers = [h.chat(), h.chat()];
      await settle();
      const response = await h.chat({ stream: true });
      assert.equal(response.headers.get("retry-after"), "5");
      await refusal(response, 429, "queue_full");
      gate.resolve();
      await Promise.all(answers);
    },
  );
});

// @row model-api > Errors > no headroom for a load: memory pressure
test("a model that does not fit into memory is 503 with what is missing", () =>
  withApi({}, async (h) => {
    h.usedGib = 99;
    const response = await h.chat({ stream: true });
    assert.equal(response.headers.get("retry-after"), "15");
    const { message, type } = await refusal(response, 503, "memory_pressure");
    assert.equal(type, "memory_pressure_error");
    assert.match(message, /\d+(\.\d+)? [GM]iB/);
  }));

// @row model-api > Errors > an engine that does not start or crashes
test("an engine that does not start is 503, one that crashes 500, and the next chat starts another", () =>
  withApi({ answer: () => ({ hold: { at: "end", until: new Promise(() => {}) } }) }, async (h) => {
    h.startFailure = new Error("Cannot open /secret place/of/model.onnx: it is broken, expected a graph");
    const { message } = await refusal(await h.chat(), 503, "model_unavailable");
    const reason = "Cannot open model.onnx: it is broken, expected a graph";
    assert.equal(message, `Cannot load model chat-a: ${reason}; the server's log has more`);
    assert.equal((h.errors[0].error as Error).cause, h.startFailure);
    h.startFailure = undefined;
    const answer = h.chat();
    await settle();
    h.chats.get("chat-a")?.crash();
    await refusal(await answer, 500, "engine_crashed");
    const next = h.chat({ stream: true });
    assert.equal((await next).status, 200);
    await (await next).body?.cancel();
    assert.equal(h.starts.length, 3);
  }));

// @row model-api > Errors > a server that stops: 503
test("a server that stops refuses what comes, and ends what is at work after its deadline", async () => {
  await withApi({ answer: () => ({ hold: { at: "end", until: new Promise(() => {}) } }) }, async (h) => {
    const running = await h.chat({ stream: true });
    const deadline = new AbortController();
    const closed = h.api.close(deadline.signal);
    await refusal(await h.chat(), 503, "server_stopping");
    deadline.abort();
    await closed;
    const frames = await framesOf(running) as Record<string, Record<string, unknown>>[];
    assert.equal(frames.at(-1)?.error.code, "server_stopping");
  });
});
