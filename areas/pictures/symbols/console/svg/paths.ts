// Path data with all SVG commands, as lines and cubic curves with absolute coordinates.
import { limits, Refusal } from './refusal.ts'

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
export const identity: Matrix = [1, 0, 0, 1, 0, 0]
export const times = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  ...([a * A + c * B, b * A + d * B, a * C + c * D, b * C + d * D] as const),
  ...([a * E + c * F + e, b * E + d * F + f] as const),
]
/** `M` and `L` have one point, `C` three, `Z` none. */
export type Step = { command: 'M' | 'L' | 'C' | 'Z'; at: readonly number[] }

export const moved = (steps: readonly Step[], [a, b, c, d, e, f]: Matrix): Step[] =>
  steps.map(({ command, at }) => {
    const next: number[] = []
    for (let i = 0; i < at.length; i += 2) {
      const [x, y] = [at[i]!, at[i + 1]!]
      next.push(a * x + c * y + e, b * x + d * y + f)
    }
    return { command, at: next }
  })

/** A number within the limits of a drawing. @throws Refusal */
export const fitting = (n: number) => {
  if (!Number.isFinite(n) || Math.abs(n) > limits.coordinate) throw new Refusal('geometry')
  return n
}

type Place = readonly [x: number, y: number]
/** An elliptical arc as cubic curves of at most a quarter turn (SVG 2, B.2.4). */
const arc = ([x1, y1]: Place, numbers: readonly number[]): number[][] => {
  const [givenX, givenY, degrees, large, sweep, x2, y2] = numbers as [number, number, number, number, number, number, number]
  let [rx, ry] = [Math.abs(givenX), Math.abs(givenY)]
  if (!rx || !ry) return [[x1, y1, x2, y2, x2, y2]]
  const turn = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const [hx, hy] = [(x1 - x2) / 2, (y1 - y2) / 2]
  const [px, py] = [cos * hx + sin * hy, -sin * hx + cos * hy]
  const grow = Math.sqrt(Math.max(1, (px * px) / (rx * rx) + (py * py) / (ry * ry)))
  ;[rx, ry] = [rx * grow, ry * grow]
  const [pp, qq] = [rx * rx * py * py + ry * ry * px * px, rx * rx * ry * ry]
  const share = pp ? Math.sqrt(Math.max(0, (qq - pp) / pp)) * (Boolean(large) === Boolean(sweep) ? -1 : 1) : 0
  const [mx, my] = [(share * rx * py) / ry, (-share * ry * px) / rx]
  const [cx, cy] = [cos * mx - sin * my + (x1 + x2) / 2, sin * mx + cos * my + (y1 + y2) / 2]
  const start = Math.atan2((py - my) / ry, (px - mx) / rx)
  let span = Math.atan2((-py - my) / ry, (-px - mx) / rx) - start
  if (sweep && span < 0) span += 2 * Math.PI
  if (!sweep && span > 0) span -= 2 * Math.PI
  const pieces = Math.max(1, Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9))
  const step = span / pieces
  const pull = (4 / 3) * Math.tan(step / 4)
  const at = (x: number, y: number): Place => [cos * rx * x - sin * ry * y + cx, sin * rx * x + cos * ry * y + cy]
  return Array.from({ length: pieces }, (_, i) => {
    const [from, to] = [start + i * step, start + (i + 1) * step]
    const [c1, s1, c2, s2] = [Math.cos(from), Math.sin(from), Math.cos(to), Math.sin(to)]
    return [...at(c1 - pull * s1, s1 + pull * c1), ...at(c2 + pull * s2, s2 - pull * c2), ...(i === pieces - 1 ? [x2, y2] : at(c2, s2))]
  })
}

const counts: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }
const number = /[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y
const flag = /[\s,]*([01])/y
const letter = /[\s,]*([MLHVCSQTAZmlhvcsqtaz])/y

/** Reads the next token; undefined if it does not match. */
const reader = (d: string) => {
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(d)
    if (!found) return undefined
    at = pattern.lastIndex
    return found[1]!
  }
  return { take, isDone: () => !/\S/.test(d.slice(at, at + 1000)) }
}

