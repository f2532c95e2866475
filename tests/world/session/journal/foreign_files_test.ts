import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { OwnFiles } from "../../../../lib/world/session/artifacts.ts";
import { journalOf, keptWorld } from "../../../support/kept_world.ts";
import { withFolder } from "../../../support/temporary_folder.ts";

/** Names of every kind that a server gives, with low, used and high numbers, and names that only look like them. */
const FOREIGN = [
  "transition-0050.mp4",
  "rollout-0051.chunks/chunk-0001.mp4",
  "transition-0052.frames/block-0001.rgb",
  "checkpoint-0053.png",
  "walk-0054.mp4",
  "source-0055.png",
  "state-2024.notes.md",
  "state-2025.backup/holiday.txt",
  "checkpoint-0001.backup.png",
  "journal/notes.state",
  "photo.png",
];

function writeForeign(folder: string): void {
  for (const name of FOREIGN) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `somebody's ${name}`);
  }
}

function missing(folder: string): string[] {
  return FOREIGN.filter((name) =>
    !existsSync(join(folder, name)) || readFileSync(join(folder, name), "utf8") !== `somebody's ${name}`
  );
}

test("files of others in a state directory stay, through starts, moves and removals", () =>
  withFolder(async (folder) => {
    writeForeign(folder);
    const first = await keptWorld(folder);
    assert.deepEqual(missing(folder), []);
    await first.begin();
    await first.move("forward");
    await first.session.createCheckpoint({ name: "here" });
    await first.move("yawLeft");
    const second = await keptWorld(folder);
    assert.deepEqual(missing(folder), []);
    assert.equal(second.session.continuity, "exact");
    await second.move("yawRight");
    await second.session.reset();
    const third = await keptWorld(folder);
    assert.deepEqual(missing(folder), []);
    await third.begin();
    assert.deepEqual(missing(folder), []);
  }));

test("files that appear under numbers of earlier operations stay, unless an operation made that very file", () =>
  withFolder(async (folder) => {
    const first = await keptWorld(folder);
    await first.begin(); // source-0001
    await first.move("forward"); // transition-0002, state-0002
    for (const name of ["walk-0002.mp4", "checkpoint-0001.png", "transition-0001.frames"]) {
      writeFileSync(join(folder, name), "somebody's");
    }
    await keptWorld(folder);
    for (const name of ["walk-0002.mp4", "checkpoint-0001.png", "transition-0001.frames"]) {
      assert.ok(existsSync(join(folder, name)), name);
    }
  }));

test("what a killed move and a deleted checkpoint have left is removed", () =>
  withFolder(async (folder) => {
    const first = await keptWorld(folder);
    await first.begin();
    await first.session.prepare();
    await first.session.createCheckpoint({ name: "here" });
    const { checkpointId } = first.session.checkpoints()[0];
    const frame = first.session.checkpointFrame(checkpointId);
    const bytes = readFileSync(frame);
    await first.session.deleteCheckpoint(checkpointId);
    writeFileSync(frame, bytes); // the process was killed between the record and the removal
    const before = new Set(readdirSync(folder));
    let left: string[] = [];
    let journal: Uint8Array = new Uint8Array();
    first.model.onGenerate = () => {
      mkdirSync(join(folder, "transition-0003.chunks"), { recursive: true });
      writeFileSync(join(folder, "transition-0003.chunks", "chunk-0001.mp4"), "");
      left = readdirSync(folder).filter((name) => !before.has(name));
      journal = journalOf(folder);
      throw new Error("the process is killed here");
    };
    await assert.rejects(first.move("forward"));
    await first.keeper.close();
    mkdirSync(join(folder, "transition-0003.chunks"), { recursive: true }); // as if nothing had rolled it back
    writeFileSync(join(folder, "journal", "world.journal"), journal);
    assert.deepEqual(left, ["transition-0003.chunks"]);
    await keptWorld(folder);
    assert.deepEqual(readdirSync(folder).sort(), ["journal", "source-0001.png"]);
  }));

test("OwnFiles accepts exactly the names that its operations give", () => {
  const own = new OwnFiles([["transition", 3, 2], ["source", 5, 1]], ["rollout-0009.mp4"]);
  own.add("walk", 12345);
  const yes = [
    "transition-0003.mp4",
    "transition-0004.chunks",
    "transition-0004.frames",
    "state-0003.png",
    "source-0005.png",
    "walk-12345.mp4",
    "rollout-0009.mp4",
  ];
  const no = [
    "rollout-0003.mp4",
    "transition-0003.mp4.bak",
    "transition-00003.mp4",
    "state-0005.png",
    "source-0006.png",
    "transition-0005.mp4",
    "rollout-0009.chunks",
  ];
  assert.deepEqual([...yes, ...no].filter((name) => own.has(name)), yes);
  assert.deepEqual(own.runs(), [["transition", 3, 2], ["source", 5, 1], ["walk", 12345, 1]]);
  assert.deepEqual(own.runs(["state-0004.png"]), [["transition", 4, 1]]);
  assert.equal(own.last, 12345);
});
