/**
 * The page in a real browser, on a real server with the embedded world. `npm test -- page` runs this file on Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, test } from "node:test";
import type { Route } from "playwright-core";
import { closeAll, lengthened, MOVES, startServer, withPage } from "./opened_page.ts";
import { playedOut, readVideo, watchGaps } from "./video_checks.ts";

after(closeAll);

test("the page walks forward, turns, and walks back on the reverse key", () =>
  withPage({}, async ({ page, begin, said, refused, stateId }) => {
    await begin();
    const start = await stateId();
    await page.keyboard.press("w");
    await said(/Walked forward, now at state 1/);
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.3);
    const walked = await readVideo(page);
    assert.ok(walked.brightness > 20 && !walked.covered, JSON.stringify(walked));

    await page.keyboard.press("l");
    await said(/Turned right, now at state 2/);
    const turned = page.locator("dd", { hasText: /° right/ });
    await turned.waitFor();
    await page.waitForFunction((from) => document.querySelector("video")!.currentTime > from + 0.5, walked.time);
    assert.ok((await readVideo(page)).brightness > 20);

    await page.keyboard.press("j");
    await said(/Walked back/);
    assert.equal(await page.locator("dd", { hasText: "Straight ahead" }).count(), 1);
    await page.click("#back");
    await page.locator("dd", { hasText: "At the start" }).waitFor();
    assert.equal(await stateId(), start);
    await page.keyboard.press("Backspace");
    await said(/Cannot walk back: this is where the walk began/);
    assert.deepEqual(refused, []);
  }));

test("keys that are held together are one move, and the one that goes up last asks for no other", () => {
  const cameras: { readonly translation_meters: number[]; readonly rotation_degrees: number[] }[] = [];
  // Each move request is held until answer() is called.
  let answer = (): void => {};
  const wait = async (route: Route): Promise<void> => {
    await new Promise<void>((resolve) => {
      answer = resolve;
      cameras.push(route.request().postDataJSON().camera);
    });
    await route.continue();
  };
  return withPage({ routes: { [MOVES]: wait } }, async ({ page, begin, said, server, refused }) => {
    await begin();
    const asked = async (count: number): Promise<void> => {
      while (cameras.length < count) await page.evaluate(() => new Promise(requestAnimationFrame));
    };
    await page.keyboard.down("s");
    await page.keyboard.down("w"); // of opposite keys the last counts
    await page.keyboard.up("s");
    await page.keyboard.down("l");
    await asked(1);
    answer();
    await asked(2);
    await page.keyboard.up("l");
    await page.keyboard.up("w");
    answer();
    await said(/Moved, now at state 2/);
    await page.keyboard.press("j");
    await asked(3);
    answer();
    await said(/Turned left, now at state 3/);
    assert.deepEqual(
      cameras.map(({ translation_meters, rotation_degrees }) => [translation_meters, rotation_degrees]),
      [
        [[0, 0, -1], [0, 0, 0]],
        [[0, 0, 1], [0, 15, 0]],
        [[0, 0, 0], [0, -15, 0]],
      ],
    );
    assert.equal((await (await fetch(`${server.url}/v1/world/session`)).json()).transition_count, 3);
    assert.deepEqual(refused, []);
  });
});

test("the page plays on from where the video was when it has been scrolled away", () =>
  withPage({ context: { viewport: { width: 360, height: 420 } } }, async ({ page, said }) => {
    await page.keyboard.press("w");
    await said(/now at state 1/);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.keyboard.press("w");
    await said(/now at state 2/);
    // The time of a video that Chromium does not paint runs on past the end; that of a painted one stops there. Within a
    // frame of the end the page does not seek, so the test waits for more.
    const seeks = await page.evaluateHandle(() => {
      const seeks: number[] = [];
      const video = document.querySelector("video")!;
      video.addEventListener("seeking", () => seeks.push(video.currentTime));
      return seeks;
    });
    const before = await (await page.waitForFunction(() => {
      const { currentTime, buffered, readyState } = document.querySelector("video")!;
      const end = buffered.end(0);
      const hasStopped = readyState === 2 && currentTime <= end;
      return end > 1.25 && (currentTime > end + 0.2 || hasStopped) && { end, currentTime };
    })).jsonValue() as { end: number; currentTime: number };
    await page.evaluate(() => scrollTo(0, 0));
    await page.keyboard.press("w");
    await said(/now at state 3/);
    // Chromium repaints when it likes, so the playback position is checked, not the painted frame.
    await page.waitForFunction((end) => {
      const { currentTime, buffered } = document.querySelector("video")!;
      return buffered.end(0) > end + 0.6 && currentTime > end + 0.6;
    }, before.end);
    assert.deepEqual(await seeks.jsonValue(), before.currentTime > before.end ? [before.end] : []);
  }));

test("the page continues a video that has been played to its end without a jump", () =>
  withPage({}, async ({ page, said }) => {
    const assertShown = await watchGaps(page);
    await page.keyboard.press("w");
    await said(/now at state 1/);
    await playedOut(page);
    // A seek would show frames out of order for a moment.
    const seeks = await page.evaluateHandle(() => {
      const seeks: number[] = [];
      const video = document.querySelector("video")!;
      video.addEventListener("seeking", () => seeks.push(video.currentTime));
      return seeks;
    });
    await page.keyboard.press("w");
    await said(/now at state 2/);
    await playedOut(page);
    assert.deepEqual(await seeks.jsonValue(), []);
    await assertShown(Infinity);
  }));

test("the page saves a place, returns to it and deletes it", () =>
  withPage({}, async ({ page, said, stateId, refused }) => {
    await page.keyboard.press("w");
    await said(/now at state 1/);
    const saved = await stateId();
    await page.fill("#saved-name", "By the door");
    await page.click("#saved-form button");
    await said(/Saved this place as By the door/);
    assert.equal(await page.locator("#saved-count").textContent(), "1");
    assert.ok(await page.locator(".saved-item img").evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    await page.locator("h1").click(); // the name has the focus otherwise, and its letters
    await page.keyboard.press("a");
    await said(/Stepped left, now at state 2/);
    assert.notEqual(await stateId(), saved);
    await page.getByRole("button", { name: "Return to By the door" }).click();
    await said(/Returned to By the door/);
    assert.equal(await stateId(), saved);
    await page.waitForFunction(() => !document.querySelector<HTMLImageElement>("#still")!.hidden);

    await page.keyboard.press("d");
    await said(/Stepped right, now at state 2/);
    await page.locator("#graph").getByRole("button", { name: "State 1, saved as By the door: return to it" }).click();
    await said(/Returned to By the door/);
    await page.getByRole("button", { name: "Delete By the door" }).click();
    await page.click("#confirm-yes");
    await said(/Deleted the saved place By the door/);
    assert.equal(await page.locator(".saved-item").count(), 0);
    assert.deepEqual(refused, []);
  }));

test("the page of an arworld offers the moves that there are in it", () =>
  withPage({}, async ({ page, said, refused }) => {
    await page.click("#more-title");
    assert.match(await page.locator("#model").textContent() ?? "", /, an arworld$/);
    assert.equal(await page.locator(".more input[type=number]:visible").count(), 4);
    await page.fill("#custom-z", "1");
    await page.fill("#custom-ry", "-5");
    const [request] = await Promise.all([
      page.waitForRequest("**/v1/world/session/transitions"),
      page.press("#custom-ry", "Enter"),
    ]);
    const { prompt, ...asked } = request.postDataJSON();
    assert.ok(prompt);
    const camera = { motion: "custom", translation_meters: [0, 0, 1], rotation_degrees: [0, -5, 0] };
    assert.deepEqual(asked, { camera, num_frames: 9 });
    await said(/Made the move, now at state 1/);
    await page.click("#back");
    await said(/Walked back/);
    assert.deepEqual(refused, []);
  }));

