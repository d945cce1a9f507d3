// Payloads and topics of Sparkplug B 3.0 (specification, 6.4 and 4.1).
import { Reader, Writer } from 'protobufjs/minimal.js'

/** The payload field with the value; 'other' covers data sets, templates and bytes. */
type Carrier = 'none' | 'int' | 'long' | 'float' | 'double' | 'boolean' | 'string' | 'other'
export type Metric = {
  name: string | undefined
  alias: number | undefined
  /** Epoch ms. */
  time: number | null
  datatype: number | undefined
  isHistorical: boolean
  isNull: boolean
  /** Its quality is not good. */
  isDoubtful: boolean
  as: Carrier
  /** As received: `int` unsigned, `long` signed. */
  value: number | string
}
export type Payload = { time: number | null; seq: number | undefined; isPacked: boolean; metrics: Metric[] }

/** Maximum metrics of one message, and of one edge node with its devices. */
export const mostMetrics = 20_000
const mostProperties = 100
const good = 192

const malformed = (what: string): never => {
  throw new RangeError(what)
}
const long = (reader: Reader): number => {
  // A number unless the package `long` is installed.
  const value = reader.int64() as unknown as number | { toNumber(): number }
  return typeof value === 'number' ? value : value.toNumber()
}
/** End offset of the length-delimited part that starts here. */
const endOf = (reader: Reader, limit: number): number => {
  const end = reader.uint32() + reader.pos
  return end > limit ? malformed('a part is longer than what it is in') : end
}
/** Skips a field. Protobuf groups are refused: Sparkplug has none, and they can nest without limit. */
const skip = (reader: Reader, tag: number) => {
  const wire = tag & 7
  if (tag < 8 || (wire > 2 && wire !== 5)) malformed(`field ${tag >>> 3} of wire type ${wire}`)
  reader.skipType(wire)
}

/** The number of a property; undefined if it has none. */
const readProperty = (reader: Reader, end: number): number | undefined => {
  let found: number | undefined
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag === 24) found = reader.uint32()
    else if (tag === 32) found = long(reader)
    else skip(reader, tag)
  }
  return found
}
/** Whether the property `Quality` of a metric is not good. */
const readDoubt = (reader: Reader, end: number): boolean => {
  const keys: string[] = []
  const values: (number | undefined)[] = []
  while (reader.pos < end) {
    if (keys.length + values.length > 2 * mostProperties) malformed(`more than ${mostProperties} properties`)
    const tag = reader.uint32()
    if (tag === 10) keys.push(reader.string())
    else if (tag === 18) values.push(readProperty(reader, endOf(reader, end)))
    else skip(reader, tag)
  }
  const quality = values[keys.indexOf('Quality')]
  return quality !== undefined && quality !== good
}

/** A tag is the field number times eight plus the wire type. */
const readField = (metric: Metric, reader: Reader, tag: number, end: number) => {
  const carry = (as: Carrier, value: number | string) => {
    metric.as = as
    metric.value = value
  }
  if (tag === 16) metric.alias = long(reader)
  else if (tag === 24) metric.time = long(reader)
  else if (tag === 32) metric.datatype = reader.uint32()
  else if (tag === 10) metric.name = reader.string()
  else if (tag === 80) carry('int', reader.uint32())
  else if (tag === 88) carry('long', long(reader))
  else if (tag === 101) carry('float', reader.float())
  else if (tag === 105) carry('double', reader.double())
  else if (tag === 112) carry('boolean', reader.bool() ? 1 : 0)
  else if (tag === 122) carry('string', reader.string())
  else if (tag === 40) metric.isHistorical = reader.bool()
  else if (tag === 56) metric.isNull = reader.bool()
  else if (tag === 74) metric.isDoubtful = readDoubt(reader, endOf(reader, end))
  else {
    if (tag >>> 3 >= 16 && tag >>> 3 <= 19) metric.as = 'other'
    skip(reader, tag)
  }
}
const readMetric = (reader: Reader, end: number): Metric => {
  const metric: Metric = {
    ...{ name: undefined, alias: undefined, time: null, datatype: undefined, isHistorical: false },
    ...{ isNull: false, isDoubtful: false, as: 'none', value: 0 },
  }
  while (reader.pos < end) readField(metric, reader, reader.uint32(), end)
  return reader.pos > end ? malformed('a metric is longer than it says') : metric
}

/** Reads until the message ends or is invalid. */
const readInto = (payload: Payload, bytes: Buffer, most: number) => {
  const reader = Reader.create(bytes)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag === 18) {
      if (payload.metrics.length >= most) malformed(`more than ${most} metrics`)
      payload.metrics.push(readMetric(reader, endOf(reader, reader.len)))
    } else if (tag === 8) payload.time = long(reader)
    else if (tag === 24) payload.seq = long(reader)
    else if (tag === 34) payload.isPacked = reader.string() === 'SPBV1.0_COMPRESSED'
    else skip(reader, tag)
  }
}
const nothing = (): Payload => ({ time: null, seq: undefined, isPacked: false, metrics: [] })
/** The content of a payload, or why it cannot be parsed. */
export const readPayload = (bytes: Buffer): Payload | { fault: string } => {
  const payload = nothing()
  try {
    readInto(payload, bytes, mostMetrics)
  } catch (error) {
    return { fault: `no payload of Sparkplug B: ${(error as Error).message}` }
  }
  return payload.isPacked ? { fault: 'compressed payloads are not read' } : payload
}

