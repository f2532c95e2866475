/**
 * The page that walks through the world of its server.
 *
 * @module
 */
import { showBackend, showIdle, showJob, showReadouts } from "./panels/readouts.ts";
import { byId, setText } from "./ui/dom.ts";
import { walkByKeyboard } from "./moves/keyboard.ts";
import { CheckpointsView } from "./panels/checkpoints_view.ts";
import { PlacesView } from "./panels/places_view.ts";
import { GraphView } from "./map/graph_view.ts";
import { PlanView } from "./map/plan_view.ts";
import { Messages } from "./ui/messages.ts";
import { readCustomMove, readMoveSize, SceneFields } from "./moves/move_fields.ts";
import { forgetKey, openClient } from "./session/open_client.ts";
import { walkByButtons, walkBySticks } from "./moves/touch.ts";
import { sessionButtons, takePictures } from "./session/upload.ts";
import { type Connection, SessionFeed, Turns } from "./session/session_feed.ts";
import { FullScreen } from "./picture/full_screen.ts";
import { Stage } from "./picture/stage.ts";
import { StatsView } from "./picture/stats_view.ts";
import type { StateActions } from "./map/state_labels.ts";
import { HeldKeys, walkByGamepad } from "./moves/held_keys.ts";
import { Lead, Walker } from "./moves/walker.ts";
import { keyName, MOVES } from "./moves/moves.ts";
import { WorldsView } from "./panels/worlds_view.ts";
import { showWalkButtons, walkButtons } from "./panels/walk_buttons.ts";
import { lastPrompt, reversibleStates, WalkFeed } from "./session/walk_feed.ts";
import { WorldApiError } from "../lib/world/client/world_api_error.ts";
import type { WorldSnapshot } from "../lib/world/protocol/wire.ts";

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  open: "Connected",
  polling: "Connected, polling every second",
  lost: "Connection lost, trying again",
  ended: "The world has stopped, load the page again",
};

const messages = new Messages();
const isUnreachable = (error: unknown): boolean => error instanceof WorldApiError && error.status === 0;
const showConnection = (connection: Connection): void => {
  const shown = byId("connection", HTMLElement);
  if (shown.dataset["is"] === "ended") return; // what fails from now on fails because of that
  if (connection !== "lost") messages.over(isUnreachable, "Connected again.");
  shown.dataset["is"] = connection;
  setText(shown, CONNECTIONS[connection]);
};

const { client, snapshot, worlds, warnings } = await openClient((error, connection) => {
  showConnection(connection);
  messages.fail(error);
});
const startImage = await client.startImage().catch(() => undefined);
const stage = new Stage(client, messages, startImage);
const stats = new StatsView();
const lead = new Lead();
const fields = new SceneFields();
/** Whether the visitor has asked for the walk already, on the page that led here. */
const walksAtOnce = location.hash === "#walk";
const walks: WalkFeed = new WalkFeed(client, (walk) => {
  if (walk.frame) stage.frame(walk.frame);
  plan.take(walk);
  showStates(feed.snapshot);
});
const feed: SessionFeed = new SessionFeed(client, snapshot, {
  snapshot: (now) => {
    stage.snapshot(now);
    showBackend(now);
    showReadouts(now);
    showIdle(now);
    saved.snapshot(now);
    showWalkButtons(now);
    showStates(now);
    walks.snapshot(now);
    byId("welcome", HTMLElement).hidden = walksAtOnce || now.currentStateId !== undefined;
  },
  job: (job) => {
    showJob(job);
    stage.job(job);
    if (job.progress?.stage === "preparing") lead.loads(job.jobId);
  },
  chunk: (jobId, chunk) =>
    void stage.chunk(jobId, chunk).then((shown) => {
      if (!shown) return;
      lead.shown(jobId, performance.now());
      stats.chunk(jobId, chunk);
    }),
  connection: showConnection,
  refused: () => {
    forgetKey();
    location.reload();
  },
});

