/**
 * Lays out the states of a session.
 *
 * @module
 */
import type { StateRecord } from "../../lib/world/protocol/wire.ts";

/** A state with its position in the drawing. */
export interface GraphNode {
  readonly state: StateRecord;
  /** Moves from the root. */
  readonly column: number;
  /** 0 for the active path, branches below it. */
  readonly lane: number;
  /** Whether it is on the active path. */
  readonly active: boolean;
  /** Its parent's position; undefined for a root. */
  readonly from?: { readonly column: number; readonly lane: number };
}

/**
 * Lays out the tree of states: a column for each depth, the active path along the first lane, and one more lane for
 * every branch.
 *
 * @param states every known state, in any order
 * @param path the ids of the active path, root first
 */
export function graphLayout(states: readonly StateRecord[], path: readonly string[]): GraphNode[] {
  const active = new Set(path);
  const known = new Set(states.map((state) => state.stateId));
  const children = new Map<string | undefined, StateRecord[]>();
  // The active child comes first and stays in its parent's lane.
  const ordered = [...states].sort((a, b) => Number(active.has(b.stateId)) - Number(active.has(a.stateId)));
  for (const state of ordered) {
    const parent = state.parentStateId;
    const key = parent !== undefined && known.has(parent) ? parent : undefined;
    children.set(key, [...children.get(key) ?? [], state]);
  }
  const nodes: GraphNode[] = [];
  let lanes = -1;
  const open: { state: StateRecord; lane?: number; from?: GraphNode }[] = (children.get(undefined) ?? [])
    .map((state) => ({ state })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { state, from } = next;
    const lane = next.lane ?? ++lanes;
    const node: GraphNode = {
      state,
      column: state.depth,
      lane,
      active: active.has(state.stateId),
      ...(from && { from: { column: from.column, lane: from.lane } }),
    };
    nodes.push(node);
    const below = children.get(state.stateId) ?? [];
    for (const [i, child] of [...below.entries()].reverse()) {
      open.push({ state: child, from: node, ...(i === 0 && { lane }) });
    }
  }
  return nodes;
}
