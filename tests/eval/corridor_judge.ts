/**
 * Says which corridor a picture shows.
 *
 * @module
 */
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";
import { resizeImage } from "../../lib/media/images/resize_image.ts";
import { type CorridorScene, HUES, type Light, makeScene } from "../fixtures/places/corridor_scene.ts";
import { type CameraPlace, walkCorridor } from "../fixtures/places/walk_place.ts";
import { DOOR_PERIOD } from "../fixtures/places/corridor_geometry.ts";
import { renderCorridor } from "../fixtures/places/render_corridor.ts";
import { seededRandom } from "../support/random.ts";

/** What a picture shows. */
export interface JudgedCorridor {
  readonly wall: string;
  readonly door: string;
  readonly light: Light;
}

/** A pattern: a corridor from one place. */
interface Pattern extends JudgedCorridor {
  readonly picture: Float32Array;
}

const WIDTH = 24;
const HEIGHT = 16;
const PLACES = 120;

/**
 * Where walks begin: near the middle, looking along the corridor.
 *
 * @param along Where between one door and the next, from 0 to 1.
 */
export function startPlace(random: () => number, along: number = random()): CameraPlace {
  const start = { yaw: 0.24 * (random() + random() - 1), x: 1.2 * random() - 0.6, z: DOOR_PERIOD * along };
  return walkCorridor([" "], start, 1)[0];
}

/** Compares pictures with those of the ray-caster, in all colours and from many places. */
export class CorridorJudge {
  readonly #patterns: Pattern[] = [];

  constructor(seed = 4) {
    const random = seededRandom(seed);
    for (let i = 0; i < PLACES; i++) {
      const place = startPlace(random, (i + random()) / PLACES);
      for (const scene of allScenes()) {
        this.#patterns.push({
          wall: scene.wallName,
          door: scene.doorName,
          light: scene.light,
          picture: small(renderCorridor(scene, place, WIDTH, HEIGHT)),
        });
      }
    }
  }

  /** The corridor whose picture is nearest. */
  judge(image: RgbImage): JudgedCorridor {
    const picture = small(image);
    let best = Infinity;
    let found = this.#patterns[0];
    for (const pattern of this.#patterns) {
      let distance = 0;
      for (let i = 0; i < picture.length && distance < best; i++) distance += (picture[i] - pattern.picture[i]) ** 2;
      if (distance < best) [best, found] = [distance, pattern];
    }
    return found;
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

function small(image: RgbImage): Float32Array {
  return Float32Array.from(resizeImage(image, WIDTH, HEIGHT, "linear").data);
}
