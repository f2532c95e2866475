/**
 * A long run that is cancelled: how soon it ends, and whether later results are what they were before.
 *
 * @module
 */
import { f32, Graph, linear, type Value } from "../../../lib/compute/tensor/mod.ts";
import { numbers } from "./numbers.ts";
import { openBest } from "./open_gpu.ts";
import { log, messageOf, runPart, SMALL } from "./part.ts";

const SIDE = SMALL ? 512 : 4096;
/** Milliseconds of the run that is cancelled. */
const LENGTH = 2000;
/** Products of a rehearsal: as many as are long enough, by the first estimate, to teach the device its pace. */
const REHEARSED = 28;

await runPart("cancel", async (results) => {
  const { device } = await openBest();
  const weight = f32([SIDE, SIDE], numbers(SIDE * SIDE, 1.7 / Math.sqrt(SIDE)));
  const chain = (products: number) => {
    const graph = new Graph();
    const w = graph.constant(weight);
    let x: Value = graph.input("x", [SIDE, SIDE]);
    for (let i = 0; i < products; i++) x = linear(x, w);
    graph.output("y", x);
    return device.compile(graph);
  };
  const x = device.upload(f32([SIDE, SIDE], numbers(SIDE * SIDE, 1, 3)));
  const short = await chain(2);
  const shortResult = async () => {
    const { y } = await short.run({ x });
    const { data } = await y.read();
    y.release();
    return data;
  };
  const before = await shortResult();
  const timed = async (program: Awaited<ReturnType<typeof chain>>) => {
    const start = performance.now();
    (await program.run({ x })).y.release();
    await device.idle();
    return performance.now() - start;
  };
  const secondTime = async (program: Awaited<ReturnType<typeof chain>>) => {
    await timed(program); // teaches the device its pace
    return await timed(program);
  };
  const products = SMALL ? REHEARSED : Math.min(4000, Math.round(64 * LENGTH / await secondTime(await chain(64))));
  const program = await chain(products);
  const wholeMs = await secondTime(program);
  results.set("products", products);
  results.set("wholeMs", wholeMs);
  const rows: Record<string, unknown>[] = [];
  for (const share of [0.1, 0.33, 0.6]) {
    const controller = new AbortController();
    const reason = new Error("cancelled by the proof");
    let aborted = 0;
    const timer = setTimeout(() => {
      aborted = performance.now();
      controller.abort(reason);
    }, share * wholeMs);
    let outcome = "ended before it was cancelled";
    try {
      (await program.run({ x }, { signal: controller.signal })).y.release();
    } catch (error) {
      outcome = error === reason ? "rejected with the signal's reason" : `failed: ${messageOf(error)}`;
    }
    clearTimeout(timer);
    const ended = performance.now();
    await device.idle();
    const idle = performance.now();
    const later = await shortResult();
    const same = later.every((v, i) => v === before[i]);
    const after = aborted > 0 && { endedMs: ended - aborted, idleMs: idle - aborted };
    rows.push({ share, outcome, ...after, same });
    results.set("rows", rows);
    log(JSON.stringify(rows.at(-1)));
    if (!same) throw new Error("results differ after a run was cancelled");
    if (outcome.startsWith("failed")) throw new Error(outcome);
  }
  if (rows.every(({ outcome }) => outcome === "ended before it was cancelled")) {
    throw new Error(`no run was cancelled, each of ${products} products ended first`);
  }
  device.dispose();
});
