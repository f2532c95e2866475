/**
 * Focus within drawings: one stop of the Tab key, and arrow keys from state to state.
 *
 * @module
 */

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Lets the arrow keys move the focus between the states of a drawing. */
export function roveByArrows(drawing: HTMLElement): void {
  drawing.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const marks = [...drawing.querySelectorAll<SVGElement>(".state")];
    const at = marks.indexOf(event.target as SVGElement);
    const next = marks[at + (step ?? 0)];
    if (step === undefined || at < 0 || !next) return;
    event.preventDefault();
    for (const mark of marks) mark.setAttribute("tabindex", mark === next ? "0" : "-1");
    next.focus();
  });
}

/** Draws, and gives the focus back to the state that had it. */
export function keepingFocus(drawing: HTMLElement, draw: () => void): void {
  const focused = drawing.contains(document.activeElement)
    ? document.activeElement?.getAttribute("data-state")
    : undefined;
  draw();
  if (!focused) return;
  const mark = drawing.querySelector<SVGElement>(`[data-state="${focused}"]`);
  if (!mark) return;
  for (const other of drawing.querySelectorAll(".state")) other.setAttribute("tabindex", other === mark ? "0" : "-1");
  mark.focus();
}
