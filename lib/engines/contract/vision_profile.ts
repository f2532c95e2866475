/**
 * What is known of vision models without loading them.
 *
 * @module
 */

/** Sizes of a network, as its family reads them from the names and shapes of tensors; for plans. */
export type NetworkSizes = Readonly<Record<string, unknown>>;

/** A model that finds the geometry of one image or of several views. */
export interface GeometryModelProfile {
  readonly kind: "geometry";
  readonly engine: "graph-moge2" | "onnx-moge2" | "graph-da3";
  readonly network: NetworkSizes;
}

/** A model that finds the depth of videos. */
export interface DepthVideoModelProfile {
  readonly kind: "depth-video";
  readonly engine: "graph-vda";
  readonly network: NetworkSizes;
}

/** A model that makes objects of images. */
export interface ObjectModelProfile {
  readonly kind: "object";
  readonly engine: "graph-triposr" | "graph-instantmesh";
  readonly network: NetworkSizes;
  /** SHA-256 of the published checkpoint that the weights were converted from. */
  readonly sourceSha256?: string | undefined;
}

/** A vision model of any kind. */
export type VisionModelProfile = GeometryModelProfile | DepthVideoModelProfile | ObjectModelProfile;