test("the page saves a place only after the running move", () =>
  withPage({}, async ({ page, begin, refused }) => {
    await begin();
    await page.keyboard.press("w");
    await page.click("#saved-form button");
    await page.click("#back");
    await page.locator("#saved-count", { hasText: "1" }).waitFor();
    await page.locator("dd", { hasText: "At the start" }).waitFor();
    assert.deepEqual(refused, []);
  }));

test("the page shows the server's message for a refused upload, and the world stays", () =>
  withPage({}, async ({ page, begin, said, stateId, refused }) => {
    await begin();
    const before = await stateId();
    const buffer = Buffer.from("\x89PNG but nothing of the kind", "latin1");
    await page.setInputFiles("#file", { name: "notes.png", mimeType: "image/png", buffer });
    await said(/Cannot decode image: /);
    assert.equal(await page.getByRole("alert").filter({ hasText: "Cannot decode" }).count(), 1);
    assert.equal(await stateId(), before);
    assert.deepEqual(refused, ["400 /v1/world/session/source/check"]);
  }));

test("the page refuses a file that is not a picture before it asks or sends anything", () =>
  withPage({}, async ({ page, begin, said, stateId, refused }) => {
    await begin();
    await page.keyboard.press("w");
    await said(/now at state 1/);
    const before = await stateId();
    for (const name of ["a.txt", "b.png"]) {
      await page.setInputFiles("#file", { name, mimeType: "text/plain", buffer: Buffer.from("Some words") });
      await said(new RegExp(`Cannot start from “${name}”: it is not a picture, expected PNG`));
      assert.ok(await page.locator("#confirm").isHidden());
    }
    assert.equal(await stateId(), before);
    assert.deepEqual(refused, []);
  }));

