import assert from "node:assert/strict";
import { test } from "node:test";
import { renderCorridor } from "../fixtures/places/render_corridor.ts";
import { seededRandom } from "../support/random.ts";
import { allScenes, CorridorJudge, startPlace } from "./corridor_judge.ts";

test("the judge of corridors recognises pictures of the ray-caster from places that it has not seen", () => {
  const judge = new CorridorJudge();
  const random = seededRandom(99);
  const scenes = allScenes();
  const wrong = scenes.filter((scene) => {
    const { wall, door, light } = judge.judge(renderCorridor(scene, startPlace(random), 96, 64));
    return wall !== scene.wallName || door !== scene.doorName || light !== scene.light;
  });
  assert.ok(wrong.length <= 0.03 * scenes.length, `${wrong.length} of ${scenes.length} are not recognised`);
});
