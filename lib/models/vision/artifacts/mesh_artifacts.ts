/**
 * The files of an object.
 *
 * @module
 */
import { encodeGlb } from "../../../media/scenes/glb.ts";
import { encodeObj } from "../../../media/scenes/obj.ts";
import { encodePly } from "../../../media/scenes/ply.ts";
import type { ColouredMesh } from "../../isosurface/surface_mesh.ts";
import type { Artifact } from "./artifact.ts";

/** The mesh in three formats; vertex colours are sRGB in OBJ and PLY and linear in GLB. */
export function meshArtifacts(stem: string, mesh: ColouredMesh): Artifact[] {
  return [
    { kind: "obj", path: `${stem}.obj`, mediaType: "model/obj", bytes: encodeObj(mesh) },
    { kind: "ply", path: `${stem}.ply`, mediaType: "application/ply", bytes: encodePly(mesh) },
    { kind: "glb", path: `${stem}.glb`, mediaType: "model/gltf-binary", bytes: encodeGlb(mesh) },
  ];
}
