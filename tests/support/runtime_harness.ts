import type { LaneKind } from "../../lib/pool/lane_status.ts";
import { GIB } from "../../lib/pool/memory_limits.ts";
import { ModelRuntime } from "../../lib/pool/model_runtime.ts";
import type { ResidencySettings } from "../../lib/pool/model_settings.ts";
import { FakeClock, settle } from "./fake_clock.ts";
import { type FakeEngine, FakeMachine } from "./fake_machine.ts";

/** A client that stays. */
export const never: AbortSignal = new AbortController().signal;

/** A runtime on a fake machine. Sizes are in GiB: the guard allows 100, is elevated from 90 and critical from 95 on. */
export function runtimeWithLog({ maxActiveRequests = 4, defaultModel = "" } = {}) {
  const clock = new FakeClock();
  const machine = new FakeMachine();
  const settings = new Map<string, ResidencySettings>();
  let ids = 0;
  const runtime = new ModelRuntime<FakeEngine, FakeEngine>({
    clock,
    newId: () => `id-${++ids}`,
    guard: machine.guard,
    probe: machine.probe,
    maxActiveRequests,
    maxQueuedRequests: 100,
    settings: (id) => settings.get(id) ?? { pinned: false },
    ...(defaultModel ? { defaultModel } : {}),
    startText: machine.start,
    startSidecar: machine.start,
  });
  const ends = new Map<string, () => void>();
  const work = (name: string, lasting: boolean) => async () => {
    machine.log.push(`use ${name}`);
    if (lasting) await new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const model = (id: string, gib: number) => ({ id, bytes: gib * GIB });
  /** A second passes before each request, so that none is as old as another. */
  const text = async (id: string, gib: number, { lasting = false, signal = never } = {}) => {
    await clock.advance(1);
    return await runtime.text(model(id, gib), {}, signal, work(id, lasting));
  };
  const lane = async (
    kind: LaneKind,
    id: string,
    gib: number,
    { lasting = false, workGib = 0, signal = never } = {},
  ) => {
    await clock.advance(1);
    const operation = { lane: kind, model: model(id, gib), workBytes: workGib * GIB };
    return await runtime.sidecar(operation, signal, work(id, lasting));
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await settle();
  };
  /** What has happened since the last look. */
  const log = async () => {
    await settle();
    return machine.log.splice(0).join(", ");
  };
  const loaded = () => [...machine.engines.keys()].sort().join(" ");
  return { runtime, machine, clock, settings, model, text, lane, end, log, loaded };
}
