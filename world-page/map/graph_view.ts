import type { CheckpointRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { button, byId, element, svgElement } from "../ui/dom.ts";
import { graphLayout, type GraphNode } from "./graph_layout.ts";
import {
  fullLabel,
  goTo,
  keepingFocus,
  roveByArrows,
  type StateActions,
  type StateLabel,
  stateLabel,
} from "./state_labels.ts";

const STEP = 44;
const MARGIN = 24;

/** Draws the graph of states, and lists them as text. The arrow keys move between states. */
export class GraphView {
  readonly #drawing = byId("graph", HTMLElement);
  readonly #list = byId("states", HTMLElement);
  readonly #actions: StateActions;
  #drawn = "";

  constructor(actions: StateActions) {
    this.#actions = actions;
    roveByArrows(this.#drawing);
  }

  /** Draws the states of a session if they have changed. */
  show(snapshot: WorldSnapshot, checkpoints: readonly CheckpointRecord[]): void {
    const { states, stateIds, currentStateId } = snapshot;
    const reversible = this.#actions.reversible(snapshot);
    const key = JSON.stringify([
      [...reversible],
      states,
      stateIds,
      currentStateId,
      checkpoints.map((checkpoint) => [checkpoint.stateId, checkpoint.name]),
    ]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const nodes = graphLayout(states, stateIds).map((node) => ({
      node,
      label: stateLabel(node.state, snapshot, checkpoints, reversible),
    }));
    keepingFocus(this.#drawing, () => {
      this.#drawing.replaceChildren(...(nodes.length > 0 ? [this.#picture(nodes)] : []));
    });
    this.#list.replaceChildren(...nodes.map((entry) => this.#item(entry)));
    this.#scrollToCurrent(nodes);
  }

  #picture(nodes: readonly GraphState[]): SVGElement {
    const width = 2 * MARGIN + STEP * Math.max(0, ...nodes.map(({ node }) => node.column));
    const height = 2 * MARGIN + STEP * Math.max(0, ...nodes.map(({ node }) => node.lane));
    const size = { width: String(width), height: String(height), viewBox: `0 0 ${width} ${height}` };
    const label = `Path of ${nodes.length} ${nodes.length === 1 ? "state" : "states"}`;
    return svgElement(
      "svg",
      { ...size, role: "group", "aria-label": label },
      ...nodes.flatMap(({ node }) => node.from ? [edge(node, node.from)] : []),
      ...nodes.map((entry) => this.#mark(entry)),
    );
  }

  #mark(entry: GraphState): SVGElement {
    const { node, label } = entry;
    const { x, y } = at(node);
    const mark = svgElement(
      "g",
      {
        class: `state ${label.reach}`,
        transform: `translate(${x} ${y})`,
        tabindex: label.reach === "here" ? "0" : "-1",
        role: label.action ? "button" : "img",
        "aria-label": fullLabel(label),
        "data-state": node.state.stateId,
      },
      svgElement("title", {}, fullLabel(label)),
      svgElement("rect", { class: "area", x: "-22", y: "-22", width: "44", height: "44" }),
      ...shape(entry),
      svgElement("text", { "text-anchor": "middle", dy: "0.35em" }, String(node.state.transitionIndex)),
    );
    mark.addEventListener("click", () => this.#act(entry));
    mark.addEventListener("keydown", ({ key }) => {
      if (key === "Enter" || key === " ") this.#act(entry);
    });
    return mark;
  }

  #item(entry: GraphState): HTMLElement {
    const { node: { state }, label } = entry;
    const parts: (Node | string)[] = [`${label.text}. `];
    if (label.action) {
      const text = label.reach === "saved" ? "Return" : "Walk back";
      parts.push(button(text, () => this.#act(entry), { "aria-label": fullLabel(label) }));
    }
    return element("li", {
      value: String(state.depth),
      "aria-current": label.reach === "here" ? "location" : undefined,
    }, ...parts);
  }

  #act({ node, label }: GraphState): void {
    goTo(this.#actions, node.state.stateId, label);
  }

  #scrollToCurrent(nodes: readonly GraphState[]): void {
    const current = nodes.find(({ label }) => label.reach === "here");
    if (!current) return;
    const { x, y } = at(current.node);
    this.#drawing.scrollTo({ left: x - this.#drawing.clientWidth / 2, top: y - this.#drawing.clientHeight / 2 });
  }
}

interface GraphState {
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

function shape({ node, label }: GraphState): SVGElement[] {
  const marks: SVGElement[] = [];
  if (label.reach === "here") marks.push(svgElement("circle", { class: "ring", r: "18" }));
  if (label.checkpoint) {
    marks.push(svgElement("rect", { class: "saved-mark", x: "-12", y: "-12", width: "24", height: "24", rx: "6" }));
  } else if (node.state.retained) marks.push(svgElement("circle", { class: "kept", r: "12" }));
  else marks.push(svgElement("path", { class: "gone", d: "M0-14 14 0 0 14-14 0z" }));
  return marks;
}
