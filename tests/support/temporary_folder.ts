import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs work with an empty folder, which is removed afterwards. */
export async function withFolder(work: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "svc-test-")));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
