import { byId } from "./dom.ts";

/**
 * Asks before something is lost.
 *
 * @param yes label of the confirming button
 * @returns whether the user confirms; Escape means no
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
