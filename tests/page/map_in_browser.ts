/**
 * The map from above, full screen and the buttons of the walk in a real browser. `npm test -- page` runs this file on
 * Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { closeAll, lengthened, MOVES, withPage } from "./opened_page.ts";

after(closeAll);

/** Where the states are on the map, by the names of their labels. */
function marks(page: Page): Promise<{ readonly label: string; readonly x: number; readonly y: number }[]> {
  return page.locator("#plan .state").evaluateAll((marks) =>
    marks.map((mark) => {
      const [x, y] = mark.getAttribute("transform")!.match(/-?[\d.]+/g)!.map(Number);
      return { label: mark.getAttribute("aria-label")!, x, y };
    })
  );
}

async function walk(page: Page, said: (pattern: RegExp) => Promise<void>, keys: string, from = 0): Promise<void> {
  for (const [i, key] of [...keys].entries()) {
    await page.keyboard.press(key);
    await said(new RegExp(`now at state ${from + i + 1}\\.`));
  }
}

for (const backend of ["arworld", "actionworld"] as const) {
  test(`the map of an ${backend} shows the way from above, follows, and leads back`, () =>
    withPage({ backend }, async ({ page, said, stateId, refused }) => {
      await walk(page, said, "wwl");
      await page.locator("#plan .here[aria-label^='State 3']").waitFor();
      const places = await marks(page);
      assert.equal(places.length, 4);
      const [start, one, two, three] = ["Start", "State 1", "State 2", "State 3"].map((name) =>
        places.find(({ label }) => label.startsWith(name))!
      );
      assert.ok(start.y > one.y && one.y > two.y && Math.abs(start.x - two.x) < 1, JSON.stringify(places));
      assert.ok(Math.hypot(two.x - three.x, two.y - three.y) < 1); // a turn stays in its place
      assert.equal(await page.locator("#plan .edge.active").count(), 3);
      assert.equal(await page.locator("#plan .wedge").count(), 1);

      await page.click("#plan-in");
      assert.equal(await page.getAttribute("#plan-fit", "aria-pressed"), "false");
      const middle = await page.locator("#plan").evaluate((
        { clientWidth, clientHeight },
      ) => [clientWidth / 2, clientHeight / 2]);
      const here = (await marks(page)).at(-1)!;
      assert.deepEqual([here.x, here.y], middle);
      await page.click("#plan-fit");
      assert.deepEqual(await marks(page), places);

      await page.locator("#plan [aria-label^='State 1, can']").click();
      await page.locator("#plan .here[aria-label^='State 1']").waitFor();
      assert.equal(await page.locator("#graph .here").getAttribute("data-state"), await stateId());
      await page.focus("#plan .here");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await page.locator("#plan .here[aria-label^='Start']").waitFor();
      assert.equal(await page.locator("#plan .state").count(), 1);
      assert.deepEqual(refused, []);
    }));
}

test("the map has a pin with a name for a saved place, and leads back to it from another branch", () =>
  withPage({}, async ({ page, said, stateId }) => {
    await walk(page, said, "w");
    const saved = await stateId();
    await page.fill("#saved-name", "<b>Door & lamp, a long name</b>");
    await page.click("#saved-form button");
    await said(/Saved this place/);
    await page.locator("h1").click();
    await walk(page, said, "d", 1);
    await page.fill("#saved-name", "Aside");
    await page.click("#saved-form button");
    await said(/Saved this place as Aside/);
    assert.deepEqual(await page.locator("#plan .pin-name").allTextContents(), ["<b>Door & lamp, a…", "Aside"]);
    await page.locator("#plan [aria-label*='Door & lamp']").locator(".saved-mark").click();
    await said(/Returned to/);
    assert.equal(await stateId(), saved);
    await page.locator("h1").click();
    await walk(page, said, "w", 1);
    await page.locator("#plan .edge:not(.active)").waitFor({ state: "attached" });
    assert.equal(await page.locator("#plan .state.left").count(), 1);
  }));

