/**
 * Reads the journal of a world.
 *
 * @module
 */
import * as v from "valibot";
import type { MoveKind } from "../../protocol/requests/move_fields.ts";
import { countField, idField, positiveCountField, timeField } from "../../protocol/wire_fields.ts";
import { artifactKinds, type OwnRun } from "../artifacts.ts";
import type { ChainNode } from "./chain_node.ts";
import { readRecords } from "./journal_records.ts";
import { asSessionImage, headSchema, type SessionImage, type WorldHead } from "./session_image.ts";
import { SharedReader } from "./shared_json.ts";

/** Maximum number of operations whose files a journal names. */
const MAX_OWN = 1_000_000;

/** A job that was accepted. */
export interface AcceptedJob {
  readonly job_id: string;
  readonly move: MoveKind;
  readonly created_at: string;
  /** The number of its files. */
  readonly number: number;
  /** Where its video goes. */
  readonly output: string;
}

/** What made the states of a chain: only the same makes the same again. */
export interface Origin {
  /** Version of this program and a fingerprint of the weights. */
  readonly model: string;
  /** Kind of device and precision. */
  readonly device: string;
}

/** What a journal holds. */
export interface FoundWorld {
  readonly head?: WorldHead;
  readonly image?: SessionImage;
  /** Needed to make the states of the image again, by their numbers. */
  readonly nodes: ReadonlyMap<number, ChainNode>;
  readonly origin?: Origin;
  /** The job that was running. */
  readonly running?: AcceptedJob;
  /** The operations that have made files. */
  readonly own: readonly OwnRun[];
  /** `damaged` also when it is of another version: what it held is not known. */
  readonly state: "new" | "whole" | "cut" | "damaged";
}

const acceptedSchema = v.strictObject({
  job_id: idField,
  move: v.picklist(["transition", "rollout"]),
  created_at: timeField,
  number: positiveCountField,
  output: v.string(),
});
const fileSchema = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^chain-\d{6,15}\.state$/)),
  bytes: countField,
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
const text = v.pipe(v.string(), v.maxLength(1_000_000));
const floats = (most: number) => v.pipe(v.instance(Float32Array), v.check((list) => list.length <= most));
const seed = v.bigint();
const latent = v.strictObject({ frame: countField, latent: countField });
/** What an arworld or an actionworld is asked for. */
const requestSchema = v.union([
  v.strictObject({
    prompt: text,
    seed,
    views: floats(48),
    memory: v.exactOptional(v.strictObject({
      recall: v.array(v.strictObject({ ...latent.entries, strength: v.number() })),
      store: v.array(latent),
      forget: v.array(countField),
    })),
  }),
  v.strictObject({
    prompt: text,
    seed,
    frames: v.pipe(positiveCountField, v.maxValue(2001)),
    actions: floats(18_000),
    fps: v.number(),
    steps: v.pipe(positiveCountField, v.maxValue(1000)),
    guidanceScale: v.number(),
    shift: v.number(),
  }),
]);
const nodeSchema = v.strictObject({
  id: positiveCountField,
  seconds: v.pipe(v.number(), v.minValue(0)),
  parent: v.exactOptional(positiveCountField),
  request: v.exactOptional(requestSchema),
  pixels: v.exactOptional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
  file: v.exactOptional(fileSchema),
});
const originSchema = v.strictObject({ model: v.string(), device: v.string() });
const ownSchema = v.pipe(
  v.array(v.strictTuple([v.picklist(artifactKinds), positiveCountField, positiveCountField])),
  v.check((runs) => runs.reduce((sum, [, , count]) => sum + count, 0) <= MAX_OWN),
);
const recordSchema = v.variant("record", [
  v.strictObject({ record: v.literal("own"), runs: ownSchema }),
  v.strictObject({ record: v.literal("world"), head: headSchema }),
  v.strictObject({ record: v.literal("accepted"), job: acceptedSchema }),
  v.strictObject({
    record: v.literal("image"),
    nodes: v.array(nodeSchema),
    session: v.unknown(),
    origin: v.exactOptional(originSchema),
  }),
  v.strictObject({ record: v.literal("state"), id: positiveCountField, file: fileSchema }),
]);

/** Reads all that is whole. */
export function readWorld(bytes: Uint8Array, root: string): { found: FoundWorld; end: number; sum: number } {
  const { payloads, end, sum, state } = readRecords(bytes);
  const reader = new SharedReader(root);
  const nodes = new Map<number, ChainNode>();
  const own: OwnRun[] = [];
  let found: Omit<FoundWorld, "nodes" | "own" | "state"> = {};
  let image: unknown;
  try {
    for (const payload of payloads) {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(payload);
      const value = v.parse(recordSchema, reader.read(text));
      if (value.record === "world") found = { ...found, head: value.head };
      if (value.record === "own") own.push(...value.runs);
      if (value.record === "accepted") {
        found = { ...found, running: value.job };
        own.push([value.job.move, value.job.number, 1]);
      }
      if (value.record === "state") Object.assign(nodes.get(value.id) ?? {}, { file: value.file, parent: undefined });
      if (value.record === "image") {
        for (const { parent, ...node } of value.nodes) {
          if (parent !== undefined && !nodes.has(parent)) throw new SyntaxError("it lacks a state");
          nodes.set(node.id, { ...node, parent: parent === undefined ? undefined : nodes.get(parent) });
        }
        const { running: _ended, ...rest } = found;
        found = { ...rest, ...(value.origin && { origin: value.origin }) };
        image = value.session;
      }
    }
    // Only the last one is looked at closely: it names all that the ones before have left of themselves.
    const last = image === undefined ? undefined : asSessionImage(image);
    if (image !== undefined && !last || last && !hasNodes(last, nodes)) throw new SyntaxError("it has no session");
    return { found: { ...found, ...(last && { image: last }), nodes, own, state }, end, sum };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof v.ValiError || error instanceof TypeError)) throw error;
    const { head } = found;
    return { found: { ...(head && { head }), nodes: new Map(), own: [], state: "damaged" }, end, sum };
  }
}

function hasNodes({ chain, graph }: SessionImage, nodes: ReadonlyMap<number, ChainNode>): boolean {
  const named = [
    chain,
    ...graph.checkpoints.map(({ modelState }) => modelState),
    ...graph.edges.map(({ edge }) => edge.modelState),
  ];
  return named.every((id) => id === undefined || nodes.has(id));
}
