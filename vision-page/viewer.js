// Shows the result of a vision command without a network: points or a mesh to turn, pictures, a video, files, facts.
import { PLYLoader } from "three/examples/jsm/loaders/PLYLoader.js";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import {
  Box3,
  Color,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";

/**
 * What the command has put into the page.
 *
 * @typedef {object} Data
 * @property {string} summary
 * @property {"points" | "mesh" | "none"} kind
 * @property {string} [ply] In base64.
 * @property {boolean} [upsideDown] y is down and z forward, as cameras see.
 * @property {readonly { readonly path: string, readonly caption: string, readonly video: boolean }[]} pictures
 * @property {readonly string[]} files
 * @property {readonly (readonly [string, string])[]} facts
 */

const byId = (id) => document.getElementById(id);
const data = /** @type {Data} */ (JSON.parse(byId("data").textContent));

byId("summary").textContent = data.summary;
for (const { path, caption, video } of data.pictures) byId("pictures").append(figure(path, caption, video));
byId("pictures").hidden = data.pictures.length === 0;
for (const path of data.files) {
  const link = element("a", path);
  link.href = hrefOf(path);
  const item = element("li");
  item.append(link);
  byId("list").append(item);
}
for (const [name, value] of data.facts) byId("facts").append(element("dt", name), element("dd", value));
if (data.ply !== undefined) showScene(data.ply);

function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function hrefOf(path) {
  return path.split("/").map(encodeURIComponent).join("/");
}

function figure(path, caption, video) {
  const made = element("figure");
  const picture = document.createElement(video ? "video" : "img");
  picture.src = hrefOf(path);
  if (video) Object.assign(picture, { controls: true, loop: true, muted: true });
  else Object.assign(picture, { alt: caption, loading: "lazy" });
  made.append(picture, element("figcaption", caption));
  return made;
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

function showScene(ply) {
  byId("scene").hidden = false;
  const canvas = byId("canvas");
  let renderer;
  try {
    renderer = new WebGLRenderer({ canvas, antialias: true });
  } catch {
    byId("trouble").textContent = "This browser cannot draw in three dimensions (WebGL is off); the files are below.";
    byId("trouble").hidden = false;
    return;
  }
  const geometry = new PLYLoader().parse(bytesOf(ply));
  if (data.upsideDown) geometry.rotateX(Math.PI);
  const coloured = geometry.hasAttribute("color");
  const isMesh = data.kind === "mesh";
  byId("size-field").hidden = isMesh;
  byId("wire-field").hidden = !isMesh;
  if (isMesh) geometry.computeVertexNormals();
  const material = isMesh
    ? new MeshStandardMaterial({
      vertexColors: coloured,
      color: coloured ? 0xffffff : 0xc8c8c8,
      roughness: 0.9,
      side: DoubleSide,
    })
    : new PointsMaterial({ vertexColors: coloured, size: 2, sizeAttenuation: false });
  const object = isMesh ? new Mesh(geometry, material) : new Points(geometry, material);
  const scene = new Scene();
  const sun = new DirectionalLight(0xffffff, 1.6);
  scene.add(object, new HemisphereLight(0xffffff, 0x777777, 1.8), sun);

  const { centre, radius, eye } = framing(geometry, isMesh);
  const camera = new PerspectiveCamera(50, 1, radius / 1000, radius * 100);
  const controls = new OrbitControls(camera, canvas);
  controls.listenToKeyEvents(canvas);
  controls.keys = { LEFT: "", UP: "", RIGHT: "", BOTTOM: "" };
  const reset = () => {
    camera.position.copy(eye);
    controls.target.copy(centre);
    controls.update();
  };
  const draw = () => {
    sun.position.copy(camera.position);
    renderer.render(scene, camera);
    canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
  };
  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    camera.aspect = width / Math.max(height, 1);
    camera.updateProjectionMatrix();
    draw();
  };
  const background = () => {
    scene.background = new Color(byId("light").checked ? 0xf2f2f0 : 0x14161a);
    draw();
  };
  byId("light").addEventListener("change", background);
  byId("size").addEventListener("input", () => {
    material.size = Number(byId("size").value);
    draw();
  });
  byId("wire").addEventListener("change", () => {
    material.wireframe = byId("wire").checked;
    draw();
  });
  byId("reset").addEventListener("click", reset);
  canvas.addEventListener("keydown", (event) => {
    if (!turn(event.key, camera, controls)) return;
    event.preventDefault();
    controls.update();
  });
  controls.addEventListener("change", draw);
  new ResizeObserver(resize).observe(canvas);
  reset();
  background();
}

/** Turns or moves the camera for a key; false for keys without a meaning. */
function turn(key, camera, controls) {
  const arm = camera.position.clone().sub(controls.target);
  const up = new Vector3(0, 1, 0);
  if (key === "ArrowLeft" || key === "ArrowRight") arm.applyAxisAngle(up, key === "ArrowLeft" ? -0.12 : 0.12);
  else if (key === "ArrowUp" || key === "ArrowDown") {
    const side = arm.clone().cross(up).normalize();
    const turned = arm.clone().applyAxisAngle(side, key === "ArrowUp" ? 0.12 : -0.12);
    if (Math.abs(turned.clone().normalize().y) < 0.995) arm.copy(turned);
  } else if (key === "+" || key === "=") arm.multiplyScalar(0.9);
  else if (key === "-") arm.multiplyScalar(1.1);
  else return false;
  camera.position.copy(controls.target).add(arm);
  return true;
}

/**
 * Where to look from: at an object from the front, slightly above; into a scene from beside its first camera. Of points,
 * the outermost are left out: one far away would make all others small.
 */
function framing(geometry, isMesh) {
  const positions = geometry.getAttribute("position");
  const box = new Box3();
  const sorted = [0, 1, 2].map((axis) => {
    const step = Math.max(1, Math.floor(positions.count / 20_000));
    const values = [];
    for (let i = 0; i < positions.count; i += step) values.push(positions.getComponent(i, axis));
    return values.sort((a, b) => a - b);
  });
  const at = (axis, share) => sorted[axis][Math.round(share * (sorted[axis].length - 1))] ?? 0;
  const edge = isMesh ? 0 : 0.02;
  box.min.set(at(0, edge), at(1, edge), at(2, edge));
  box.max.set(at(0, 1 - edge), at(1, 1 - edge), at(2, 1 - edge));
  const centre = box.getCenter(new Vector3());
  const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6);
  const direction = isMesh ? new Vector3(0.6, 0.45, 1) : new Vector3(0.25, 0.2, 1);
  return { centre, radius, eye: direction.normalize().multiplyScalar(radius * 2.4).add(centre) };
}
