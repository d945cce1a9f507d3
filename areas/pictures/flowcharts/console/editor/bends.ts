// Dragging the corners of a pipe. Pure: takes a path and returns a rectangular path.
import { type Place, straightened } from '../../../../../contract/picture/route.ts'

/** Minimum length of the first piece at a port. */
const stub = 16
/** Dragged part: a corner, or the piece that ends at an index. */
export type Bend = { kind: 'corner' | 'piece'; at: number }

const isAcross = ([, ay]: Place, [, by]: Place) => ay === by

export const middleOf = ([ax, ay]: Place, [bx, by]: Place): Place => [(ax + bx) / 2, (ay + by) / 2]
/** Positions of the handles of a path. Short pieces have none. */
export const bendsOf = (way: readonly Place[]): { bend: Bend; at: Place }[] =>
  way.flatMap((place, i) => {
    const before = way[i - 1]
    return [
      ...(before && Math.hypot(place[0] - before[0], place[1] - before[1]) > 2 * stub
        ? [{ bend: { kind: 'piece', at: i } as const, at: middleOf(before, place) }]
        : []),
      ...(i > 0 && i < way.length - 1 ? [{ bend: { kind: 'corner', at: i } as const, at: place }] : []),
    ]
  })

/** From an end, straight for the minimum length, then across to the dragged line. */
const jog = (end: Place, next: Place, to: number): Place[] => {
  if (isAcross(end, next)) {
    const x = end[0] + Math.sign(next[0] - end[0]) * stub
    return [end, [x, end[1]], [x, to]]
  }
  const y = end[1] + Math.sign(next[1] - end[1]) * stub
  return [end, [end[0], y], [to, y]]
}

/** The path with one piece moved sideways to a position. */
const pullPiece = (way: readonly Place[], at: number, [x, y]: Place): Place[] => {
  const [before, after] = [way[at - 1]!, way[at]!]
  const across = isAcross(before, after)
  const to = across ? y : x
  const shifted = (place: Place): Place => (across ? [place[0], to] : [to, place[1]])
  const head = at === 1 ? jog(before, after, to) : [...way.slice(0, at - 1), shifted(before)]
  const tail = at === way.length - 1 ? jog(after, before, to).toReversed() : [shifted(after), ...way.slice(at + 1)]
  return [...head, ...tail]
}

const pullCorner = (way: readonly Place[], at: number, [x, y]: Place): Place[] => {
  const [before, corner, after] = [way[at - 1]!, way[at]!, way[at + 1]!]
  const follow = (place: Place, isEnd: boolean): Place[] => {
    const across = isAcross(place, corner)
    if (isEnd) return jog(place, corner, across ? y : x)
    return [across ? [place[0], y] : [x, place[1]]]
  }
  return [
    ...way.slice(0, at - 1),
    ...follow(before, at === 1),
    [x, y],
    ...follow(after, at === way.length - 2).toReversed(),
    ...way.slice(at + 2),
  ]
}

/** The corners of a path after a corner or piece was dragged to a position. */
export const pulled = (way: readonly Place[], { kind, at }: Bend, to: Place): [number, number][] =>
  straightened((kind === 'corner' ? pullCorner : pullPiece)(way, at, to))
    .slice(1, -1)
    .slice(0, 50)
    .map(([x, y]) => [x, y])
