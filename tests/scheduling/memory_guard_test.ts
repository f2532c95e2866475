import assert from "node:assert/strict";
import { test } from "node:test";
import { isTight, MemoryGuard } from "../../lib/scheduling/memory/memory_guard.ts";
import {
  GIB,
  type GuardSettings,
  memoryLimits,
  type MemorySample,
  pressureAt,
} from "../../lib/scheduling/memory/memory_limits.ts";
import { showBytes } from "../../lib/errors/show.ts";

/** Ceiling in GiB. */
function ceiling(settings: GuardSettings, sample: Partial<Record<keyof MemorySample, number>>): number | undefined {
  const bytes = Object.fromEntries(Object.entries(sample).map(([key, gib]) => [key, gib * GIB]));
  const limits = memoryLimits(settings, bytes as unknown as MemorySample);
  return limits && limits.ceilingBytes / GIB;
}

const roomy = { currentBytes: 1, availableBytes: 1000 };

// @row model-api > Options > `--memory-guard` and `--memory-guard-custom-ceiling-gb`
test("memoryLimits() leaves each tier's reserve to others", () => {
  const of = (tier: GuardSettings["tier"], physicalBytes: number) => ceiling({ tier }, { ...roomy, physicalBytes });
  assert.deepEqual(["safe", "balanced", "aggressive", "custom"].map((tier) => of(tier as "safe", 64)), [
    56,
    58,
    60,
    62,
  ]);
  assert.deepEqual(["safe", "balanced", "aggressive", "custom"].map((tier) => of(tier as "safe", 24)), [
    16,
    18,
    20,
    22,
  ]);
  assert.equal(of("off", 64), undefined);
});

test("memoryLimits() leaves 4 GiB on a machine of less than 24 GiB, whatever the tier", () => {
  for (const tier of ["safe", "balanced", "aggressive", "custom"] as const) {
    assert.equal(ceiling({ tier }, { ...roomy, physicalBytes: 23 }), 19, tier);
  }
});

test("memoryLimits() allows no more than what is within reach: free, inactive and a share of active pages", () => {
  const sample = { physicalBytes: 64, currentBytes: 5, freeBytes: 2, inactiveBytes: 3, activeBytes: 10 };
  assert.equal(ceiling({ tier: "safe" }, sample), 12);
  assert.equal(ceiling({ tier: "balanced" }, sample), 15);
  assert.equal(ceiling({ tier: "aggressive" }, sample), 18);
  assert.equal(ceiling({ tier: "custom" }, sample), 62);
});

test("memoryLimits() uses what is available where page kinds are not reported separately, and by the machine alone without", () => {
  assert.equal(ceiling({ tier: "balanced" }, { physicalBytes: 64, currentBytes: 5, availableBytes: 7 }), 12);
  assert.equal(ceiling({ tier: "balanced" }, { physicalBytes: 64, currentBytes: 5, freeBytes: 1 }), 58);
});

// @row model-api > Options > `--memory-guard` and `--memory-guard-custom-ceiling-gb`
test("memoryLimits() takes a custom ceiling up to the machine's own", () => {
  assert.equal(ceiling({ tier: "custom", customCeilingBytes: 10 * GIB }, { physicalBytes: 64, currentBytes: 1 }), 10);
  assert.equal(ceiling({ tier: "custom", customCeilingBytes: 99 * GIB }, { physicalBytes: 64, currentBytes: 1 }), 62);
});

test("memoryLimits() never goes below nothing", () => {
  assert.equal(ceiling({ tier: "safe" }, { ...roomy, physicalBytes: 2 }), 0);
});

test("pressureAt() is elevated from 90 % and critical from 95 % of the ceiling on", () => {
  const limits = memoryLimits({ tier: "custom", customCeilingBytes: 1001 }, {
    physicalBytes: 64 * GIB,
    currentBytes: 0,
  })!;
  assert.deepEqual([limits.softLimitBytes, limits.hardLimitBytes], [900, 950]);
  assert.deepEqual([899, 900, 949, 950].map((used) => pressureAt(used, limits)), [
    "nominal",
    "elevated",
    "elevated",
    "critical",
  ]);
});

test("MemoryGuard.read() adds what is planned and reports what is missing", async () => {
  const settings = { tier: "custom", customCeilingBytes: 1000 } as const;
  const guard = new MemoryGuard(settings, () => Promise.resolve({ physicalBytes: 64 * GIB, currentBytes: 500 }));
  const planned = async (bytes: number) => {
    const { pressure, missingBytes } = await guard.read(bytes);
    return [pressure, missingBytes];
  };
  assert.deepEqual(await planned(0), ["nominal", 0]);
  assert.deepEqual(await planned(400), ["elevated", 0]);
  assert.deepEqual(await planned(449), ["elevated", 0]);
  assert.deepEqual(await planned(450), ["critical", 1]);
  assert.deepEqual(await planned(700), ["critical", 251]);
});

test("MemoryGuard.read() lets everything pass when it is off or has no sample", async () => {
  const sample = { physicalBytes: 1, currentBytes: 1 };
  const read = (tier: "off" | "safe", probe: () => Promise<MemorySample | undefined>) =>
    new MemoryGuard({ tier }, probe).read(1e15);
  assert.deepEqual(await read("off", () => Promise.resolve(sample)), { pressure: "disabled", sample, missingBytes: 0 });
  assert.equal((await read("off", () => Promise.resolve(undefined))).pressure, "disabled");
  assert.equal((await read("safe", () => Promise.resolve(undefined))).pressure, "unknown");
  assert.equal((await read("safe", () => Promise.reject(new Error("no /proc")))).pressure, "unknown");
  assert.deepEqual((["disabled", "unknown", "nominal", "elevated", "critical"] as const).filter(isTight), [
    "elevated",
    "critical",
  ]);
});

test("showBytes() rounds up, so that what is missing is enough", () => {
  assert.deepEqual([1, 1025, 2 ** 20, 512.01 * 2 ** 20, GIB, 2.51 * GIB].map(showBytes), [
    "0.1 KiB",
    "1.1 KiB",
    "1 MiB",
    "512.1 MiB",
    "1 GiB",
    "2.6 GiB",
  ]);
});
