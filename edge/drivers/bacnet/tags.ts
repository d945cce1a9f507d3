// BACnet encoding: ANSI/ASHRAE 135, clause 20.2. The service numbers context tags; application tags identify a type.
export class Garbled extends Error {}

/** Application tags. */
export const tag = {
  null: 0,
  boolean: 1,
  unsigned: 2,
  signed: 3,
  real: 4,
  double: 5,
  octets: 6,
  text: 7,
  bits: 8,
  enumerated: 9,
  object: 12,
}

/** `value`: content. A Boolean has no content: its value is in `length`. `opens` and `closes` enclose nested elements. */
export type Element = { number: number; isContext: boolean; kind: 'value' | 'opens' | 'closes'; length: number; value: Buffer }

const head = (number: number, isContext: boolean, low: number): Buffer =>
  number < 15 ? Buffer.of((number << 4) | (isContext ? 8 : 0) | low) : Buffer.of(0xf0 | (isContext ? 8 : 0) | low, number)
const element = (number: number, isContext: boolean, value: Buffer): Buffer => {
  const { length } = value
  if (length < 5) return Buffer.concat([head(number, isContext, length), value])
  const size = length < 254 ? Buffer.of(length) : Buffer.of(254, length >> 8, length & 255)
  return Buffer.concat([head(number, isContext, 5), size, value])
}
export const context = (number: number, value: Buffer) => element(number, true, value)
export const opening = (number: number) => head(number, true, 6)
export const closing = (number: number) => head(number, true, 7)

export const unsignedBytes = (value: number): Buffer => {
  const size = value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}
const signedBytes = (value: number): Buffer => {
  const size = [1, 2, 3, 4].find((n) => value >= -(2 ** (8 * n - 1)) && value < 2 ** (8 * n - 1)) ?? 6
  const bytes = Buffer.alloc(size)
  bytes.writeIntBE(value, 0, size)
  return bytes
}
/** Type and instance of an object in 32 bits. */
export const objectBytes = (type: number, instance: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(((type << 22) | instance) >>> 0)
  return bytes
}
const realBytes = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatBE(value)
  return bytes
}
const doubleBytes = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
/** A value of an application type. @throws RangeError */
export const application = (type: number, value: number): Buffer => {
  const isWhole = type === tag.unsigned || type === tag.enumerated || type === tag.signed
  const [low, high] = type === tag.signed ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1]
  if (isWhole && !(Number.isInteger(value) && value >= low! && value <= high!))
    throw new RangeError(`${value} is outside ${low} to ${high}`)
  if (type === tag.real) return element(type, false, realBytes(value))
  if (type === tag.double) return element(type, false, doubleBytes(value))
  if (type === tag.signed) return element(type, false, signedBytes(value))
  if (type === tag.boolean) return head(type, false, value ? 1 : 0)
  return element(type, false, unsignedBytes(value))
}

/** Reads elements in sequence. @throws Garbled */
export class Elements {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd() {
    return this.#at >= this.#bytes.length
  }

  #take(count: number): Buffer {
    if (this.#at + count > this.#bytes.length) throw new Garbled('an answer that ends early')
    const taken = this.#bytes.subarray(this.#at, this.#at + count)
    this.#at += count
    return taken
  }

  peek(): Element | undefined {
    if (this.isAtEnd) return undefined
    const before = this.#at
    const next = this.next()
    this.#at = before
    return next
  }

  next(): Element {
    const first = this.#take(1)[0]!
    const number = first >> 4 === 15 ? this.#take(1)[0]! : first >> 4
    const isContext = (first & 8) !== 0
    const low = first & 7
    if (isContext && low >= 6) return { number, isContext, kind: low === 6 ? 'opens' : 'closes', length: 0, value: Buffer.alloc(0) }
    if (!isContext && number === tag.boolean) return { number, isContext, kind: 'value', length: low, value: Buffer.alloc(0) }
    if (low > 5) throw new Garbled('a bracket that is none')
    const length = low < 5 ? low : this.#length()
    return { number, isContext, kind: 'value', length, value: this.#take(length) }
  }

  #length(): number {
    const first = this.#take(1)[0]!
    if (first < 254) return first
    return first === 254 ? this.#take(2).readUInt16BE() : this.#take(4).readUInt32BE()
  }

  /** Reads the next element, which must match. */
  expect(number: number, kind: Element['kind'] = 'value'): Element {
    const next = this.next()
    if (!next.isContext || next.number !== number || next.kind !== kind) throw new Garbled('an answer of another shape')
    return next
  }
  /** Elements up to the closing tag of the previous element. */
  within(number: number): Element[] {
    const found: Element[] = []
    for (let depth = 0; ; ) {
      const next = this.next()
      if (next.kind === 'closes' && depth === 0 && next.number === number) return found
      depth += next.kind === 'opens' ? 1 : next.kind === 'closes' ? -1 : 0
      if (depth < 0) throw new Garbled('a bracket that nothing opened')
      found.push(next)
    }
  }
}

export const unsignedOf = ({ value }: Element): number => {
  if (value.length < 1 || value.length > 6) throw new Garbled('a number of no length')
  return value.readUIntBE(0, value.length)
}
export const objectOf = (found: Element) => {
  const bits = unsignedOf(found)
  return { object: Math.floor(bits / 0x400000), instance: bits % 0x400000 }
}
