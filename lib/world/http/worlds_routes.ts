/**
 * The worlds of a server: their routes, and the metrics that count them.
 *
 * @module
 */
import type { Worlds } from "../session/worlds.ts";
import { readWorldRequest, type WorldRecord } from "../protocol/world_record.ts";
import { toWire } from "../../json/wire_form.ts";
import { readOptionalJson } from "../../http/request_body.ts";
import type { Route } from "../../http/router.ts";
import { locationOf, pathId } from "./world_call.ts";
import { type AnswerCount, answerFamilies, type SampleFamily, single } from "../../http/metrics.ts";

/** Routes below `/v1/worlds`. */
export function worldsRoutes(worlds: Worlds): Route[] {
  const at = "/v1/worlds";
  return [
    { method: "GET", path: at, handle: () => Response.json({ object: "list", data: toWire(worlds.list()) }) },
    {
      method: "POST",
      path: at,
      handle: async (call) => {
        const request = readWorldRequest(await readOptionalJson(call.request));
        const record = await worlds.open(request, await call.newId());
        const location = locationOf(call, `${at}/${record.worldId}`);
        return Response.json(toWire(record), { status: 201, headers: { location } });
      },
    },
    { method: "GET", path: `${at}/:id`, handle: (call) => Response.json(toWire(worlds.record(pathId(call, "world")))) },
    {
      method: "DELETE",
      path: `${at}/:id`,
      handle: async (call) => Response.json(toWire(await worlds.remove(pathId(call, "world")))),
    },
  ];
}

/** Phases of a world; one that rests on the disk counts as parked, whatever it did before. */
const PHASES = ["cold", "preparing", "ready", "generating", "parked"] as const;

/** The metrics, of which worlds only have their number: as many series as there are routes, whatever clients send. */
export function worldFamilies(
  worlds: readonly WorldRecord[],
  answers: readonly AnswerCount[],
  version: string,
): SampleFamily[] {
  const counts = new Map<string, number>(PHASES.map((phase) => [phase, 0]));
  for (const { phase, parked } of worlds) {
    const now = parked ? "parked" : phase;
    counts.set(now, (counts.get(now) ?? 0) + 1);
  }
  return [
    ["svc_info", "gauge", "Version of the server.", [[{ version }, 1]]],
    single("svc_uptime_seconds", "gauge", "Seconds since the start.", performance.now() / 1000),
    ["svc_worlds", "gauge", "Worlds by phase.", [...counts].map(([phase, count]) => [{ phase }, count])],
    ...answerFamilies(answers),
  ];
}
