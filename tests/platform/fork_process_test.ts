import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";
import { forkProcess } from "../../lib/platform/processes/fork_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

const LAST_WORDS = new URL("./last_words.ts", import.meta.url);

test("forkProcess() receives what a child sent before it ended, however busy the parent was", () =>
  withFolder(async (folder) => {
    for (let round = 0; round < 4; round++) {
      const file = join(folder, `${round}`);
      const heard: unknown[] = [];
      const child = forkProcess(LAST_WORDS, { onLine: () => {}, ended: (how) => new Error(how) });
      child.onMessage((message) => heard.push(message));
      await child.send({ file });
      // This thread is blocked meanwhile: the message and the child's exit both wait for it.
      const still = new Int32Array(new SharedArrayBuffer(4));
      while (!existsSync(file)) Atomics.wait(still, 0, 0, 10);
      Atomics.wait(still, 0, 0, 200);
      assert.equal((await child.exited).message, "code 0");
      assert.equal(heard.at(-1), "last words");
    }
  }));
