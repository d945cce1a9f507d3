// ISO transport on TCP (RFC 1006) with class 0 packets (ISO 8073), and S7 communication inside them. Siemens publishes no
// standard of S7 communication; the layout is that of Wireshark's dissector.

/** An invalid S7 answer. */
export class Garbled extends Error {}

const [jobRequest, acknowledgement, answerWithData] = [1, 2, 3]
const [connectRequest, connectConfirm, dataTransfer] = [0xe0, 0xd0, 0xf0]
const [setup, readVariables, writeVariables] = [0xf0, 4, 5]
/** Our maximum PDU, bytes. The controller may negotiate a smaller one. */
export const widestPdu = 960

const packet = (...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const head = Buffer.of(3, 0, 0, 0)
  head.writeUInt16BE(body.length + 4, 2)
  return Buffer.concat([head, body])
}
const word = (n: number) => Buffer.of(n >> 8, n & 255)

/** Requests a connection between two transport access points, with TPDUs of 1,024 bytes. */
export const connectPacket = (local: number, remote: number) =>
  packet(Buffer.of(17, connectRequest, 0, 0, 0, 1, 0, 0xc0, 1, 10, 0xc1, 2), word(local), Buffer.of(0xc2, 2), word(remote))

const job = (id: number, parameters: Buffer, data: Buffer = Buffer.alloc(0)) =>
  packet(
    Buffer.of(2, dataTransfer, 0x80, 0x32, jobRequest, 0, 0),
    ...[word(id), word(parameters.length), word(data.length), parameters, data],
  )

export const setupPacket = (id: number) => job(id, Buffer.concat([Buffer.of(setup, 0), word(1), word(1), word(widestPdu)]))

const areas = { I: 0x81, Q: 0x82, M: 0x83, DB: 0x84 } as const
/** Bytes of an area, or one bit. */
export type Range = { area: keyof typeof areas; db: number; byte: number; length: number; bit?: number | undefined }

const pointer = ({ area, db, byte, length, bit }: Range) => {
  const at = byte * 8 + (bit ?? 0)
  return Buffer.concat([
    Buffer.of(0x12, 10, 0x10, bit === undefined ? 2 : 1),
    ...[word(bit === undefined ? length : 1), word(db), Buffer.of(areas[area], at >> 16, (at >> 8) & 255, at & 255)],
  ])
}

export const readPacket = (id: number, ranges: readonly Range[]) =>
  job(id, Buffer.concat([Buffer.of(readVariables, ranges.length), ...ranges.map(pointer)]))

export const writePacket = (id: number, range: Range, bytes: Buffer) => {
  const isBit = range.bit !== undefined
  const head = Buffer.concat([Buffer.of(0, isBit ? 3 : 4), word(isBit ? 1 : bytes.length * 8)])
  return job(id, Buffer.concat([Buffer.of(writeVariables, 1), pointer(range)]), Buffer.concat([head, bytes]))
}

export type Packet = { length: number; kind: number; payload: Buffer; isLast: boolean }
/** The first complete packet; undefined while more bytes are needed. @throws Garbled */
export const takePacket = (bytes: Buffer): Packet | undefined => {
  if (bytes.length && bytes[0] !== 3) throw new Garbled('not ISO on TCP')
  if (bytes.length < 4) return undefined
  const length = bytes.readUInt16BE(2)
  if (length < 7 || length > 8192) throw new Garbled(`a packet of ${length} bytes`)
  if (bytes.length < length) return undefined
  const head = bytes[4]!
  if (5 + head > length) throw new Garbled('a transport header beyond its packet')
  const kind = bytes[5]! & 0xf0
  if (kind !== dataTransfer && kind !== connectConfirm) throw new Garbled(`a transport packet of kind ${kind}`)
  return { length, kind, payload: bytes.subarray(5 + head, length), isLast: kind !== dataTransfer || (bytes[6]! & 0x80) !== 0 }
}
export const isConfirm = ({ kind }: Packet) => kind === connectConfirm

