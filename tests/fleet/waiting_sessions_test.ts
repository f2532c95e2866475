import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionRecord } from "../../fleet/protocol/broker.ts";
import { WaitingSessions } from "../../fleet/protocol/session_line.ts";
import { seededRandom } from "../support/random.ts";

test("WaitingSessions counts and orders as a look through all records does", () => {
  const random = seededRandom(3);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const waiting = new WaitingSessions();
  const records = new Map<string, SessionRecord>();
  const draw = (): SessionRecord => ({
    pool: pick(["default", "large"]),
    tenant: "one",
    created_at: "2026-01-01T00:00:00.000Z",
    phase: pick(["waiting", "waiting", "ready", "parked"]),
    generation: 1,
    since: Math.floor(10 * random()),
    ...random() < 0.3 && { displaced: true as const },
  });
  for (let i = 0; i < 2000; i++) {
    const id = `s${Math.floor(40 * random())}`;
    const [before, after] = [records.get(id), random() < 0.2 ? undefined : draw()];
    waiting.changed(id, before, after);
    if (after) records.set(id, after);
    else records.delete(id);
    const all = [...records].filter(([, { phase }]) => phase === "waiting");
    for (const pool of ["default", "large", "unknown"]) {
      const own = all.filter(([, record]) => record.pool === pool);
      assert.equal(waiting.inLine(pool), own.filter(([, { displaced }]) => !displaced).length);
      const order = own.toSorted(([a, one], [b, other]) =>
        Number(other.displaced === true) - Number(one.displaced === true) || one.since - other.since || (a < b ? -1 : 1)
      );
      order.forEach(([name, record], place) => assert.equal(waiting.ahead(name, record), place));
    }
  }
});
