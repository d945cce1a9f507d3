// Framing of Modbus PDUs. [TCP] = MODBUS Messaging on TCP/IP Implementation Guide V1.0b, [SERIAL] = MODBUS over Serial Line V1.02,
// [APP] = MODBUS Application Protocol V1.1b3.

export type Frame = { unit: number; pdu: Buffer /** Transaction; null where the framing has none. */; id: number | null; length: number }

export type Framing = {
  wrap(unit: number, pdu: Buffer, id: number): Buffer
  /** The first complete frame; undefined while more bytes are needed. Throws if the stream is out of sync; the caller closes the connection. */
  take(bytes: Buffer): Frame | undefined
}

/** [TCP] 3.1.3: transaction, protocol 0, length of unit and PDU, unit. A PDU has 1 to 253 bytes ([APP] 4.1). */
export const mbap: Framing = {
  wrap(unit, pdu, id) {
    const frame = Buffer.allocUnsafe(7 + pdu.length)
    frame.writeUInt16BE(id, 0)
    frame.writeUInt16BE(0, 2)
    frame.writeUInt16BE(pdu.length + 1, 4)
    frame[6] = unit
    pdu.copy(frame, 7)
    return frame
  },
  take(bytes) {
    if (bytes.length < 8) return undefined
    const size = bytes.readUInt16BE(4)
    if (bytes.readUInt16BE(2) !== 0 || size < 2 || size > 254) throw new Error('not Modbus TCP')
    const length = 6 + size
    if (bytes.length < length) return undefined
    return { id: bytes.readUInt16BE(0), unit: bytes[6]!, pdu: bytes.subarray(7, length), length }
  },
}

/** [SERIAL] 6.2.2: CRC-16, polynomial A001 reflected, start FFFF, sent low byte first. */
export const crc16 = (bytes: Buffer) => {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1
  }
  return crc
}

/** Length of the reply PDU by its function; undefined until its byte count has arrived. */
const replyLength = (fn: number, count: number | undefined) => {
  if (fn & 0x80) return 2
  if (fn >= 1 && fn <= 4) return count === undefined ? undefined : 2 + count
  if (fn === 5 || fn === 6 || fn === 15 || fn === 16) return 5
  throw new Error('not Modbus RTU')
}

/** [SERIAL] 2.5.1: unit, PDU, CRC. Over TCP no silence ends a frame, so its length follows from the function. */
export const rtu: Framing = {
  wrap(unit, pdu) {
    const frame = Buffer.concat([Buffer.of(unit), pdu, Buffer.alloc(2)])
    frame.writeUInt16LE(crc16(frame.subarray(0, -2)), frame.length - 2)
    return frame
  },
  take(bytes) {
    if (bytes.length < 2) return undefined
    const size = replyLength(bytes[1]!, bytes[2])
    const length = size === undefined ? Number.POSITIVE_INFINITY : size + 3
    if (bytes.length < length) return undefined
    if (crc16(bytes.subarray(0, length - 2)) !== bytes.readUInt16LE(length - 2)) throw new Error('CRC does not match')
    return { id: null, unit: bytes[0]!, pdu: bytes.subarray(1, length - 2), length }
  },
}

/** [SERIAL] 6.2.1: the two's complement of the sum of the bytes. */
export const lrc = (bytes: Buffer) => -bytes.reduce((sum, byte) => sum + byte, 0) & 0xff

/** [SERIAL] 2.5.2.1: maximum length of a frame, characters. */
const longestLine = 513

/** [SERIAL] 2.5.2: a colon, unit, PDU and LRC as hexadecimal digits, CR LF. */
export const ascii: Framing = {
  wrap(unit, pdu) {
    const bytes = Buffer.concat([Buffer.of(unit), pdu])
    return Buffer.from(
      `:${Buffer.concat([bytes, Buffer.of(lrc(bytes))])
        .toString('hex')
        .toUpperCase()}\r\n`,
      'latin1',
    )
  },
  take(bytes) {
    if (!bytes.length) return undefined
    const end = bytes.indexOf('\r\n')
    if (bytes[0] !== 0x3a || (end < 0 && bytes.length >= longestLine)) throw new Error('not Modbus ASCII')
    if (end < 0) return undefined
    const digits = bytes.toString('latin1', 1, end)
    // At least unit, function, one byte and LRC.
    if (!/^([0-9A-F]{2}){4,255}$/.test(digits)) throw new Error('not Modbus ASCII')
    const whole = Buffer.from(digits, 'hex')
    const [body, sum] = [whole.subarray(0, -1), whole.at(-1)]
    if (lrc(body) !== sum) throw new Error('LRC does not match')
    return { id: null, unit: body[0]!, pdu: body.subarray(1), length: end + 2 }
  },
}

/** [APP] 6. */
export const functionNames: Record<number, string> = {
  1: 'read coils',
  2: 'read discrete inputs',
  3: 'read holding registers',
  4: 'read input registers',
  5: 'write single coil',
  6: 'write single register',
  15: 'write multiple coils',
  16: 'write multiple registers',
}

/** [APP] 7. */
export const exceptionNames: Record<number, string> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'server device failure',
  5: 'acknowledge',
  6: 'server device busy',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'gateway target device failed to respond',
}
