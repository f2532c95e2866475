/**
 * Routes a request to the worker of its session, wherever the session has moved.
 *
 * @module
 */
import type { ClusterClock, SessionOwner } from "./broker.ts";
import type { FleetView } from "./fleet_view.ts";

/** Options of {@linkcode routeToOwner}. */
export interface RouteOptions<T> {
  readonly view: FleetView;
  readonly clock: ClusterClock;
  readonly session: string;
  /** Milliseconds to wait for a worker. */
  readonly timeout: number;
  /** The client is gone. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Asks a worker; undefined when it does not have the session, or could not be reached. `moved` aborts when the
   * session is taken from that worker: it may be paused and never answer.
   */
  readonly ask: (owner: SessionOwner, moved: AbortSignal) => Promise<T | undefined>;
}

/** Why a request reached no worker. */
export type NoAnswer = "unknown" | "waiting" | "failed" | "cancelled";

/** Milliseconds until a worker is asked again that could not be reached though the session is still its own. */
const AGAIN = 250;

/** Asks the owner of a session, and the next one when it changes meanwhile, until one answers. */
export async function routeToOwner<T>(options: RouteOptions<T>): Promise<{ answer: T } | { none: NoAnswer }> {
  const { view, clock, session, timeout, signal, ask } = options;
  const end = clock.now() + timeout;
  for (let isFirst = true;; isFirst = false) {
    const entry = isFirst ? await view.find(session) : view.session(session);
    if (!entry) return { none: "unknown" };
    if (signal?.aborted) return { none: "cancelled" };
    const { phase, owner, generation } = entry.value;
    if (phase === "failed" && !isFirst) return { none: "failed" };
    if (phase === "parked" || phase === "failed") await view.resume(session);
    if (phase === "ready" && owner) {
      const moved = new AbortController();
      const look = (): void => {
        const now = view.session(session)?.value;
        if (now?.generation !== generation || now.phase !== "ready") moved.abort();
      };
      const off = view.onChange(session, look);
      const stop = (): void => moved.abort();
      signal?.addEventListener("abort", stop, { once: true });
      try {
        const answer = await ask(owner, moved.signal);
        if (answer !== undefined) return { answer };
      } finally {
        off();
        signal?.removeEventListener("abort", stop);
      }
    }
    const left = end - clock.now();
    if (signal?.aborted) return { none: "cancelled" };
    if (left <= 0) return { none: "waiting" };
    const now = view.session(session)?.value;
    const isSame = now?.generation === generation && now.phase === phase;
    if (isSame) await view.changed(session, Math.min(left, phase === "ready" ? AGAIN : left), signal);
  }
}
