import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorldRecord } from "../../lib/world/protocol/world_record.ts";
import { WorldList } from "../../world-page/session/open_client.ts";

const ID = "01234567-89ab-4cde-8f01-23456789abcd";

function record(id: string, isDefault: boolean): WorldRecord {
  const rest = { object: "world", createdAt: "", backend: "arworld", phase: "cold" } as const;
  return { ...rest, worldId: id, default: isDefault, path: `/worlds/${id}/` };
}

test("WorldList finds its server, the link of each world and the one that its page shows below any path", () => {
  const other = record(ID, false);
  const first = record(ID.replace("0", "f"), true);
  const cases: [page: string, server: string, isFirst: boolean][] = [
    ["http://localhost:8791/", "http://localhost:8791", true],
    ["http://localhost:8791/?a#b", "http://localhost:8791", true],
    [`http://localhost:8791/worlds/${ID}/`, "http://localhost:8791", false],
    [`http://localhost:8791/worlds/${ID.toUpperCase()}/`, "http://localhost:8791", false],
    ["http://localhost:8791/worlds/default/", "http://localhost:8791", true],
    ["https://a.example/walk/", "https://a.example/walk", true],
    [`https://a.example/b/worlds/${ID}/?x=/worlds/`, "https://a.example/b", false],
    [`https://a.example/worlds/${ID}/worlds/${ID}/`, `https://a.example/worlds/${ID}`, false],
    ["https://a.example/worlds/not-an-id/", "https://a.example/worlds/not-an-id", true],
  ];
  for (const [page, server, isFirst] of cases) {
    const list = new WorldList(page, {});
    assert.deepEqual([list.shows(first), list.shows(other)], [isFirst, !isFirst], page);
    assert.equal(list.linkTo(other), `${server}/worlds/${ID}/`);
  }
});
