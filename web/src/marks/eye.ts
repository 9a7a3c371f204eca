/** The table in three dimensions as sight is judged: prisms of terrain, upright solids of models, and the eye. */

import {
  AmbientLight,
  BufferGeometry,
  CylinderGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  EdgesGeometry,
  ExtrudeGeometry,
  GridHelper,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Scene as World,
  Shape,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { Stance, XY } from '../lib/geometry';
import { contains, corners, isRound } from '../lib/geometry';
import type { ModelShown, PieceShown, Sighting, TableShown } from '../net/wire';
import { likeness } from '../board/scenery';
import { shareSeen } from './seen';

export interface Tones {
  sky: string;
  turf: string;
  grid: string;
  stone: string;
  wood: string;
  water: string;
  earth: string;
  ink: string;
  sides: string[];
  seen: string;
  unseen: string;
}

export interface Told {
  table: TableShown;
  pieces: PieceShown[];
  models: { model: ModelShown; at: Stance }[];
  tones: Tones;
}

const WIDEST = 75;
const CLOSEST = 8;
/** How strongly the walls of a piece show when the eye is inside it. */
const INSIDE = 0.15;

/** Legs, torso, head. */
const SHADES = [0.6, 0.85, 1.15];
const TINTED = 0.75;

interface Part {
  model: ModelShown;
  place: number;
  low: number;
  high: number;
  mesh: Mesh;
}

export class EyeView {
  private readonly world = new World();
  private readonly camera = new PerspectiveCamera(60, 1, 0.05, 1000);
  private readonly renderer: WebGLRenderer;
  private readonly rays = new Group();
  private readonly parts: Part[] = [];
  private yaw = 0;
  private pitch = 0;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly told: Told,
    eye: [number, number, number],
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.camera.rotation.order = 'YXZ';
    this.camera.position.copy(spot(eye));
    this.build();
  }

  private build(): void {
    const { table, tones } = this.told;
    this.world.background = new Color(tones.sky);
    const sun = new DirectionalLight('#ffffff', 1.7);
    sun.position.set(-0.6, 1, 0.4);
    this.world.add(new AmbientLight('#ffffff', 1.5), sun, this.ground(table), this.rays);
    for (const piece of this.told.pieces) this.world.add(this.prism(piece));
    for (const one of this.told.models) this.world.add(this.solid(one.model, one.at));
  }

  /** Whether the eye is inside a piece: the piece's own walls do not hide the view then. */
  private isWithin(piece: PieceShown): boolean {
    const { x, y, z } = this.camera.position;
    const isAmidst = y >= piece.z && y <= piece.z + piece.height;
    return isAmidst && contains(piece.outline, x, -z);
  }

  private ground(table: TableShown): Group {
    const found = new Group();
    const turf = new Mesh(
      new PlaneGeometry(table.width, table.depth),
      new MeshLambertMaterial({ color: this.told.tones.turf }),
    );
    turf.rotation.x = -Math.PI / 2;
    turf.position.set(table.width / 2, 0, -table.depth / 2);
    const size = Math.max(table.width, table.depth);
    const grid = new GridHelper(size, Math.round(size / table.grid), this.told.tones.grid, this.told.tones.grid);
    grid.position.set(size / 2, 0.01, -size / 2);
    found.add(turf, grid);
    return found;
  }

  private prism(piece: PieceShown): Group {
    const { tones } = this.told;
    const like = likeness(piece.kind);
    const tone =
      { trees: tones.wood, water: tones.water, hill: tones.earth, rubble: tones.earth }[like as 'trees'] ?? tones.stone;
    const found = raised(
      piece.outline,
      piece.z,
      Math.max(piece.height, 0.02),
      tone,
      tones.ink,
      this.isWithin(piece) ? INSIDE : like === 'trees' ? 0.45 : 0.8,
    );
    for (const floor of piece.floors ?? [])
      found.add(raised(floor.outline, floor.z, 0.04, tones.stone, tones.ink, 0.9));
    return found;
  }

  /** The solid of a model; shades distinguish its legs, torso and head. */
  private solid(model: ModelShown, at: Stance): Group {
    const shape = model.shape ?? { radius: 0.5, height: 1 };
    const height = shape.height || 1;
    const found = new Group();
    const ends = [...(shape.bands ?? []), height];
    for (const [place, high] of ends.entries()) {
      const low = ends[place - 1] ?? 0;
      if (high - low < 1e-6) continue;
      const tone = this.shaded(model, place);
      const part = upright(shape, low, high, new MeshLambertMaterial({ color: tone }));
      const edges = new LineBasicMaterial({ color: '#000000', transparent: true, opacity: 0.35 });
      part.add(new LineSegments(new EdgesGeometry(part.geometry, 30), edges));
      found.add(part);
      this.parts.push({ model, place, low, high, mesh: part });
    }
    found.position.set(at.x, model.z ?? 0, -at.y);
    found.rotation.y = (-at.facing * Math.PI) / 180;
    return found;
  }

  /** The colour of the model's side, darker for the lower parts. */
  private shaded(model: ModelShown, place: number): Color {
    return new Color(this.told.tones.sides[model.side] ?? this.told.tones.ink).multiplyScalar(SHADES[place] ?? 1);
  }

  /** Colours the parts of the target as seen or unseen; a partly seen part mixes the colours by the share that is seen. */
  private tint(sighting: Sighting | null): void {
    for (const { model, place, low, high, mesh } of this.parts) {
      const foot = model.z ?? 0;
      const share = model.row === sighting?.model ? shareSeen(sighting, foot + low, foot + high) : null;
      const tone = this.shaded(model, place);
      if (share !== null) {
        const seen = new Color(this.told.tones.unseen).lerp(new Color(this.told.tones.seen), share);
        tone.lerp(seen, TINTED);
      }
      (mesh.material as MeshLambertMaterial).color.copy(tone);
    }
  }

  /** Looks at a model: the ends of the rays show what is seen of it and what is not. */
  face(sighting: Sighting | null, at: XY, height: number): void {
    this.rays.clear();
    this.tint(sighting);
    for (const ray of sighting?.rays ?? []) this.rays.add(...this.rayOf(ray.end, ray.is_clear, ray.stops ?? null));
    const eye = this.camera.position;
    const [dx, dy] = [at[0] - eye.x, at[1] + eye.z];
    this.yaw = Math.atan2(-dx, dy);
    this.pitch = Math.atan2(height / 2 - eye.y, Math.hypot(dx, dy));
    this.camera.fov = Math.min(50, Math.max(14, (40 * 20) / Math.max(8, Math.hypot(dx, dy))));
    this.draw();
  }

  private rayOf(end: number[], isClear: boolean, stops: number[] | null) {
    const tone = isClear ? this.told.tones.seen : this.told.tones.unseen;
    const there = spot(end as [number, number, number]);
    const far = there.distanceTo(this.camera.position);
    const mark = new Mesh(
      new SphereGeometry(Math.max(0.03, far * 0.0035), 12, 8),
      new MeshBasicMaterial({ color: tone, depthTest: false }),
    );
    mark.position.copy(there);
    mark.renderOrder = 2;
    const from = this.camera.position.clone().lerp(there, 0.06);
    const halt = stops ? this.along(there, stops) : there;
    const line = new Line(
      new BufferGeometry().setFromPoints([from, halt]),
      new LineBasicMaterial({ color: tone, transparent: true, opacity: 0.35 }),
    );
    return [line, mark];
  }

  /** The point of the ray above the place where it stops. */
  private along(there: Vector3, stops: number[]): Vector3 {
    const eye = this.camera.position;
    const whole = Math.hypot(there.x - eye.x, there.z - eye.z) || 1;
    return eye.clone().lerp(there, Math.hypot((stops[0] ?? 0) - eye.x, -(stops[1] ?? 0) - eye.z) / whole);
  }

  turn(dx: number, dy: number): void {
    const share = (this.camera.fov / 60) * 0.004;
    this.yaw += dx * share;
    this.pitch = Math.max(-1.4, Math.min(1.4, this.pitch + dy * share));
    this.draw();
  }

  zoom(by: number): void {
    this.camera.fov = Math.max(CLOSEST, Math.min(WIDEST, this.camera.fov * by));
    this.draw();
  }

  resize(width: number, height: number): void {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.draw();
  }

  draw(): void {
    this.camera.rotation.set(this.pitch, this.yaw, 0);
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.world, this.camera);
  }

  close(): void {
    this.world.traverse((one) => {
      if (one instanceof Mesh || one instanceof Line) {
        one.geometry.dispose();
        for (const made of [one.material].flat() as Material[]) made.dispose();
      }
    });
    this.renderer.dispose();
  }
}

