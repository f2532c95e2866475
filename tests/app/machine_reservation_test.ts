import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { GIB } from "../../lib/api/scheduler/memory/memory_limits.ts";
import { reserveMachine } from "../../lib/app/models/machine_reservation.ts";
import { withFolder } from "../support/temporary_folder.ts";

const never = new AbortController().signal;

test("reserveMachine() says once whom it waits for, and continues when that one ends", () =>
  withFolder(async (root) => {
    const folder = join(root, "admission");
    const machine = async () =>
      await { physicalBytes: 64 * GIB, availableBytes: 50 * GIB, pressure: "nominal" as const };
    const reserve = (pid: number, notify: (sentence: string) => void, wait?: () => Promise<void>) => {
      const processes = { pid, isRunning: () => true };
      const permits = { folder, machine, processes, ...(wait && { wait }) };
      return reserveMachine({ label: "api serve", guard: { tier: "off" }, notify, permits }, never);
    };
    const held = await reserve(1, assert.fail);
    const told: string[] = [];
    let polls = 0;
    const wait = async () => {
      if (++polls === 3) await held.release();
    };
    const others = [2, 3, 4].map(async (pid) => (await reserve(pid, (s) => told.push(s), wait)).release());
    await Promise.all(others);
    assert.ok(
      told.some((sentence) => /^Waiting for api serve \(process 1\) on this machine/.test(sentence)),
      told.join(),
    );
    assert.ok(polls >= 3);
  }));
