// SVG path data with absolute commands (SVG 2, 9.3).

const counts: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }

export type Segment = { command: string; numbers: readonly number[] }

/** The segments of path data. Undefined where a command is unknown or a number is missing. */
export const segmentsOf = (d: string): readonly Segment[] | undefined => {
  const found: Segment[] = []
  for (const [, command, rest] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const count = counts[command!]
    const numbers = [...rest!.matchAll(/-?(\d+\.?\d*|\.\d+)/g)].map(([n]) => Number(n))
    if (count === undefined || (count ? numbers.length % count || !numbers.length : numbers.length)) return undefined
    for (let i = 0; i < (count ? numbers.length : 1); i += count || 1)
      found.push({ command: command!, numbers: numbers.slice(i, i + count) })
  }
  return found[0]?.command === 'M' ? found : undefined
}

export type Box = { x: number; y: number; w: number; h: number }

type Place = readonly [x: number, y: number]
const along = (places: readonly Place[], t: number): Place => {
  if (places.length === 1) return places[0]!
  return along(
    places.slice(1).map(([x, y], i) => [places[i]![0] + (x - places[i]![0]) * t, places[i]![1] + (y - places[i]![1]) * t] as const),
    t,
  )
}
const steps = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1]

/** Places on the drawn line, close enough for a box. Of an arc, its ends. */
const placesOf = (segments: readonly Segment[]): Place[] => {
  const found: Place[] = []
  let [x, y] = [0, 0]
  /** The last control point, which T and S mirror. */
  let control: Place | undefined
  for (const { command, numbers } of segments) {
    const pairs: Place[] = []
    for (let i = 0; i + 1 < numbers.length; i += 2) pairs.push([numbers[i]!, numbers[i + 1]!])
    const mirrored: Place = control ? [2 * x - control[0], 2 * y - control[1]] : [x, y]
    const curve: Place[] = command === 'T' || command === 'S' ? [[x, y], mirrored, ...pairs] : [[x, y], ...pairs]
    if (command === 'H') found.push([numbers[0]!, y])
    else if (command === 'V') found.push([x, numbers[0]!])
    else if (command === 'A') found.push([numbers[5]!, numbers[6]!])
    else if ('QCTS'.includes(command)) found.push(...steps.map((t) => along(curve, t)))
    else if (command !== 'Z') found.push(pairs[0]!)
    ;[x, y] = found.at(-1) ?? [0, 0]
    control = 'QCTS'.includes(command) ? curve.at(-2) : undefined
  }
  return found
}

/** The box of what path data draws. */
export const boxOf = (d: string): Box => {
  const places = placesOf(segmentsOf(d) ?? [])
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y }
}
