// ThingsBoard's device and gateway API over MQTT, and its device API over HTTP, as documented.
import { excerpt, type Heard, type HeardValue, isName, isObject, mostValues, parseJson, pushValues } from './heard.ts'

/** `{k: v}`, `{ts, values: {k: v}}`, or a list of these. */
const telemetryInto = (into: HeardValue[], given: unknown, device: string): boolean => {
  const list = Array.isArray(given) ? given : [given]
  for (const one of list) {
    if (!isObject(one) || into.length >= mostValues) return false
    if (isObject(one.values) && one.ts !== undefined) {
      if (!Number.isSafeInteger(one.ts)) return false
      pushValues(into, one.values, device, one.ts as number)
    } else pushValues(into, one, device, null)
  }
  return true
}

const shape = 'not one of {"key": value}, {"ts": ms, "values": {…}}, or a list of these'
export const readTelemetry = (payload: Buffer): Heard => {
  const parsed = parseJson(payload)
  if ('fault' in parsed) return { values: [], fault: parsed.fault }
  const values: HeardValue[] = []
  return telemetryInto(values, parsed.json, '') ? { values } : { values, fault: shape }
}
/** `{"Device A": telemetry, …}` */
export const readGatewayTelemetry = (payload: Buffer): Heard => {
  const parsed = parseJson(payload)
  if ('fault' in parsed) return { values: [], fault: parsed.fault }
  if (!isObject(parsed.json)) return { values: [], fault: 'not an object by device' }
  const values: HeardValue[] = []
  const wrong = Object.entries(parsed.json).filter(([device, given]) => !isName(device) || !telemetryInto(values, given, device))
  return wrong.length ? { values, fault: `${wrong[0]![0].slice(0, 60)}: ${shape}` } : { values }
}
export const readAttributes = (payload: Buffer): Heard => ({ ...readTelemetry(payload), isQuiet: true })
export const readGatewayAttributes = (payload: Buffer): Heard => ({ ...readGatewayTelemetry(payload), isQuiet: true })

/** Meanings of topics of the MQTT API. */
export type Said =
  | { heard: Heard }
  /** A device of a gateway connects or disconnects. */
  | { device: string; isThere: boolean }
  /** The answer to a call; `id` is the id of that call. */
  | { answered: string; error?: string }
  /** A request to reply to immediately. */
  | { reply: { topic: string; payload: string } }
  | { unknown: true }

const errorIn = (data: unknown) => {
  const found = isObject(data) ? data.error : undefined
  return found === undefined ? {} : { error: excerpt(found) }
}
const ofGateway = (topic: string, payload: Buffer): Said => {
  if (topic === 'telemetry') return { heard: readGatewayTelemetry(payload) }
  if (topic === 'attributes') return { heard: readGatewayAttributes(payload) }
  const parsed = parseJson(payload)
  if ('fault' in parsed || !isObject(parsed.json))
    return { heard: { values: [], fault: 'fault' in parsed ? parsed.fault : 'not an object' } }
  const { device, id, data } = parsed.json
  if (topic === 'connect' || topic === 'disconnect')
    return typeof device === 'string' && isName(device)
      ? { device, isThere: topic === 'connect' }
      : { heard: { values: [], fault: 'device' } }
  if (topic === 'rpc') return { answered: excerpt(id), ...errorIn(data) }
  // Server attributes are not supported: the reply is empty.
  if (topic === 'attributes/request')
    return { reply: { topic: 'v1/gateway/attributes/response', payload: JSON.stringify({ id, device, value: null }) } }
  return { unknown: true }
}
export const readTopic = (topic: string, payload: Buffer): Said => {
  if (topic.startsWith('v1/gateway/')) return ofGateway(topic.slice('v1/gateway/'.length), payload)
  const own = topic.startsWith('v1/devices/me/') ? topic.slice('v1/devices/me/'.length) : ''
  if (own === 'telemetry') return { heard: readTelemetry(payload) }
  if (own === 'attributes') return { heard: readAttributes(payload) }
  const [, request] = /^attributes\/request\/(\d{1,10})$/.exec(own) ?? []
  if (request) return { reply: { topic: `v1/devices/me/attributes/response/${request}`, payload: '{}' } }
  const [, response] = /^rpc\/response\/(\d{1,10})$/.exec(own) ?? []
  if (!response) return { unknown: true }
  const parsed = parseJson(payload)
  return { answered: response, ...('json' in parsed ? errorIn(parsed.json) : {}) }
}

const filters =
  /^v1\/(devices\/me\/(rpc\/request\/(\+|#|\d+)|attributes|attributes\/response\/(\+|#|\d+))|gateway\/(rpc|attributes|attributes\/response))$/
export const maySubscribe = (filter: string) => filters.test(filter)

/** The call that writes a value. */
export const writeCall = (id: number, { device, key, value }: { device: string; key: string; value: number }) => {
  const call = { method: 'setValue', params: { [key]: value } }
  return device
    ? { topic: 'v1/gateway/rpc', payload: JSON.stringify({ device, data: { id, ...call } }) }
    : { topic: `v1/devices/me/rpc/request/${id}`, payload: JSON.stringify(call) }
}
