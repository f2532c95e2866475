// Renders the source images of the examples: deno run -A examples/make_sources.ts, or npx tsx examples/make_sources.ts
import { writeFile } from "node:fs/promises";
import { encodePng } from "../lib/media/png.ts";
import { captionOf, type Light, makeScene } from "./corridor_scenes/corridor_scene.ts";
import { walkCorridor } from "./corridor_scenes/corridor_walk.ts";
import { renderCorridor } from "./corridor_scenes/render_corridor.ts";

interface Source {
  readonly file: string;
  readonly wall: string;
  readonly door: string;
  readonly light: Light;
  readonly x: number;
  readonly z: number;
  /** Degrees to the right. */
  readonly yaw: number;
}

const sources: readonly Source[] = [
  { file: "corridor.png", wall: "green", door: "orange", light: "bright", x: 0.1, z: 0.4, yaw: 3 },
  { file: "corridor_red.png", wall: "red", door: "white", light: "bright", x: -0.3, z: 1.2, yaw: -6 },
  { file: "corridor_blue.png", wall: "blue", door: "yellow", light: "bright", x: 0.5, z: 2.2, yaw: -12 },
  { file: "corridor_white.png", wall: "white", door: "teal", light: "bright", x: 0, z: 1.9, yaw: 0 },
  { file: "corridor_night.png", wall: "purple", door: "green", light: "dark", x: 0.2, z: 0.6, yaw: 8 },
];

for (const { file, wall, door, light, x, z, yaw } of sources) {
  const scene = makeScene(wall, door, light);
  const [camera] = walkCorridor([" "], { x, z, yaw: yaw * Math.PI / 180 }, 0);
  await writeFile(new URL(file, import.meta.url), await encodePng(renderCorridor(scene, camera, 384, 256)));
  // deno-lint-ignore no-console
  console.log(`${file}: ${captionOf(scene)}`);
}
