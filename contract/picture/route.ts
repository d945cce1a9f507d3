// The way of a pipe: right angles from port to port.
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
  if (item.kind === 'pipe' || item.kind === 'group') return []
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

const ahead = ({ at: [x, y], side }: Terminal): Place => {
  const [dx, dy] = side ? outward[side] : [0, 0]
  return [x + dx * stub, y + dy * stub]
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
const straightened = (places: readonly Place[]) =>
  places.filter(([x, y], i) => {
    const [before, after] = [places[i - 1], places[i + 1]]
    if (before && before[0] === x && before[1] === y) return false
    return !before || !after || !((before[0] === x && x === after[0]) || (before[1] === y && y === after[1]))
  })

/** Places that a pipe runs through, its ends included. Empty where an end is gone. */
export const wayOf = (pipe: Pick<ItemOf<'pipe'>, 'from' | 'to' | 'bends'>, found: Found): Place[] => {
  const [a, b] = [terminalOf(pipe.from, found), terminalOf(pipe.to, found)]
  if (!a || !b) return []
  if (pipe.bends) return [a.at, ...pipe.bends, b.at]
  const [from, to] = [ahead(a), ahead(b)]
  return straightened([a.at, from, ...between(a, b, from, to), to, b.at])
}

/** Path data of a way, with rounded corners. */
export const pathOf = (way: readonly Place[], radius = 0): string => {
  const n = (value: number) => Math.round(value * 100) / 100
  return way
    .map(([x, y], i) => {
      const [before, after] = [way[i - 1], way[i + 1]]
      if (!before || !after || !radius) return `${i ? 'L' : 'M'}${n(x)} ${n(y)}`
      const towards = ([px, py]: Place) => {
        const length = Math.hypot(px - x, py - y) || 1
        const share = Math.min(radius, length / 2) / length
        return `${n(x + (px - x) * share)} ${n(y + (py - y) * share)}`
      }
      return `L${towards(before)}Q${n(x)} ${n(y)} ${towards(after)}`
    })
    .join('')
}
