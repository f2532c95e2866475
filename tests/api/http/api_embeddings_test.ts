import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiHarness, type CallInit, refusal, withApi } from "../../support/api_harness.ts";
import { installed, usualModels } from "../../support/fake_catalog.ts";
import { invalidRequest, SvcError } from "../../../lib/errors/svc_error.ts";

const embed = (h: ApiHarness, body: Record<string, unknown>, init: CallInit = {}) =>
  h.call("POST", "/v1/embeddings", { ...init, json: { model: "embed", ...body } });
const rerank = (h: ApiHarness, body: Record<string, unknown>) =>
  h.call("POST", "/v1/rerank", { json: { model: "rank", query: "q", ...body } });

// @row model-api > Endpoints > POST `/v1/embeddings`
// @row model-api > Embeddings request > `input`: a string or an array of strings
// @row model-api > Embeddings request > `user`: no effect
// @row model-api > Embeddings request > Reply: `list`, input order, usage
test("POST /v1/embeddings answers with one vector a text, in the order of the texts", () =>
  withApi({}, async (h) => {
    const response = await embed(h, { input: ["aaa", "", "bb"], user: "me", encoding_format: "float" });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("x-svc-warning"), null);
    assert.deepEqual(await response.json(), {
      object: "list",
      model: "embed",
      data: [
        { object: "embedding", index: 0, embedding: [3, 0.5, -1] },
        { object: "embedding", index: 1, embedding: [0, 0.5, -1] },
        { object: "embedding", index: 2, embedding: [2, 0.5, -1] },
      ],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    const single = await (await embed(h, { input: "four", encoding_format: null })).json();
    assert.deepEqual([single.data.length, single.data[0].embedding[0]], [1, 4]);
  }));

// @row model-api > Limits > 256 texts
test("embeddings: at most 256 texts", () =>
  withApi({}, async (h) => {
    for (const count of [1, 255, 256]) {
      const { data } = await (await embed(h, { input: Array(count).fill("x") })).json();
      assert.equal(data.length, count);
    }
    for (const count of [0, 257]) {
      const { param } = await refusal(await embed(h, { input: Array(count).fill("x") }), 400, "invalid_input");
      assert.equal(param, "input");
    }
  }));

// @row model-api > Limits > 2 MiB of UTF-8
test("embeddings: at most 2 MiB of UTF-8, counted over all texts", () =>
  withApi({}, async (h) => {
    const max = 2 * 2 ** 20;
    const texts = (bytes: number): string[] => ["é€😀", "x".repeat(bytes - 9)]; // 2 + 3 + 4 bytes
    assert.equal((await embed(h, { input: texts(max) })).status, 200);
    const { message } = await refusal(await embed(h, { input: texts(max + 1) }), 400, "invalid_input");
    assert.match(message, /2097153.*2097152/);
  }));

const wrong: [what: string, body: Record<string, unknown>, code: string, param: string][] = [
  ["no input", { input: undefined }, "missing_field", "input"],
  ["tokens for a text", { input: [1, 2] }, "wrong_type", "input[0]"],
  ["a number for texts", { input: 7 }, "wrong_type", "input"],
  ["null for texts", { input: null }, "wrong_type", "input"],
  ["no model", { model: undefined, input: "x" }, "missing_field", "model"],
  ["an empty model", { model: " ", input: "x" }, "invalid_model", "model"],
  ["base64", { input: "x", encoding_format: "base64" }, "unsupported_parameter", "encoding_format"],
  ["an unknown encoding", { input: "x", encoding_format: 7 }, "unsupported_parameter", "encoding_format"],
  ["other dimensions", { input: "x", dimensions: 64 }, "unsupported_parameter", "dimensions"],
  ["truncation", { input: "x", truncate: "END" }, "unsupported_parameter", "truncate"],
  ["a kind of input", { input: "x", input_type: "query" }, "unsupported_parameter", "input_type"],
  ["an unknown kind of input", { input: "x", input_type: "poem" }, "invalid_input_type", "input_type"],
  ["a prompt that the model lacks", { input: "x", prompt_name: "query" }, "unsupported_parameter", "prompt_name"],
  ["normalisation", { input: "x", normalized: false }, "unsupported_parameter", "normalized"],
  ["a user that is not a string", { input: "x", user: 7 }, "wrong_type", "user"],
];
for (const [what, body, code, param] of wrong) {
  // @row model-api > Embeddings request > `input`: a string or an array of strings => tokens for a text
  // @row model-api > Embeddings request > `encoding_format`: omitted or `float` => base64
  // @row model-api > Embeddings request > Dimension overrides are refused => other dimensions
  // @row model-api > Errors > dimensions or base64 on embeddings: `invalid_request_error` => other dimensions
  // @row model-api > Errors > dimensions or base64 on embeddings: `invalid_request_error` => base64
  test(`embeddings: ${what} is refused with the field`, () =>
    withApi({}, async (h) => {
      const error = await refusal(await embed(h, body), 400, code);
      assert.deepEqual([error.type, error.param], ["invalid_request_error", param]);
      assert.equal(h.starts.length, 0);
    }));
}

// @row model-api > Rules of the model API > Unknown fields: refused where they would change the output, else named in `x-svc-warning`
test("embeddings: a field without effect is named in x-svc-warning, a neutral one is not", () =>
  withApi({}, async (h) => {
    const response = await embed(h, { input: "x", encodingformat: "float", truncate: false, dimensions: null });
    const expected = 'Ignored the unknown field "encodingformat", did you mean "encoding_format"?';
    assert.equal(response.headers.get("x-svc-warning"), expected);
  }));

// @row model-api > Rules of the model API > Too long a prompt: 400 `context_length_exceeded`, never truncated
test("embeddings: a text that is too long is 400 with both numbers", () =>
  withApi({}, async (h) => {
    await embed(h, { input: "x" });
    const message = "Cannot embed the texts: text 1 has 8193 tokens, expected at most 8192";
    const engine = h.sidecars.get("embed")!;
    engine.failure = invalidRequest("context_length_exceeded", message, "input[1]");
    const error = await refusal(await embed(h, { input: "x" }), 400, "context_length_exceeded");
    assert.deepEqual([error.message, error.param], [message, "input[1]"]);
  }));

test("NaN and infinity in results are 500 and never null", () =>
  withApi({}, async (h) => {
    await refusal(await embed(h, { input: ["x", "NaN"] }), 500, "invalid_output");
    await refusal(await rerank(h, { documents: ["0", "NaN"] }), 500, "invalid_output");
  }));

// @row model-api > Embeddings request > `model`: an id or a path
test("embeddings: models are named by id, alias or path; others are refused", () => {
  const local = installed("local", "embeddings", usualModels()[2].profile, { folder: "/models/local" });
  const openLocalModel = (path: string) =>
    path === "./local"
      ? Promise.resolve(local)
      : path === "./chat"
      ? Promise.resolve(usualModels()[0])
      : Promise.reject(new SvcError("unsuitable_files", `Cannot serve ${path}: there is nothing`));
  return withApi({ openLocalModel }, async (h) => {
    h.catalog.stored.set("embed", { pinned: false, alias: "Vectors" });
    for (const model of ["embed", "EMBED", "vectors", " embed "]) {
      assert.equal((await (await embed(h, { model, input: "x" })).json()).model, "embed");
    }
    assert.equal((await (await embed(h, { model: "./local", input: "x" })).json()).model, "/models/local");
    await refusal(await embed(h, { model: "./chat", input: "x" }), 400, "wrong_model_task");
    assert.equal((await refusal(await embed(h, { model: "/x", input: "x" }), 400, "unsuitable_files")).param, "model");
    await refusal(await embed(h, { model: "chat-a", input: "x" }), 400, "wrong_model_task");
    const { message } = await refusal(await embed(h, { model: "e5", input: "x" }), 404, "model_not_found");
    assert.match(message, /svc model pull <id>/);
  });
});

// @row model-api > Endpoints > POST `/v1/rerank`
// @row model-api > Rerank request > `model`, `query`, `documents`
test("POST /v1/rerank ranks the best first, ties in input order", () =>
  withApi({}, async (h) => {
    const response = await rerank(h, { documents: ["0.25", { text: "0.75" }, "0.25", "0.5"] });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      object: "list",
      model: "rank",
      results: [
        { index: 1, relevance_score: 0.75 },
        { index: 3, relevance_score: 0.5 },
        { index: 0, relevance_score: 0.25 },
        { index: 2, relevance_score: 0.25 },
      ],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
  }));

// @row model-api > Rerank request > `top_n`, `return_documents`
test("rerank: top_n cuts the list, return_documents adds the texts", () =>
  withApi({}, async (h) => {
    const documents = ["0.25", { text: "0.75" }];
    const top = await (await rerank(h, { documents, top_n: 1, return_documents: true })).json();
    assert.deepEqual(top.results, [{ index: 1, relevance_score: 0.75, document: { text: "0.75" } }]);
    assert.equal((await (await rerank(h, { documents, top_n: 9 })).json()).results.length, 2);
  }));

// @row model-api > Rerank request > `model`, `query`, `documents`
// @row model-api > Rerank request > `user`: no effect
test("rerank: limits and fields are checked as for embeddings", () =>
  withApi({}, async (h) => {
    const max = 2 * 2 ** 20;
    assert.equal((await rerank(h, { documents: Array(256).fill("0") })).status, 200);
    assert.equal((await rerank(h, { documents: ["0".repeat(max - 1)] })).status, 200);
    const cases: [Record<string, unknown>, string, string][] = [
      [{ documents: Array(257).fill("0") }, "invalid_documents", "documents"],
      [{ documents: [] }, "invalid_documents", "documents"],
      [{ documents: ["0".repeat(max)] }, "invalid_documents", "documents"],
      [{ documents: [7] }, "wrong_type", "documents[0]"],
      [{ documents: [{ title: "x" }] }, "missing_field", "documents[0].text"],
      [{ documents: ["0"], query: "" }, "invalid_query", "query"],
      [{ documents: ["0"], top_n: 0 }, "invalid_top_n", "top_n"],
      [{ documents: ["0"], top_n: 1.5 }, "invalid_top_n", "top_n"],
      [{ documents: ["0"], max_chunks_per_doc: 2 }, "unsupported_parameter", "max_chunks_per_doc"],
      [{ documents: ["0"], model: "embed" }, "wrong_model_task", "model"],
    ];
    for (const [body, code, param] of cases) {
      assert.equal((await refusal(await rerank(h, body), 400, code)).param, param);
    }
    await refusal(await rerank(h, { documents: ["0"], model: "other" }), 404, "model_not_found");
  }));

// @row model-api > States > one lane for each kind of sidecar
test("embedding and reranking in turn keeps both models loaded", () =>
  withApi({}, async (h) => {
    for (let i = 0; i < 3; i++) {
      await embed(h, { input: "x" });
      await rerank(h, { documents: ["0"] });
    }
    assert.deepEqual(h.starts.map(({ id }) => id), ["embed", "rank"]);
    const { sidecars } = await h.api.status();
    assert.deepEqual(sidecars.residents.filter(({ loaded }) => loaded).map(({ modelID }) => modelID), [
      "embed",
      "rank",
    ]);
  }));

test("rerank: members of documents are named by their path, those that would change the ranking are refused", () =>
  withApi({}, async (h) => {
    const response = await rerank(h, { documents: ["0", { text: "1", title: "t" }, { text: "0.5", id: 7 }] });
    assert.equal(
      response.headers.get("x-svc-warning"),
      'Ignored the unknown field "documents[1].title", Ignored the unknown field "documents[2].id"',
    );
    const pictured = await rerank(h, { documents: ["0", { text: "1", image: "a.png" }] });
    assert.equal((await refusal(pictured, 400, "unsupported_parameter")).param, "documents[1].image");
  }));

test("embeddings: an error about a text has the path that it has in the request, with an index in lists only", () =>
  withApi({}, async (h) => {
    const long = invalidRequest("context_length_exceeded", "Cannot embed input[0]: it has 9 tokens", "input[0]");
    await embed(h, { input: "x" });
    const engine = h.sidecars.get("embed")!;
    engine.failure = long;
    const alone = await refusal(await embed(h, { input: "a" }), 400, "context_length_exceeded");
    assert.deepEqual([alone.param, alone.message], ["input", "Cannot embed input: it has 9 tokens"]);
    engine.failure = long;
    const listed = await refusal(await embed(h, { input: ["a"] }), 400, "context_length_exceeded");
    assert.equal(listed.param, "input[0]");
  }));
