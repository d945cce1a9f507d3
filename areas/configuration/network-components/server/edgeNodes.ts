// Sparkplug edge nodes: the metrics of each birth certificate, and how later messages are resolved against them.
import { createHash } from 'node:crypto'
import type { Send } from '../../../../server/mqtt/foreign.ts'
import type { Door } from './doors.ts'
import { type Heard, type HeardValue, isName, longestName } from './languages/heard.ts'
import {
  type Metric,
  mostMetrics,
  type Payload,
  type Place,
  placeOf,
  readPayload,
  rebirthCommand,
  topicOf,
  valueIn,
  writeCommand,
} from './languages/sparkplug.ts'

/** A metric from a birth certificate. The key is '' if the name is not valid for a point. */
type Known = { device: string; key: string; alias: number | undefined; datatype: number }
type EdgeNode = {
  group: string
  edge: string
  tenant: number
  isBorn: boolean
  seq: number
  bdSeq: number | undefined
  byAlias: Map<number, Known>
  /** Metrics of each device by name, and their number. */
  byName: Map<string, Map<string, Known>>
  size: number
  devices: Set<string>
  /** Time of the last rebirth request, and whether the last birth was refused. */
  askedAt: number
  isRefused: boolean
  /** Clock offset in ms, from its latest message; positive if its clock is ahead. */
  ahead: number
}
/** Outcome of a message. `born` and `dead` name devices; '' is the edge node itself. */
export type Outcome = { heard?: Heard; born?: string; dead?: string }

/** Limits: devices per edge node, metrics per tenant, metrics on the whole server. */
const [mostDevices, mostOfTenant, mostOfAll] = [1000, 100_000, 500_000]
/** Minimum ms between rebirth requests; the second applies after a refused birth. */
const [askEvery, askAgain] = [10_000, 300_000]
const day = 86_400_000

const isControl = (name: string) => name === 'bdSeq' || name.startsWith('Node Control/') || name.startsWith('Device Control/')
/** A name that is too long for a point is stored as its hash: it may have a megabyte. */
const idOf = (name: string) => (name.length > longestName ? createHash('sha256').update(name).digest('base64') : name)
const refused = (fault: string): Outcome => ({ heard: { values: [], fault } })
const short = (text: string) => text.slice(0, 100)
/** The bdSeq of a birth or death. */
const lifeOf = ({ metrics }: Payload): number | undefined => {
  const value = metrics.find(({ name }) => name === 'bdSeq')?.value
  return typeof value === 'number' ? value : undefined
}

const knownOf = (node: EdgeNode, device: string, { alias, name }: Metric): Known | undefined => {
  const known = alias === undefined ? node.byName.get(device)?.get(idOf(name ?? '')) : node.byAlias.get(alias)
  // Aliases are unique within the whole edge node.
  return known?.device === device ? known : undefined
}
const qualityOf = (metric: Metric, value: unknown) =>
  metric.isDoubtful || (metric.as === 'long' && !Number.isSafeInteger(value)) ? { quality: 1 as const } : {}

/** Values of a message. Birth values take the timestamp of the birth: their own may be days old. */
const valuesOf = (node: EdgeNode, device: string, { metrics, time }: Payload, isBirth: boolean): Heard => {
  const values: HeardValue[] = []
  let [skipped, fault]: [number, string | undefined] = [0, undefined]
  for (const metric of metrics) {
    const known = knownOf(node, device, metric)
    if (!known) {
      fault ??=
        metric.alias === undefined ? `a metric without a birth: ${short(metric.name ?? '')}` : `an alias without a birth: ${metric.alias}`
      continue
    }
    if (isControl(known.key)) continue
    const value = known.key ? valueIn(metric, metric.datatype ?? known.datatype) : undefined
    if (value === undefined) {
      skipped++
      continue
    }
    const at = isBirth && !metric.isHistorical ? (time ?? metric.time) : (metric.time ?? time)
    const more = metric.isHistorical ? { isHistory: true as const } : {}
    values.push({ device, key: known.key, time: at, value, ...qualityOf(metric, value), ...more })
  }
  return { values, ...(skipped && { skipped }), ...(fault && { fault }) }
}