test("one click on a place of the gallery walks into it, and a walk is not lost without a question", () =>
  withPage({}, async ({ page, said, stateId, refused }) => {
    const places = page.locator("#places img");
    await places.nth(6).waitFor();
    const heading = page.getByRole("heading", { name: "Places to start" });
    const tile = page.getByRole("button", { name: /^Walk into a blue corridor/ });
    const [above, picture, box] = [
      await heading.boundingBox(),
      await page.locator("#stage").boundingBox(),
      await tile
        .boundingBox(),
    ];
    assert.ok(
      box!.y + box!.height < picture!.y + picture!.height && above!.y < 200,
      "the gallery is beside the picture",
    );
    await tile.click();
    await said(/Walked forward, now at state 1/);
    assert.match(await page.locator("#prompt").inputValue(), /^a blue corridor/);
    const walked = await stateId();
    await page.getByRole("button", { name: /^Walk into a red corridor/ }).click();
    await page.locator("#confirm-text", { hasText: "Start a new world from “a red corridor" }).waitFor();
    await page.click("#confirm button[value=no]");
    assert.equal(await stateId(), walked);
    await page.getByRole("button", { name: /^Walk into a red corridor/ }).click();
    await page.click("#confirm-yes");
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#prompt")!.value.includes("a red"));
    await said(/Walked forward, now at state 1/); // what was said before has been replaced
    assert.notEqual(await stateId(), walked);
    // Whoever opens the page now continues with the same description.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#prompt")!.value.includes("a red"));
    assert.deepEqual(refused, []);
  }));

