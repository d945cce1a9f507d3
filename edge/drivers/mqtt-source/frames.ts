// MQTT packets in transit: checks their length before they are parsed, and gives a trace their beginning.

/** Maximum bytes of a message, and of its part in a trace. */
export const [mostBytes, shownBytes] = [256 * 1024, 500]

const names = [
  ...['reserved', 'CONNECT', 'CONNACK', 'PUBLISH', 'PUBACK', 'PUBREC', 'PUBREL', 'PUBCOMP', 'SUBSCRIBE', 'SUBACK', 'UNSUBSCRIBE'],
  ...['UNSUBACK', 'PINGREQ', 'PINGRESP', 'DISCONNECT', 'AUTH'],
]
const publish = 3
/** QoS 2 in the first byte of a PUBLISH. It is never subscribed to, and its messages would wait in memory for the broker's release. */
const exactlyOnce = 0x04
/** Maximum bytes of a length field (MQTT 5, 1.5.5). */
const longestLength = 4

export type Packet = { bytes: Buffer; meaning: string }
const meaningOf = (bytes: Buffer, length: number, header: number) => {
  const type = bytes[0]! >> 4
  const name = `${names[type]}, ${length} bytes`
  if (type !== publish || bytes.length < header + 2) return name
  return `${name}, topic ${bytes.subarray(header + 2, header + 2 + bytes.readUInt16BE(header)).toString('utf8')}`
}

/** Splits a stream into packets and keeps the beginning of each. */
export class Packets {
  readonly #tell: (packet: Packet) => void
  #head: number[] = []
  #shown: Buffer[] = []
  #left = 0
  #length = 0

  constructor(tell: (packet: Packet) => void) {
    this.#tell = tell
  }

  /** @throws Error if a packet is too long or invalid */
  feed(chunk: Buffer) {
    for (let at = 0; at < chunk.length; ) at = this.#left > 0 ? this.#body(chunk, at) : this.#begin(chunk, at)
  }

  #begin(chunk: Buffer, at: number): number {
    const byte = chunk[at]!
    this.#head.push(byte)
    const isLength = this.#head.length > 1
    if (!isLength && byte >> 4 === publish && byte & exactlyOnce) throw new Error('a message of QoS 2, which was not asked for')
    if (!isLength || (byte & 0x80 && this.#head.length <= longestLength)) return at + 1
    if (byte & 0x80) throw new Error('bytes that are no packet of MQTT')
    this.#length = this.#head.slice(1).reduce((sum, part, i) => sum + (part & 0x7f) * 128 ** i, 0)
    if (this.#length > mostBytes) throw new Error(`a message of ${this.#length} bytes; at most ${mostBytes} are taken`)
    this.#shown = [Buffer.from(this.#head)]
    this.#left = this.#length
    if (!this.#left) this.#end()
    return at + 1
  }

  #body(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#left, chunk.length - at)
    const room = shownBytes - (this.#length - this.#left)
    if (room > 0) this.#shown.push(chunk.subarray(at, at + Math.min(taken, room)))
    this.#left -= taken
    if (!this.#left) this.#end()
    return at + taken
  }

  #end() {
    const bytes = Buffer.concat(this.#shown)
    const header = this.#head.length
    this.#head = []
    this.#shown = []
    this.#tell({ bytes, meaning: meaningOf(bytes, this.#length, header) })
  }
}
