// The ways of all pipes of a scene: around symbols, and with a jump where one crosses another.
import { isFree, type Stop, wayAround } from './avoid.ts'
import { type Jump, jumpsOf } from './jumps.ts'
import type { Box } from './path.ts'
import { boxAround, type Found, type Place, simpleWay, straightened, stubbed, type Terminal, terminalOf, wayOf } from './route.ts'
import type { Item, ItemOf, Scene } from './scene.ts'

export type Route = { way: readonly Place[]; jumps: readonly Jump[] }
type Laid = { pipe: ItemOf<'pipe'>; way: readonly Place[]; ends: string; region: Box | undefined }
export type Routes = {
  of: (pipe: Pick<ItemOf<'pipe'>, 'id'>) => Route
  /** What the next routes reuse. */
  laid: ReadonlyMap<string, Laid>
  boxes: ReadonlyMap<string, Box>
}

/** Pipes that look for a way. Those beyond them, and those that would pass more boxes, take the simple one. */
const [mostPipes, mostBoxes] = [1000, 4000]
/** How far around its ends a pipe looks for a way. */
const margin = 120
const cell = 256

/** Lines and frames are drawn around things, texts and images beneath them: pipes cross these. */
const crossed = new Set<Item['kind']>(['shape', 'text', 'image', 'pipe', 'group'])

const touch = (a: Box, b: Box) => a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h
const contains = ({ x, y, w, h }: Box, [px, py]: Place) => px > x + 0.5 && px < x + w - 0.5 && py > y + 0.5 && py < y + h - 0.5
const around = (boxes: readonly Box[], by: number): Box => {
  const [x, y] = [Math.min(...boxes.map((b) => b.x)) - by, Math.min(...boxes.map((b) => b.y)) - by]
  return { x, y, w: Math.max(...boxes.map((b) => b.x + b.w)) + by - x, h: Math.max(...boxes.map((b) => b.y + b.h)) + by - y }
}

type Boxed = readonly [id: string, box: Box]
/** Finds the boxes that touch a region. */
const indexOf = (boxes: ReadonlyMap<string, Box>) => {
  const cells = new Map<string, Boxed[]>()
  const large: Boxed[] = []
  const span = (from: number, size: number) => [Math.floor(from / cell), Math.floor((from + size) / cell)] as const
  const over = ({ x, y, w, h }: Box) => {
    const [[left, right], [top, bottom]] = [span(x, w), span(y, h)]
    return { left, right, top, bottom, count: (right - left + 1) * (bottom - top + 1) }
  }
  for (const entry of boxes) {
    const { left, right, top, bottom, count } = over(entry[1])
    if (count > 64) large.push(entry)
    else
      for (let column = left; column <= right; column++)
        for (let row = top; row <= bottom; row++) {
          const key = `${column} ${row}`
          const here = cells.get(key)
          if (here) here.push(entry)
          else cells.set(key, [entry])
        }
  }
  return (region: Box): Boxed[] => {
    const { left, right, top, bottom, count } = over(region)
    if (count > cells.size) return [...boxes].filter(([, box]) => touch(box, region))
    const found = new Set(large.filter(([, box]) => touch(box, region)))
    for (let column = left; column <= right; column++)
      for (let row = top; row <= bottom; row++)
        for (const entry of cells.get(`${column} ${row}`) ?? []) if (touch(entry[1], region)) found.add(entry)
    return [...found]
  }
}

const ownersOf = ({ from, to }: ItemOf<'pipe'>) => [from, to].flatMap((end) => ('item' in end ? [end.item] : []))
const stopOf = (at: Place, { side }: Terminal): Stop => ({
  at,
  axis: side === undefined ? undefined : side === 'left' || side === 'right' ? 'across' : 'down',
})

