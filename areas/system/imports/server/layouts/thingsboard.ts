// The file modbus.json of the ThingsBoard gateway.
import { randomInt } from 'node:crypto'
import { Fault } from '../../../../../server/http/faults.ts'
import { collector, type Given, isReserved, type LaidOut, type Translated, type WordOrder } from './layout.ts'
import { dataType } from './modbus.ts'

type Values = Record<string, unknown>
type Source = { name: string; slave: Values; tags: { tag: Values; isWrite: boolean }[] }
/** Maximum bytes, parts and distinct names of a file, and tags per device. Each object and list is a part. */
export const gatewayFileLimits = { bytes: 4 * 1024 * 1024, parts: 50_000, names: 1000, tags: 20_000, devices: 1000 }

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
const part = (of: Values, name: string): unknown => (Object.hasOwn(of, name) ? of[name] : undefined)
/** A text, a number or a flag. Checked because an object may have a `toString` that is not a function. */
const own = (of: Values, name: string): unknown => {
  const value = part(of, name)
  return typeof value === 'object' ? undefined : value
}
const list = (of: Values, name: string): Values[] => {
  const value = part(of, name)
  return Array.isArray(value) ? value.filter(isValues) : []
}
const text = (of: Values, name: string) => String(own(of, name) ?? '')
const [quote, backslash, colon, open, openList] = [...'"\\:{['].map((c) => c.charCodeAt(0))
/** Random seed against hash collisions. */
const seed = randomInt(2 ** 31)
/** Whether JSON.parse would take more than milliseconds: too many parts, or too many distinct names, by their hashes. */
const isTooLarge = (file: Uint8Array) => {
  const names = new Set<number>()
  let [parts, hash, isText] = [0, seed, false]
  for (let i = 0; i < file.length; i++) {
    const byte = file[i]!
    if (isText) {
      hash = Math.imul(hash ^ byte, 16_777_619)
      if (byte === backslash) i++
      else if (byte === quote) isText = false
    } else if (byte === quote) [hash, isText] = [seed, true]
    else if (byte === colon) names.add(hash)
    else if (byte === open || byte === openList) parts++
    if (parts > gatewayFileLimits.parts || names.size > gatewayFileLimits.names) return true
  }
  return false
}

/** The devices of the file, with read tags before write tags. */
export const gatewaySources = (file: Uint8Array): Source[] => {
  if (file.length > gatewayFileLimits.bytes || isTooLarge(file)) throw new Fault('tooLarge')
  let all: unknown
  try {
    all = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file).replace(/^\uFEFF/, ''))
  } catch {
    throw new Fault('sheetUnreadable')
  }
  const master = isValues(all) ? part(all, 'master') : undefined
  if (!isValues(master) || !Array.isArray(part(master, 'slaves'))) throw new Fault('sheetUnreadable')
  const slaves = list(master, 'slaves')
  if (slaves.length > gatewayFileLimits.devices) throw new Fault('sheetTooLong', { max: gatewayFileLimits.devices })
  const sources = slaves.map((slave, i) => ({
    name: text(slave, 'deviceName').slice(0, 100) || `#${i + 1}`,
    slave,
    tags: [
      ...['timeseries', 'attributes'].flatMap((name) => list(slave, name).map((tag) => ({ tag, isWrite: false }))),
      ...['attributeUpdates', 'rpc'].flatMap((name) => list(slave, name).map((tag) => ({ tag, isWrite: true }))),
    ],
  }))
  if (sources.some(({ tags }) => tags.length > gatewayFileLimits.tags)) throw new Fault('sheetTooLong', { max: gatewayFileLimits.tags })
  return sources
}

const orderOf = (byte: string, word: string): WordOrder | undefined =>
  (({ 'BIG/BIG': 'ABCD', 'BIG/LITTLE': 'CDAB', 'LITTLE/BIG': 'BADC', 'LITTLE/LITTLE': 'DCBA' }) as const)[
    `${byte}/${word}`.toUpperCase() as 'BIG/BIG'
  ]

