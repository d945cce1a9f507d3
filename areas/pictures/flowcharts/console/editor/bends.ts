// The corners of a pipe, pulled by hand. Pure: a way in, a way at right angles out.
import { type Place, straightened } from '../../../../../contract/picture/route.ts'

/** How far a pipe still leaves its port before it follows the hand. */
const stub = 16
/** What a hand takes: a corner, or the piece that ends at a place. */
export type Bend = { kind: 'corner' | 'piece'; at: number }

const isAcross = ([, ay]: Place, [, by]: Place) => ay === by

export const middleOf = ([ax, ay]: Place, [bx, by]: Place): Place => [(ax + bx) / 2, (ay + by) / 2]
/** Where the handles of a way are. Short pieces have none. */
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

/** From an end, straight on for a moment, then across to the line that the hand draws. */
const jog = (end: Place, next: Place, to: number): Place[] => {
  if (isAcross(end, next)) {
    const x = end[0] + Math.sign(next[0] - end[0]) * stub
    return [end, [x, end[1]], [x, to]]
  }
  const y = end[1] + Math.sign(next[1] - end[1]) * stub
  return [end, [end[0], y], [to, y]]
}

/** The way with a piece of it moved sideways, up to a place. */
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

/** The corners of a way after one of them, or a piece, was pulled to a place. */
export const pulled = (way: readonly Place[], { kind, at }: Bend, to: Place): [number, number][] =>
  straightened((kind === 'corner' ? pullCorner : pullPiece)(way, at, to))
    .slice(1, -1)
    .slice(0, 50)
    .map(([x, y]) => [x, y])
