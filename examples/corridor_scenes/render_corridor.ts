/**
 * Ray-casts pictures of a corridor.
 *
 * One analytic intersection with the box per pixel; every feature is averaged over the size of the pixel, so that
 * nothing flickers while the camera moves.
 *
 * @module
 */
import type { RgbFrames, RgbImage } from "../../lib/media/rgb_image.ts";
import { INTRINSICS } from "../../lib/models/arworld/camera.ts";
import {
  DOOR_HALF_WIDTH,
  DOOR_HEIGHT,
  DOOR_PERIOD,
  FOG_DENSITY,
  HALF_HEIGHT,
  HALF_WIDTH,
  LEFT_DOOR,
  PANEL_PERIOD,
  RIGHT_DOOR,
} from "./corridor_geometry.ts";
import type { CorridorScene } from "./corridor_scene.ts";
import type { CameraPlace } from "./corridor_walk.ts";

const LAMP = [1, 0.86, 0.62];
const LAMP_PERIOD = DOOR_PERIOD / 2;
const FRAME_COLOUR = 0.12;
const DOOR_FRAME = 0.12;

/** What a ray hits, and how much of each feature the pixel covers there, 0 to 1. */
interface Hit {
  readonly isWall: boolean;
  readonly isFloor: boolean;
  /** Share of the light that gets through the fog. */
  readonly clear: number;
  /** Brightness under the lamps. */
  readonly light: number;
  readonly door: number;
  readonly doorFrame: number;
  readonly panel: number;
  readonly wainscot: number;
  readonly lamp: number;
  readonly tile: number;
  readonly rug: number;
}

/** The picture from one place. */
export function renderCorridor(scene: CorridorScene, camera: CameraPlace, width: number, height: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  const { rotation: r, position } = camera;
  let at = 0;
  for (let row = 0; row < height; row++) {
    const v = ((row + 0.5) / height - 0.5) / INTRINSICS.fy;
    for (let column = 0; column < width; column++, at += 3) {
      const u = ((column + 0.5) / width - 0.5) / INTRINSICS.fx;
      const ray = [r[0] * u + r[1] * v + r[2], r[3] * u + r[4] * v + r[5], r[6] * u + r[7] * v + r[8]];
      const hit = castRay(position, ray, scene.ambient, width);
      for (let c = 0; c < 3; c++) {
        const value = shade(scene, hit, c) * hit.clear + scene.fog[c] * (1 - hit.clear);
        data[at + c] = clamp(value) * 255 + 0.5;
      }
    }
  }
  return { width, height, data };
}

/** The pictures of a whole walk. */
export function renderWalk(
  scene: CorridorScene,
  cameras: readonly CameraPlace[],
  width: number,
  height: number,
): RgbFrames {
  const data = new Uint8Array(cameras.length * width * height * 3);
  cameras.forEach((camera, i) => data.set(renderCorridor(scene, camera, width, height).data, i * width * height * 3));
  return { width, height, count: cameras.length, data };
}

function castRay([px, , pz]: readonly number[], [dx, dy, dz]: number[], ambient: number, width: number): Hit {
  const ix = 1 / awayFromZero(dx);
  const iy = 1 / awayFromZero(dy);
  const toWall = Math.max((HALF_WIDTH - px) * ix, (-HALF_WIDTH - px) * ix);
  const toFloor = Math.max(HALF_HEIGHT * iy, -HALF_HEIGHT * iy);
  const isWall = toWall <= toFloor;
  const t = Math.min(toWall, toFloor);
  const x = px + dx * t;
  const y = dy * t;
  const z = pz + dz * t;

  // Size of the pixel on the surface, across it and along z; the small constant keeps edges soft when very near.
  const pixel = t / (width * INTRINSICS.fx);
  const slant = Math.min(20, Math.abs(dz * (isWall ? ix : iy)));
  const along = pixel * (1 + slant) + 0.02;
  const across = pixel * 1.5 + 0.02;

  const atDoor = z - (x > 0 ? RIGHT_DOOR : LEFT_DOOR);
  const door = stripes(atDoor, DOOR_HALF_WIDTH, DOOR_PERIOD, along) * edge(y - (HALF_HEIGHT - DOOR_HEIGHT), across);
  const doorWithFrame = stripes(atDoor, DOOR_HALF_WIDTH + DOOR_FRAME, DOOR_PERIOD, along) *
    edge(y - (HALF_HEIGHT - DOOR_HEIGHT - DOOR_FRAME), across);
  const distance = t * Math.sqrt(dx * dx + dy * dy + dz * dz);
  const wave = 0.5 + 0.5 * Math.cos((z - LAMP_PERIOD / 2) * (2 * Math.PI / LAMP_PERIOD));
  return {
    isWall,
    isFloor: !isWall && dy > 0,
    clear: Math.exp(-distance * FOG_DENSITY),
    light: ambient + (1 - ambient) * wave,
    door,
    doorFrame: doorWithFrame - door,
    panel: stripes(z, PANEL_PERIOD / 4, PANEL_PERIOD, along),
    wainscot: edge(y - 0.35 * HALF_HEIGHT, across),
    lamp: stripes(z - LAMP_PERIOD / 2, 0.32, LAMP_PERIOD, along) * edge(0.34 - Math.abs(x), across),
    tile: stripes(z, 0.375, 1.5, along),
    rug: edge(0.45 - Math.abs(x), across),
  };
}

/** Colour channel `c` of the surface under the corridor's light, without fog. */
function shade(scene: CorridorScene, hit: Hit, c: number): number {
  const door = scene.door[c];
  let surface: number;
  if (hit.isWall) {
    const wall = scene.wall[c] * (0.82 + 0.18 * hit.panel) * (1 - 0.45 * hit.wainscot);
    surface = wall + (door * 0.8 - wall) * hit.door + (FRAME_COLOUR - wall) * hit.doorFrame;
  } else if (hit.isFloor) {
    const floor = scene.floor[c] * (0.75 + 0.35 * hit.tile);
    surface = floor + (door * (0.55 + 0.25 * hit.tile) - floor) * hit.rug;
  } else {
    surface = scene.floor[c] * 0.55 + scene.wall[c] * 0.2;
  }
  const lit = surface * hit.light * (LAMP[c] * 0.35 + 0.65);
  return hit.isWall || hit.isFloor ? lit : lit + (LAMP[c] - lit) * hit.lamp;
}

/** 1 within `half` of every multiple of the period, softened by `size`; its mean where stripes are finer than that. */
function stripes(at: number, half: number, period: number, size: number): number {
  const tooFine = clamp(size / period * 2 - 0.5);
  const distance = Math.abs(at - period * Math.round(at / period));
  return edge(half - distance, size) * (1 - tooFine) + 2 * half / period * tooFine;
}

/** 0 to 1 across a distance of 0, as wide as `size`. */
function edge(distance: number, size: number): number {
  return clamp(distance / size + 0.5);
}

function clamp(x: number): number {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

function awayFromZero(x: number): number {
  return Math.abs(x) < 1e-5 ? 1e-5 : x;
}