test("names of places stay within the map and off each other, and what lies under the camera can be clicked", () =>
  withPage({}, async ({ page, said, stateId }) => {
    await walk(page, said, "ddd");
    const save = async (name: string): Promise<void> => {
      await page.fill("#saved-name", name);
      await page.click("#saved-form button");
      await said(/Saved this place/);
      await page.locator("h1").click();
    };
    await save("At the end of the way");
    const saved = await stateId();
    await walk(page, said, "i", 3);
    await save("");
    await page.locator("#saved strong", { hasText: /^Place 1$/ }).waitFor();
    const boxes = await page.locator("#plan .pin-name").evaluateAll((names) => {
      const map = document.querySelector("#plan")!.getBoundingClientRect();
      return names.map((name) => {
        const { left, right, top, bottom } = name.getBoundingClientRect();
        return { isInside: left >= map.left && right <= map.right && top >= map.top, left, right, top, bottom };
      });
    });
    assert.deepEqual(boxes.map(({ isInside }) => isInside), [true, true]);
    const [one, other] = boxes;
    assert.ok(one.bottom <= other.top + 4 || other.bottom <= one.top + 4, JSON.stringify(boxes));
    // Its camera has only looked up since: both states are the same point of the map.
    const { x, y } = (await marks(page)).at(-1)!;
    await page.locator("#plan").click({ position: { x, y } });
    await said(/Returned to At the end of the way/);
    assert.equal(await stateId(), saved);
  }));

test("states that nothing leads back to are beads of the line on the map", () =>
  withPage({}, async ({ page, said, server }) => {
    await walk(page, said, "w");
    await page.locator("#plan .state .gone").waitFor({ state: "detached" });
    const body = JSON.stringify({ prompt: "a corridor", action_seq: ["w", "l", "w"], num_output_frames: 9 });
    const headers = { "content-type": "application/json" };
    await fetch(`${server.url}/v1/world/session/rollouts`, { method: "POST", headers, body });
    await page.locator("#plan .here[aria-label^='State 2']").waitFor();
    const sizes = await page.locator("#plan .state").evaluateAll((marks) =>
      marks.map((mark) => [mark.getAttribute("role"), mark.querySelector("circle:not(.area)")!.getAttribute("r")])
    );
    assert.deepEqual(sizes, [["img", "2.5"], ["img", "2.5"], ["img", "5"]]);
  }));

test("the map can be dragged, and keeps the camera in sight when the walk continues", () =>
  withPage({}, async ({ page, said }) => {
    await walk(page, said, "w");
    await page.locator("#plan .here[aria-label^='State 1']").waitFor();
    const before = await marks(page);
    const box = (await page.locator("#plan").boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + 60);
    await page.mouse.up();
    const after = await marks(page);
    assert.deepEqual(
      after.map(({ x, y }) => [Math.round(x), Math.round(y)]),
      before.map(({ x, y }) => [
        Math.round(x + 60),
        Math.round(y + 40),
      ]),
    );
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 600);
    await page.mouse.up();
    await walk(page, said, "w", 1);
    await page.locator("#plan .here[aria-label^='State 2']").waitFor();
    const here = (await marks(page)).at(-1)!;
    assert.deepEqual([here.x, here.y], [box.width / 2, box.height / 2]);
  }));

test("full screen fills the window, keys stay on it, and Escape leaves it", () => {
  let handle = (route: Route): Promise<void> => route.continue();
  const routes = { [MOVES]: (route: Route) => handle(route) };
  return withPage({ routes, context: { viewport: { width: 900, height: 640 } } }, async ({ page, said }) => {
    await walk(page, said, "w");
    await page.click("#full");
    await page.locator("#world.full").waitFor();
    const covers = (id: string) =>
      page.locator(id).evaluate((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      });
    assert.ok(await covers("#stage") && await covers(".controls"));
    const { height } = (await page.locator("#world").boundingBox())!;
    assert.equal(height, await page.evaluate(() => innerHeight));
    await walk(page, said, "w", 1);
    await page.locator("[data-move=yawLeft]").click();
    await said(/Turned left, now at state 3/);
    handle = lengthened({ num_frames: 1005 });
    await page.keyboard.press("a");
    await page.locator("#cancel:enabled").click();
    await said(/Move stopped/);
    assert.equal(await page.locator("#world.full").count(), 1);
    await page.keyboard.press("Escape");
    await page.locator("#world:not(.full)").waitFor();
    assert.equal(await page.getAttribute("#full", "aria-pressed"), "false");
    await page.waitForFunction(() => document.fullscreenElement === null);
    assert.equal(await page.locator("#world.full").count(), 0);
  });
});

