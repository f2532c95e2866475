/**
 * Bodies with files as the forms that the services read: files are in a private folder while a request runs.
 *
 * @module
 */
import { invalidField } from "../../errors/svc_error.ts";
import { show } from "../../errors/show.ts";
import { type FormRules, partKind } from "../../http/multipart/form_rules.ts";
import type { UploadedFile, UploadForm } from "../../http/multipart/read_form.ts";
import { tooLarge } from "../../http/request_body.ts";
import { makeUploadFolder, type PrivateUploads } from "../../platform/files/upload_folder.ts";

/**
 * Does work with a body as a form, under the rules of the form's route. Its folder goes when the work ends.
 *
 * @param work Gets the form, and the folder, which may take more.
 * @throws {SvcError} for a field that the rules do not have, `body_too_large`, `disk_full`, and what the work throws.
 */
export async function withForm<T>(
  body: object,
  rules: FormRules,
  work: (form: UploadForm, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await makeUploadFolder();
  try {
    return await work(await writeForm(body, rules, folder), folder.path);
  } finally {
    await folder.remove();
  }
}

async function writeForm(body: object, rules: FormRules, folder: PrivateUploads): Promise<UploadForm> {
  const texts = new Map<string, string[]>();
  const files: UploadedFile[] = [];
  let left = rules.maxBytes;
  for (const [name, value] of Object.entries(body)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [i, one] of values.filter((one) => one !== undefined && one !== null).entries()) {
      if (!(one instanceof Uint8Array || one instanceof Blob)) {
        checkText(name, one, rules, i);
        texts.set(name, [...texts.get(name) ?? [], typeof one === "object" ? JSON.stringify(one) : String(one)]);
        continue;
      }
      const blob = one instanceof Blob ? one : undefined;
      const type = blob?.type ?? "";
      const filename = blob instanceof File ? blob.name : name;
      partKind({ name, filename, type }, rules, i);
      left -= blob?.size ?? (one as Uint8Array).length;
      if (left < 0) throw tooLarge(rules.maxBytes);
      files.push({ ...await writeFile(folder, `upload-${files.length}`, one), field: name, type, filename });
      if (files.at(-1)!.bytes > 0) continue;
      throw invalidField(name, `Cannot ${rules.action}: the file ${show(name)} is empty`);
    }
  }
  return { texts, files };
}

/** What is neither bytes nor a blob is text; where only files may be, the error says of which types. */
function checkText(name: string, value: unknown, rules: FormRules, before: number): void {
  if (Object.hasOwn(rules.files, name) && !Object.hasOwn(rules.texts, name)) {
    const message = `Cannot ${rules.action}: ${show(name)} is ${show(value)}, expected a Uint8Array or a Blob`;
    throw invalidField(name, message);
  }
  partKind({ name, type: "" }, rules, before);
}

async function writeFile(folder: PrivateUploads, name: string, content: Uint8Array | Blob) {
  const writer = await folder.create(name);
  try {
    if (content instanceof Uint8Array) await writer.write(content);
    else for await (const part of content.stream()) await writer.write(part);
    return await writer.close();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
