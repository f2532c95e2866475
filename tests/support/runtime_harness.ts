import type { LaneKind, ResidencySettings } from "../../lib/scheduling/lane_status.ts";
import { GIB } from "../../lib/scheduling/memory/memory_limits.ts";
import { ModelRuntime } from "../../lib/scheduling/model_runtime.ts";
import { FakeClock, settle } from "./fake_clock.ts";
import { type FakeEngine, FakeMachine } from "./fake_machine.ts";

/** A client that stays. */
export const never: AbortSignal = new AbortController().signal;

/** A runtime on a fake machine. Sizes are in GiB: the guard allows 100, is elevated from 90 and critical from 95 on. */
export function runtimeWithLog(
  { maxActiveRequests = 4, defaultModel = "", deviceGib }: {
    readonly maxActiveRequests?: number;
    readonly defaultModel?: string;
    /** Memory of the GPU; by default there is no GPU. */
    readonly deviceGib?: number;
  } = {},
) {
  const clock = new FakeClock();
  const machine = new FakeMachine();
  const settings = new Map<string, ResidencySettings>();
  let ids = 0;
  const runtime = new ModelRuntime<FakeEngine, FakeEngine>({
    clock,
    newId: () => `id-${++ids}`,
    guard: machine.guard,
    probe: machine.probe,
    deviceBytes: () => deviceGib === undefined ? undefined : deviceGib * GIB,
    maxActiveRequests,
    maxQueuedRequests: 100,
    settings: (id) => settings.get(id) ?? { pinned: false },
    ...(defaultModel ? { defaultModel } : {}),
    startText: machine.start,
    startLaneEngine: machine.start,
  });
  const working: { readonly name: string; readonly end: () => void }[] = [];
  /** Sends a request whose work, when it is a lasting one, runs until `end(name)` or until the request fails. */
  const send = async (
    name: string,
    lasting: boolean,
    request: (work: () => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    let stop: () => unknown = () => {};
    await clock.advance(1); // so that no request is as old as another
    await request(async () => {
      machine.log.push(`use ${name}`);
      if (!lasting) return;
      await new Promise<void>((end) => {
        const entry = { name, end };
        working.push(entry);
        stop = () => working.includes(entry) && working.splice(working.indexOf(entry), 1);
      });
    }).finally(() => stop());
  };
  const model = (id: string, gib: number) => ({ id, bytes: gib * GIB });
  const text = (id: string, gib: number, { lasting = false, signal = new AbortController().signal } = {}) =>
    send(id, lasting, (work) => runtime.text(model(id, gib), {}, signal, work));
  const lane = (
    kind: LaneKind,
    id: string,
    gib: number,
    { lasting = false, workGib = 0, signal = new AbortController().signal } = {},
  ) => {
    const operation = { lane: kind, model: model(id, gib), workBytes: workGib * GIB };
    return send(id, lasting, (work) => runtime.useLane(operation, signal, work));
  };
  const end = async (name: string) => {
    working.find((entry) => entry.name === name)!.end();
    await settle();
  };
  /** What has happened since the last look. */
  const log = async () => {
    await settle();
    return machine.log.splice(0).join(", ");
  };
  const loaded = () => [...machine.engines.keys()].sort().join(" ");
  /** Models of the lasting works under way. */
  const inUse = () => working.map(({ name }) => name);
  return { runtime, machine, clock, settings, model, text, lane, end, log, loaded, inUse };
}
