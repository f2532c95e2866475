/**
 * The world on the first page: it is loaded when the visitor walks in, takes the room, and is walked into at once.
 *
 * @module
 */
const place = document.getElementById("world")!;
document.getElementById("enter")!.addEventListener("click", (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return; // into another tab
  event.preventDefault();
  const frame = document.createElement("iframe");
  frame.src = "walk/#walk";
  frame.title = "A world to walk in";
  frame.allow = "fullscreen; gamepad";
  frame.addEventListener("load", () => frame.contentWindow?.focus());
  place.classList.add("entered");
  place.parentElement!.classList.add("entered");
  place.replaceChildren(frame);
  place.scrollIntoView({ block: "start" });
});