const turns = new Turns(feed);
const keyOf = (move: string): string => keyName(MOVES[move].key);
const startHere = async (): Promise<void> => {
  const image = new Blob([await client.startImage() as Uint8Array<ArrayBuffer>], { type: "image/png" });
  feed.take(await turns.take(() => client.uploadSource(image)));
  messages.say(`Here you are. ${keyOf("forward")} walks forward, ${keyOf("yawLeft")} and ${keyOf("yawRight")} turn.`);
  // Loads the model while the user looks around; the first move waits for it.
  void messages.attempt(async () => void await turns.take(() => client.prepare()));
};
const start = await client.start().catch(() => undefined);
const hasStart = start !== undefined;
if (start) fields.fill(start.prompt);
const begin = async (): Promise<void> => {
  if (feed.snapshot.currentStateId !== undefined) return;
  await feed.refresh(); // the last snapshot may be older than an existing world, which a new start would discard
  if (feed.snapshot.currentStateId !== undefined) return;
  if (!hasStart) throw new Error("Cannot walk: there is no picture to start from, choose one");
  await startHere();
};
const walker = new Walker({
  client,
  feed,
  turns,
  stage,
  lead,
  walks,
  messages,
  scene: () => fields.read(),
  size: readMoveSize,
  asked: (job, at) => {
    lead.asked(job.jobId, at);
    stats.asked(job, at);
  },
  begin,
});
const saved: CheckpointsView = new CheckpointsView(
  client,
  turns,
  messages,
  () => showStates(feed.snapshot),
);
const stateActions: StateActions = {
  restore: (checkpoint) => void saved.restore(checkpoint),
  reversible: (now) => reversibleStates(walks.walk, now),
  backTo: (id) => void messages.attempt(() => walker.backTo(id)),
};
const graph = new GraphView(stateActions);
const plan = new PlanView(stateActions);
function showStates(now: WorldSnapshot): void {
  graph.show(now, saved.checkpoints);
  plan.show(now, saved.checkpoints);
}

const fullScreen = new FullScreen();
const cancel = (): void => {
  fullScreen.leave();
  void messages.attempt(() => walker.cancel());
};
const keysOn = byId("keys-on", HTMLInputElement);
walkByButtons(walker);
const held = new HeldKeys(walker);
walkByKeyboard(held, walker, {
  cancel,
  fullScreen: () => fullScreen.toggle(),
  lettersWalk: () => keysOn.checked,
});
walkBySticks(held);
walkByGamepad(held, walker);
byId("cancel", HTMLButtonElement).addEventListener("click", () => void messages.attempt(() => walker.cancel()));
byId("custom-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  try {
    walker.once(readCustomMove());
    byId("stage", HTMLElement).scrollIntoView({ block: "nearest" });
  } catch (error) {
    messages.fail(error);
  }
});
if (hasStart) {
  byId("welcome-text", HTMLElement).textContent = `Walk into this picture: press ${keyOf("forward")}, or click it.`;
  byId("walk-in", HTMLButtonElement).hidden = false;
}
const stepIn = (): void => walker.once(MOVES["forward"]);
const walkIn = (): void => {
  if (hasStart && feed.snapshot.currentStateId === undefined) stepIn();
};
byId("walk-in", HTMLButtonElement).addEventListener("click", walkIn);
for (const id of ["still", "video"]) byId(id, HTMLElement).addEventListener("click", walkIn);
const parts = { client, turns, messages, snapshot: () => feed.snapshot };
takePictures(parts);
const places = new PlacesView({ ...parts, walkIn: stepIn, warnings });
if (start) void messages.attempt(() => places.show(start.places));
walkButtons({ client, feed: walks, messages, snapshot: parts.snapshot });
sessionButtons(parts);
if (worlds) void messages.attempt(() => new WorldsView(worlds, messages).show());
await walks.fetch().catch(() => {}); // the picture is laid out before it is shown
const walked = lastPrompt(walks.walk);
if (walked !== undefined) fields.fill(walked, start?.prompt); // a page that is loaded again continues in its place
void feed.start();
if (walksAtOnce) walkIn();
