/**
 * The page in a real browser, on a real server with the embedded actionworld. `npm test -- page` runs this file on Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import type { TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { closeAll, withPage } from "./opened_page.ts";
import { playedOut, readVideo } from "./video_checks.ts";
import type { Wire } from "../../lib/json/wire_form.ts";

after(closeAll);

const backend = "actionworld";

/** Frames of a clip after the first, which repeats the picture that it begins with. */
const NEW_FRAMES = 16;
const FPS = 16;

/** What the page has asked its server for. */
function askedMoves(page: Page): Wire<TransitionRequestBody>[] {
  const asked: Wire<TransitionRequestBody>[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/session/transitions")) asked.push(request.postDataJSON());
  });
  return asked;
}

test("the page walks ten moves, five of them back, and three new ones", () =>
  withPage({ backend }, async ({ page, begin, server, said, stateId, refused }) => {
    await begin();
    const ids = [await stateId()];
    const arrive = async (words: RegExp): Promise<void> => {
      await said(words);
      ids.push(await stateId());
    };
    const keys = ["w", "w", "l", "w", "d", "j", "i", "a", "s"];
    for (const [i, key] of keys.entries()) {
      await page.keyboard.press(key);
      await arrive(new RegExp(`now at state ${i + 1}\\.`));
    }
    await page.click("#more-title");
    for (const [id, value] of [["x", "0.5"], ["z", "1"], ["ry", "-7.5"]]) await page.fill(`#custom-${id}`, value);
    await page.click("text=Make this move");
    await arrive(/Made the move, now at state 10\./);
    assert.equal(new Set(ids).size, 11);
    assert.ok(await playedOut(page) > 10);

    const wayBack = [
      () => page.keyboard.press("Backspace"),
      () => page.keyboard.press("w"), // undoes s
      () => page.keyboard.press("d"), // undoes a
      () => page.click("#back"),
      () => page.locator("#graph .state").nth(5).click(),
    ];
    for (const [i, goBack] of wayBack.entries()) {
      await page.locator("h1").click(); // the fields have the focus otherwise, and the letters
      await goBack();
      await page.locator(`#graph .here[data-state="${ids[9 - i]}"]`).waitFor();
      await said(/^Walked back\.$/);
      assert.equal(await stateId(), ids[9 - i]);
    }

    for (const [i, key] of ["k", "w", "l"].entries()) {
      await page.keyboard.press(key);
      await said(new RegExp(`now at state ${16 + i}\\.`));
    }
    const { state_ids, states }: Wire<WorldSnapshot> = await (await fetch(`${server.url}/v1/world/session`)).json();
    assert.deepEqual(state_ids.slice(0, 6), ids.slice(0, 6));
    assert.equal(states.length, 9);
    const drawn = await page.locator("#graph .state").evaluateAll((marks) => marks.map((mark) => mark.dataset.state));
    assert.deepEqual(drawn, state_ids);
    assert.equal(await page.locator("#graph .edge.active").count(), 8);
    assert.equal(await page.locator("#graph .here").getAttribute("aria-label"), "State 18, you are here");

    // Eighteen clips, each laid over the last frame of the one before.
    assert.ok(Math.abs(await playedOut(page) - (1 + 18 * NEW_FRAMES) / FPS) < 0.1);
    const { time, brightness, covered } = await readVideo(page);
    assert.ok(time > 17.9 && brightness > 20 && !covered, JSON.stringify({ time, brightness, covered }));
    assert.deepEqual(refused, []);
  }));

test("the page asks for moves as far as the fields say, and can undo each", () =>
  withPage({ backend }, async ({ page, said, refused }) => {
    const asked = askedMoves(page);
    await page.click("#more-title");
    await page.fill("#prompt", "a red corridor with blue doors and cold lamps, bright");
    const fields = { distance: "0.5", angle: "7.5", seed: "18446744073709551615", steps: "2", guidance: "1.5" };
    for (const [id, value] of Object.entries(fields)) await page.fill(`#${id}`, value);
    await page.locator("h1").click();
    await page.keyboard.press("w");
    await said(/Walked forward, now at state 1/);
    await page.keyboard.press("j");
    await said(/Turned left, now at state 2/);
    await page.fill("#angle", "30");
    await page.reload();
    await page.locator("#graph .here").waitFor();
    await page.keyboard.press("Backspace");
    await said(/Walked back/);
    await page.keyboard.press("Backspace");
    await page.locator("#graph .here", { hasText: "Start" }).waitFor();
    const wishes = {
      prompt: "a red corridor with blue doors and cold lamps, bright",
      seed: "18446744073709551615",
      steps: 2,
      guidance_scale: 1.5,
      num_frames: 17,
    };
    assert.deepEqual(asked.slice(0, 2), [
      { ...wishes, camera: { motion: "forward", translation_meters: [0, 0, 0.5], rotation_degrees: [0, 0, 0] } },
      { ...wishes, camera: { motion: "yawLeft", translation_meters: [0, 0, 0], rotation_degrees: [0, -7.5, 0] } },
    ]);
    assert.deepEqual(asked.slice(2).map(({ camera, num_frames }) => ({ camera, num_frames })), [
      {
        camera: { motion: "yawRight", translation_meters: [0, 0, 0], rotation_degrees: [0, 7.5, 0] },
        num_frames: undefined,
      },
      {
        camera: { motion: "backward", translation_meters: [0, 0, -0.5], rotation_degrees: [0, 0, 0] },
        num_frames: undefined,
      },
    ]);
    assert.deepEqual(refused, []);
  }));

test("the page shows what is wrong with a field, and the world stays", () =>
  withPage({ backend }, async ({ page, begin, said, stateId, refused }) => {
    await begin();
    const start = await stateId();
    await page.click("#more-title");
    await page.click("text=Make this move");
    await said(/Cannot make this move: all its numbers are 0/);
    await page.focus("#angle");
    await page.keyboard.type("e"); // part of a number, and none
    await page.locator("h1").click();
    await page.keyboard.press("l");
    await said(/the field Angle in degrees is not a number/);
    await page.fill("#angle", "15");
    await page.fill("#distance", "0");
    await page.locator("h1").click();
    await page.keyboard.press("w");
    await said(/the distance of a move is 0, expected more than 0/);
    assert.deepEqual(refused, []);
    await page.fill("#distance", "1");
    await page.fill("#steps", "1001");
    await page.locator("h1").click();
    await page.keyboard.press("w");
    await said(/Cannot start a transition: .*steps.* expected an integer from 1 to 1000/);
    assert.deepEqual(refused, ["400 /v1/world/session/transitions"]);
    assert.equal(await stateId(), start);
  }));

test("the page of an actionworld hides saved places, poses and memory", () =>
  withPage({ backend }, async ({ page }) => {
    await page.click("#more-title");
    await page.locator("dd", { hasText: "actionworld" }).waitFor();
    assert.match(await page.locator("#model").textContent() ?? "", /, an actionworld$/);
    const names = await page.locator("dt").allTextContents();
    assert.deepEqual(names, ["Moves", "Backend", "Model", "Made for", "Device", "Phase"]);
    for (const hidden of ["#saved-panel", "#saved-legend"]) assert.ok(await page.locator(hidden).isHidden());
    assert.equal(await page.locator(".more input[type=number]:visible").count(), 10);
  }));
