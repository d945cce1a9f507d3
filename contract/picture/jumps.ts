// Where pipes cross: the one in front jumps over the one behind.
import type { Place } from './route.ts'

/** A crossing on a way: behind which of its places, how far from it, and half the width of the jump. */
export type Jump = { piece: number; at: number; half: number }
export type Laid = { id: string; way: readonly Place[]; width: number }

/** What bounds the cost for pictures that are all pipes, and the jumps of one pipe. */
const [mostPairs, mostJumps] = [1_000_000, 100]
/** Corners are rounded by so much, and no jump begins in one. */
const corner = 8

type Piece = { owner: number; piece: number; at: number; from: number; to: number; starts: number }

const piecesOf = (laid: readonly Laid[]) => {
  const [across, down]: [Piece[], Piece[]] = [[], []]
  laid.forEach(({ way }, owner) => {
    for (let piece = 1; piece < way.length; piece++) {
      const [[ax, ay], [bx, by]] = [way[piece - 1]!, way[piece]!]
      if (ay === by && ax !== bx) across.push({ owner, piece, at: ay, from: Math.min(ax, bx), to: Math.max(ax, bx), starts: ax })
      else if (ax === bx && ay !== by) down.push({ owner, piece, at: ax, from: Math.min(ay, by), to: Math.max(ay, by), starts: ay })
    }
  })
  return { across, down: down.toSorted((a, b) => a.at - b.at) }
}

const firstFrom = (pieces: readonly Piece[], at: number) => {
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (pieces[middle]!.at < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Jumps that would touch become one. */
const joined = (jumps: readonly Jump[]): Jump[] => {
  const result: Jump[] = []
  for (const jump of jumps.toSorted((a, b) => a.piece - b.piece || a.at - b.at)) {
    const before = result.at(-1)
    if (before && before.piece === jump.piece && jump.at - jump.half <= before.at + before.half) {
      const [from, to] = [Math.min(before.at - before.half, jump.at - jump.half), Math.max(before.at + before.half, jump.at + jump.half)]
      result[result.length - 1] = { piece: jump.piece, at: (from + to) / 2, half: (to - from) / 2 }
    } else result.push(jump)
  }
  return result
}

/** The jumps of each pipe that has some. Pipes lie from the back to the front. */
export const jumpsOf = (laid: readonly Laid[]): ReadonlyMap<string, readonly Jump[]> => {
  const { across, down } = piecesOf(laid)
  const found = new Map<number, Jump[]>()
  let pairs = 0
  for (const a of across) {
    for (let i = firstFrom(down, a.from); i < down.length && down[i]!.at <= a.to; i++) {
      if (++pairs > mostPairs) return new Map()
      const b = down[i]!
      if (a.owner === b.owner) continue
      const [over, x, under] = a.owner > b.owner ? [a, b.at, b] : [b, a.at, a]
      const half = (laid[over.owner]!.width + laid[under.owner]!.width) / 2 + 3
      const room = half + corner
      if (x < over.from + room || x > over.to - room || over.at <= under.from || over.at >= under.to) continue
      const jumps = found.get(over.owner) ?? []
      if (jumps.length < mostJumps) jumps.push({ piece: over.piece, at: Math.abs(x - over.starts), half })
      found.set(over.owner, jumps)
    }
  }
  return new Map([...found].map(([owner, jumps]) => [laid[owner]!.id, joined(jumps)]))
}
