/** What the pointer does to a drawing. */
export interface DragActions {
  /** Moves what is shown, in pixels. */
  readonly drag: (x: number, y: number) => void;
  /** Magnifies around a point of the drawing. */
  readonly zoom: (factor: number, at: { readonly x: number; readonly y: number }) => void;
}

/** Pixels that a pointer moves before it drags: a click may tremble. */
const SLOP = 5;

/** Lets one pointer drag a drawing, two fingers or Ctrl with the wheel zoom it. The wheel alone scrolls the page. */
export function dragAndZoom(drawing: HTMLElement, { drag, zoom }: DragActions): void {
  const pointers = new Map<number, { x: number; y: number }>();
  let isDragging = false;
  const inside = (x: number, y: number): { x: number; y: number } => {
    const box = drawing.getBoundingClientRect();
    return { x: x - box.left, y: y - box.top };
  };
  drawing.addEventListener("pointerdown", ({ pointerId, clientX: x, clientY: y, button }) => {
    if (button !== 0) return;
    if (pointers.size === 0) isDragging = false;
    pointers.set(pointerId, { x, y });
  });
  // On the window: a drag may leave the drawing. A capture would take the click away from the marks.
  addEventListener("pointermove", ({ pointerId, clientX: x, clientY: y }) => {
    const last = pointers.get(pointerId);
    if (!last) return;
    const [other] = [...pointers].filter(([id]) => id !== pointerId).map(([, point]) => point);
    if (other) {
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(x - other.x, y - other.y);
      if (before > 0 && after > 0) zoom(after / before, inside((x + other.x) / 2, (y + other.y) / 2));
    } else if (isDragging || Math.hypot(x - last.x, y - last.y) > SLOP) {
      isDragging = true;
      drag(x - last.x, y - last.y);
    } else return;
    pointers.set(pointerId, { x, y });
  });
  for (const end of ["pointerup", "pointercancel"] as const) {
    addEventListener(end, ({ pointerId }) => pointers.delete(pointerId));
  }
  // The click that ends a drag is ignored.
  drawing.addEventListener("click", (event) => {
    if (isDragging) event.stopPropagation();
    isDragging = false;
  }, { capture: true });
  drawing.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 200), inside(event.clientX, event.clientY));
  }, { passive: false });
}
