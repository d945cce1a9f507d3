// Drawings that recur unchanged are rasterised once and then copied: rasterising paths is the highest cost of a large
// picture.
import { boxOf } from '../../../../../contract/picture/path.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'

type Ctx = OffscreenCanvasRenderingContext2D
/** Consecutive paths that look the same at every position. */
export type Still = { paths: readonly Tree[]; box: readonly [x: number, y: number, w: number, h: number]; sprites: Map<string, Sprite> }
type Sprite = { seen: number; image?: ImageBitmap; x: number; y: number }
export type Run = Still | Tree | string

/** Occurrences after which a copy is made. */
const often = 3
/** Subpixel positions of copies, per pixel. */
const phases = 4
/** Larger drawings, in pixels on one side, are not copied. */
const widest = 256
/** Limits: pixels of all copies, sprites of one run, and runs. */
const most = { pixels: 8e6, sprites: 64, runs: 20_000 }

const isStill = ({ tag, attributes: a }: Tree) =>
  tag === 'path' && a['data-turns'] === undefined && a['data-flow'] === undefined && !String(a.fill).startsWith('url(')
export const isRun = (run: Run): run is Still => typeof run !== 'string' && 'paths' in run

/** Bounding box of all paths, with their strokes. */
const boxAround = (paths: readonly Tree[]): Still['box'] => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { attributes: a } of paths) {
    const { x, y, w, h } = boxOf(String(a.d))
    // A sharp corner extends beyond half the line width.
    const reach = a.stroke === undefined || a.stroke === 'none' ? 0 : Number(a['stroke-width'] ?? 1) * (a['stroke-linejoin'] ? 0.75 : 2)
    ;[left, top] = [Math.min(left, x - reach), Math.min(top, y - reach)]
    ;[right, bottom] = [Math.max(right, x + w + reach), Math.max(bottom, y + h + reach)]
  }
  return [left, top, right - left, bottom - top]
}

export class Sprites {
  readonly #runs = new Map<string, Still>()
  readonly #cut = new WeakMap<Tree, readonly Run[]>()
  #pixels = 0

  /** Clears the cache: colours changed, or it is full. */
  clear() {
    for (const { sprites } of this.#runs.values()) sprites.clear()
    this.#pixels = 0
  }
  /** The children of a group, with copyable ones combined. */
  runsOf(tree: Tree): readonly Run[] {
    const known = this.#cut.get(tree)
    if (known) return known
    const runs: Run[] = []
    let paths: Tree[] = []
    const end = () => {
      if (paths.length) runs.push(this.#still(paths))
      paths = []
    }
    for (const child of tree.children) {
      if (typeof child !== 'string' && isStill(child)) paths.push(child)
      else {
        end()
        runs.push(child)
      }
    }
    end()
    this.#cut.set(tree, runs)
    return runs
  }
  #still(paths: readonly Tree[]): Still {
    const key = JSON.stringify(paths.map(({ attributes }) => attributes))
    const known = this.#runs.get(key)
    if (known) return known
    if (this.#runs.size >= most.runs) {
      this.clear()
      this.#runs.clear()
    }
    const still = { paths, box: boxAround(paths), sprites: new Map() }
    this.#runs.set(key, still)
    return still
  }

  /** Copies a run to its place. Returns whether it did: `paint` draws runs that are large, rotated or new. */
  draw(ctx: Ctx, still: Still, paint: (ctx: Ctx) => void): boolean {
    const { a, b, c, d, e, f } = ctx.getTransform()
    if (b || c) return false
    const [x, y, w, h] = still.box
    const [left, top] = [Math.min(a * x, a * (x + w)) + e, Math.min(d * y, d * (y + h)) + f]
    const [wide, tall] = [Math.abs(a) * w, Math.abs(d) * h]
    if (!(wide < widest && tall < widest)) return false
    const [px, py] = [Math.round(e * phases), Math.round(f * phases)]
    const [fx, fy] = [((px % phases) + phases) % phases, ((py % phases) + phases) % phases]
    const key = `${a} ${d} ${fx} ${fy}`
    let sprite = still.sprites.get(key)
    if (!sprite) {
      if (still.sprites.size >= most.sprites) still.sprites.clear()
      sprite = { seen: 0, x: 0, y: 0 }
      still.sprites.set(key, sprite)
    }
    if (!sprite.image) {
      if (++sprite.seen < often) return false
      if (this.#pixels > most.pixels)
        this.clear()
        // A margin of one pixel for antialiasing.
      ;[sprite.x, sprite.y] = [Math.floor(left - e) - 1, Math.floor(top - f) - 1]
      const canvas = new OffscreenCanvas(Math.ceil(wide) + 4, Math.ceil(tall) + 4)
      const on = canvas.getContext('2d')!
      on.setTransform(a, 0, 0, d, fx / phases - sprite.x, fy / phases - sprite.y)
      paint(on)
      sprite.image = canvas.transferToImageBitmap()
      this.#pixels += canvas.width * canvas.height
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.drawImage(sprite.image, (px - fx) / phases + sprite.x, (py - fy) / phases + sprite.y)
    ctx.setTransform(a, b, c, d, e, f)
    return true
  }
}
