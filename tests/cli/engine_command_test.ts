import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { programArguments } from "../support/program_arguments.ts";
import { ROOT } from "../support/server_process.ts";

test("the command that a compiled program starts itself with is an engine that answers, and no help lists it", async () => {
  const program = [...programArguments(), join(ROOT, "cli/main.ts")];
  const engine = spawn(process.execPath, [...program, "engine-process"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  });
  const exited = once(engine, "exit");
  assert.equal((await once(engine, "message"))[0], "listening");
  engine.disconnect();
  await exited;

  const help = spawn(process.execPath, [...program, "--help"], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const part of help.stdout!) text += part;
  assert.match(text, /manifest/);
  assert.doesNotMatch(text, /engine-process/);
});
