import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { slideInCourtyard, startAcross, startAnywhere } from "../fixtures/places/courtyard_geometry.ts";
import { courtyardCaption, type Daytime, makeCourtyard, sampleCourtyard } from "../fixtures/places/courtyard_scene.ts";
import { renderCourtyard } from "../fixtures/places/render_courtyard.ts";
import { walkPlace, type WalkStart } from "../fixtures/places/walk_place.ts";
import { jsonText } from "../goldens/packed/packed_golden.ts";
import { seededRandom } from "../support/random.ts";

interface RenderedWalk extends WalkStart {
  readonly stone: string;
  readonly hue: string;
  readonly well: string;
  readonly daytime: Daytime;
  readonly caption: string;
  readonly actions: readonly string[];
  /** Of the last frame. */
  readonly position: readonly number[];
  /** Its pixels in base64. */
  readonly frame: string;
}

/** What the trainer's renderer has drawn; `tests/goldens/courtyard_scenes.py` has made it. */
const file = "courtyard_scenes.json.br";
const golden: { width: number; height: number; speed: number; cases: RenderedWalk[] } = JSON.parse(
  jsonText(file, readFileSync(new URL(`../goldens/data/${file}`, import.meta.url))),
);

for (const { stone, hue, well, daytime, caption, actions, yaw, x, z, position, frame } of golden.cases) {
  test(`renderCourtyard() shows ${caption} as the trainer's renderer does`, () => {
    const scene = makeCourtyard(stone, hue, well, daytime);
    assert.equal(courtyardCaption(scene), caption);
    const camera = walkPlace(actions, { yaw, x, z }, golden.speed, slideInCourtyard).at(-1)!;
    camera.position.forEach((p, i) => assert.ok(Math.abs(p - position[i]) < 1e-4, `${camera.position}, ${position}`));
    const { data } = renderCourtyard(scene, camera, golden.width, golden.height);
    const reference = Uint8Array.from(atob(frame), (c) => c.charCodeAt(0));
    assert.equal(data.length, reference.length);
    // The trainer computes in 32 bits: a byte on the edge of rounding may differ by one.
    data.forEach((value, i) => assert.ok(Math.abs(value - reference[i]) <= 1, `byte ${i}: ${value}, ${reference[i]}`));
  });
}

test("sampleCourtyard() gives the same courtyard for the same seed, and day or dusk as the light says", () => {
  assert.deepEqual(sampleCourtyard(seededRandom(3)), sampleCourtyard(seededRandom(3)));
  const random = seededRandom(4);
  for (let i = 0; i < 20; i++) {
    assert.equal(sampleCourtyard(random, "dark").daytime, "dusk");
    assert.equal(sampleCourtyard(random, "bright").daytime, "day");
  }
});

test("walks through a courtyard begin where one can stand, and stay out of walls and well", () => {
  const random = seededRandom(5);
  for (let i = 0; i < 200; i++) {
    const start = i % 2 ? startAcross(random) : startAnywhere(random);
    for (const { position: [x, y, z] } of walkPlace(Array(40).fill("w"), start, 1.5, slideInCourtyard)) {
      assert.ok(Math.max(Math.abs(x), Math.abs(z)) < 4.55 && Math.hypot(x, z) > 1.4 && y === 0, `${x}, ${y}, ${z}`);
    }
  }
});