test("two touch sticks walk and turn at once in full screen", () =>
  withPage({ context: { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true } }, async (opened) => {
    const { page, begin, said } = opened;
    await begin();
    await page.click("#full");
    await page.locator("#world.full").waitFor();
    const asked = page.waitForRequest((request) => /custom/.test(request.postData() ?? ""));
    await page.evaluate(() => {
      const leans = [["stick-look", 8, 60, 0], ["stick-move", 7, 0, -60]] as const;
      for (const [id, pointerId, x, y] of leans) {
        const stick = document.getElementById(id)!;
        stick.setPointerCapture = () => {}; // pointers of scripts cannot be captured
        const { left, top, width, height } = stick.getBoundingClientRect();
        const at = { pointerId, clientX: left + width / 2 + x, clientY: top + height / 2 + y, cancelable: true };
        stick.dispatchEvent(new PointerEvent("pointerdown", at));
      }
    });
    const { camera } = (await asked).postDataJSON();
    assert.deepEqual([camera.translation_meters, camera.rotation_degrees], [[0, 0, 1], [0, 15, 0]]);
    await page.evaluate(() => {
      for (const [id, pointerId] of [["stick-move", 7], ["stick-look", 8]] as const) {
        document.getElementById(id)!.dispatchEvent(new PointerEvent("pointerup", { pointerId }));
      }
    });
    await said(/Moved, now at state/);
    await page.waitForFunction(() => !document.querySelector("#job")!.classList.contains("busy"));
  }));

/** A gamepad that a test holds. */
interface TestPad {
  readonly axes: number[];
  readonly buttons: { pressed: boolean }[];
  readonly mapping: string;
  leans: number;
  presses: number;
}

test("a gamepad walks, and its right button walks back", () => {
  const before = (): void => {
    const pad: TestPad = {
      axes: [0, 0, 0, 0],
      buttons: Array.from({ length: 17 }, () => ({ pressed: false })),
      mapping: "standard",
      leans: 0,
      presses: 0,
    };
    Object.assign(globalThis, { pad });
    // The stick leans, and the button is down, for one look at them: one move each, however slow the machine is.
    navigator.getGamepads = () => {
      pad.axes[1] = pad.leans-- > 0 ? -0.9 : 0.1;
      pad.buttons[1].pressed = pad.presses-- > 0;
      return [null, pad as unknown as Gamepad];
    };
  };
  return withPage({ before }, async ({ page, begin, said, stateId }) => {
    await begin();
    const start = await stateId();
    await page.evaluate(() => dispatchEvent(new Event("gamepadconnected")));
    await page.evaluate(() => (globalThis as unknown as { pad: TestPad }).pad.leans = 1);
    await said(/Walked forward, now at state 1/);
    await page.evaluate(() => (globalThis as unknown as { pad: TestPad }).pad.presses = 1);
    await said(/Walked back/);
    assert.equal(await stateId(), start);
  });
});

test("the readout of latency and frames can be shown and hidden", () =>
  withPage({}, async ({ page, said }) => {
    assert.ok(await page.locator("#stats").isHidden());
    await page.click("#stats-on");
    assert.match(await page.locator("#stats").textContent() ?? "", /First frames after –/);
    await walk(page, said, "w");
    await page.locator("#stats", { hasText: /First frames after \d+ ms\s+Made \d+ frames\/s\s+Shown \d+ frames\/s/ })
      .waitFor();
    await page.locator("#stats", { hasText: /Shown –/ }).waitFor(); // the video stands still again
    await page.click("#stats-on");
    assert.ok(await page.locator("#stats").isHidden());
  }));
