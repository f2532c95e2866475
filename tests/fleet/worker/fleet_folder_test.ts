import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { claimFolder, requireFolder } from "../../../fleet/nats/connect_fleet.ts";
import { withFolder } from "../../support/temporary_folder.ts";

const [OURS, THEIRS] = ["2026-01-01T00:00:00.000000001Z", "2026-01-01T00:00:00.000000002Z"];

test("a folder belongs to the fleet that has used it first", () =>
  withFolder(async (parent) => {
    const folder = join(parent, "blobs");
    await claimFolder(folder, OURS);
    await claimFolder(folder, OURS);
    await requireFolder(folder, OURS);
    const refusal = {
      message: `Cannot use ${folder} for this fleet: it belongs to a fleet that was set up at ${OURS}, this one was ` +
        `at ${THEIRS}; name another folder, or remove ${
          join(folder, "fleet.txt")
        } if that fleet is gone and its files ` +
        "are not needed",
    };
    await assert.rejects(claimFolder(folder, THEIRS), refusal);
    await assert.rejects(requireFolder(folder, THEIRS), refusal);
    assert.deepEqual(readdirSync(folder), ["fleet.txt"]);
  }));

test("of several fleets that come at once, one gets the folder", () =>
  withFolder(async (folder) => {
    const fleets = Array.from({ length: 8 }, (_, i) => `2026-01-01T00:00:0${i}.000000000Z`);
    const claimed = await Promise.allSettled(fleets.map((fleet) => claimFolder(folder, fleet)));
    assert.equal(claimed.filter(({ status }) => status === "fulfilled").length, 1);
    assert.deepEqual(readdirSync(folder), ["fleet.txt"]);
  }));

test("nothing is collected in a folder that no worker of the fleet has used", () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, "something"), "");
    await assert.rejects(requireFolder(folder, OURS), {
      message: `Cannot use ${folder} for this fleet: no worker of this fleet has used it; name the --blobs folder of ` +
        "the workers, and start one of them there first",
    });
    await assert.rejects(requireFolder(join(folder, "absent"), OURS), /no worker of this fleet/);
  }));