/** An answer: number of the request, overall error, parameters and data. */
export type Answer = { id: number; error: number; fn: number; parameters: Buffer; data: Buffer }
/** @throws Garbled */
export const readAnswer = (pdu: Buffer): Answer => {
  if (pdu.length < 12 || pdu[0] !== 0x32 || (pdu[1] !== acknowledgement && pdu[1] !== answerWithData)) throw new Garbled('not an S7 answer')
  const [parameterBytes, dataBytes] = [pdu.readUInt16BE(6), pdu.readUInt16BE(8)]
  if (pdu.length !== 12 + parameterBytes + dataBytes) throw new Garbled('an S7 answer of another length than it says')
  const parameters = pdu.subarray(12, 12 + parameterBytes)
  return {
    id: pdu.readUInt16BE(4),
    error: pdu.readUInt16BE(10),
    fn: parameters[0] ?? 0,
    parameters,
    data: pdu.subarray(12 + parameterBytes),
  }
}

/** The negotiated PDU size. @throws Garbled */
export const negotiated = ({ fn, parameters }: Answer) => {
  const size = fn === setup && parameters.length >= 8 ? parameters.readUInt16BE(6) : 0
  // Below this, not even one value of 8 bytes fits.
  if (size < 64) throw new Garbled(`a PDU of ${size} bytes was negotiated`)
  return Math.min(size, widestPdu)
}

/** The result of one item: 255 good, otherwise the error. */
export type ItemAnswer = { code: number; bytes: Buffer }
export const good = 0xff

/** The items of the answer to a read. @throws Garbled */
export const readItems = ({ fn, parameters, data }: Answer, ranges: readonly Range[]): ItemAnswer[] => {
  if (fn !== readVariables || parameters[1] !== ranges.length) throw new Garbled('an answer to another question')
  let at = 0
  return ranges.map(({ length }) => {
    if (at + 4 > data.length && !(at + 1 <= data.length && data[at] !== good)) throw new Garbled('an answer that ends early')
    const [code, transport] = [data[at]!, data[at + 1] ?? 0]
    const said = at + 4 <= data.length ? data.readUInt16BE(at + 2) : 0
    // Lengths are in bits, except for octets, reals and bits.
    const size = code !== good ? 0 : [3, 7, 9].includes(transport) ? said : Math.ceil(said / 8)
    const bytes = data.subarray(at + 4, at + 4 + size)
    if (code === good && (bytes.length !== size || size !== length)) throw new Garbled(`${bytes.length} bytes came instead of ${length}`)
    // All items except the last are padded to an even number of bytes.
    at += 4 + size + (size & 1)
    return { code, bytes }
  })
}

/** @throws Garbled */
export const writtenCode = ({ fn, parameters, data }: Answer): number => {
  if (fn !== writeVariables || parameters[1] !== 1 || data.length < 1) throw new Garbled('an answer to another question')
  return data[0]!
}

const names: Readonly<Record<number, string>> = {
  1: 'hardware fault',
  3: 'access denied: allow PUT/GET communication, and switch off optimised access of the block',
  5: 'the address does not exist',
  6: 'the data type is not supported',
  7: 'the data type does not fit',
  10: 'the object does not exist',
}
export const codeName = (code: number) => names[code] ?? `code ${code}`
/** Whether the controller does not know the address. */
export const isUnknown = (code: number) => code === 5 || code === 10

const functions: Readonly<Record<number, string>> = { [setup]: 'set up communication', [readVariables]: 'read', [writeVariables]: 'write' }
/** Describes a packet for a trace. */
export const meaningOf = (bytes: Buffer): string => {
  const kind = bytes[5]! & 0xf0
  if (kind === connectRequest) return 'connection request'
  if (kind === connectConfirm) return 'connection confirmed'
  const pdu = bytes.subarray(5 + (bytes[4] ?? 0))
  const isJob = pdu[1] === jobRequest
  return `${functions[pdu[isJob ? 10 : 12] ?? 0] ?? 'S7'} ${isJob ? 'request' : 'answer'} ${pdu.length > 6 ? pdu.readUInt16BE(4) : ''}`.trim()
}
