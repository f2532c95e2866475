import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { programArguments } from "../support/program_arguments.ts";
import { ROOT } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installTinyModels } from "../support/tiny_store.ts";

test("examples/walk_cloud.ts turns the frames of a walk into a cloud and a page", () =>
  withFolder(async (home) => {
    await installTinyModels(home, ["vision-geometry-da3-small"]);
    const folder = join(home, "out");
    const child = spawn(process.execPath, [...programArguments(), join(ROOT, "examples/walk_cloud.ts"), folder], {
      cwd: ROOT,
      env: { ...process.env, SVC_HOME: home, SVC_MODELS_DIR: "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stdout.on("data", (data) => said += data);
    child.stderr.on("data", (data) => said += data);
    const [status] = await once(child, "close");
    assert.equal(status, 0, said);
    assert.equal(readdirSync(join(folder, "frames")).length, 6);
    const { view_count: views, point_count: points } = JSON.parse(
      readFileSync(join(folder, "cloud", "result.json"), "utf8"),
    );
    assert.ok(views === 6 && points > 1000, said);
    assert.ok(existsSync(join(folder, "cloud", "index.html")) && existsSync(join(folder, "cloud", "scene.ply")));
  }));