/** Describes a gap in the sequence numbers. */
const gapIn = (node: EdgeNode, { seq }: Payload, isBirth: boolean): string | undefined => {
  const expected = isBirth ? 0 : (node.seq + 1) % 256
  if (seq === undefined || seq < 0 || seq > 255) return 'no seq from 0 to 255'
  node.seq = seq
  return seq === expected ? undefined : `seq ${seq} where ${expected} follows`
}

/** Rebirth requests are throttled, more so after a refused birth. */
const isDue = (node: EdgeNode, now: number) => now - node.askedAt >= (node.isRefused ? askAgain : askEvery)
type Value = { device: string; key: string; value: number }

export class EdgeNodes {
  readonly #nodes = new Map<Send, EdgeNode>()
  readonly #ofTenant = new Map<number, number>()
  readonly #now: () => number
  readonly #most: { ofTenant: number; ofAll: number }
  /** Number of remembered metrics of all edge nodes. */
  known = 0

  constructor(now: () => number, most = { ofTenant: mostOfTenant, ofAll: mostOfAll }) {
    this.#now = now
    this.#most = most
  }

  #count(node: EdgeNode, metrics: number) {
    node.size += metrics
    this.known += metrics
    const rest = (this.#ofTenant.get(node.tenant) ?? 0) + metrics
    if (rest) this.#ofTenant.set(node.tenant, rest)
    else this.#ofTenant.delete(node.tenant)
  }
  /** Removes an edge node, or one of its devices. The cost must not depend on the other devices: births of devices are short. */
  #forget(node: EdgeNode, device?: string) {
    if (device === undefined) {
      this.#count(node, -node.size)
      for (const part of [node.byAlias, node.byName, node.devices]) part.clear()
      return
    }
    const own = node.byName.get(device)
    for (const { alias } of own?.values() ?? []) if (alias !== undefined) node.byAlias.delete(alias)
    this.#count(node, -(own?.size ?? 0))
    node.byName.delete(device)
    node.devices.delete(device)
  }
  #die(node: EdgeNode) {
    this.#forget(node)
    node.isBorn = false
  }
  #askForBirth(node: EdgeNode, send: Send) {
    if (isDue(node, this.#now()) && send(topicOf('NCMD', node), rebirthCommand(this.#now()))) node.askedAt = this.#now()
  }

  /** The limit that a further metric would exceed. */
  #fullness({ size, tenant }: EdgeNode): string | undefined {
    const { ofTenant, ofAll } = this.#most
    if (size >= mostMetrics) return `more than ${mostMetrics} metrics of one edge node`
    if ((this.#ofTenant.get(tenant) ?? 0) >= ofTenant) return `more than ${ofTenant} metrics of all edge nodes of a company`
    return this.known >= ofAll ? 'this server knows as many metrics as it can' : undefined
  }
  /** Stores the metrics of a birth; returns the error if it is refused. */
  #remember(node: EdgeNode, device: string, { metrics }: Payload): string | undefined {
    if (device && node.devices.size >= mostDevices) return `more than ${mostDevices} devices`
    if (device) node.devices.add(device)
    const own = node.byName.get(device) ?? new Map<string, Known>()
    node.byName.set(device, own)
    for (const { name, alias, datatype = 0 } of metrics) {
      if (name === undefined) return 'a birth of a metric without a name'
      const id = idOf(name)
      if (own.has(id)) continue
      if (alias !== undefined && (!Number.isSafeInteger(alias) || alias < 0)) return 'an alias above 2^53'
      if (alias !== undefined && node.byAlias.has(alias)) return `alias ${alias} is given twice`
      const full = this.#fullness(node)
      if (full) return full
      const known = { device, key: isName(name) ? name : '', alias, datatype }
      own.set(id, known)
      if (alias !== undefined) node.byAlias.set(alias, known)
      this.#count(node, 1)
    }
  }
  #bear(node: EdgeNode, device: string, payload: Payload): Outcome {
    this.#forget(node, device || undefined)
    const fault = this.#remember(node, device, payload)
    node.isRefused = fault !== undefined
    if (fault) {
      if (device) this.#forget(node, device)
      else this.#die(node)
      return refused(fault)
    }
    if (!device) {
      node.isBorn = true
      node.bdSeq = lifeOf(payload)
      node.askedAt = Number.NEGATIVE_INFINITY
    }
    return { born: device, heard: valuesOf(node, device, payload, true) }
  }

  #nodeOf(send: Send, { EnterpriseId }: Door, { group, edge }: Place): EdgeNode {
    const known = this.#nodes.get(send)
    if (known) return known
    const made: EdgeNode = {
      ...{ group, edge, tenant: EnterpriseId, isBorn: false, seq: 255, bdSeq: undefined },
      ...{ byAlias: new Map(), byName: new Map(), size: 0, devices: new Set<string>() },
      ...{ askedAt: Number.NEGATIVE_INFINITY, isRefused: false, ahead: 0 },
    }
    this.#nodes.set(send, made)
    return made
  }
  #end(node: EdgeNode, payload: Payload): Outcome {
    const life = lifeOf(payload)
    if (!node.isBorn || life !== node.bdSeq) return refused(`a death of another life: bdSeq ${life}`)
    this.#die(node)
    return { dead: '' }
  }
  /** Handles a message of an edge node that is online. */
  #live(node: EdgeNode, { kind, device }: Place, payload: Payload, send: Send): Outcome {
    if (kind === 'NBIRTH' || kind === 'DBIRTH') return this.#bear(node, device, payload)
    if (device && !node.devices.has(device)) {
      this.#askForBirth(node, send)
      return refused(`${kind} of a device without a birth: ${short(device)}`)
    }
    if (kind === 'DDEATH') {
      this.#forget(node, device)
      return { dead: device }
    }
    const heard = valuesOf(node, device, payload, false)
    if (heard.fault) this.#askForBirth(node, send)
    return { heard }
  }

  follow(door: Door, topic: string, bytes: Buffer, send: Send): Outcome {
    const place = placeOf(topic)
    if (!place) return refused(`no topic of an edge node: ${short(topic)}`)
    if (place.group !== door.SparkplugGroup || place.edge !== door.SparkplugNode)
      return refused(`the token is of ${door.SparkplugGroup}/${door.SparkplugNode}, and not of ${short(topic)}`)
    if (place.device && !isName(place.device)) return refused('the name of a device is too long')
    const payload = readPayload(bytes)
    if ('fault' in payload) return refused(payload.fault)
    const node = this.#nodeOf(send, door, place)
    const ahead = (payload.time ?? Number.NaN) - this.#now()
    if (Math.abs(ahead) < day) node.ahead = ahead
    const isBirth = place.kind === 'NBIRTH'
    if (place.kind === 'NDEATH') return this.#end(node, payload)
    if (!isBirth && !node.isBorn) {
      this.#askForBirth(node, send)
      return refused(`${place.kind} before a birth`)
    }
    const gap = gapIn(node, payload, isBirth)
    if (gap) this.#askForBirth(node, send)
    if (gap && isBirth) return refused(gap)
    const outcome = this.#live(node, place, payload, send)
    return gap ? { ...outcome, heard: { ...(outcome.heard ?? { values: [] }), fault: outcome.heard?.fault ?? gap } } : outcome
  }

  /** Removes a closed connection. Returns whether its edge node was online. */
  leave(send: Send): boolean {
    const node = this.#nodes.get(send)
    this.#nodes.delete(send)
    const wasBorn = node?.isBorn ?? false
    if (node) this.#die(node)
    return wasBorn
  }
  isBorn(send: Send) {
    return this.#nodes.get(send)?.isBorn ?? false
  }
  /** The current time of an edge node, estimated from its messages. */
  timeAt(send: Send) {
    return this.#now() + (this.#nodes.get(send)?.ahead ?? 0)
  }
  /** The command that writes a value over a connection; undefined if no birth defined the metric, null if its type does not take the value. */
  commandOf(send: Send, { device, key, value }: Value) {
    const node = this.#nodes.get(send)
    const known = node?.byName.get(device)?.get(idOf(key))
    if (!node || !known) return undefined
    const command = writeCommand(known, value, this.#now())
    return command ? { ...command, topic: topicOf(device ? 'DCMD' : 'NCMD', node, device) } : null
  }
}
