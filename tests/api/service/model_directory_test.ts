import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelDirectory } from "../../../lib/api/service/model_directory.ts";
import { FakeCatalog } from "../../support/fake_catalog.ts";
import { FakeClock, settle } from "../../support/fake_clock.ts";

function directory(): { clock: FakeClock; catalog: FakeCatalog; directory: ModelDirectory } {
  const clock = new FakeClock();
  const catalog = new FakeCatalog();
  return { clock, catalog, directory: new ModelDirectory({ catalog, clock }) };
}

test("ModelDirectory.find() finds a model of a kind with its profile and settings", async () => {
  const { catalog, directory: models } = directory();
  catalog.stored.set("embed", { pinned: true });
  const { model, profile, settings } = await models.find("EMBED", "embedding", "test");
  assert.deepEqual([model.id, profile.dimensions, settings], ["embed", 3, { pinned: true }]);
});

test("ModelDirectory.residency() reads the settings again after a second, without waiting", async () => {
  const { clock, catalog, directory: models } = directory();
  catalog.stored.set("chat-a", { pinned: true });
  assert.equal(models.residency("chat-a").pinned, false); // nothing has been read yet
  await settle();
  assert.equal(models.residency("chat-a").pinned, true);
  catalog.stored.set("chat-a", { pinned: false, ttlSeconds: 5 });
  await clock.advance(0.999);
  models.residency("chat-a");
  await settle();
  assert.equal(models.residency("chat-a").pinned, true);
  await clock.advance(0.001);
  models.residency("chat-a");
  await settle();
  assert.deepEqual(models.residency("chat-a"), { pinned: false, ttlSeconds: 5 });
});

test("ModelDirectory.residency() keeps the last settings while the store cannot be read", async () => {
  const { clock, catalog, directory: models } = directory();
  catalog.stored.set("chat-a", { pinned: true });
  await models.look();
  catalog.failure = new Error("broken");
  await clock.advance(10);
  models.residency("chat-a");
  await settle();
  assert.equal(models.residency("chat-a").pinned, true);
});