/** Int8 to UInt64 and DateTime, by datatype: bits and signedness. */
const widths: Record<number, readonly [bits: number, isSigned: boolean]> = {
  ...{ 1: [8, true], 2: [16, true], 3: [32, true], 4: [64, true] },
  ...{ 5: [8, false], 6: [16, false], 7: [32, false], 8: [64, false], 13: [64, false] },
}
/** The value of a metric by its datatype; null if it has no value, undefined if its type has no point value. */
export const valueIn = ({ as, value, isNull }: Metric, datatype: number): number | string | null | undefined => {
  if (as === 'other') return undefined
  if (isNull || as === 'none') return null
  if ((as !== 'int' && as !== 'long') || typeof value === 'string') return value
  const [bits, isSigned] = widths[datatype] ?? [64, as === 'long']
  if (bits === 64) return value < 0 && !isSigned ? value + 2 ** 64 : value
  const shift = 32 - bits
  return isSigned ? (value << shift) >> shift : (value << shift) >>> shift
}

export const kinds = ['NBIRTH', 'NDATA', 'NDEATH', 'DBIRTH', 'DDATA', 'DDEATH'] as const
export type Kind = (typeof kinds)[number]
export type Place = { group: string; kind: Kind; edge: string; device: string }
export const placeOf = (topic: string): Place | undefined => {
  const [space, group = '', kind, edge = '', device = '', ...more] = topic.split('/')
  if (space !== 'spBv1.0' || !group || !edge || more.length || !kinds.includes(kind as Kind)) return undefined
  return kind!.startsWith('D') === (device !== '') ? { group, kind: kind as Kind, edge, device } : undefined
}
type Named = { group: string; edge: string }
export const topicOf = (kind: Kind | 'NCMD' | 'DCMD', { group, edge }: Named, device = '') =>
  `spBv1.0/${group}/${kind}/${edge}${device && `/${device}`}`

/** Our host application id, and the topics of its state; the second topic is that of Sparkplug 2.2. */
export const hostId = 'penstock'
export const [stateTopic, formerStateTopic] = [`spBv1.0/STATE/${hostId}`, `STATE/${hostId}`]
/** Allows commands to the edge node itself, and the state of hosts. */
export const maySubscribe = (filter: string, node: Named): boolean => {
  if (/^(spBv1\.0\/)?STATE\/([^#]+|#)$/.test(filter)) return true
  const [own, devices] = [topicOf('NCMD', node), topicOf('DCMD', node)]
  return (
    filter === own ||
    filter === `${own}/#` ||
    (filter.startsWith(`${devices}/`) && /^([^/+#]+|\+|#)$/.test(filter.slice(devices.length + 1)))
  )
}

type Given = { name?: string; alias?: number | undefined; datatype: number; carry(writer: Writer): Writer }
const commandOf = ({ name, alias, datatype, carry }: Given, time: number): Buffer => {
  const writer = Writer.create().uint32(8).uint64(time).uint32(18).fork()
  if (name !== undefined) writer.uint32(10).string(name)
  if (alias !== undefined) writer.uint32(16).uint64(alias)
  carry(writer.uint32(24).uint64(time).uint32(32).uint32(datatype)).ldelim()
  return Buffer.from(writer.finish())
}
const boolean = 11
const rebirthName = 'Node Control/Rebirth'
export const rebirthCommand = (time: number) =>
  commandOf({ name: rebirthName, datatype: boolean, carry: (writer) => writer.uint32(112).bool(true) }, time)

/** The encoding of a value, and the value reported after the write; undefined if the datatype cannot hold it. */
const carried = (datatype: number, value: number): { carry: Given['carry']; reported: number } | undefined => {
  const [bits, isSigned] = widths[datatype] ?? []
  if (bits !== undefined) {
    const [least, most] = isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1]
    if (!Number.isSafeInteger(value) || value < least || value > most) return undefined
    return { carry: (w) => (bits === 64 ? w.uint32(88).int64(value) : w.uint32(80).uint32(value >>> 0)), reported: value }
  }
  if (datatype === 9) return { carry: (w) => w.uint32(101).float(value), reported: Math.fround(value) }
  if (datatype === 10) return { carry: (w) => w.uint32(105).double(value), reported: value }
  if (datatype === boolean && (value === 0 || value === 1)) return { carry: (w) => w.uint32(112).bool(value === 1), reported: value }
  return datatype === 12 || datatype === 14 ? { carry: (w) => w.uint32(122).string(String(value)), reported: value } : undefined
}
/** The command that writes a value. It uses the metric's alias if there is one, otherwise the name (6.4.6). */
export const writeCommand = (to: { key: string; alias: number | undefined; datatype: number }, value: number, time: number) => {
  const found = carried(to.datatype, value)
  const named = to.alias === undefined ? { name: to.key } : { alias: to.alias }
  return found && { payload: commandOf({ ...named, datatype: to.datatype, carry: found.carry }, time), reported: found.reported }
}

/** Maximum metrics of a displayed message. */
const mostShown = 200
/** A payload as text: the readable part, up to the limit. */
export const describe = (bytes: Buffer): string => {
  const payload = nothing()
  try {
    readInto(payload, bytes, mostShown)
  } catch {
    // Show what could be read before the error.
  }
  const metrics = payload.metrics.map((metric) => {
    const { name, alias, datatype, isHistorical, time } = metric
    const value = valueIn(metric, datatype ?? 0)
    return { name, alias, time: time ?? undefined, historical: isHistorical || undefined, value: value === undefined ? '…' : value }
  })
  return JSON.stringify({ time: payload.time ?? undefined, seq: payload.seq, metrics })
}
