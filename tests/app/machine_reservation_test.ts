import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GIB } from "../../lib/scheduling/memory/memory_limits.ts";
import { PermitsRefusedError } from "../../lib/errors/option_error.ts";
import { reserveMachine } from "../../lib/app/models/machine_reservation.ts";
import { commandLineMessage } from "../../lib/platform/terminal/flags.ts";
import { withFolder } from "../support/temporary_folder.ts";

const never = new AbortController().signal;

test("reserveMachine() says once which process it waits for, and continues when it ends", () =>
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
      told.some((sentence) =>
        /^Waiting for api serve \(process 1\) on this machine; end it to continue now, or press Ctrl\+C/.test(sentence)
      ),
      told.join(),
    );
    assert.ok(polls >= 3);
  }));

// @row model-api > Service > Rule 3: machine-wide permits, two for a standard server, all for a very large engine
test("reserveMachine() takes all permits for a model that fills more than half of the machine", () =>
  withFolder(async (root) => {
    const folder = join(root, "admission");
    const machine = async () =>
      await { physicalBytes: 128 * GIB, availableBytes: 120 * GIB, pressure: "nominal" as const };
    const permits = { folder, machine, processes: { pid: 1, isRunning: () => true } };
    for (const [modelBytes, taken] of [[undefined, 2], [64 * GIB, 2], [64 * GIB + 1, 4]] as const) {
      const options = { label: "api serve", guard: { tier: "off" }, notify: () => {}, permits, modelBytes } as const;
      const held = await reserveMachine(options, never);
      assert.equal(held.permits, taken);
      await held.release();
    }
  }));

// @row model-api > Options > `--max-wait`, 600 seconds by default
test("reserveMachine() gives up after the time that was set, names the process that it waited for and leaves the queue", () =>
  withFolder(async (root) => {
    const folder = join(root, "admission");
    const machine = async () => await { physicalBytes: 8 * GIB, availableBytes: 7 * GIB, pressure: "nominal" as const };
    let [time, pace] = [0, 1];
    const reserve = (pid: number, maxWaitSeconds?: number) => {
      const wait = async (milliseconds: number) => {
        time += milliseconds * pace;
        await Promise.resolve();
      };
      const permits = { folder, machine, processes: { pid, isRunning: () => true }, wait, now: () => time };
      const options = { label: "api serve", guard: { tier: "off" }, notify: () => {}, permits } as const;
      return reserveMachine({ ...options, maxWaitSeconds }, never);
    };
    const held = await reserve(1);
    const refused = (waited: number) => (error: unknown) => {
      assert.ok(error instanceof PermitsRefusedError);
      const reason = `waited ${waited} s for api serve (process 1) on this machine; end it or raise`;
      assert.equal(error.message, `Cannot start api serve: ${reason} \`maxWaitSeconds\``);
      assert.equal(commandLineMessage(error), `Cannot start api serve: ${reason} --max-wait`);
      return true;
    };
    for (const [maxWait, waited] of [[0, 0], [3, 3], [undefined, 600]] as const) {
      const start = time;
      pace = waited < 600 ? 1 : 20; // thousands of looks into a folder prove no more
      await assert.rejects(reserve(2, maxWait), refused(waited));
      assert.equal(time - start, waited * 1000);
      assert.equal(readdirSync(folder).filter((name) => name.endsWith(".json")).length, 1, "its ticket is gone");
    }
    await held.release();
    await (await reserve(2, 0)).release();
  }));
