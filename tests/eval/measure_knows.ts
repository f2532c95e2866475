/**
 * Measures what corridor-nano was made for, on the latents of its encoder, and writes it into its `base/config.json`:
 * `deno run -A tests/eval/measure_knows.ts [--model-root DIR] [--place PLACE] [--picture FILE]`. Run it when its weights
 * have changed, and then `deno task generate`, which makes the list of the models' files.
 *
 * Several places have statistics of their own, since one Gaussian about all would be too wide to refuse
 * anything else; the distance of a picture is the least of those from each. The limit of a kind is 1.35 times the
 * distance of the farthest of 40 starts of walks of this kind that were not measured. Printed are the distances, in
 * units of the limits, of pictures that were not measured, and of those that are named. A kind for which there is a
 * world beside this one is written with its folder.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import { coverImage } from "../../lib/media/images/crop_image.ts";
import { decodeImage } from "../../lib/media/images/decode_image.ts";
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";
import { loadArworld } from "../../lib/models/arworld/loader.ts";
import { ImageEncoder } from "../../lib/models/video_vae/image_encoder.ts";
import { type KnownLatents, latentFeatures, nearestKind } from "../../lib/models/video_vae/latent_distance.ts";
import { pixelsPerLatent } from "../../lib/models/video_vae/vae_config.ts";
import { type FlagTable, readFlags, UsageError } from "../../lib/platform/terminal/flags.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { type Place, PLACES } from "../fixtures/places/place.ts";
import { cameraAt } from "../fixtures/places/walk_place.ts";
import { seededRandom } from "../support/random.ts";

const MEASURED = 180;
const HELD_OUT = 60;
/** Directions with a variance of their own. */
const RANK = 12;
/** Share of the identity in the covariance: few pictures measure the small variances too small. */
const SHRINKAGE = 0.1;
/** Part of the way, by ratio, from the farthest start to the limit. */
const MARGIN = 1.35;

const flags = {
  "model-root": {
    kind: "string",
    value: "DIR",
    help: "folder with base/ and causal/",
    default: "models/corridor-nano",
  },
  place: {
    kind: "strings",
    value: "PLACE",
    help: `a place that it was trained on, of ${
      Object.keys(PLACES).join(" and ")
    }; may be repeated (default: corridor)`,
  },
  picture: { kind: "strings", value: "FILE", help: "a picture whose distance is printed; may be repeated" },
} as const satisfies FlagTable;

const options = readFlags("measure_knows.ts", process.argv.slice(2), flags);
const [base, causal] = ["base", "causal"].map((part) => modelRoot(`${options["model-root"]}/${part}`));
const files = await loadArworld(base, causal, {});
const { defaultWidth: width = 192, defaultHeight: height = 128, vae } = files.config;
const device = await openOnnxDevice({ threads: 2 });
const encoder = await ImageEncoder.compile(device, files.config, files.vae, width, height);
const featuresOf = async (image: RgbImage): Promise<Float64Array> =>
  latentFeatures(await encoder.encode(coverImage(image, { width, height })), vae.zDim, height / pixelsPerLatent(vae));

/** Pictures of a place as walks begin, every second of which goes far, and every third picture from further aside. */
async function picturesOf(place: Place, count: number, seed: number): Promise<Float64Array[]> {
  const random = seededRandom(seed);
  const features: Float64Array[] = [];
  for (let i = 0; i < count; i++) {
    const begin = [place.start, place.startFar, place.aside][i % 3];
    const camera = cameraAt(begin(random));
    features.push(await featuresOf(place.sample(random).paint(camera, 2 * width, 2 * height)));
  }
  return features;
}

const isAside = (i: number): boolean => i % 3 === 2;

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
    basis: found.slice(0, RANK).map(({ vector }) => vector.map((part) => round(part, 2))),
    variance: found.slice(0, RANK).map(({ value }) => shrunk(value)),
    rest: shrunk(others.reduce((sum, { value }) => sum + value, 0) / others.length),
    limit: 1,
  };
}

/** Measures pictures of a place, and those of other seeds for the limit. */
async function measure(place: Place): Promise<{ readonly known: KnownLatents; readonly heldOut: Float64Array[] }> {
  const known = statisticsOf(await picturesOf(place, MEASURED, 1));
  const heldOut = await picturesOf(place, HELD_OUT, 2);
  const starts = heldOut.filter((_, i) => !isAside(i)).map((features) => nearestKind([known], features).distance);
  return { known: { ...known, limit: round(MARGIN * Math.max(...starts), 2) }, heldOut };
}

/** One kind in the style of the file: a row of numbers a line. */
function jsonOf(what: string, { basis, ...others }: KnownLatents): string {
  const rows = basis.map((row) => `          ${JSON.stringify(row)}`).join(",\n");
  const { mean, std, variance, rest, limit, place } = others;
  const fields = Object.entries({ what, ...place && { place }, mean, std, variance, rest, limit }).map((
    [name, value],
  ) => `        "${name}": ${JSON.stringify(value)}`);
  return `      {\n${fields.join(",\n")},\n        "basis": [\n${rows}\n        ]\n      }`;
}

function say(name: string, distances: readonly number[]): void {
  const sorted = distances.toSorted((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor(share * (sorted.length - 1))].toFixed(2);
  console.log(`${name}: nearest ${at(0)}, median ${at(0.5)}, 95 % ${at(0.95)}, farthest ${at(1)}`);
}

const kinds = (options.place.length > 0 ? options.place : ["corridor"]).map((name) => {
  const place = Object.hasOwn(PLACES, name) ? PLACES[name as keyof typeof PLACES] : undefined;
  if (!place) throw new UsageError(`Cannot measure ${name}: expected some of ${Object.keys(PLACES).join(", ")}`);
  return { what: `${name}s`, name, place };
});
const measured = [];
for (const { what, name, place } of kinds) {
  const { known, heldOut } = await measure(place);
  const isBeside = await base.open(`${name}/config.json`) !== undefined;
  measured.push({ what, known: { ...known, ...isBeside && { place: name } }, heldOut });
}

const config = `${options["model-root"]}/base/config.json`;
const { knows: _, ...others } = JSON.parse(readFileSync(config, "utf8"));
const text = JSON.stringify(others, null, 2).replace(/\n\}$/, "");
const latents = measured.map(({ what, known }) => jsonOf(what, known)).join(",\n");
const what = JSON.stringify(kinds.map(({ what }) => what).join(" and "));
writeFileSync(config, `${text},\n  "knows": {\n    "what": ${what},\n    "latents": [\n${latents}\n    ]\n  }\n}\n`);

const known = measured.map(({ known }) => known);
for (const [i, { what, heldOut }] of measured.entries()) {
  const distances = heldOut.map((features) => nearestKind(known, features).distance);
  say(`${what} where walks begin`, distances.filter((_, k) => !isAside(k)));
  say(`${what} from further aside`, distances.filter((_, k) => isAside(k)));
  const wrong = known.filter((_, k) => k !== i);
  if (wrong.length === 0) continue;
  say(`${what} by the statistics of the others`, heldOut.map((features) => nearestKind(wrong, features).distance));
  const strays = heldOut.filter((features) => nearestKind(known, features).place !== known[i].place);
  console.log(`${what} that are nearer to another kind: ${strays.length} of ${heldOut.length}`);
}
for (const path of options.picture) {
  const { distance } = nearestKind(known, await featuresOf(await decodeImage(readFileSync(path))));
  console.log(`${basename(path)}: ${distance.toFixed(2)}`);
}
device.dispose();
process.exit(0);
