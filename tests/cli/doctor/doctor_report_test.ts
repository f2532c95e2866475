import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Capability,
  checkCapabilities,
  type CheckedCapability,
  type Finding,
  formatCapability,
  paintCapability,
  summary,
} from "../../../cli/doctor/doctor_report.ts";

function capability(name: string, found: Finding | Error, required = false): Capability {
  return {
    name,
    purpose: "for tests",
    required,
    check: () => found instanceof Error ? Promise.reject(found) : Promise.resolve(found),
  };
}

async function check(...capabilities: Capability[]): Promise<CheckedCapability[]> {
  const all: CheckedCapability[] = [];
  for await (const one of checkCapabilities(capabilities)) all.push(one);
  return all;
}

const works: Finding = { ok: true, detail: "fast" };
const lacks: Finding = { ok: false, reason: "it is missing", remedy: "get it" };

test("checkCapabilities() takes what a check throws for a reason", async () => {
  const [thrown, found] = await check(capability("a", new Error("it broke")), capability("b", works));
  assert.ok(!thrown!.ok && thrown!.reason === "it broke" && thrown!.remedy.length > 0);
  assert.ok(found!.ok && found!.detail === "fast");
});

test("formatCapability() gives reason and remedy of what is missing", async () => {
  const [a, b, c] = await check(capability("a", works), capability("b", lacks), capability("c", lacks, true));
  assert.equal(formatCapability(a!), "ok       a: fast");
  assert.match(formatCapability(b!), /^without {2}b \(for tests\): it is missing\n +get it$/);
  assert.match(formatCapability(c!), /^MISSING {2}c /);
  assert.equal(paintCapability(formatCapability(a!)), "\x1b[32mok\x1b[39m       a: fast");
  const painted = paintCapability(formatCapability(b!));
  assert.ok(painted.startsWith("\x1b[33mwithout\x1b[39m ") && painted.endsWith("get it\x1b[22m"), painted);
  assert.ok(paintCapability(formatCapability(c!)).startsWith("\x1b[31mMISSING\x1b[39m "));
});

test("summary() reports whether models can be served", async () => {
  assert.equal(summary(await check(capability("a", works, true))), "Everything works");
  assert.match(
    summary(await check(capability("a", works), capability("b", lacks))),
    /^Models can be served; one thing of 2/,
  );
  assert.match(summary(await check(capability("c", lacks, true))), /cannot be served: c missing$/);
});
