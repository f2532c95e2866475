import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { chatImageFiles } from "../../../lib/app/models/chat_image_files.ts";
import { pathPolicy } from "../../../lib/platform/files/path_policy.ts";
import { type ApiHarness, refusal, withApi } from "../../support/api_harness.ts";
import { chatProfile, installed } from "../../support/fake_catalog.ts";
import { settle } from "../../support/fake_clock.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { deferred } from "../../support/world_harness.ts";

const seeing = [installed("eye", "chat.completions", chatProfile({ features: ["images", "stop"] }))];
const PNG = "\x89PNG\r\n\x1a\n";
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (c) => c.charCodeAt(0));
const dataUrl = (text: string): string => `data:image/png;base64,${btoa(text)}`;

const see = (h: ApiHarness, ...urls: string[]) => {
  const messages = urls.map((url) => ({ role: "user", content: [{ type: "image_url", image_url: { url } }] }));
  return h.chat({ model: "eye", messages });
};

/** A folder that clients may name, and one that they may not. */
function withFolders(work: (h: ApiHarness, allowed: string, outside: string) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    const [allowed, outside] = [join(root, "allowed"), join(root, "outside")];
    await mkdir(allowed);
    await mkdir(outside);
    const readImage = chatImageFiles(pathPolicy([allowed], allowed));
    await withApi({ models: seeing, readImage }, (h) => work(h, allowed, outside));
  });
}

// @row model-api > Chat request > `messages`: images
// @row model-api > Chat rules > 6: one image a message; path, file URL or data URL; never fetched
test("rule 6: images come as data URL, path or file URL, in the order of the messages", () =>
  withFolders(async (h, allowed) => {
    const path = join(allowed, "a b.jpg");
    await writeFile(path, bytesOf("\xff\xd8\xff2"));
    await writeFile(join(allowed, "c.webp"), bytesOf("RIFF1234WEBP3"));
    const fileUrl = pathToFileURL(path).href;
    const urls = [dataUrl(`${PNG}1`), path, fileUrl, fileUrl.replace("///", "//localhost/"), "c.webp"];
    assert.equal((await see(h, ...urls)).status, 200);
    const [{ request, options: { images } }] = h.chats.get("eye")!.calls;
    assert.doesNotMatch(JSON.stringify(request), /base64":"[^"]/); // the bytes are enough
    const texts = images.map((bytes) => String.fromCharCode(...bytes));
    assert.deepEqual(texts, [`${PNG}1`, "\xff\xd8\xff2", "\xff\xd8\xff2", "\xff\xd8\xff2", "RIFF1234WEBP3"]);
  }));

// @row model-api > Chat rules > 6: one image a message; path, file URL or data URL; never fetched
test("rule 6: a remote image is refused and never fetched", () =>
  withFolders(async (h) => {
    for (const url of ["http://127.0.0.1:1/x.png", "https://example.com/x.png", "file://host/x.png", "ftp://x/y"]) {
      assert.equal((await refusal(await see(h, url), 400, "invalid_messages")).type, "invalid_request_error");
    }
    assert.equal(h.starts.length, 0);
  }));

// @row model-api > Options > `--allow-path`
// @row model-api > Rules of every route > Files of clients: allowed folders only
test("an image outside the allowed folders is 403, links included", () =>
  withFolders(async (h, allowed, outside) => {
    const secret = join(outside, "secret.png");
    await writeFile(secret, bytesOf(PNG));
    await symlink(secret, join(allowed, "link.png"));
    for (const url of [secret, "../outside/secret.png", "link.png", pathToFileURL(secret).href]) {
      const { type } = await refusal(await see(h, url), 403, "path_not_allowed");
      assert.equal(type, "permission_error");
    }
    assert.equal(h.starts.length, 0);
  }));

test("an image that is missing, a folder, or no image is 400 with the part of the message", () =>
  withFolders(async (h, allowed) => {
    await writeFile(join(allowed, "text.png"), "just text");
    const cases = [["none.png", "image_not_found"], [".", "image_not_found"], ["text.png", "image_unsupported"]];
    for (const [url, code] of [...cases, [dataUrl("no picture"), "image_unsupported"]]) {
      const { param } = await refusal(await see(h, dataUrl(PNG), url), 400, code);
      assert.equal(param, "messages[1].content[0]");
    }
  }));

// @row model-api > Limits > images of a request 32 MiB
test("the images of a request are at most 32 MiB together", () =>
  withFolders(async (h, allowed) => {
    const max = 32 * 2 ** 20;
    const file = async (name: string, size: number) => {
      const bytes = new Uint8Array(size);
      bytes.set(bytesOf(PNG));
      await writeFile(join(allowed, name), bytes);
    };
    await file("half.png", max / 2);
    await file("more.png", max / 2 + 1);
    assert.equal((await see(h, "half.png", "half.png")).status, 200);
    const { message } = await refusal(await see(h, "half.png", "more.png"), 400, "image_too_large");
    assert.match(message, /16777217 bytes, expected at most 16777216/);
    await refusal(await see(h, "half.png", "half.png", dataUrl(PNG)), 400, "image_too_large");
  }));

// @row model-api > Chat rules > 6: one image a message; path, file URL or data URL; never fetched
test("rule 6: at most one image a message, and none for a model that sees none", () =>
  withFolders(async (h) => {
    const part = { type: "image_url", image_url: dataUrl(PNG) };
    const two = [{ role: "user", content: [part, part] }];
    await refusal(await h.chat({ model: "eye", messages: two }), 400, "invalid_messages");
  }));

test("images in files do not stay in memory while their chat waits", () =>
  withFolder(async (folder) => {
    const path = join(folder, "a.png");
    await writeFile(path, bytesOf(PNG));
    const gate = deferred();
    let reads = 0;
    const file = chatImageFiles(pathPolicy([folder]));
    const readImage: typeof file = (...given) => (reads++, file(...given));
    const answer = () => ({ hold: { at: "start" as const, until: gate.promise } });
    await withApi({ models: seeing, readImage, answer }, async (h) => {
      const chats = [see(h, path), see(h, path)];
      while (reads < 3) await settle();
      await settle();
      assert.equal(reads, 3); // both were checked, one has its turn
      gate.resolve();
      for (const chat of chats) assert.equal((await chat).status, 200);
      assert.equal(reads, 4);
    });
  }));
