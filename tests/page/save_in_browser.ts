/**
 * The video of a walk and the command that makes it again, from a real browser. `npm test -- page` runs this file on
 * Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Route } from "playwright-core";
import { readVideoFrames } from "../../lib/media/video/read_video_frames.ts";
import { psnr } from "../media/video/clip.ts";
import { programArguments } from "../support/program_arguments.ts";
import { closeAll, type OpenedPage, withPage } from "./opened_page.ts";

after(closeAll);

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "svc-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Saves the walk with the button; returns the file. */
async function saved({ page }: OpenedPage): Promise<Uint8Array> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-walk")]);
  assert.equal(download.suggestedFilename(), "walk.mp4");
  return new Uint8Array(readFileSync((await download.path())!));
}

/** Runs a program in a folder of its own; returns the video that it has written there. The server is in this process. */
async function made(name: string, command: string, args: readonly string[]): Promise<Uint8Array> {
  const cwd = mkdtempSync(join(folder, name));
  const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  const problems: string[] = [];
  child.stderr.on("data", (text) => problems.push(String(text)));
  const status = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(status, 0, problems.join(""));
  return new Uint8Array(readFileSync(join(cwd, "walk.mp4")));
}

/**
 * Holds the pictures of two videos to each other. Not their bytes: on a busy machine x264 codes the same pictures in
 * one of two ways, in some 2 of 1,000 runs.
 */
async function samePictures(made: Uint8Array, expected: Uint8Array, frames: number): Promise<void> {
  const all = Array.from({ length: frames }, (_, i) => i);
  const [one, other] = [await readVideoFrames(made, all), await readVideoFrames(expected, all)];
  assert.ok(one.ok && other.ok);
  const size = one.frames.data.length / frames;
  for (const i of all) {
    const [a, b] = [one, other].map(({ frames }) => frames.data.subarray(i * size, (i + 1) * size));
    assert.ok(psnr(a, b) > 40, `picture ${i} is another one`);
  }
}

for (
  const { backend, keys, frames } of [
    { backend: "arworld", keys: ["w", "l", "w"], frames: 9 + 12 + 12 },
    { backend: "actionworld", keys: ["w", "j"], frames: 17 + 16 },
  ] as const
) {
  test(`the page of an ${backend} saves the walk, and its command and its program make the same pictures`, () =>
    withPage(
      { backend, shipped: true, context: { permissions: ["clipboard-read", "clipboard-write"] } },
      async (opened) => {
        const { page, begin, said, refused } = opened;
        await begin();
        assert.ok(await page.locator("#save-walk").isDisabled());
        for (const [i, key] of [...keys, "a"].entries()) {
          await page.keyboard.press(key);
          await said(new RegExp(`state ${i + 1}\\.`));
        }
        await page.keyboard.press("Backspace"); // what was undone is not in the walk
        await said(/Walked back/);
        const video = await saved(opened);
        const read = await readVideoFrames(video, [0, frames - 1]);
        assert.ok(read.ok);
        const beyond = await readVideoFrames(video, [frames]).catch(() => undefined);
        assert.ok(!beyond?.ok, `there are more than ${frames} frames`);

        await page.click("#copy-walk");
        await said(/Copied the command that makes this walk again/);
        await page.locator("[data-copy=repeat-command]", { hasText: "Copied" }).waitFor();
        const command = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(command, new RegExp(`^npm start --silent -- world walk ${keys.join(" ")} --moves`));
        const program = await page.locator("#repeat-code").inputValue();
        await page.keyboard.press("Escape");

        const svc = [process.execPath, ...programArguments(), here("../../cli/main.ts")].map((word) => `'${word}'`)
          .join(
            " ",
          );
        const byCommand = await made("command-", "sh", ["-c", `npm() { shift 3; ${svc} "$@"; }\n${command}`]);
        await samePictures(byCommand, video, frames);

        const client = new URL("../../lib/world/client/mod.ts", import.meta.url).href;
        const file = join(folder, `${backend}.mts`);
        writeFileSync(file, program.replace("@svc/sdk/client", client));
        const byProgram = await made("program-", process.execPath, [...programArguments(), file]);
        await samePictures(byProgram, video, frames);
        assert.deepEqual(refused, []);
      },
    ));
}

const gone = (route: Route): Promise<void> => {
  const error = { message: "Cannot join the walk: it is gone", type: "", code: "media_not_found" };
  return route.fulfill({ status: 404, contentType: "application/json", body: JSON.stringify({ error }) });
};

test("the page says why a walk cannot be saved when its files are gone", () =>
  withPage({ ownServer: true, routes: { "**/walk/media/output": gone } }, async ({ page, begin, said }) => {
    await begin();
    await page.keyboard.press("w");
    await said(/state 1/);
    await page.click("#save-walk");
    await said(/Cannot join the walk: it is gone/);
  }));
