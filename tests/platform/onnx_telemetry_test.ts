import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { disableOnnxTelemetry } from "../../lib/platform/processes/onnx_telemetry.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

test("disableOnnxTelemetry() leaves it to a user who has said otherwise", () => {
  const given = process.env.ORT_DISABLE_TELEMETRY;
  try {
    process.env.ORT_DISABLE_TELEMETRY = "0";
    disableOnnxTelemetry();
    assert.equal(process.env.ORT_DISABLE_TELEMETRY, "0");
    delete process.env.ORT_DISABLE_TELEMETRY;
    disableOnnxTelemetry();
    assert.equal(process.env.ORT_DISABLE_TELEMETRY, "1");
  } finally {
    if (given === undefined) delete process.env.ORT_DISABLE_TELEMETRY;
    else process.env.ORT_DISABLE_TELEMETRY = given;
  }
});

test("ONNX Runtime keeps no diary of worlds, which are in a thread", () =>
  withFolder(async (home) => {
    const env = { HOME: home, XDG_CACHE_HOME: "", TMPDIR: home, ORT_DISABLE_TELEMETRY: undefined };
    const folder = join(home, "state");
    const world = startServer(["--port=0", "--json", "--device=cpu", "--prepare", `--state-directory=${folder}`], env);
    await world.line;
    end(world, "SIGTERM");
    await world.exit;
    const left = readdirSync(home, { recursive: true, encoding: "utf8" });
    assert.deepEqual(left.filter((name) => /microsoft|mat-debug/i.test(name)), []);
  }));
