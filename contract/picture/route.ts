// The way of a pipe: right angles from port to port.
import { cuts } from './avoid.ts'
import type { Jump } from './jumps.ts'
import type { Box } from './path.ts'
import type { End, Item, ItemOf } from './scene.ts'
import type { PictureSymbol, Side } from './symbol.ts'

export type Place = readonly [x: number, y: number]
export type Terminal = { at: Place; side: Side | undefined }
export type Found = { item: (id: string) => Item | undefined; symbol: (id: string) => PictureSymbol | undefined }

/** How far a pipe leaves a port before it turns. */
const stub = 16
const outward: Record<Side, Place> = { left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] }
const turns: readonly Side[] = ['top', 'right', 'bottom', 'left']

/** A place of an item in the scene, with the item's turn and flip. */
const placed = (item: Item, [x, y]: Place): Place => {
  const [middleX, middleY] = [item.w / 2, item.h / 2]
  const [dx, dy] = [(item.flip?.includes('x') ? -1 : 1) * (x - middleX), (item.flip?.includes('y') ? -1 : 1) * (y - middleY)]
  const angle = ((item.rotate ?? 0) * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return [item.x + middleX + dx * cos - dy * sin, item.y + middleY + dx * sin + dy * cos]
}

const turned = (side: Side, item: Item): Side => {
  const mirrored = { left: 'x', right: 'x', top: 'y', bottom: 'y' }[side]
  const opposite = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const
  const flipped = item.flip?.includes(mirrored) ? opposite[side] : side
  const quarters = Math.round((item.rotate ?? 0) / 90)
  return turns[(((turns.indexOf(flipped) + quarters) % 4) + 4) % 4]!
}

/** Ports of an item: those of its symbol, or the middles of its sides. */
export const portsOf = (item: Item, symbol: PictureSymbol | undefined): readonly { id: string; at: Place; side: Side }[] => {
  if (item.kind === 'pipe' || item.kind === 'group' || item.kind === 'view') return []
  const ports = symbol?.ports ?? [
    { id: 'left', x: 0, y: 0.5, side: 'left' as const },
    { id: 'right', x: 1, y: 0.5, side: 'right' as const },
    { id: 'top', x: 0.5, y: 0, side: 'top' as const },
    { id: 'bottom', x: 0.5, y: 1, side: 'bottom' as const },
  ]
  const [scaleX, scaleY] = [item.w / (symbol?.width ?? 1), item.h / (symbol?.height ?? 1)]
  return ports.map(({ id, x, y, side }) => ({ id, at: placed(item, [x * scaleX, y * scaleY]), side: turned(side, item) }))
}

/** Where an end of a pipe is. Undefined where its item or port is gone. */
export const terminalOf = (end: End, { item, symbol }: Found): Terminal | undefined => {
  if ('x' in end) return { at: [end.x, end.y], side: undefined }
  const owner = item(end.item)
  if (!owner) return undefined
  const port = portsOf(owner, owner.kind === 'symbol' ? symbol(owner.symbol) : undefined).find(({ id }) => id === end.port)
  return port && { at: port.at, side: port.side }
}

const ahead = ({ at: [x, y], side }: Terminal, by = stub): Place => {
  const [dx, dy] = side ? outward[side] : [0, 0]
  return [x + dx * by, y + dy * by]
}

/** The box around an item as it is turned. */
export const boxAround = (item: Item): Box => {
  const { x, y, w, h, rotate } = item
  if (!rotate) return { x, y, w, h }
  const corners = (
    [
      [0, 0],
      [w, 0],
      [w, h],
      [0, h],
    ] as const
  ).map((corner) => placed(item, corner))
  const [xs, ys] = [corners.map(([at]) => at), corners.map(([, at]) => at)]
  return { x: Math.min(...xs), y: Math.min(...ys), w: Math.max(...xs) - Math.min(...xs), h: Math.max(...ys) - Math.min(...ys) }
}

/** Where a pipe may turn first: ahead of its port, out of its own symbol, and halfway to what lies in front. */
export const stubbed = (terminal: Terminal, own: Box | undefined, others: readonly Box[]): Place => {
  const { at, side } = terminal
  if (!side) return at
  const [[x, y], [dx, dy]] = [at, outward[side]]
  const out = own ? Math.max(0, dx > 0 ? own.x + own.w - x : dx < 0 ? x - own.x : dy > 0 ? own.y + own.h - y : y - own.y) : 0
  const reach = ahead(terminal, out + stub)
  const gaps = others.flatMap((box) =>
    cuts(at, reach, box) ? [dx > 0 ? box.x - x : dx < 0 ? x - box.x - box.w : dy > 0 ? box.y - y : y - box.y - box.h] : [],
  )
  return ahead(terminal, Math.min(out + stub, ...gaps.map((gap) => (gap + out) / 2)))
}
const isAcross = (side: Side | undefined) => side === 'left' || side === 'right'

/** Corners between two places that lie ahead of their ports. */
const between = (a: Terminal, b: Terminal, from: Place, to: Place): Place[] => {
  const [[ax, ay], [bx, by]] = [from, to]
  if (ax === bx || ay === by) return []
  const [middleX, middleY] = [(ax + bx) / 2, (ay + by) / 2]
  const [first, last] = [isAcross(a.side ?? b.side), isAcross(b.side ?? a.side)]
  if (first && last)
    return [
      [middleX, ay],
      [middleX, by],
    ]
  if (!first && !last)
    return [
      [ax, middleY],
      [bx, middleY],
    ]
  return first ? [[bx, ay]] : [[ax, by]]
}

/** Without places that lie on the line between their neighbours. */
export const straightened = (places: readonly Place[]) =>
  places
    .filter(([x, y], i) => i === 0 || places[i - 1]![0] !== x || places[i - 1]![1] !== y)
    .filter(([x, y], i, all) => {
      const [before, after] = [all[i - 1], all[i + 1]]
      return !before || !after || !((before[0] === x && x === after[0]) || (before[1] === y && y === after[1]))
    })

/** The way that looks at nothing but its ends. */
export const simpleWay = (a: Terminal, b: Terminal, from = ahead(a), to = ahead(b)): Place[] =>
  straightened([a.at, from, ...between(a, b, from, to), to, b.at])

/** Corners that people pulled, with one more at an end that has moved since. */
const squared = (a: Terminal, bends: readonly Place[], b: Terminal): Place[] => {
  const elbow = ({ at: [x, y], side }: Terminal, [bx, by]: Place): Place[] =>
    x === bx || y === by ? [] : [isAcross(side) ? [bx, y] : [x, by]]
  const [first, last] = [bends[0], bends.at(-1)]
  if (!first || !last) return [a.at, ...elbow(a, b.at), b.at]
  return straightened([a.at, ...elbow(a, first), ...bends, ...elbow(b, last), b.at])
}

/** Places that a pipe runs through, its ends included, whatever lies there. Empty where an end is gone. */
export const wayOf = (pipe: Pick<ItemOf<'pipe'>, 'from' | 'to' | 'bends'>, found: Found): Place[] => {
  const [a, b] = [terminalOf(pipe.from, found), terminalOf(pipe.to, found)]
  if (!a || !b) return []
  return pipe.bends ? squared(a, pipe.bends, b) : simpleWay(a, b)
}

/** Path data of a way, with rounded corners and an arch over what it crosses. */
export const pathOf = (way: readonly Place[], radius = 0, jumps: readonly Jump[] = []): string => {
  const n = (value: number) => Math.round(value * 100) / 100
  const text = ([x, y]: Place) => `${n(x)} ${n(y)}`
  const arches = (piece: number) => {
    const [[ax, ay], [bx, by]] = [way[piece - 1]!, way[piece]!]
    const length = Math.hypot(bx - ax, by - ay) || 1
    const at = (far: number): Place => [ax + ((bx - ax) * far) / length, ay + ((by - ay) * far) / length]
    // Up over what runs down, to the right over what runs across.
    const sweep = bx > ax || by > ay ? 1 : 0
    return jumps.flatMap((jump) =>
      jump.piece === piece
        ? [
            `L${text(at(jump.at - jump.half))}A${n(jump.half)} ${n(Math.min(jump.half, 12))} ${ay === by ? 0 : 90} 0 ${sweep} ${text(at(jump.at + jump.half))}`,
          ]
        : [],
    )
  }
  return way
    .map(([x, y], i) => {
      const [before, after] = [way[i - 1], way[i + 1]]
      const over = i ? arches(i).join('') : ''
      if (!before || !after || !radius) return `${over}${i ? 'L' : 'M'}${text([x, y])}`
      const towards = ([px, py]: Place) => {
        const length = Math.hypot(px - x, py - y) || 1
        const share = Math.min(radius, length / 2) / length
        return text([x + (px - x) * share, y + (py - y) * share])
      }
      return `${over}L${towards(before)}Q${text([x, y])} ${towards(after)}`
    })
    .join('')
}
