import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packedApiOpenApi } from "../../lib/api/http/api_openapi.generated.ts";
import { unpackText } from "../../lib/http/packed_text.ts";
import { withApiProcess } from "../support/api_process.ts";
import { DescribedApi } from "../support/described_api.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installTinyModels } from "../support/tiny_store.ts";
import { picture } from "../support/vision_uploads.ts";

const WARNING = /^tiny-[a-z0-9-]+ is a test model: its weights are random or scripted, its answers mean nothing$/;

// @row model-api > Model list entry > `test` of models for tests
test("models for tests are marked in lists and answers, and stand in where the published one is missing", () =>
  withApiProcess(
    { models: ["tiny-chat", "tiny-embed", "tiny-vision-geometry-moge2-small"], test: true },
    async (server) => {
      const { home, url } = server;
      const described = new DescribedApi(await unpackText(packedApiOpenApi));
      const list = await server.get("/v1/models");
      assert.ok(described.matchesComponent("ModelList", list));
      const listed: { id: string; test?: true }[] = list.data;
      assert.deepEqual(listed.map(({ test }) => test === true), listed.map(({ id }) => id.startsWith("tiny-")));
      const messages = [{ role: "user", content: "hi" }];
      const requests: readonly (readonly [path: string, body: object])[] = [
        ["/v1/chat/completions", { model: "tiny-chat", messages }],
        ["/v1/chat/completions", { model: "tiny-chat", messages, stream: true }],
        ["/v1/completions", { model: "tiny-chat", prompt: ["a", "b"], max_tokens: 2 }],
        ["/v1/responses", { model: "tiny-chat", input: "hi" }],
        ["/v1/messages", { model: "tiny-chat", messages, max_tokens: 9 }],
        ["/v1/embeddings", { model: "tiny-embed", input: "hi" }],
      ];
      for (const [path, body] of requests) {
        const answer = await server.post(path, body);
        assert.match(answer.headers.get("x-svc-warning") ?? "", WARNING, path);
        await answer.body?.cancel();
      }

      const file = join(home, "a.png");
      writeFileSync(file, new Uint8Array(await (await picture(40, 30, 3)).arrayBuffer()));
      const words = ["vision", "geometry", file, "--token-count", "6"];
      const found = await runSvc(home, [...words, "-o", join(home, "found"), "--url", url]);
      assert.deepEqual([found.status, found.stderr.match(/is a test model/g)?.length], [0, 1], found.stderr);
      const page = readFileSync(join(home, "found", "index.html"), "utf8");
      assert.match(page, /Made by tiny-vision-geometry-moge2-small, a test model: this is noise/);
      const table = (await runSvc(home, ["model", "list"])).stdout;
      assert.match(table, /^tiny-vision-geometry-moge2-small +vision\.geometry +graph-moge2 +test /m);
      assert.match(table, /^vision-geometry-moge2-small .* missing /m);
      assert.match((await runSvc(home, ["model", "show", "tiny-chat"])).stdout, /^Test +yes: its weights are random/m);
    },
  ));

test("svc model add --test refuses an id under which a test model could be taken for a published one", () =>
  withFolder(async (home) => {
    await assert.rejects(installTinyModels(home, ["vision-geometry-moge2-small"], true), {
      code: "invalid_id",
      message: /expected an id that begins with tiny-$/,
    });
  }));
