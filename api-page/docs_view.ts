/**
 * Shows an API description, so that people can read it.
 *
 * @module
 */
import { byId, element, setText } from "../world-page/ui/dom.ts";
import { send } from "./api.ts";
import {
  type ApiDocument,
  fieldsOf,
  METHODS,
  type Operation,
  type Parameter,
  resolve,
  typeText,
} from "./read_openapi.ts";

/** Fetches `/openapi.json` and shows it. */
export async function showDocs(): Promise<void> {
  const text = await (await send("/openapi.json")).text();
  const api = JSON.parse(text) as ApiDocument;
  // A link cannot send the key.
  byId("source", HTMLAnchorElement).href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const { title, version, description = "" } = api.info;
  setText(byId("about", HTMLElement), `${title}, version ${version}, OpenAPI ${api.openapi}`);
  byId("description", HTMLElement).replaceChildren(...paragraphs(description));
  const routes = byId("routes", HTMLElement);
  routes.replaceChildren(...sections(api), schemaSection(api));
  find(routes);
  const openTarget = (): void => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
    target?.scrollIntoView();
  };
  addEventListener("hashchange", openTarget);
  if (location.hash !== "") openTarget();
}

/** The routes by their tags, in the order of the document. */
function sections(api: ApiDocument): HTMLElement[] {
  return api.tags.flatMap(({ name, description = "" }) => {
    const items = Object.entries(api.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        if (!operation?.tags?.includes(name)) return [];
        return [operationItem(api, method, path, operation, item.parameters ?? [])];
      })
    );
    if (items.length === 0) return [];
    return [element("section", {}, element("h2", {}, capital(name)), ...paragraphs(description), ...items)];
  });
}

function operationItem(
  api: ApiDocument,
  method: string,
  path: string,
  operation: Operation,
  shared: readonly Parameter[],
): HTMLElement {
  const parameters = [...shared, ...operation.parameters ?? []].map((parameter) => resolve(api, parameter));
  const item = element(
    "details",
    { id: `${operation.operationId}`, class: "operation" },
    element(
      "summary",
      {},
      element("code", {}, element("b", { class: method }, method.toUpperCase()), ` ${path}`),
      element("span", { class: "hint" }, operation.summary ?? ""),
    ),
    ...paragraphs(operation.description ?? ""),
  );
  if (JSON.stringify(operation.security) === "[]") item.append(element("p", { class: "hint" }, "Requires no key."));
  if (parameters.length > 0) {
    item.append(fieldTable(
      "Parameters",
      parameters.map(({ name, in: place, required = false, description = "", schema = {} }) => ({
        name,
        type: typeText(schema),
        note: [place, schema.description ?? description].filter(Boolean).join(": "),
        required,
        depth: 0,
      })),
    ));
  }
  for (const [type, { schema = {} }] of Object.entries(operation.requestBody?.content ?? {})) {
    item.append(fieldTable(`Body, ${type}: ${typeText(schema)}`, fieldsOf(api, schema)));
  }
  const answers = Object.entries(operation.responses ?? {}).map(([status, given]) => {
    const { description = "", content = {} } = resolve(api, given);
    const types = Object.entries(content).map(([type, { schema }]) => schema ? `${type}: ${typeText(schema)}` : type);
    return element("li", {}, element("code", {}, status), ` ${description} `, ...types.map(typeNote));
  });
  item.append(element("h3", {}, "Answers"), element("ul", { class: "answers" }, ...answers));
  return item;
}

function typeNote(text: string): HTMLElement {
  return element("span", { class: "hint" }, ...linked(text));
}

function schemaSection(api: ApiDocument): HTMLElement {
  const items = Object.entries(api.components?.schemas ?? {}).map(([name, schema]) =>
    element(
      "details",
      { id: `schema-${name}`, class: "operation" },
      element("summary", {}, element("code", {}, name)),
      ...paragraphs(schema.description ?? ""),
      fieldTable("Fields", fieldsOf(api, schema)),
    )
  );
  return element("section", {}, element("h2", {}, "Schemas"), ...items);
}

function fieldTable(title: string, fields: ReturnType<typeof fieldsOf>): HTMLElement {
  const rows = fields.map(({ name, type, note, required, depth }) => {
    const label = element("th", { scope: "row", "data-depth": `${Math.min(depth, 4)}` }, element("code", {}, name));
    if (required) label.append(element("span", { class: "hint" }, " required"));
    return element("tr", {}, label, element("td", {}, element("code", {}, ...linked(type))), element("td", {}, note));
  });
  const table = element("table", {}, element("caption", {}, ...linked(title)), element("tbody", {}, ...rows));
  return element("div", { class: "scroll" }, table);
}

/** A text in which names of schemas are links. */
function linked(text: string): (Node | string)[] {
  return text.split(/(#\w+)/).map((part) =>
    part.startsWith("#") ? element("a", { href: `#schema-${part.slice(1)}` }, part.slice(1)) : part
  );
}

/** The paragraphs of a description, with code where it has backticks. */
function paragraphs(text: string): HTMLElement[] {
  return text.split(/\n{2,}/).filter(Boolean).map((part) => {
    const pieces = part.split("`");
    return element("p", {}, ...pieces.map((piece, i) => i % 2 === 1 ? element("code", {}, piece) : piece));
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Shows only what has the words of the field. */
function find(routes: HTMLElement): void {
  const field = byId("find", HTMLInputElement);
  const items = [...routes.querySelectorAll<HTMLElement>(".operation")];
  const texts = new Map(items.map((item) => [item, item.textContent!.toLowerCase()]));
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) item.hidden = !words.every((word) => texts.get(item)!.includes(word));
    for (const section of routes.children) {
      (section as HTMLElement).hidden = section.querySelector(".operation:not([hidden])") === null;
    }
    const count = items.filter((item) => !item.hidden).length;
    setText(byId("found", HTMLElement), words.length === 0 ? "" : `${count} of ${items.length} match`);
  });
}
