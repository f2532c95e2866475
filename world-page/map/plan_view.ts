import type { CheckpointRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import type { WalkRecord } from "../../lib/world/protocol/walk_record.ts";
import { byId, svgElement } from "../ui/dom.ts";
import { dragAndZoom } from "./drag_and_zoom.ts";
import { type PinName, pinNames } from "./pin_names.ts";
import { type Plan, planLayout, type PlanPlace, type PlanPoint } from "./plan_layout.ts";
import { markSize, placeMark, wedgePath } from "./plan_marks.ts";
import { type DrawingSize, fitWindow, inDrawing, isInSight, type PlanWindow, zoomed } from "./plan_window.ts";
import { goTo, keepingFocus, roveByArrows, type StateActions, type StateLabel, stateLabel } from "./state_labels.ts";

/** How much one step of zoom magnifies. */
const STEP = 1.5;

/** Font of the names beside pins, which the style sheet has as well. */
const NAME_FONT = "600 12px";

/** What is shown: everything, the surroundings of the camera, or where the user has dragged the map. */
type Mode = "fit" | "follow" | "free";

/**
 * Draws the walk from above: the path as a line, the camera as a wedge, states as dots that can be clicked, checkpoints
 * as pins with their names. Its only input is the poses of the session.
 */
export class PlanView {
  readonly #drawing = byId("plan", HTMLElement);
  readonly #fit = byId("plan-fit", HTMLButtonElement);
  readonly #actions: StateActions;
  readonly #pen = document.createElement("canvas").getContext("2d");
  #walk: WalkRecord | undefined;
  #snapshot: WorldSnapshot | undefined;
  /** The states that are known, by id, with their labels. */
  #labels: ReadonlyMap<string, StateLabel> = new Map();
  #plan: Plan = { ways: [], places: [], view: 1 };
  #window: PlanWindow = { x: 0, z: 0, scale: 1 };
  #mode: Mode = "fit";
  #here: string | undefined;
  #shown = "";

  constructor(actions: StateActions) {
    this.#actions = actions;
    roveByArrows(this.#drawing);
    new ResizeObserver(() => this.#draw()).observe(this.#drawing);
    const zoom = (factor: number): void => this.#zoom(factor);
    byId("plan-in", HTMLButtonElement).addEventListener("click", () => zoom(STEP));
    byId("plan-out", HTMLButtonElement).addEventListener("click", () => zoom(1 / STEP));
    this.#fit.addEventListener("click", () => this.#show("fit"));
    dragAndZoom(this.#drawing, {
      drag: (x, y) => {
        const { scale } = this.#window;
        this.#show("free", { ...this.#window, x: this.#window.x - x / scale, z: this.#window.z + y / scale });
      },
      zoom: (factor, at) => this.#show("free", zoomed(this.#window, factor, this.#size, at)),
    });
    this.#drawing.addEventListener("keydown", ({ key }) => {
      if (key === "+" || key === "=") zoom(STEP);
      else if (key === "-") zoom(1 / STEP);
      else if (key === "0") this.#show("fit");
    });
  }

  /** Takes the record of the walk. */
  take(walk: WalkRecord): void {
    this.#walk = walk;
    this.#draw();
  }

  /** Takes the snapshot and the checkpoints of the session. */
  show(snapshot: WorldSnapshot, checkpoints: readonly CheckpointRecord[]): void {
    const reversible = this.#actions.reversible(snapshot);
    const labels = snapshot.states.map((state): [string, StateLabel] => {
      return [state.stateId, stateLabel(state, snapshot, checkpoints, reversible)];
    });
    const key = JSON.stringify([snapshot.sessionId, snapshot.stateIds, labels]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#snapshot = snapshot;
    this.#labels = new Map(labels);
    this.#draw();
  }

  get #size(): DrawingSize {
    return { width: this.#drawing.clientWidth, height: this.#drawing.clientHeight };
  }

  #zoom(factor: number): void {
    this.#show(this.#mode === "free" ? "free" : "follow", zoomed(this.#window, factor, this.#size));
  }

  #show(mode: Mode, window: PlanWindow = this.#window): void {
    this.#mode = mode;
    this.#window = window;
    this.#draw();
  }

  #draw(): void {
    const { width, height } = this.#size;
    if (!this.#snapshot || width === 0) return;
    // A record that is older than the snapshot may have states that are gone.
    const walk = this.#walk?.sessionId === this.#snapshot.sessionId ? this.#walk : undefined;
    const known = walk && { ...walk, states: walk.states.filter(({ stateId }) => this.#labels.has(stateId)) };
    this.#plan = known ? planLayout(known, this.#snapshot.stateIds) : { ways: [], places: [], view: 1 };
    this.#look();
    this.#fit.setAttribute("aria-pressed", String(this.#mode === "fit"));
    keepingFocus(this.#drawing, () => {
      this.#drawing.replaceChildren(...(this.#plan.places.length > 0 ? [this.#picture(width, height)] : []));
    });
  }

  /** Follows the camera. */
  #look(): void {
    const { here } = this.#plan;
    const hasMoved = here?.id !== this.#here;
    this.#here = here?.id;
    if (this.#mode === "fit") this.#window = fitWindow(this.#plan, this.#size);
    if (!here) return;
    if (this.#mode === "free" && hasMoved && !isInSight(here, this.#window, this.#size)) this.#mode = "follow";
    if (this.#mode === "follow") this.#window = { ...this.#window, x: here.x, z: here.z };
  }

  #picture(width: number, height: number): SVGElement {
    const { ways, here, view, pace } = this.#plan;
    const marks = markSize(pace && pace * this.#window.scale);
    const places = this.#ordered();
    const names = this.#names(places, { width, height });
    const count = `${places.length} ${places.length === 1 ? "state" : "states"}`;
    return svgElement(
      "svg",
      {
        width: String(width),
        height: String(height),
        viewBox: `0 0 ${width} ${height}`,
        role: "group",
        "aria-label": `Map from above of ${count}`,
      },
      ...ways.map(({ points, active }) =>
        svgElement("path", { class: active ? "edge active" : "edge", d: this.#line(points) })
      ),
      ...(here ? [svgElement("path", { class: "wedge", d: wedgePath(this.#at(here), here.turn, view) })] : []),
      ...places.map((place) => this.#mark(place, marks, names.get(place.id))),
    );
  }

  /** Those that can be reached lie over those that cannot, pins over dots, the current one over all. */
  #ordered(): readonly PlanPlace[] {
    const order: readonly StateLabel["reach"][] = ["none", "back", "saved", "here"];
    const rank = ({ id }: PlanPlace): number => order.indexOf(this.#label(id).reach);
    return [...this.#plan.places].sort((a, b) => rank(a) - rank(b));
  }

  /** The names of the pins that are in the drawing; the last place chooses first. */
  #names(places: readonly PlanPlace[], size: DrawingSize): ReadonlyMap<string, PinName> {
    const marks = places.flatMap((place) => {
      const { checkpoint, reach } = this.#label(place.id);
      if (reach === "none") return [];
      return [{ id: place.id, ...this.#at(place), ...(checkpoint && { name: checkpoint.name }) }];
    });
    if (this.#pen) this.#pen.font = `${NAME_FONT} ${getComputedStyle(this.#drawing).fontFamily}`;
    return pinNames(marks.reverse(), size, (text) => this.#pen?.measureText(text).width ?? 8 * text.length);
  }

  #mark(place: PlanPlace, size: number, name: PinName | undefined): SVGElement {
    const label = this.#label(place.id);
    return placeMark(place, this.#at(place), label, size, name, () => goTo(this.#actions, place.id, label));
  }

  /** States without a label are not drawn. */
  #label(id: string): StateLabel {
    return this.#labels.get(id)!;
  }

  #line(points: readonly PlanPoint[]): string {
    return points.map((point, i) => {
      const { x, y } = this.#at(point);
      return `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    }).join("");
  }

  #at(point: PlanPoint): { readonly x: number; readonly y: number } {
    return inDrawing(point, this.#window, this.#size);
  }
}