/** Register and access by function code. */
const functions: Record<number, { RegisterType: number; isWrite: boolean; isBit: boolean }> = {
  1: { RegisterType: 0, isWrite: false, isBit: true },
  2: { RegisterType: 1, isWrite: false, isBit: true },
  3: { RegisterType: 4, isWrite: false, isBit: false },
  4: { RegisterType: 3, isWrite: false, isBit: false },
  5: { RegisterType: 0, isWrite: true, isBit: true },
  6: { RegisterType: 4, isWrite: true, isBit: false },
  15: { RegisterType: 0, isWrite: true, isBit: true },
  16: { RegisterType: 4, isWrite: true, isBit: false },
}
/** The raw range of each type that a factor can scale. It covers every value, so none is out of range. */
const ranges: Record<number, readonly [number, number]> = {
  1: [-32_768, 32_767],
  2: [0, 65_535],
  31: [-32_768, 32_767],
  32: [0, 65_535],
  ...Object.fromEntries([3, 4, 5, 6].map((code) => [code, [-2_147_483_648, 2_147_483_647]])),
  ...Object.fromEntries([33, 34, 35, 36].map((code) => [code, [0, 4_294_967_295]])),
}

/** The points of one device of the file. A read and a write tag with the same address become one point. */
export const translateGateway = (source: Source, given: Given): Translated => {
  const { slave } = source
  const order = own(slave, 'byteOrder') ? orderOf(text(slave, 'byteOrder'), text(slave, 'wordOrder') || 'none') : given.wordOrder
  const { done, leaveOut } = collector()
  const unit = own(slave, 'unitId') ?? given.unitId
  const placed = new Map<string, LaidOut>()
  const translate = ({ tag, isWrite }: Source['tags'][number], row: number): LaidOut | undefined => {
    const out = (name: string, rule: string) => leaveOut(row, name, own(tag, name), rule)
    if (isReserved(text(tag, 'tag'))) return out('tag', 'layout.name')
    const code = Number(own(tag, 'functionCode'))
    const known = Object.hasOwn(functions, code) ? functions[code]! : undefined
    if (!known || (isWrite === false && known.isWrite)) return out('functionCode', 'layout.function')
    const isBits = ['bits', 'bit', 'bool', 'boolean'].includes(text(tag, 'type').toLowerCase())
    if (known.isBit !== isBits || (isBits && Number(own(tag, 'objectsCount') ?? 1) !== 1)) return out('type', 'layout.type')
    const type = dataType(text(tag, 'type'), order ?? given.wordOrder)
    if ('rule' in type) return out('type', type.rule)
    const address = own(tag, 'address')
    if (typeof address !== 'number' || !Number.isInteger(address) || address < 0 || address > 65_535)
      return out('address', 'layout.address')
    const [multiplier, divider] = [Number(own(tag, 'multiplier') || 1), Number(own(tag, 'divider') || 1)]
    const range = ranges[type.code]
    const factor = multiplier / divider
    const scaled = (raw: number) => Number(((raw * multiplier) / divider).toPrecision(15))
    if (factor !== 1 && !(range && Number.isFinite(factor) && factor !== 0)) return out('multiplier', 'layout.scaling')
    const place = `${known.RegisterType}/${address}`
    const read = placed.get(place)
    if (known.isWrite && read) {
      if (read.cells.ParaDataType !== type.code) return out('type', 'layout.writeType')
      read.cells.ReadWriteType = 1
      return undefined
    }
    const period = own(slave, 'pollPeriod')
    const made = {
      row,
      cells: {
        ...{ ParaName: text(tag, 'tag'), RegisterType: known.RegisterType, Address: String(address), ParaDataType: type.code },
        ReadWriteType: known.isWrite ? 2 : 0,
        ...(unit !== undefined && { SlaveNumber: Number(unit) }),
        ...(typeof period === 'number' && { CollectPeriod: period }),
        ...(factor !== 1 &&
          range && { SampleLow: range[0], SampleHigh: range[1], ProjectLow: scaled(range[0]), ProjectHigh: scaled(range[1]) }),
      },
    }
    if (!placed.has(place)) placed.set(place, made)
    return made
  }
  for (const [i, tag] of source.tags.entries()) {
    const made = translate(tag, i + 1)
    if (made) done.rows.push(made)
  }
  return done
}
