/**
 * A process that takes the lock of a folder, for tests: `lock_racer.ts FOLDER hold` holds it until it is killed,
 * `lock_racer.ts FOLDER TURNS` takes it so many times among others and dies holding it in between.
 *
 * @module
 */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { FolderLockedError } from "../../lib/errors/option_error.ts";
import { lockFolder } from "../../lib/platform/locks/lock_file.ts";

const [folder, turns] = process.argv.slice(2);
const inside = join(folder, "inside");

if (turns === "hold") {
  await lockFolder(folder).then(() => writeSync(1, `held ${process.pid}\n`), (error) => {
    writeSync(1, `${error.message}\n`);
    process.exit(3);
  });
  setInterval(() => {}, 1000);
} else {
  for (let turn = 0; turn < Number(turns);) {
    const lock = await lockFolder(folder).catch((error) => {
      if (!(error instanceof FolderLockedError)) throw error;
    });
    if (!lock) continue;
    closeSync(openSync(inside, "wx")); // fails when another is inside
    await new Promise((resolve) => setTimeout(resolve, 1));
    rmSync(inside);
    turn++;
    if (turn === Number(turns)) writeSync(1, `took it ${turn} times\n`);
    if (turn === Number(turns)) process.kill(process.pid, "SIGKILL"); // the lock stays
    await lock.release();
  }
}