test("the page takes a picture that is dropped", () =>
  withPage({}, async ({ page, said, stateId }) => {
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(48, 32);
      canvas.getContext("2d")!.fillRect(0, 0, 48, 32);
      const transfer = new DataTransfer();
      transfer.items.add(new File([await canvas.convertToBlob()], "dark.png", { type: "image/png" }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    await said(/Started a new world from “dark.png”/);
    assert.ok(await stateId());
  }));

test("the page says that the model was not made for a picture before a walk is given up for it", () =>
  withPage({ shipped: true }, async ({ page, begin, said, stateId, refused }) => {
    await begin();
    await page.keyboard.press("w");
    await said(/now at state 1/);
    const walked = await stateId();
    const beach = Buffer.from(
      await page.evaluate(async () => {
        const canvas = new OffscreenCanvas(800, 300); // not of the proportions of the frames
        const pen = canvas.getContext("2d")!;
        for (const [colour, from, to] of [["#6eaaeb", 0, 150], ["#1e6eaa", 150, 200], ["#e6cd96", 200, 300]] as const) {
          pen.fillStyle = colour;
          pen.fillRect(0, from, 800, to - from);
        }
        return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
      }),
    );
    await page.setInputFiles("#file", { name: "beach.png", mimeType: "image/png", buffer: beach });
    const question = page.locator("#confirm-text");
    await question.filter({
      hasText: /corridor-nano was made for corridors and courtyards only, .* will look like one of those/,
    })
      .waitFor();
    assert.match(await question.innerText(), /new world from “beach.png”\? This discards the walk of 1 move\.$/);
    await page.click("#confirm button[value=no]");
    assert.equal(await stateId(), walked);
    await page.setInputFiles("#file", { name: "beach.png", mimeType: "image/png", buffer: beach });
    await page.click("#confirm-yes");
    await said(/Started a new world from “beach.png”/);
    assert.notEqual(await stateId(), walked);
    assert.deepEqual(refused, []);
  }));

test("the page goes to a place that is described, and asks before that discards a walk", () =>
  withPage({}, async ({ page, said, refused, stateId }) => {
    const prompt = "a blue corridor with red doors, bright";
    await page.fill("#place", prompt);
    await page.press("#place", "Enter");
    await said(/Started a new world from “a blue corridor with red doors, bright”/, 120_000); // it starts an engine
    assert.equal(await page.locator("#prompt").inputValue(), prompt);
    assert.equal(await page.locator("#places button").first().getAttribute("aria-label"), `Walk into ${prompt}`);
    const [red, , blue] = await page.locator("#still").evaluate((image: HTMLImageElement) => {
      const context = new OffscreenCanvas(1, 1).getContext("2d")!;
      context.drawImage(image, 0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    });
    assert.ok(blue > red, `a blue corridor has ${red} of red and ${blue} of blue`);
    await page.locator("h1").click(); // the field has the focus otherwise, and its letters
    await page.keyboard.press("w");
    await said(/Walked forward, now at state 1/, 120_000);
    const walked = await stateId();

    await page.fill("#place", "a yellow corridor");
    await page.click("#describe-go");
    await page.click("#confirm button[value=no]");
    await page.locator("#describe-go:enabled").waitFor();
    assert.equal(await stateId(), walked);
    assert.equal(await page.locator("#prompt").inputValue(), prompt);
    assert.deepEqual(refused, []);

    await page.fill("#place", "word ".repeat(800));
    await page.click("#describe-go");
    await said(/Cannot make an image: the prompt has .* tokens, the model takes \d+, shorten it/);
    assert.equal(await stateId(), walked);
    assert.deepEqual(refused, ["400 /v1/world/start/picture"]);
  }));

test("the page opens on the picture of the model, and one click on it walks into it, in the same place", () =>
  withPage({ shipped: true }, async ({ page, said, refused, stateId }) => {
    const still = page.locator("#still:not([hidden])");
    await still.waitFor();
    assert.equal(await still.evaluate((image: HTMLImageElement) => image.naturalWidth), 384);
    const before = await still.boundingBox();
    assert.equal(await stateId(), undefined); // looking changes nothing
    await still.click({ position: { x: 200, y: 100 } });
    await said(/Walked forward, now at state 1/);
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>("#still")!.hidden);
    assert.deepEqual(await page.locator("#video").boundingBox(), before);
    assert.ok(await page.locator("#welcome").isHidden());
    await page.locator("#video").click();
    await page.keyboard.press("j");
    await said(/Turned left, now at state 2/); // a click in the world is not a step
    assert.deepEqual(await page.locator("#video").boundingBox(), before);
    assert.deepEqual(refused, []);
  }));

for (const deviceScaleFactor of [1, 1.5, 2]) {
  test(`a pixel of the world is a whole number of pixels of a screen with a ratio of ${deviceScaleFactor}, not smoothed`, () =>
    withPage(
      { shipped: true, context: { deviceScaleFactor, viewport: { width: 1403, height: 901 } } },
      async ({ page, said }) => {
        await page.click("#smooth-on");
        await page.keyboard.press("w");
        await said(/now at state 1/);
        let smaller = 0;
        for (const key of ["", "f"]) {
          if (key) await page.keyboard.press(key);
          const onScreen = await page.waitForFunction(([wanted, smaller]) => {
            if (document.querySelector("#world")!.classList.contains("full") !== wanted) return undefined;
            const video = document.querySelector("video")!;
            const { left, top, width, height } = video.getBoundingClientRect();
            if (width <= smaller) return undefined; // not laid out yet
            const scale = [width / video.videoWidth, height / video.videoHeight, left + scrollX, top + scrollY];
            const style = getComputedStyle(video).imageRendering;
            return { scale: scale.map((n) => n * devicePixelRatio), style, width };
          }, [key !== "", smaller] as const);
          const { scale, style, width } = (await onScreen.jsonValue())!;
          smaller = width;
          assert.equal(style, "pixelated");
          assert.ok(scale[0] > 1.9, `${scale}`);
          for (const n of scale) assert.ok(Math.abs(n - Math.round(n)) < 0.02, `${scale}`);
        }
      },
    ));
}

test("the page needs no pointer", () =>
  withPage({}, async ({ page, said, stateId }) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement!.id), "walk-in");
    await page.keyboard.press("Enter");
    await said(/Walked forward, now at state 1/);
    const start = await stateId();
    await page.keyboard.press("i");
    await said(/Looked up/);
    await page.focus("#saved-name");
    await page.keyboard.type("swad");
    await page.keyboard.press("Enter");
    await said(/Saved this place as swad/);
    await page.focus("#graph .state.here");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await said(/Walked back/);
    assert.equal(await stateId(), start);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await said(/Returned to swad/);
    await page.keyboard.press("Escape");
  }));

