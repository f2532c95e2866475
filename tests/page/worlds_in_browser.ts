/**
 * Several worlds in a real browser: they are listed, opened and shared by a link. `npm test -- page` runs this file on
 * Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeAll, connected, withPage } from "./opened_page.ts";
import { findLowContrast, findOverlaps, findUnnamed } from "./page_checks.ts";

after(closeAll);

/** A proxy that takes a path away, and says so, as one in front of a server does. */
async function withProxy(server: string, prefix: string, work: (url: string) => Promise<void>): Promise<void> {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A stream of events has no end of its own.
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _host, connection: _connection, "content-length": _length, origin: _origin, ...headers } = request
      .headers;
    const isBelow = request.url!.startsWith(`${prefix}/`);
    const answer = await fetch(server + request.url!.slice(isBelow ? prefix.length : 0).replace(/^(?!\/)/, "/"), {
      method: request.method!,
      headers: { ...headers as Record<string, string>, "x-forwarded-prefix": prefix },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      signal: gone.signal,
    });
    response.writeHead(isBelow ? answer.status : 404, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  };
  const proxy = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  try {
    await work(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}/`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 80; i++) {
    if (await page.locator(selector).evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector}`);
}

const names = (page: Page): Promise<string[]> => page.locator("#worlds a").allTextContents();

test("worlds are listed, opened and shared by link, with the keyboard only and at 360 pixels", () =>
  withPage({ ownServer: true, context: { viewport: { width: 360, height: 760 } } }, async ({ page, server, begin }) => {
    await begin();
    await page.locator("#worlds a").waitFor();
    assert.deepEqual(await names(page), ["First world"]);
    await tabTo(page, "#world-name");
    await page.keyboard.type("Ann's <b>corridor</b>");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/worlds\/[0-9a-f-]{36}\/$/);
    await connected(page);
    await page.locator("#worlds a").nth(1).waitFor();
    assert.deepEqual(await names(page), ["First world", "Ann's <b>corridor</b>"]);
    assert.equal(await page.locator("#worlds a[aria-current=page]").textContent(), "Ann's <b>corridor</b>");
    assert.equal(await page.locator("#world-link").inputValue(), page.url());
    assert.equal(await page.locator("#graph .here").count(), 0, "it is another world");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await findOverlaps(page, ".world", ".panels > section"), []);
    assert.deepEqual([...await findUnnamed(page), ...await findLowContrast(page)], []);
    await tabTo(page, "#worlds li:first-child a");
    await page.keyboard.press("Enter");
    await page.locator("#graph .here").waitFor();
    const link = await page.locator("#world-link").inputValue();
    assert.match(link, new RegExp(`^${server.url}/worlds/[0-9a-f-]{36}/$`), "also the first world has one that stays");
    const other = await page.context().newPage();
    await other.goto(link);
    await other.locator("#graph .here").waitFor();
    await other.close();
  }));

test("the page works below any path: it lists, opens and links worlds behind a proxy that takes a path away", () =>
  withPage({}, ({ page, server, begin }) =>
    withProxy(server.url, "/walk/a.b", async (url) => {
      await begin();
      const outside = await page.context().newPage();
      await outside.goto(url);
      await outside.locator("#graph .here").waitFor();
      await outside.fill("#world-name", "behind");
      await outside.click("#worlds-form button");
      await outside.waitForURL((at) => at.href.startsWith(`${url}worlds/`));
      await outside.locator("#worlds a[aria-current=page]", { hasText: "behind" }).waitFor();
      assert.equal(await outside.locator("#world-link").inputValue(), outside.url());
      await outside.click("#worlds li:first-child a");
      await outside.locator("#graph .here").waitFor();
      await outside.close();
    })));