/** From the table's x, y and height to world coordinates: y is up, the far edge lies at negative z. */
function spot([x, y, z]: [number, number, number]): Vector3 {
  return new Vector3(x, z, -y);
}

function raised(outline: XY[], z: number, height: number, tone: string, ink: string, opacity: number): Group {
  const drawn = new Shape();
  outline.forEach(([x, y], k) => (k ? drawn.lineTo(x, y) : drawn.moveTo(x, y)));
  const body = new ExtrudeGeometry(drawn, { depth: height, bevelEnabled: false });
  const found = new Group();
  const material = new MeshLambertMaterial({
    color: tone,
    transparent: true,
    opacity,
    side: DoubleSide,
    depthWrite: opacity > 0.6,
  });
  const edges = new LineSegments(
    new EdgesGeometry(body, 20),
    new LineBasicMaterial({ color: ink, transparent: true, opacity: 0.45 }),
  );
  found.add(new Mesh(body, material), edges);
  found.rotation.x = -Math.PI / 2;
  found.position.y = z;
  return found;
}

function upright(
  shape: NonNullable<ModelShown['shape']>,
  low: number,
  high: number,
  material: MeshLambertMaterial,
): Mesh {
  if (shape.corners) {
    const drawn = new Shape();
    corners(shape).forEach(([x, y], k) => (k ? drawn.lineTo(x, y) : drawn.moveTo(x, y)));
    const made = new Mesh(new ExtrudeGeometry(drawn, { depth: high - low, bevelEnabled: false }), material);
    made.rotation.x = -Math.PI / 2;
    made.position.y = low;
    return made;
  }
  const made = new Mesh(new CylinderGeometry(1, 1, high - low, 40), material);
  const [wide, deep] = isRound(shape) ? [shape.radius ?? 0.5, shape.radius ?? 0.5] : shape.half!;
  made.scale.set(wide, 1, deep);
  made.position.y = (low + high) / 2;
  return made;
}
