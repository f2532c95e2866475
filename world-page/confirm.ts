import { byId } from "./dom.ts";

/**
 * Asks before something is lost.
 *
 * @param yes what the button says that does it
 * @returns whether the person wants it; Escape is a no
 */
export function confirmLoss(question: string, yes: string): Promise<boolean> {
  const dialog = byId("confirm", HTMLDialogElement);
  byId("confirm-text", HTMLElement).textContent = question;
  byId("confirm-yes", HTMLButtonElement).textContent = yes;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
