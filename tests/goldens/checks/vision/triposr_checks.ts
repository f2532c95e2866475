/**
 * Checks of TripoSR.
 *
 * @module
 */
import { dinoBlock, dinoNorm, dinoTokens } from "../../../../lib/models/vision_transformer/dino.ts";
import { positionTable } from "../../../../lib/models/vision_transformer/patch_tokens.ts";
import { normaliseColours } from "../../../../lib/models/images/planes.ts";
import { nodePositions } from "../../../../lib/models/isosurface/grid_field.ts";
import { tokensToPlanes, Triplane } from "../../../../lib/models/triplane/triplane.ts";
import { PointProgram } from "../../../../lib/models/triplane/point_program.ts";
import { DENSITY_BIAS, TRIPOSR_PLANES } from "../../../../lib/models/triposr/config.ts";
import { compositeOnGrey, foregroundBox, frameObject } from "../../../../lib/models/triposr/open_triposr.ts";
import {
  decodeField,
  enterTransformer,
  leaveTransformer,
  planeTokens,
  triplaneBlock,
} from "../../../../lib/models/triposr/network.ts";
import { encodeObject, stagesOf, tripoSrInput } from "../../../../lib/models/triposr/triposr.ts";
import { OperationSteps } from "../../../../lib/models/vision/operation.ts";
import { type Device, f32, reshape, type Value } from "../../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../../check.ts";
import type { Golden } from "../../golden.ts";
import { runGraph } from "../../run_graph.ts";
import { tripoSrConfig } from "./object_configs.ts";
import { compareWithin } from "./relative.ts";

export const tripoSrChecks: Checks = { triposr_prep, triposr_net, triposr_field };

/** A small batch: the goldens have few points. */
const BATCH = 256;

function triposr_prep(golden: Golden): void {
  for (const [name, ratio, size] of golden.config.cases as [string, number, number][]) {
    const stored = golden.stored(name);
    const [height, width] = stored.shape;
    const image = { width, height, data: stored.data as Uint8Array };
    const { top, bottom, left, right } = foregroundBox(image)!;
    golden.compare(`${name}.box`, [top, bottom, left, right], 0);
    const framed = frameObject(image, ratio);
    golden.compare(`${name}.padded`, framed.data, 0);
    const composite = compositeOnGrey(framed);
    golden.compare(`${name}.composite`, composite.data, 1);
    golden.compare(`${name}.input`, tripoSrInput(composite, size), 2e-6);
  }
}

async function triposr_net(golden: Golden, device: Device): Promise<void> {
  const [, imageSize] = golden.shapeOf("input");
  const config = { ...tripoSrConfig(golden), imageSize };
  const weights = golden.weights();
  const stored = golden.stored("image");
  const image = { width: stored.shape[1], height: stored.shape[0], data: stored.data as Uint8Array };
  const input = tripoSrInput(image, config.imageSize);
  golden.compare("input", input, 2e-6);

  const side = config.imageSize / config.encoder.patch;
  const model = weights.at("image_tokenizer.model");
  const tables = (["offset", "size"] as const).map((step) =>
    positionTable(model.get("embeddings.position_embeddings"), { rows: side, columns: side }, step)
  );
  golden.compare("encoder.pos", tables[0].data, 2e-6);
  const normalised = f32([1, 3, config.imageSize, config.imageSize], normaliseColours(input.slice()));
  const backbone = weights.at("backbone");
  const got = await runGraph(device, { image: normalised }, ({ image }, graph) => {
    const outputs: Record<string, Value> = {};
    const encode = (table: number, keep: boolean) => {
      let x = dinoTokens(image, model, tables[table]);
      if (keep) outputs["encoder.tokens"] = x;
      for (let i = 0; i < config.encoder.depth; i++) {
        x = dinoBlock(x, config.encoder, model.at(`encoder.layer.${i}`)).output;
        if (keep) outputs[`encoder.layer.${i}`] = x;
      }
      return dinoNorm(x, model);
    };
    const features = encode(0, true);
    outputs["encoder.features"] = features;
    outputs["encoder.features_size_rule"] = encode(1, false);
    const context = reshape(features, [features.shape[1], features.shape[2]]);
    const tokens = planeTokens(weights.in(graph, "tokenizer.embeddings"));
    const { normalised, x } = enterTransformer(tokens, backbone);
    let y = x;
    for (let i = 0; i < config.depth; i++) {
      const parts = triplaneBlock(y, context, backbone.at(`transformer_blocks.${i}`), config.heads);
      if (i === 0) {
        outputs["backbone.block0.self"] = parts.self;
        outputs["backbone.block0.cross"] = parts.cross;
        outputs["backbone.block0.ff"] = parts.fed;
        outputs["backbone.block0"] = parts.output;
      }
      y = parts.output;
    }
    const left = leaveTransformer(y, tokens, backbone);
    return {
      ...outputs,
      "backbone.tokens0": tokens,
      "backbone.group_norm": normalised,
      "backbone.proj_in": x,
      "backbone.backbone": left,
      "backbone.planes": tokensToPlanes(left, weights.at("post_processor.upsample")),
    };
  });
  for (const [name, t] of Object.entries(got)) {
    golden.compare(name, t.data, name.startsWith("encoder") ? 4e-5 : 1e-4);
  }

  const stages = stagesOf(config, weights);
  const planes = await encodeObject(device, config, stages, input.slice(), new OperationSteps(1, {}));
  const density = await densityGrid(device, planes, stages.density, golden.number("grid"), config.radius);
  compareWithin(golden, "density", density, { rel: 5e-4 });
}

async function triposr_field(golden: Golden, device: Device): Promise<void> {
  const config = tripoSrConfig(golden);
  const decoder = golden.weights("decoder.");
  const planes = new Triplane(golden.input("planes"), TRIPOSR_PLANES, config.radius);
  const points = golden.input("points");
  const features = new Float32Array(points.shape[0] * planes.width);
  planes.sample(points.data, features);
  golden.compare("features", features, 1e-6);
  const raw = await evaluate(device, planes, (x) => decodeField(x, config, decoder).raw, points.data);
  golden.compare("density_raw", raw, 3e-5);
  compareWithin(golden, "density", raw.map(densityOf), { rel: 5e-5 });
  const colour = await evaluate(device, planes, (x) => decodeField(x, config, decoder).colour, points.data);
  golden.compare("colour", colour, 5e-6);
  for (const size of golden.config.grids as number[]) {
    const network = (x: Value) => decodeField(x, config, decoder).raw;
    const grid = await densityGrid(device, planes, network, size, config.radius);
    compareWithin(golden, `grid${size}`, grid, { rel: 5e-5 });
  }
}

function densityOf(raw: number): number {
  return Math.exp(raw + DENSITY_BIAS);
}

async function densityGrid(
  device: Device,
  planes: Triplane,
  network: (features: Value) => Value,
  size: number,
  radius: number,
): Promise<Float32Array> {
  const nodes = Int32Array.from({ length: size ** 3 }, (_, i) => i);
  return (await evaluate(device, planes, network, nodePositions(nodes, size, radius))).map(densityOf);
}

/** Values of points through a network. */
export async function evaluate(
  device: Device,
  planes: Triplane,
  network: (features: Value) => Value,
  points: Float32Array,
): Promise<Float32Array> {
  const program = await PointProgram.compile(device, planes, network, BATCH);
  try {
    return await program.evaluate(points);
  } finally {
    program.dispose();
  }
}
