import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";

test("startWorldServer() refuses the name of an encoder that there is not, before anything is opened", async () => {
  await assert.rejects(
    startWorldServer({ encoder: "nvenc", port: 0 }),
    (error) => error instanceof UsageError && /SVC_ENCODER nvenc: expected one of .*wasm/.test(error.message),
  );
});
