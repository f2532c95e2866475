/**
 * Measures what corridor-nano was made for, on the latents of its encoder, and writes it into its `config.json`:
 * `node --import tsx tests/eval/measure_knows.ts [picture ...]`. Then prints how far corridors are that were not
 * measured, and the pictures that are named: what it was not made for.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import { coverImage } from "../../lib/media/images/crop_image.ts";
import { decodeImage } from "../../lib/media/images/decode_image.ts";
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";
import { loadArworld } from "../../lib/models/arworld/loader.ts";
import { ImageEncoder } from "../../lib/models/video_vae/image_encoder.ts";
import { knownDistance, type KnownLatents, latentFeatures } from "../../lib/models/video_vae/latent_distance.ts";
import { pixelsPerLatent } from "../../lib/models/video_vae/vae_config.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { PLACES } from "../fixtures/places/place.ts";
import { cameraAt } from "../fixtures/places/walk_place.ts";
import { seededRandom } from "../support/random.ts";

const MEASURED = 180;
const HELD_OUT = 60;
/** Directions with a variance of their own. */
const RANK = 16;
/** Share of the identity in the covariance: few pictures measure the small variances too small. */
const SHRINKAGE = 0.1;
/** Part of the way, by ratio, from the farthest corridor to the limit. */
const MARGIN = 1.35;

const folder = new URL("../../models/corridor-nano/", import.meta.url);
const files = await loadArworld(modelRoot(new URL("base", folder)), modelRoot(new URL("causal", folder)), {});
const { defaultWidth: width = 192, defaultHeight: height = 128, vae } = files.config;
const device = await openOnnxDevice({ threads: 2 });
const encoder = await ImageEncoder.compile(device, files.config, files.vae, width, height);
const featuresOf = async (image: RgbImage): Promise<Float64Array> =>
  latentFeatures(await encoder.encode(coverImage(image, { width, height })), vae.zDim, height / pixelsPerLatent(vae));

/** Corridors as walks begin, and every third turned further aside. */
async function corridors(count: number, seed: number): Promise<Float64Array[]> {
  const random = seededRandom(seed);
  const features: Float64Array[] = [];
  for (let i = 0; i < count; i++) {
    const { start, aside, sample } = PLACES.corridor;
    const camera = cameraAt((i % 3 === 2 ? aside : start)(random));
    features.push(await featuresOf(sample(random).paint(camera, 2 * width, 2 * height)));
  }
  return features;
}

/** Eigenvalues and vectors of a symmetric matrix, the largest first, by Jacobi's rotations. */
function eigen(matrix: readonly Float64Array[]): { readonly value: number; readonly vector: number[] }[] {
  const n = matrix.length;
  const a = matrix.map((row) => row.slice());
  const v = a.map((_, i) => Float64Array.from({ length: n }, (_, j) => Number(i === j)));
  for (let sweep = 0; sweep < 20; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (Math.abs(a[p][q]) < 1e-12) continue;
        const angle = Math.atan2(2 * a[p][q], a[q][q] - a[p][p]) / 2;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const turn = (row: Float64Array): void => {
          [row[p], row[q]] = [cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]];
        };
        a.forEach(turn);
        v.forEach(turn);
        for (let k = 0; k < n; k++) {
          [a[p][k], a[q][k]] = [cos * a[p][k] - sin * a[q][k], sin * a[p][k] + cos * a[q][k]];
        }
      }
    }
  }
  return a.map((row, i) => ({ value: row[i], vector: v.map((row) => row[i]) })).sort((a, b) => b.value - a.value);
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

function statisticsOf(samples: readonly Float64Array[]): KnownLatents {
  const count = samples[0].length;
  const each = Array.from({ length: count }, (_, i) => i);
  const mean = each.map((i) => samples.reduce((sum, sample) => sum + sample[i], 0) / samples.length);
  const std = each.map((i) => Math.sqrt(samples.reduce((sum, s) => sum + (s[i] - mean[i]) ** 2, 0) / samples.length));
  const scaled = samples.map((sample) => each.map((i) => (sample[i] - mean[i]) / std[i]));
  const covariance = each.map((i) =>
    Float64Array.from(each, (j) => scaled.reduce((sum, s) => sum + s[i] * s[j], 0) / samples.length)
  );
  const found = eigen(covariance);
  const others = found.slice(RANK);
  const shrunk = (value: number): number => round((1 - SHRINKAGE) * value + SHRINKAGE, 4);
  return {
    mean: mean.map((value) => round(value, 3)),
    std: std.map((value) => round(value, 3)),
    basis: found.slice(0, RANK).map(({ vector }) => vector.map((part) => round(part, 3))),
    variance: found.slice(0, RANK).map(({ value }) => shrunk(value)),
    rest: shrunk(others.reduce((sum, { value }) => sum + value, 0) / others.length),
    limit: 1,
  };
}

const known = statisticsOf(await corridors(MEASURED, 1));
const heldOut = (await corridors(HELD_OUT, 2)).map((features) => knownDistance(known, features));
const [starts, aside] = [2, 0].map((kind) =>
  heldOut.filter((_, i) => (i % 3 === 2) === (kind === 0)).sort((a, b) => a - b)
);
const limit = round(MARGIN * starts[starts.length - 1], 2);
const config = new URL("base/config.json", folder);
const { knows: _, ...others } = JSON.parse(readFileSync(config, "utf8"));
const text = JSON.stringify(others, null, 2).replace(/\n\}$/, "");
const latents = Object.entries({ ...known, limit }).map(([name, value]) =>
  name === "basis"
    ? `      "basis": [\n${known.basis.map((row) => `        ${JSON.stringify(row)}`).join(",\n")}\n      ]`
    : `      "${name}": ${JSON.stringify(value)}`
);
writeFileSync(
  config,
  `${text},\n  "knows": {\n    "what": "corridors",\n    "latents": {\n${latents.join(",\n")}\n    }\n  }\n}\n`,
);
const say = (name: string, distances: readonly number[]): void => {
  const at = (share: number): string => (distances[Math.floor(share * (distances.length - 1))] / limit).toFixed(2);
  console.log(`${name}: median ${at(0.5)}, 95 % ${at(0.95)}, farthest ${at(1)}`);
};
say("starts of walks", starts);
say("turned aside", aside);
for (const path of process.argv.slice(2)) {
  const distance = knownDistance({ ...known, limit }, await featuresOf(await decodeImage(readFileSync(path))));
  console.log(`${path.split("/").at(-1)}: ${distance.toFixed(2)}`);
}
device.dispose();
process.exit(0);
