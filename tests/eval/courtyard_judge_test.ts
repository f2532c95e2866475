import assert from "node:assert/strict";
import { test } from "node:test";
import { startAcross } from "../fixtures/places/courtyard_geometry.ts";
import { makeCourtyard } from "../fixtures/places/courtyard_scene.ts";
import type { Colour } from "../fixtures/places/paints.ts";
import { renderCourtyard } from "../fixtures/places/render_courtyard.ts";
import { cameraAt } from "../fixtures/places/walk_place.ts";
import { seededRandom } from "../support/random.ts";
import { allCourtyards, CourtyardJudge } from "./courtyard_judge.ts";

test("the judge of courtyards recognises pictures of the ray-caster from places that it has not seen", () => {
  const judge = new CourtyardJudge();
  const random = seededRandom(99);
  const scenes = allCourtyards();
  const wrong = scenes.map(({ stoneName, hueName, wellName, daytime }) => {
    const tint: Colour = [0.95 + 0.1 * random(), 0.95 + 0.1 * random(), 0.95 + 0.1 * random()];
    const scene = makeCourtyard(stoneName, hueName, wellName, daytime, tint);
    const found = judge.judge(renderCourtyard(scene, cameraAt(startAcross(random)), 96, 64));
    return [found.stone !== stoneName, found.hue !== hueName, found.well !== wellName, found.daytime !== daytime];
  });
  const count = (part: number) => wrong.filter((parts) => parts[part]).length;
  const counts = { stone: count(0), hue: count(1), well: count(2), daytime: count(3) };
  const any = wrong.filter((parts) => parts.includes(true)).length;
  assert.ok(any <= 0.03 * scenes.length, `${any} of ${scenes.length} are not recognised: ${JSON.stringify(counts)}`);
});
