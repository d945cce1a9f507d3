// Converts SVG shapes to paths.
import { fitting, identity, type Matrix, readPath, type Step, times } from './paths.ts'
import { limits, Refusal } from './refusal.ts'
import type { Node } from './xml.ts'

/** A length in user units; percentages and font sizes are not supported. */
const lengthOf = ({ attributes }: Node, name: string, missing = 0): number => {
  const given = attributes.get(name)
  if (given === undefined) return missing
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(px)?\s*$/.exec(given.slice(0, 60))
  return found ? fitting(Number(found[1])) : missing
}
export const numbersIn = (text: string): number[] => {
  if (text.length > limits.path) throw new Refusal('pathTooLong')
  return [...text.matchAll(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g)].map(([n]) => fitting(Number(n)))
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const turned = (degrees: number): Matrix => {
  const [cos, sin] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))]
  return [cos, sin, -sin, cos, 0, 0]
}
const functions: Readonly<Record<string, (n: readonly number[]) => Matrix | undefined>> = {
  matrix: (n) => (n.length === 6 ? [n[0]!, n[1]!, n[2]!, n[3]!, n[4]!, n[5]!] : undefined),
  translate: ([x, y = 0]) => (x === undefined ? undefined : [1, 0, 0, 1, x, y]),
  scale: ([x, y = x]) => (x === undefined ? undefined : [x, 0, 0, y!, 0, 0]),
  rotate: ([angle, x = 0, y = 0]) =>
    angle === undefined ? undefined : times(times([1, 0, 0, 1, x, y], turned(angle)), [1, 0, 0, 1, -x, -y]),
  skewX: ([angle]) => (angle === undefined ? undefined : [1, 0, Math.tan(radians(angle)), 1, 0, 0]),
  skewY: ([angle]) => (angle === undefined ? undefined : [1, Math.tan(radians(angle)), 0, 1, 0, 0]),
}
/** The matrix of a transform attribute. @throws Refusal if it is invalid */
export const matrixOf = ({ attributes }: Node): Matrix => {
  const text = attributes.get('transform')
  if (!text) return identity
  if (text.length > 2000) throw new Refusal('geometry')
  let matrix = identity
  let rest = text
  for (const [whole, name, numbers] of text.matchAll(/(\w+)\s*\(([^()]*)\)/g)) {
    const next = Object.hasOwn(functions, name!) ? functions[name!]!(numbersIn(numbers!)) : undefined
    if (!next) throw new Refusal('geometry')
    matrix = times(matrix, next)
    rest = rest.replace(whole, '')
  }
  if (/[^\s,]/.test(rest)) throw new Refusal('geometry')
  for (const n of matrix) fitting(n)
  return matrix
}

const round = (cx: number, cy: number, rx: number, ry: number) =>
  rx > 0 && ry > 0 ? `M${cx - rx} ${cy}A${rx} ${ry} 0 1 1 ${cx + rx} ${cy}A${rx} ${ry} 0 1 1 ${cx - rx} ${cy}Z` : ''
const box = (node: Node) => {
  const [x, y, w, h] = ['x', 'y', 'width', 'height'].map((name) => lengthOf(node, name)) as [number, number, number, number]
  if (w <= 0 || h <= 0) return ''
  const rx = Math.min(w / 2, Math.max(0, lengthOf(node, 'rx', lengthOf(node, 'ry'))))
  const ry = Math.min(h / 2, Math.max(0, lengthOf(node, 'ry', rx)))
  if (!rx || !ry) return `M${x} ${y}H${x + w}V${y + h}H${x}Z`
  const corner = `${rx} ${ry} 0 0 1`
  return `M${x + rx} ${y}H${x + w - rx}A${corner} ${x + w} ${y + ry}V${y + h - ry}A${corner} ${x + w - rx} ${y + h}H${x + rx}A${corner} ${x} ${y + h - ry}V${y + ry}A${corner} ${x + rx} ${y}Z`
}
const along = (node: Node, isClosed: boolean) => {
  const n = numbersIn(node.attributes.get('points') ?? '')
  const places = Array.from({ length: Math.floor(n.length / 2) }, (_, i) => `${n[2 * i]} ${n[2 * i + 1]}`)
  return places.length > 1 ? `M${places.join('L')}${isClosed ? 'Z' : ''}` : ''
}
const data: Readonly<Record<string, (node: Node) => string>> = {
  path: ({ attributes }) => attributes.get('d') ?? '',
  rect: box,
  circle: (node) => round(lengthOf(node, 'cx'), lengthOf(node, 'cy'), lengthOf(node, 'r'), lengthOf(node, 'r')),
  ellipse: (node) => round(lengthOf(node, 'cx'), lengthOf(node, 'cy'), lengthOf(node, 'rx'), lengthOf(node, 'ry')),
  line: (node) => `M${lengthOf(node, 'x1')} ${lengthOf(node, 'y1')}L${lengthOf(node, 'x2')} ${lengthOf(node, 'y2')}`,
  polyline: (node) => along(node, false),
  polygon: (node) => along(node, true),
}
export const isShape = ({ name }: Node) => Object.hasOwn(data, name)
export const shapeOf = (node: Node): { steps: Step[]; isBroken: boolean } => readPath(data[node.name]!(node))

/** The placement of a `use` element's target: at its x and y and, for a symbol with its own viewBox, in its size. */
export const placed = (use: Node, target: Node): Matrix => {
  const at: Matrix = [1, 0, 0, 1, lengthOf(use, 'x'), lengthOf(use, 'y')]
  const [x, y, w, h] = numbersIn(target.attributes.get('viewBox') ?? '')
  if (target.name !== 'symbol' || !w || !h) return at
  const [width, height] = [lengthOf(use, 'width', w), lengthOf(use, 'height', h)]
  const scale = Math.min(width / w, height / h)
  return scale > 0 ? times(at, [scale, 0, 0, scale, -x! * scale, -y! * scale]) : at
}
