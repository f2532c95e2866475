/**
 * How fast the parts of the vision models are: the backbone of DINOv2-S, triplane sampling, marching tetrahedra.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import { f32, Graph, type Shape, sizeOf, type Tensor } from "../../lib/compute/tensor/mod.ts";
import { Weights } from "../../lib/models/checkpoint/weights.ts";
import { addDinoV2Shapes, DINOV2_EPS, type DinoV2Config } from "../../lib/models/vision_transformer/dinov2_config.ts";
import { type GridField, nodePositions } from "../../lib/models/isosurface/grid_field.ts";
import { visionBlock } from "../../lib/models/vision_transformer/dinov2.ts";
import { marchingTetrahedra } from "../../lib/models/isosurface/marching_tetrahedra.ts";
import { SparseGrid } from "../../lib/models/isosurface/sparse_grid.ts";
import { Triplane } from "../../lib/models/triplane/triplane.ts";
import { TRIPOSR_PLANES } from "../../lib/models/triposr/config.ts";
import { OperationSteps } from "../../lib/models/vision/operation.ts";
import { seededRandom } from "../support/random.ts";
import { medianMilliseconds } from "./stopwatch.ts";
import { printTable } from "./table.ts";

const config: DinoV2Config = { dim: 384, depth: 12, heads: 6, hidden: 1536, patch: 14, grid: 37 };
const TOKENS = [1370, 2500];
const random = seededRandom(1);

/** Prints the three tables; PyTorch's column is empty where `python3` (or `SVC_PYTHON`) has no torch. */
export async function visionBench(threads: number, python: string): Promise<void> {
  const theirs = pytorch(python, threads);
  const rows: string[][] = [];
  for (const tokens of TOKENS) {
    const ours = await backboneMilliseconds(tokens, threads);
    const torch = theirs.get(tokens);
    const share = torch === undefined ? "-" : `${(ours / torch).toFixed(2)}x`;
    rows.push([`${tokens} tokens`, ours.toFixed(0), torch?.toFixed(0) ?? "-", share, "0.80x"]);
  }
  printTable([`DINOv2-S, 12 blocks, threads: ${threads}; ms`, "svc", "PyTorch eager", "is", "aim"], rows);
  printTable(["geometry on one thread", "a second"], [
    ["triplane sampling, 3 x 40 channels, points", (await pointsPerSecond()).toExponential(2)],
    ["marching tetrahedra of a sphere, cells in bricks with surface", (await cellsPerSecond()).toExponential(2)],
  ]);
}

async function backboneMilliseconds(tokens: number, threads: number): Promise<number> {
  const shapes = new Map<string, Shape>();
  addDinoV2Shapes(shapes, "", config);
  const tensor = (shape: Shape): Tensor => f32(shape, noise(sizeOf(shape), 0.05));
  const weights = new Weights(new Map(Array.from(shapes, ([name, shape]) => [name, tensor(shape)])));
  const graph = new Graph();
  let x = graph.input("x", [1, tokens, config.dim]);
  for (let i = 0; i < config.depth; i++) {
    x = visionBlock(x, weights.at(`blocks.${i}`), { heads: config.heads, eps: DINOV2_EPS }).output;
  }
  graph.output("y", x);
  const device = await openOnnxDevice({ threads });
  try {
    const program = await device.compile(graph);
    const input = f32([1, tokens, config.dim], noise(tokens * config.dim, 1));
    return await medianMilliseconds(async () => (await program.run({ x: input })).y.release());
  } finally {
    device.dispose();
  }
}

async function pointsPerSecond(): Promise<number> {
  const count = 1 << 16;
  const planes = new Triplane(f32([3, 40, 64, 64], noise(3 * 40 * 64 * 64, 1)), TRIPOSR_PLANES, 0.87);
  const points = noise(3 * count, 0.87);
  const out = new Float32Array(count * planes.width);
  const ms = await medianMilliseconds(() => Promise.resolve(planes.sample(points, out)));
  return 1000 * count / ms;
}

async function cellsPerSecond(): Promise<number> {
  const nodes = 129;
  const field: GridField = {
    nodes,
    channels: 1,
    level: 0,
    evaluate(wanted) {
      const p = nodePositions(wanted, nodes, 1);
      return Promise.resolve(
        Float32Array.from(wanted, (_, i) => 0.7 - Math.hypot(p[3 * i], p[3 * i + 1], p[3 * i + 2])),
      );
    },
  };
  const grid = await SparseGrid.build(field, new OperationSteps(1, {}));
  const cells = 64 * grid.bricks.length;
  const ms = await medianMilliseconds(() => Promise.resolve(marchingTetrahedra(grid, 1)));
  return 1000 * cells / ms;
}

/** Milliseconds by tokens. */
function pytorch(python: string, threads: number): Map<number, number> {
  const script = fileURLToPath(new URL("pytorch_vision.py", import.meta.url));
  const { status, stdout } = spawnSync(python, [script, `${threads}`, ...TOKENS.map(String)], { encoding: "utf8" });
  if (status !== 0) return new Map();
  return new Map(stdout.trim().split("\n").map((line) => line.split(" ").map(Number) as [number, number]));
}

function noise(count: number, reach: number): Float32Array {
  return Float32Array.from({ length: count }, () => reach * (2 * random() - 1));
}
