/**
 * Says which courtyard a picture shows.
 *
 * @module
 */
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";
import {
  type CourtyardScene,
  type Daytime,
  DAYTIMES,
  makeCourtyard,
  STONES,
  WELLS,
} from "../fixtures/places/courtyard_scene.ts";
import { clamp } from "../fixtures/places/footprint.ts";
import { type Colour, HUES } from "../fixtures/places/paints.ts";
import { courtyardColours } from "../fixtures/places/render_courtyard.ts";
import { type Camera, cameraAt } from "../fixtures/places/walk_place.ts";
import { PATTERN, PicturePatterns } from "./picture_patterns.ts";

/** What a picture shows. */
export interface JudgedCourtyard {
  readonly stone: string;
  readonly hue: string;
  readonly well: string;
  readonly daytime: Daytime;
}

const PLACES = 400;
/** Its powers fill a cube evenly, one point after another. */
const EVEN = 1.2207440846;
const NONE: Colour = [0, 0, 0];
const ALL: Colour = [1, 1, 1];

/**
 * Compares pictures with those of the ray-caster, in all colours and from many places at one side of the court, where
 * `startAcross()` begins walks.
 */
export class CourtyardJudge {
  readonly #patterns = new PicturePatterns<JudgedCourtyard>();

  constructor() {
    const scenes = allCourtyards();
    for (let i = 0; i < PLACES; i++) {
      const [turn, x, z] = [1, 2, 3].map((power) => (0.5 + (i + 1) / EVEN ** power) % 1);
      const camera = cameraAt({ yaw: 0.8 * (turn - 0.5), x: 2.4 * (x - 0.5), z: -3.9 + 1.5 * z });
      for (const daytime of Object.keys(DAYTIMES) as Daytime[]) {
        const paint = painterOf(camera, daytime);
        for (const scene of scenes) {
          const { stoneName: stone, hueName: hue, wellName: well } = scene;
          if (scene.daytime === daytime) this.#patterns.add({ stone, hue, well, daytime }, paint(scene));
        }
      }
    }
  }

  /** The courtyard whose picture is nearest. */
  judge(image: RgbImage): JudgedCourtyard {
    return this.#patterns.nearest(image);
  }
}

/** Every stone with every colour of arcades and every well, at dusk and by day. */
export function allCourtyards(): CourtyardScene[] {
  return Object.keys(STONES).flatMap((stone) =>
    Object.keys(HUES).flatMap((hue) =>
      Object.keys(WELLS).flatMap((well) =>
        (Object.keys(DAYTIMES) as Daytime[]).map((daytime) => makeCourtyard(stone, hue, well, daytime))
      )
    )
  );
}

/** Makes pictures of all courtyards from one place out of four: colours are affine in those of stone, hue and well. */
function painterOf(camera: Camera, daytime: Daytime): (scene: CourtyardScene) => RgbImage {
  const { width, height } = PATTERN;
  const without = { ...makeCourtyard("marble", "white", "stone", daytime), stone: NONE, hue: NONE, well: NONE };
  const bare = courtyardColours(without, camera, width, height);
  const [stone, hue, well] = (["stone", "hue", "well"] as const).map((part) =>
    courtyardColours({ ...without, [part]: ALL }, camera, width, height).map((value, i) => value - bare[i])
  );
  return (scene) => {
    const data = new Uint8Array(bare.length);
    for (let i = 0; i < data.length; i++) {
      const c = i % 3;
      const value = bare[i] + scene.stone[c] * stone[i] + scene.hue[c] * hue[i] + scene.well[c] * well[i];
      data[i] = clamp(value) * 255 + 0.5;
    }
    return { width, height, data };
  };
}
