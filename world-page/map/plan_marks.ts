/**
 * The marks of the map.
 *
 * @module
 */
import { svgElement } from "../ui/dom.ts";
import { fullLabel, type StateLabel } from "./state_labels.ts";
import { PIN, type PinName } from "./pin_names.ts";
import type { PlanPlace } from "./plan_layout.ts";

/** A point of the drawing, in pixels. */
export interface DrawingPoint {
  readonly x: number;
  readonly y: number;
}

/** Length of the wedge and of the tick that says where a state looks, in pixels. */
const WEDGE = 40;
const TICK = 13;

/** Distance of two states in pixels below which marks shrink, so that they do not overlap. */
const ROOM = 16;

/** Scale of the marks, 0.5 to 1, for consecutive states that are so many pixels apart. */
export function markSize(apart: number | undefined): number {
  return apart === undefined ? 1 : Math.min(1, Math.max(0.5, apart / ROOM));
}

/** The wedge that a camera sees. */
export function wedgePath({ x, y }: DrawingPoint, turn: number, view: number): string {
  const side = (angle: number): string => {
    const { x: right, y: down } = towards(turn + angle, WEDGE);
    return `${(x + right).toFixed(1)} ${(y + down).toFixed(1)}`;
  };
  const large = view > Math.PI ? 1 : 0;
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${side(-view / 2)}A${WEDGE} ${WEDGE} 0 ${large} 1 ${side(view / 2)}Z`;
}

/**
 * The mark of a state: a dot with a tick in the direction of view, a pin for a checkpoint; a mere bead of the line for a
 * state that nothing leads back to.
 *
 * @param size See {@link markSize}; pins and the current state keep theirs.
 * @param name The name beside the pin, where there is room for it.
 */
export function placeMark(
  place: PlanPlace,
  { x, y }: DrawingPoint,
  label: StateLabel,
  size: number,
  name: PinName | undefined,
  act: () => void,
): SVGElement {
  const isKept = label.reach === "here" || label.action !== undefined;
  const scale = label.reach === "here" ? 1 : size;
  const tick = towards(place.turn, scale * TICK);
  const line = { x2: tick.x.toFixed(1), y2: tick.y.toFixed(1) };
  const mark = svgElement(
    "g",
    {
      class: `state ${label.reach}${place.active ? "" : " left"}`,
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
      tabindex: label.reach === "here" ? "0" : "-1",
      role: label.action ? "button" : "img",
      "aria-label": fullLabel(label),
      "data-state": place.id,
    },
    svgElement("title", {}, fullLabel(label)),
    // The tick can be clicked too: states that only turn share one place.
    ...(isKept ? [svgElement("line", { class: "area", ...line, "stroke-width": String(16 * scale) })] : []),
    svgElement("circle", { class: "area focus", r: String(12 * scale) }),
    ...(isKept ? [svgElement("line", { class: "tick", ...line })] : []),
    svgElement("circle", isKept ? { class: "kept", r: String(5 * scale) } : { class: "gone", r: "2.5" }),
    ...(label.checkpoint ? pin(name) : []),
  );
  mark.addEventListener("click", act);
  mark.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
  return mark;
}

function pin(name: PinName | undefined): SVGElement[] {
  const head = [
    area(-PIN.side, -PIN.height, 2 * PIN.side, PIN.height),
    svgElement("path", { class: "saved-mark", d: "M0 0c-3-7-9-9-9-16a9 9 0 0 1 18 0c0 7-6 9-9 16z" }),
  ];
  if (!name) return head;
  const { text, left, baseline, width } = name;
  const words = svgElement("text", { class: "pin-name", x: left.toFixed(1), y: String(baseline) }, text);
  return [...head, area(left, baseline - 12, width, 16), words];
}

function area(x: number, y: number, width: number, height: number): SVGElement {
  const box = { x: x.toFixed(1), y: String(y), width: width.toFixed(1), height: String(height) };
  return svgElement("rect", { class: "area", ...box });
}

/** A vector of the drawing; an angle of 0 is up. */
function towards(angle: number, length: number): DrawingPoint {
  return { x: Math.sin(angle) * length, y: -Math.cos(angle) * length };
}
