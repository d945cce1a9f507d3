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

/** Places on an arc, from its end points and radii (SVG 2, B.2.4). */
const arcPlaces = (from: Place, numbers: readonly number[]): Place[] => {
  const [rx = 0, ry = 0, turn = 0, large, sweep, x = 0, y = 0] = numbers
  if (!rx || !ry || (x === from[0] && y === from[1])) return [[x, y]]
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
  const [dx, dy] = [(from[0] - x) / 2, (from[1] - y) / 2]
  const [u, v] = [(cos * dx + sin * dy) / rx, (cos * dy - sin * dx) / ry]
  const far = u * u + v * v
  // Radii that do not reach grow until they do.
  const [a, b] = [rx * Math.sqrt(Math.max(1, far)), ry * Math.sqrt(Math.max(1, far))]
  const side = (large === sweep ? -1 : 1) * Math.sqrt(Math.max(0, 1 / far - 1))
  const [p, q] = far > 1 ? [u / Math.sqrt(far), v / Math.sqrt(far)] : [u, v]
  const [cu, cv] = far > 1 ? [0, 0] : [side * v, -side * u]
  const first = Math.atan2(q - cv, p - cu)
  let span = Math.atan2(-q - cv, -p - cu) - first
  if (sweep && span < 0) span += 2 * Math.PI
  if (!sweep && span > 0) span -= 2 * Math.PI
  const [mx, my] = [(from[0] + x) / 2, (from[1] + y) / 2]
  return arcSteps.map((t) => {
    const [ex, ey] = [a * (cu + Math.cos(first + span * t)), b * (cv + Math.sin(first + span * t))]
    return [mx + cos * ex - sin * ey, my + sin * ex + cos * ey] as const
  })
}
const arcSteps = Array.from({ length: 24 }, (_, i) => (i + 1) / 24)

/** Places on the drawn line, close enough for a box. */
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
    else if (command === 'A') found.push(...arcPlaces([x, y], numbers))
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