test("a new tab, as by a shared link, walks the way of another one back, and to states that can be returned to", () =>
  withPage({}, async ({ page, begin, said, stateId, server, refused }) => {
    await begin();
    const ids = [await stateId()];
    for (const [i, key] of [..."wwl"].entries()) {
      await page.keyboard.press(key);
      await said(new RegExp(`now at state ${i + 1}`));
      ids.push(await stateId());
    }
    const context = await page.context().browser()!.newContext(); // nothing is stored in it
    const other = await context.newPage();
    await other.goto(server.url);
    await other.locator("#graph").getByRole("button", { name: /^State 1, can be returned to/ }).waitFor();
    await other.keyboard.press("Backspace");
    await other.locator("#message", { hasText: "Walked back" }).waitFor();
    assert.equal(await stateId(), ids[2]);
    await other.locator("#graph").getByRole("button", { name: /^Start, can be returned to/ }).click();
    await other.locator("#graph .here[aria-label^='Start']").waitFor();
    assert.equal(await stateId(), ids[0]);
    await context.close();
    assert.deepEqual(refused, []);
  }));

test("without scripts the page says so at its top, and shows no buttons that do nothing", () =>
  withPage({}, async ({ page, server }) => {
    const context = await page.context().browser()!.newContext({ javaScriptEnabled: false });
    const other = await context.newPage();
    await other.goto(server.url);
    const words = other.locator("noscript p");
    assert.match(await words.innerText(), /^This page needs scripts, and they are turned off in this browser\./);
    assert.ok((await words.boundingBox())!.y < 60);
    assert.equal(await other.locator("button:visible").count(), 0);
    await context.close();
  }));

