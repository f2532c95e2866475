import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { openWorldHandler } from "../../lib/app/world/open_world_handler.ts";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";
import { withFolder } from "../support/temporary_folder.ts";

test("startWorldServer() refuses the name of an encoder that there is not, before anything is opened", async () => {
  await assert.rejects(
    startWorldServer({ encoder: "nvenc", port: 0 }),
    (error) => error instanceof UsageError && /SVC_ENCODER nvenc: expected one of .*wasm/.test(error.message),
  );
});

test("openWorldHandler() removes the parked states of a server that was killed, and its own when it closes", () =>
  withFolder(async (stateDirectory) => {
    const file = join(stateDirectory, "parked", "1-a", "0.state");
    const park = () => {
      mkdirSync(join(stateDirectory, "parked", "1-a"), { recursive: true });
      writeFileSync(file, "numbers");
    };
    park();
    const handler = await openWorldHandler({ device: "cpu", stateDirectory, journal: false });
    assert.equal(existsSync(file), false);
    park();
    await handler.close();
    assert.equal(existsSync(join(stateDirectory, "parked")), false);
  }));
