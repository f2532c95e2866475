/**
 * Errors of the model store.
 *
 * @module
 */

/** The reason of a {@linkcode StoreError}. */
export type StoreErrorCode =
  /** A setting is unknown, out of its bounds or not for this model; `param` names it. */
  | "invalid_settings"
  /** Another model goes by the name. */
  | "alias_taken"
  /** The id is neither installed nor in the catalog. */
  | "model_not_found"
  /** The settings file cannot be read. */
  | "broken_settings"
  /** The record of an installed model cannot be read. */
  | "broken_record"
  /** The id is not in the form of ids. */
  | "invalid_id"
  /** A model of this id is installed already. */
  | "already_installed"
  /** The files are not those of a model that can be used. */
  | "unsuitable_files"
  /** What was received is not what was announced. */
  | "corrupt_download"
  /** The licence has not been accepted. */
  | "license_not_accepted"
  /** The repository cannot be had. */
  | "repository_unavailable"
  /** The disk is too small. */
  | "disk_full";

/** An error whose sentence is written for people. */
export class StoreError extends Error {
  override name = "StoreError";
  readonly code: StoreErrorCode;
  /** The setting that is wrong. */
  readonly param: string | undefined;

  constructor(code: StoreErrorCode, message: string, param?: string) {
    super(message);
    this.code = code;
    this.param = param;
  }
}