// A move that takes far longer than its first pictures: 84 blocks of 16 times the pixels.
const long = lengthened({ num_frames: 1005, width: 384, height: 256 });

test("the page stops a move and shows the state of the walk", () =>
  withPage({ routes: { [MOVES]: long } }, async ({ page, begin, said, stateId }) => {
    await begin();
    await page.locator("dd", { hasText: "Ready" }).waitFor();
    const start = await stateId();
    await page.keyboard.press("w");
    await page.locator("#cancel:enabled").waitFor();
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.3);
    await page.keyboard.press("Escape");
    await said(/Move stopped/);
    assert.equal(await stateId(), start);
    await page.locator("#still:not([hidden])").waitFor();
  }));

test("the page asks for the key once, and keeps it out of every address", () =>
  withPage({ apiKey: "open sesame" }, async ({ page, begin, said, refused }) => {
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.fill("#key", "wrong");
    await page.keyboard.press("Enter");
    await page.locator("#key-error", { hasText: "its bearer token is wrong" }).waitFor();
    await page.fill("#key", "open sesame");
    await page.keyboard.press("Enter");
    await begin();
    await page.keyboard.press("w");
    await said(/now at state 1/);
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.3);
    await page.reload();
    await page.locator("#connection", { hasText: "Connected" }).waitFor();
    assert.equal(await page.locator("#key-dialog[open]").count(), 0);
    assert.ok(addresses.length > 5 && addresses.every((address) => !/sesame/.test(address)));
    assert.deepEqual(refused, ["401 /v1/world/session", "401 /v1/world/session"]);
  }));

test("the page shows pictures where the browser cannot play the video, and says so", () =>
  withPage({ before: () => void Reflect.deleteProperty(globalThis, "MediaSource") }, async ({ page, begin, said }) => {
    await said(/cannot play the video stream/);
    await begin();
    const picture = () => page.locator("#still").getAttribute("src");
    await page.locator("#still:not([hidden])").waitFor();
    const before = await picture();
    await page.keyboard.press("w");
    await said(/now at state 1/);
    await page.waitForFunction((src) => document.querySelector("#still")!.getAttribute("src") !== src, before);
    assert.ok(await page.locator("#still").evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
  }));

test("the page polls where no events come through", () =>
  withPage({}, async ({ page, said }) => {
    await page.route("**/v1/world/events", (route) => route.fulfill({ status: 404, body: "none" }));
    await page.reload();
    await page.locator("#connection", { hasText: "polling every second" }).waitFor();
    await page.keyboard.press("w");
    await said(/now at state 1/);
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.3);
  }));

test("the page begins no other world when news of an earlier world arrives late", () =>
  withPage({}, async ({ page, upload, server, said, stateId }) => {
    const session = async () => await (await fetch(`${server.url}/v1/world/session`)).json();
    const body = `id: a.0\nevent: snapshot\ndata: ${JSON.stringify(await session())}\n\n`;
    await page.route("**/v1/world/events", (route) => route.fulfill({ contentType: "text/event-stream", body }));
    await page.reload();
    await upload();
    const start = await stateId();
    await page.locator("#welcome").waitFor(); // there was nothing at that time
    await page.keyboard.press("w");
    await said(/now at state 1/);
    assert.equal((await session()).state_ids[0], start);
  }));

test("the page reports a lost connection and continues with the next server", () =>
  withPage({ ownServer: true }, async ({ page, begin, server, said }) => {
    await begin();
    await server.close();
    await page.locator("#connection", { hasText: "Connection lost" }).waitFor();
    await page.keyboard.press("w");
    await said(/Cannot reach a world server/);
    const next = await startServer({ port: Number(new URL(server.url).port) });
    try {
      await page.locator("#connection", { hasText: "Connected" }).waitFor();
      await page.locator("#welcome").waitFor();
      await said(/Connected again/);
      assert.equal(await page.locator("#error").textContent(), "");
    } finally {
      await next.close();
    }
  }));