type Pen = { x: number; y: number; startX: number; startY: number; control: Place | undefined; was: string }
const quadratic = ({ x, y }: Pen, [qx, qy]: Place, [ex, ey]: Place) => [
  ...[x + (2 / 3) * (qx - x), y + (2 / 3) * (qy - y), ex + (2 / 3) * (qx - ex), ey + (2 / 3) * (qy - ey), ex, ey],
]
/** The steps of one command, with absolute coordinates. */
const stepsOf = (command: string, n: readonly number[], pen: Pen): Step[] => {
  const mirrored = (kinds: string): Place =>
    pen.control && kinds.includes(pen.was) ? [2 * pen.x - pen.control[0], 2 * pen.y - pen.control[1]] : [pen.x, pen.y]
  const curve = (at: number[], control: Place): Step[] => {
    pen.control = control
    return [{ command: 'C', at }]
  }
  switch (command) {
    case 'M':
    case 'L':
      return [{ command, at: n }]
    case 'H':
      return [{ command: 'L', at: [n[0]!, pen.y] }]
    case 'V':
      return [{ command: 'L', at: [pen.x, n[0]!] }]
    case 'C':
      return curve([...n], [n[2]!, n[3]!])
    case 'S':
      return curve([...mirrored('CS'), ...n], [n[0]!, n[1]!])
    case 'Q':
      return curve(quadratic(pen, [n[0]!, n[1]!], [n[2]!, n[3]!]), [n[0]!, n[1]!])
    case 'T': {
      const control = mirrored('QT')
      return curve(quadratic(pen, control, [n[0]!, n[1]!]), control)
    }
    case 'A':
      return arc([pen.x, pen.y], n).map((at) => ({ command: 'C' as const, at }))
    default:
      return [{ command: 'Z', at: [] }]
  }
}

/** Coordinates of a relative command start at the pen. */
const absolute = (command: string, n: readonly number[], { x, y }: Pen) => {
  if (command === 'H') return [n[0]! + x]
  if (command === 'V') return [n[0]! + y]
  if (command === 'A') return [...n.slice(0, 5), n[5]! + x, n[6]! + y]
  return n.map((value, i) => value + (i % 2 ? y : x))
}

/** The steps of path data up to its first error, as SVG draws it. @throws Refusal */
export const readPath = (d: string): { steps: Step[]; isBroken: boolean } => {
  if (d.length > limits.path) throw new Refusal('pathTooLong')
  const { take, isDone } = reader(d)
  const steps: Step[] = []
  const pen: Pen = { x: 0, y: 0, startX: 0, startY: 0, control: undefined, was: '' }
  const ended = () => ({ steps, isBroken: !isDone() })
  const numbersOf = (command: string) => {
    const found: number[] = []
    for (let i = 0; i < counts[command]!; i++) {
      const given = take(command === 'A' && (i === 3 || i === 4) ? flag : number)
      if (given === undefined) return undefined
      found.push(fitting(Number(given)))
    }
    return found
  }
  let given = take(letter)
  while (given !== undefined) {
    let command = given.toUpperCase()
    const isRelative = given !== command
    if (!steps.length && command !== 'M') return { steps, isBroken: true }
    for (let first = true; ; first = false) {
      const numbers = numbersOf(command)
      if (!numbers) {
        if (first) return { steps, isBroken: true }
        break
      }
      const made = stepsOf(command, isRelative ? absolute(command, numbers, pen) : numbers, pen)
      steps.push(...made)
      const [x, y] = made.at(-1)!.at.slice(-2)
      ;[pen.x, pen.y] = command === 'Z' ? [pen.startX, pen.startY] : [fitting(x!), fitting(y!)]
      if (command === 'M') [pen.startX, pen.startY] = [pen.x, pen.y]
      pen.was = command
      if (command === 'Z') break
      // Further points after a move are lines.
      if (command === 'M') command = 'L'
    }
    given = take(letter)
  }
  return ended()
}