/** The way of one pipe, given where it ends and what lies around. */
const routed = (pipe: ItemOf<'pipe'>, a: Terminal, b: Terminal, found: readonly Boxed[], region: Box): readonly Place[] => {
  const owners = ownersOf(pipe)
  // What an end lies in cannot be avoided; its own symbol can.
  const boxes = found.flatMap(([id, box]) => (owners.includes(id) || !(contains(box, a.at) || contains(box, b.at)) ? [{ id, box }] : []))
  const others = (of: string | undefined) => boxes.flatMap(({ id, box }) => (id === of ? [] : [box]))
  const ownerOf = (end: ItemOf<'pipe'>['from']) => ('item' in end ? end.item : undefined)
  const boxOf = (id: string | undefined) => boxes.find((one) => one.id === id)?.box
  const [first, last] = [ownerOf(pipe.from), ownerOf(pipe.to)]
  const from = stubbed(a, boxOf(first), others(first))
  const to = stubbed(b, boxOf(last), others(last))
  const simple = simpleWay(a, b, from, to)
  const all = boxes.map(({ box }) => box)
  const middle = simple.slice(1, -1)
  if (all.length > mostBoxes || isFree([from, ...middle, to], all)) return simple
  const way = wayAround(stopOf(from, a), stopOf(to, b), [from, ...middle, to], all, region)
  return way ? straightened([a.at, ...way, b.at]) : simple
}

/**
 * The ways of a scene's pipes. With those of the scene before, only pipes are looked at again that something was moved near.
 * Without a change near it, a pipe keeps its way to the letter.
 */
export const routesOf = (scene: Pick<Scene, 'items' | 'layers'>, found: Found, before?: Routes): Routes => {
  const away = new Set(scene.layers?.flatMap(({ id, hidden }) => (hidden ? [id] : [])))
  const shown = scene.items.filter(({ hidden, layer }) => !hidden && !(layer !== undefined && away.has(layer)))
  const boxes = new Map(shown.flatMap((item) => (crossed.has(item.kind) ? [] : [[item.id, boxAround(item)] as const])))
  const same = (a: Box | undefined, b: Box | undefined) => a && b && a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h
  const changed = before
    ? [...new Set([...boxes.keys(), ...before.boxes.keys()])].flatMap((id) => {
        const [now, old] = [boxes.get(id), before.boxes.get(id)]
        return same(now, old) ? [] : [now, old].filter((box) => box !== undefined)
      })
    : []
  let near: ReturnType<typeof indexOf> | undefined
  const laid = new Map<string, Laid>()
  const pipes = scene.items.filter((item) => item.kind === 'pipe')
  pipes.forEach((pipe, i) => {
    const [a, b] = [terminalOf(pipe.from, found), terminalOf(pipe.to, found)]
    if (!a || !b || pipe.bends || i >= mostPipes) {
      laid.set(pipe.id, { pipe, way: wayOf(pipe, found), ends: '', region: undefined })
      return
    }
    const ends = JSON.stringify([a, b, pipe.from, pipe.to])
    const own = ownersOf(pipe).flatMap((id) => boxes.get(id) ?? [])
    const region = around([{ x: a.at[0], y: a.at[1], w: 0, h: 0 }, { x: b.at[0], y: b.at[1], w: 0, h: 0 }, ...own], margin)
    const old = before?.laid.get(pipe.id)
    if (old?.region && old.ends === ends && same(old.region, region) && !changed.some((box) => touch(box, region))) {
      laid.set(pipe.id, { ...old, pipe })
      return
    }
    near ??= indexOf(boxes)
    laid.set(pipe.id, { pipe, way: routed(pipe, a, b, near(region), region), ends, region })
  })
  const layerOf = ({ layer }: Item) => (scene.layers ?? []).findIndex(({ id }) => id === layer)
  const visible = new Set(shown.map(({ id }) => id))
  const jumps = jumpsOf(
    [...laid.values()]
      .toSorted((a, b) => layerOf(a.pipe) - layerOf(b.pipe))
      .flatMap(({ pipe, way }) =>
        visible.has(pipe.id) ? [{ id: pipe.id, way, width: pipe.width ?? (pipe.line && pipe.line !== 'pipe' ? 2 : 6) }] : [],
      ),
  )
  return { of: ({ id }) => ({ way: laid.get(id)?.way ?? [], jumps: jumps.get(id) ?? [] }), laid, boxes }
}
