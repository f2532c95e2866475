/**
 * Says which corridor a picture shows.
 *
 * @module
 */
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";
import { DOOR_PERIOD } from "../fixtures/places/corridor_geometry.ts";
import { type CorridorScene, makeScene } from "../fixtures/places/corridor_scene.ts";
import { HUES, type Light } from "../fixtures/places/paints.ts";
import { renderCorridor } from "../fixtures/places/render_corridor.ts";
import { type Camera, cameraAt } from "../fixtures/places/walk_place.ts";
import { seededRandom } from "../support/random.ts";
import { PATTERN, PicturePatterns } from "./picture_patterns.ts";

/** What a picture shows. */
export interface JudgedCorridor {
  readonly wall: string;
  readonly door: string;
  readonly light: Light;
}

const PLACES = 120;

/**
 * Where walks begin: near the middle, looking along the corridor.
 *
 * @param along Where between one door and the next, from 0 to 1.
 */
export function startPlace(random: () => number, along: number = random()): Camera {
  return cameraAt({ yaw: 0.24 * (random() + random() - 1), x: 1.2 * random() - 0.6, z: DOOR_PERIOD * along });
}

/** Compares pictures with those of the ray-caster, in all colours and from many places. */
export class CorridorJudge {
  readonly #patterns = new PicturePatterns<JudgedCorridor>();

  constructor(seed = 4) {
    const random = seededRandom(seed);
    for (let i = 0; i < PLACES; i++) {
      const place = startPlace(random, (i + random()) / PLACES);
      for (const scene of allScenes()) {
        this.#patterns.add(
          { wall: scene.wallName, door: scene.doorName, light: scene.light },
          renderCorridor(scene, place, PATTERN.width, PATTERN.height),
        );
      }
    }
  }

  /** The corridor whose picture is nearest. */
  judge(image: RgbImage): JudgedCorridor {
    return this.#patterns.nearest(image);
  }
}

/** Every pair of different colours, dark and bright. */
export function allScenes(): CorridorScene[] {
  const names = Object.keys(HUES);
  return names.flatMap((wall) =>
    names.filter((door) => door !== wall).flatMap((door) =>
      (["dark", "bright"] as const).map((light) => makeScene(wall, door, light))
    )
  );
}
