import { test } from "node:test";
import assert from "node:assert/strict";
import { captionOf, makeScene, sampleScene } from "../fixtures/places/corridor_scene.ts";
import { slideAlongCorridor } from "../fixtures/places/corridor_geometry.ts";
import { actionsPerFrame, walkPlace, type WalkStart } from "../fixtures/places/walk_place.ts";
import { renderCorridor } from "../fixtures/places/render_corridor.ts";
import { renderBare, renderFurnished, renderPaleSigns } from "../fixtures/places/render_furnished.ts";
import { seededRandom } from "../support/random.ts";
import { readFileSync } from "node:fs";
import { jsonText } from "../goldens/packed/packed_golden.ts";

interface RenderedWalks {
  readonly width: number;
  readonly height: number;
  readonly speed: number;
  readonly cases: readonly RenderedWalk[];
}

interface RenderedWalk extends WalkStart {
  readonly wall: string;
  readonly door: string;
  readonly light: string;
  readonly caption: string;
  readonly actions: readonly string[];
  /** Of the last frame. */
  readonly position: readonly number[];
  /** Pixels in base64, by frame. */
  readonly frames: Readonly<Record<string, string>>;
}

/** What the trainer's renderer has drawn. */
function rendered(name: string): RenderedWalks {
  const file = `corridor_${name}.json.br`;
  return JSON.parse(jsonText(file, readFileSync(new URL(`../goldens/data/${file}`, import.meta.url))));
}

const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

for (
  const { golden, paint } of [
    { golden: rendered("scenes"), paint: renderCorridor },
    { golden: rendered("furnished"), paint: renderFurnished },
    { golden: rendered("bare"), paint: renderBare },
    { golden: rendered("pale_signs"), paint: renderPaleSigns },
  ]
) {
  for (const { wall, door, light, caption, actions, yaw, x, z, position, frames } of golden.cases) {
    test(`${paint.name}() shows ${caption} as the trainer's renderer does`, () => {
      const scene = makeScene(wall, door, light as "dark" | "bright");
      assert.equal(captionOf(scene), caption);
      const places = walkPlace(actions, { yaw, x, z }, golden.speed, slideAlongCorridor);
      places.at(-1)!.position.forEach((p, i) => assert.ok(Math.abs(p - position[i]) < 1e-4));
      for (const [frame, expected] of Object.entries(frames)) {
        const { data } = paint(scene, places[Number(frame)], golden.width, golden.height);
        const reference = bytes(expected);
        assert.equal(data.length, reference.length);
        // The trainer computes in 32 bits: a byte on the edge of rounding may differ by one.
        data.forEach((value, i) => assert.ok(Math.abs(value - reference[i]) <= 1, `frame ${frame}, byte ${i}`));
      }
    });
  }
}

test("sampleScene() gives the same corridor for the same seed and takes the given light", () => {
  assert.deepEqual(sampleScene(seededRandom(3)), sampleScene(seededRandom(3)));
  const random = seededRandom(4);
  for (let i = 0; i < 50; i++) {
    const scene = sampleScene(random, "dark");
    assert.equal(scene.light, "dark");
    assert.notEqual(scene.wallName, scene.doorName);
  }
});

test("actionsPerFrame() gives 9 frames to the first block and 12 to each other", () => {
  assert.deepEqual(actionsPerFrame(["w", "j"]), [...Array(9).fill("w"), ...Array(12).fill("j")]);
});
