import { test } from "node:test";
import assert from "node:assert/strict";
import { flowSchedule, UniPcSolver } from "../../../lib/models/actionworld/uni_pc.ts";
import { assertClose } from "../../support/assert_close.ts";

test("flowSchedule() shifts levels towards noise, ends at 0 and cuts the fractions of timesteps", () => {
  const { timesteps, sigmas } = flowSchedule(4, 3);
  assert.deepEqual(timesteps, [999, 899, 749, 499]);
  assertClose(sigmas, [0.9996665, 0.8996398, 0.7496248, 0.4996665, 0], 1e-6);
  assertClose(flowSchedule(2, 1).sigmas, [0.999, 0.4995, 0], 1e-9);
});

test("flowSchedule() refuses steps that are not a whole number from 1 on and shifts that are not positive", () => {
  for (const steps of [0, -1, 1.5, NaN]) assert.throws(() => flowSchedule(steps, 3), RangeError);
  for (const shift of [0, -1, NaN, Infinity]) assert.throws(() => flowSchedule(4, shift), RangeError);
});

test("UniPcSolver arrives at the clean sample where the velocity is exact, in any number of steps", () => {
  const clean = Float32Array.of(-1, 0.25, 3);
  const noise = Float32Array.of(0.5, -2, 1);
  for (const steps of [1, 2, 3, 5, 30]) {
    const schedule = flowSchedule(steps, 3);
    const start = clean.map((x, k) => x + schedule.sigmas[0] * (noise[k] - x));
    const solver = new UniPcSolver(schedule, start);
    for (let i = 0; i < steps; i++) solver.advance(clean.map((x, k) => noise[k] - x));
    assertClose(solver.sample, clean, 1e-5, `${steps} steps`);
    assert.deepEqual(start[1], Math.fround(0.25 - schedule.sigmas[0] * 2.25));
  }
});

test("UniPcSolver comes closer to the solution the more steps it takes, and much closer than Euler's method", () => {
  // x' = v(x, sigma) with v = x - 2 sigma has the solution x = 2 sigma + 2 + c e^sigma.
  const exact = (sigma: number) => 2 * sigma + 2 + Math.exp(sigma);
  const errors = [8, 16, 32].map((steps) => {
    const schedule = flowSchedule(steps, 1);
    const solver = new UniPcSolver(schedule, Float32Array.of(exact(schedule.sigmas[0])));
    let euler = exact(schedule.sigmas[0]);
    for (let i = 0; i < steps; i++) {
      const [from, to] = schedule.sigmas.slice(i, i + 2);
      solver.advance(Float32Array.of(solver.sample[0] - 2 * from));
      euler += (to - from) * (euler - 2 * from);
    }
    return { ours: Math.abs(solver.sample[0] - exact(0)), euler: Math.abs(euler - exact(0)) };
  });
  for (const { ours, euler } of errors) assert.ok(ours < euler / 10, `${ours}, Euler's ${euler}`);
  assert.ok(errors[2].ours < errors[1].ours && errors[1].ours < errors[0].ours);
});
