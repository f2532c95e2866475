import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cardFile, cardRow, withCardRow } from "./publish_report.ts";
import { type ProofSummary, renderReport } from "./report.ts";

const row = (group: string, ms: number, precision = "f16") => ({
  ...{ group, id: "a", precision, tiles: "16x16 matrices", ms },
});

/** A card that computes products at half of PyTorch's speed, and a block in 1.4 s. */
const summary: ProofSummary = {
  ...{ date: "2026-01-02", commit: "abc1234" },
  runs: [{ name: "speed", seconds: 3 }, { name: "cancel", seconds: 30, problem: "stopped at its limit" }],
  parts: {
    adapter: { rehearsal: false, about: { description: "Card (One)" } },
    speed: {
      rows: [row("linear", 2), row("attention", 4), row("linear", 9, "f32")],
      checked: [row("linear", 3), row("attention", 5)],
    },
    pass: { layers30: { layers: 30, ms: 150, passes: 5, passesMs: 1000, plannedBytes: 9e9 } },
    decoder: { block: { ms: 400 } },
    pytorch: {
      operators: { "bf16 linear: a": 1, "bf16 attention: a": 1, "f32 linear: a": 3 },
      ...{ pass: { ms: 180 }, decoder: { ms: 100 } },
    },
    embedded_world: { f16: { block: 24, framesPerSecond: 500 } },
  },
};

test("renderReport() puts what was measured beside the aims", () => {
  const report = renderReport(summary);
  assert.match(report, /\| products \| 0.5 of PyTorch's speed \| 0.50 to 0.50 over 1 shapes \| met \|/);
  assert.match(report, /\| attention \| 0.4 of PyTorch's speed \| 0.25 to 0.25 over 1 shapes \| missed \|/);
  assert.match(report, /\| convolutions \| 0.4 of PyTorch's speed \| not measured \|/);
  assert.match(report, /\| 1.5 times PyTorch's time \| 1.40 times \(1400 and 1000 ms\) \| met \|/);
  assert.match(report, /\| 1 s \| 1.40 s \| missed \|/);
  assert.match(report, /\| linear \| a \| f16 \| 16x16 matrices \| 2.000 \| 3.000 \| 1.50 \|/);
  assert.match(report, /\| cancel \| stopped at its limit \| 30 \|/);
});

test("withCardRow() writes a card's row once and keeps those of other cards", () => {
  const page = readFileSync(new URL("../../../docs/benchmarks.md", import.meta.url), "utf8");
  const other = cardRow({ ...summary, parts: { ...summary.parts, adapter: { about: { description: "Another" } } } });
  const once = withCardRow(withCardRow(page, "Card (One)", cardRow(summary)), "Another", other);
  assert.ok(once.indexOf("[Another]") < once.indexOf("[Card (One)]"));
  assert.equal(withCardRow(once, "Card (One)", cardRow(summary)), once);
  const later = withCardRow(once, "Card (One)", cardRow({ ...summary, date: "2026-02-03" }));
  assert.equal(
    later,
    once.replaceAll(
      "| 2026-01-02, abc1234 |",
      (found, at: number) => at > once.indexOf("[Card (One)]") ? "| 2026-02-03, abc1234 |" : found,
    ),
  );
  assert.equal(
    once.replace(/<!-- cards: [^]*<!-- cards end -->/, ""),
    page.replace(/<!-- cards: [^]*<!-- cards end -->/, ""),
  );
});

test("withCardRow() refuses a page without its table", () => {
  assert.throws(() => withCardRow("# Benchmarks\n", "A", "| [A](gpu/a.md) |"), /the page has no/);
});

test("cardFile() is a plain name", () => {
  assert.equal(cardFile("NVIDIA H100 80GB HBM3"), "nvidia-h100-80gb-hbm3.md");
  assert.equal(cardFile("Card (One)"), "card-one.md");
});
