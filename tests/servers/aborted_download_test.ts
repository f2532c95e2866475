import assert from "node:assert/strict";
import { readdirSync, readlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileResponse } from "../../lib/http/file_response.ts";
import { listen } from "../../lib/platform/sockets/listen.ts";
import { openFile } from "../../lib/platform/files/open_file.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** How often this process has a file open. */
function handles(path: string): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false; // closed since it was listed
    }
  }).length;
}

test(
  "interrupted downloads release their file",
  { skip: process.platform !== "linux" },
  () =>
    withFolder(async (folder) => {
      const path = join(folder, "long.mp4");
      writeFileSync(path, "");
      truncateSync(path, 256 * 1024 * 1024);
      const handler = async (request: Request) => fileResponse(request, (await openFile(path))!, "video/mp4");
      const server = await listen(handler, { host: "127.0.0.1", port: 0 });
      const controllers = Array.from({ length: 8 }, () => new AbortController());
      await Promise.all(controllers.map(async ({ signal }) => {
        const { body } = await fetch(server.url, { signal });
        await body!.getReader().read();
      }));
      assert.ok(handles(path) >= 8); // Deno reads through copies of a handle
      for (const controller of controllers) controller.abort();
      while (handles(path) > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      await server.close(1000);
    }),
);
