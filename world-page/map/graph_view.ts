import type { CheckpointRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { button, byId, element, svgElement } from "../ui/dom.ts";
import { graphLayout, type GraphNode } from "./graph_layout.ts";
import { type StateLabel, stateLabel } from "./state_labels.ts";

const STEP = 44;
const MARGIN = 24;

/** What the states on the map can do. */
export interface MapActions {
  readonly restore: (checkpoint: CheckpointRecord) => void;
  readonly backTo: (stateId: string) => void;
  readonly reversible: (snapshot: WorldSnapshot) => ReadonlySet<string>;
}

/** Draws the graph of states, and lists them as text. The arrow keys move between states. */
export class MapView {
  readonly #map = byId("map", HTMLElement);
  readonly #list = byId("states", HTMLElement);
  readonly #actions: MapActions;
  #drawn = "";

  constructor(actions: MapActions) {
    this.#actions = actions;
    this.#map.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Draws the states of a session if they have changed. */
  show(snapshot: WorldSnapshot, checkpoints: readonly CheckpointRecord[]): void {
    const { states, state_ids, current_state_id } = snapshot;
    const reversible = this.#actions.reversible(snapshot);
    const key = JSON.stringify([
      [...reversible],
      states,
      state_ids,
      current_state_id,
      checkpoints.map((checkpoint) => [checkpoint.state_id, checkpoint.name]),
    ]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const nodes = graphLayout(states, state_ids).map((node) => ({
      node,
      label: stateLabel(node.state, snapshot, checkpoints, reversible),
    }));
    const focused = this.#map.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-state")
      : undefined;
    this.#map.replaceChildren(...(nodes.length > 0 ? [this.#drawing(nodes)] : []));
    this.#list.replaceChildren(...nodes.map((entry) => this.#item(entry)));
    if (focused) this.#map.querySelector<SVGElement>(`[data-state="${focused}"]`)?.focus();
    this.#scrollToCurrent(nodes);
  }

  #drawing(nodes: readonly MapState[]): SVGElement {
    const width = 2 * MARGIN + STEP * Math.max(0, ...nodes.map(({ node }) => node.column));
    const height = 2 * MARGIN + STEP * Math.max(0, ...nodes.map(({ node }) => node.lane));
    const size = { width: String(width), height: String(height), viewBox: `0 0 ${width} ${height}` };
    const label = `Map of ${nodes.length} ${nodes.length === 1 ? "state" : "states"}`;
    return svgElement(
      "svg",
      { ...size, role: "group", "aria-label": label },
      ...nodes.flatMap(({ node }) => node.from ? [edge(node, node.from)] : []),
      ...nodes.map((entry) => this.#mark(entry)),
    );
  }

  #mark(entry: MapState): SVGElement {
    const { node, label } = entry;
    const { x, y } = at(node);
    const mark = svgElement(
      "g",
      {
        class: `state ${label.reach}`,
        transform: `translate(${x} ${y})`,
        tabindex: label.reach === "here" ? "0" : "-1",
        role: label.action ? "button" : "img",
        "aria-label": label.action ? `${label.text}: ${label.action}` : label.text,
        "data-state": node.state.state_id,
      },
      svgElement("title", {}, label.action ? `${label.text}: ${label.action}` : label.text),
      svgElement("rect", { class: "area", x: "-22", y: "-22", width: "44", height: "44" }),
      ...shape(entry),
      svgElement("text", { "text-anchor": "middle", dy: "0.35em" }, String(node.state.transition_index)),
    );
    mark.addEventListener("click", () => this.#act(entry));
    mark.addEventListener("keydown", ({ key }) => {
      if (key === "Enter" || key === " ") this.#act(entry);
    });
    return mark;
  }

  #item(entry: MapState): HTMLElement {
    const { node: { state }, label } = entry;
    const parts: (Node | string)[] = [`${label.text}. `];
    if (label.action) {
      const text = label.reach === "saved" ? "Return" : "Walk back";
      parts.push(button(text, () => this.#act(entry), { "aria-label": `${label.text}: ${label.action}` }));
    }
    return element("li", {
      value: String(state.depth),
      "aria-current": label.reach === "here" ? "location" : undefined,
    }, ...parts);
  }

  #act({ node, label }: MapState): void {
    if (label.reach === "saved" && label.checkpoint) this.#actions.restore(label.checkpoint);
    else if (label.reach === "back") this.#actions.backTo(node.state.state_id);
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const marks = [...this.#map.querySelectorAll<SVGElement>(".state")];
    const next = marks[marks.indexOf(event.target as SVGElement) + (step ?? 0)];
    if (step === undefined || !next) return;
    event.preventDefault();
    for (const mark of marks) mark.setAttribute("tabindex", mark === next ? "0" : "-1");
    next.focus();
  }

  #scrollToCurrent(nodes: readonly MapState[]): void {
    const current = nodes.find(({ label }) => label.reach === "here");
    if (!current) return;
    const { x, y } = at(current.node);
    this.#map.scrollTo({ left: x - this.#map.clientWidth / 2, top: y - this.#map.clientHeight / 2 });
  }
}

interface MapState {
  readonly node: GraphNode;
  readonly label: StateLabel;
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

function shape({ node, label }: MapState): SVGElement[] {
  const marks: SVGElement[] = [];
  if (label.reach === "here") marks.push(svgElement("circle", { class: "ring", r: "18" }));
  if (label.checkpoint) {
    marks.push(svgElement("rect", { class: "saved-mark", x: "-12", y: "-12", width: "24", height: "24", rx: "6" }));
  } else if (node.state.retained) marks.push(svgElement("circle", { class: "kept", r: "12" }));
  else marks.push(svgElement("path", { class: "gone", d: "M0-14 14 0 0 14-14 0z" }));
  return marks;
}
