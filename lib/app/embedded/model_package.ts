/** A file of a package. */
export interface PackageFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A published package that holds a model. */
export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** Hash of the list of files. */
  readonly sha256: string;
  readonly files: readonly PackageFile[];
}
