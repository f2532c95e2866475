import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { disableOnnxTelemetry } from "../../lib/runtime/onnx_telemetry.ts";
import { runSvc } from "../support/run_svc.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** What ONNX Runtime has left in a home folder that was empty. */
function traces(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => /microsoft|mat-debug/i.test(name));
}

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

test("ONNX Runtime keeps no diary of models and worlds", () =>
  withFolder(async (home) => {
    const env = { HOME: home, XDG_CACHE_HOME: "", TMPDIR: home, ORT_DISABLE_TELEMETRY: undefined };
    const { status } = await runSvc(home, ["doctor"], { env });
    assert.equal(status, 0);
    const folder = join(home, "state");
    const world = startServer(["--port=0", "--json", "--device=cpu", "--prepare", `--state-directory=${folder}`], env);
    await world.line;
    end(world, "SIGTERM");
    await world.exit;
    assert.deepEqual(traces(home), []);
  }));
