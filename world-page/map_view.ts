import type { CheckpointRecord, WorldSnapshot } from "../lib/world/protocol/wire.ts";
import { button, byId, element, svgElement } from "./dom.ts";
import { graphLayout, type GraphNode } from "./graph_layout.ts";
import { type PlaceWords, placeWords } from "./place_names.ts";

const STEP = 44;
const MARGIN = 24;

/** What a place of the map can be asked for. */
export interface MapActions {
  readonly restore: (lock: CheckpointRecord) => void;
  readonly backTo: (stateId: string) => void;
  readonly waysBack: (snapshot: WorldSnapshot) => ReadonlySet<string>;
}

/** Draws the graph of places, and lists them in words. Arrow keys go from place to place. */
export class MapView {
  readonly #map = byId("map", HTMLElement);
  readonly #list = byId("places", HTMLElement);
  readonly #actions: MapActions;
  #drawn = "";

  constructor(actions: MapActions) {
    this.#actions = actions;
    this.#map.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Draws the places of a session, when they differ from what is drawn. */
  show(snapshot: WorldSnapshot, locks: readonly CheckpointRecord[]): void {
    const { states, state_ids, current_state_id } = snapshot;
    const waysBack = this.#actions.waysBack(snapshot);
    const key = JSON.stringify([
      [...waysBack],
      states,
      state_ids,
      current_state_id,
      locks.map((lock) => [lock.state_id, lock.name]),
    ]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const nodes = graphLayout(states, state_ids).map((node) => ({
      node,
      words: placeWords(node.state, snapshot, locks, waysBack),
    }));
    const focused = this.#map.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-state")
      : undefined;
    this.#map.replaceChildren(...(nodes.length > 0 ? [this.#drawing(nodes)] : []));
    this.#list.replaceChildren(...nodes.map((place) => this.#item(place)));
    if (focused) this.#map.querySelector<SVGElement>(`[data-state="${focused}"]`)?.focus();
    this.#scrollToCurrent(nodes);
  }

  #drawing(nodes: readonly Place[]): SVGElement {
    const width = 2 * MARGIN + STEP * Math.max(0, ...nodes.map(({ node }) => node.column));
    const height = 2 * MARGIN + STEP * Math.max(0, ...nodes.map(({ node }) => node.lane));
    const size = { width: String(width), height: String(height), viewBox: `0 0 ${width} ${height}` };
    const label = `Map of ${nodes.length} ${nodes.length === 1 ? "place" : "places"}`;
    return svgElement(
      "svg",
      { ...size, role: "group", "aria-label": label },
      ...nodes.flatMap(({ node }) => node.from ? [edge(node, node.from)] : []),
      ...nodes.map((place) => this.#mark(place)),
    );
  }

  #mark(place: Place): SVGElement {
    const { node, words } = place;
    const { x, y } = at(node);
    const mark = svgElement(
      "g",
      {
        class: `place ${words.reach}`,
        transform: `translate(${x} ${y})`,
        tabindex: words.reach === "here" ? "0" : "-1",
        role: words.action ? "button" : "img",
        "aria-label": words.action ? `${words.text}: ${words.action}` : words.text,
        "data-state": node.state.state_id,
      },
      svgElement("title", {}, words.action ? `${words.text}: ${words.action}` : words.text),
      svgElement("rect", { class: "area", x: "-22", y: "-22", width: "44", height: "44" }),
      ...shape(place),
      svgElement("text", { "text-anchor": "middle", dy: "0.35em" }, String(node.state.transition_index)),
    );
    mark.addEventListener("click", () => this.#act(place));
    mark.addEventListener("keydown", ({ key }) => {
      if (key === "Enter" || key === " ") this.#act(place);
    });
    return mark;
  }

  #item(place: Place): HTMLElement {
    const { node: { state }, words } = place;
    const parts: (Node | string)[] = [`${words.text}. `];
    if (words.action) {
      const label = words.reach === "lock" ? "Return" : "Walk back";
      parts.push(button(label, () => this.#act(place), { "aria-label": `${words.text}: ${words.action}` }));
    }
    return element("li", {
      value: String(state.depth),
      "aria-current": words.reach === "here" ? "location" : undefined,
    }, ...parts);
  }

  #act({ node, words }: Place): void {
    if (words.reach === "lock" && words.lock) this.#actions.restore(words.lock);
    else if (words.reach === "back") this.#actions.backTo(node.state.state_id);
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const marks = [...this.#map.querySelectorAll<SVGElement>(".place")];
    const next = marks[marks.indexOf(event.target as SVGElement) + (step ?? 0)];
    if (step === undefined || !next) return;
    event.preventDefault();
    for (const mark of marks) mark.setAttribute("tabindex", mark === next ? "0" : "-1");
    next.focus();
  }

  #scrollToCurrent(nodes: readonly Place[]): void {
    const current = nodes.find(({ words }) => words.reach === "here");
    if (!current) return;
    const { x, y } = at(current.node);
    this.#map.scrollTo({ left: x - this.#map.clientWidth / 2, top: y - this.#map.clientHeight / 2 });
  }
}

interface Place {
  readonly node: GraphNode;
  readonly words: PlaceWords;
}

function at({ column, lane }: { readonly column: number; readonly lane: number }): { x: number; y: number } {
  return { x: MARGIN + STEP * column, y: MARGIN + STEP * lane };
}

function edge(node: GraphNode, parent: { readonly column: number; readonly lane: number }): SVGElement {
  const from = at(parent);
  const to = at(node);
  // A branch leaves its parent straight down and bends into its own lane.
  const d = from.y === to.y ? `M${from.x} ${from.y}H${to.x}` : `M${from.x} ${from.y}V${to.y - 12}q0 12 12 12H${to.x}`;
  return svgElement("path", { class: node.active ? "edge active" : "edge", d });
}

function shape({ node, words }: Place): SVGElement[] {
  const marks: SVGElement[] = [];
  if (words.reach === "here") marks.push(svgElement("circle", { class: "ring", r: "18" }));
  if (words.lock) {
    marks.push(svgElement("rect", { class: "locked", x: "-12", y: "-12", width: "24", height: "24", rx: "6" }));
  } else if (node.state.retained) marks.push(svgElement("circle", { class: "kept", r: "12" }));
  else marks.push(svgElement("path", { class: "gone", d: "M0-14 14 0 0 14-14 0z" }));
  return marks;
}
