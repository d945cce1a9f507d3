import { topic } from '../../contract/gateway-protocol.ts'
import { isUpKind, type Refusal, type UpKind } from './uplink.ts'

const serial = /^[0-9A-Z]{8,32}$/
export const isSerial = (sn: unknown): sn is string => typeof sn === 'string' && serial.test(sn)

/** `iot/v1/{SN}/up/{kind}` taken apart; undefined when it is anything else. */
export const parseUp = (name: string): { sn: string; kind: string } | undefined => {
  const [iot, v1, sn, up, kind, ...rest] = name.split('/', 7)
  return iot === 'iot' && v1 === 'v1' && up === 'up' && isSerial(sn) && kind && !rest.length ? { sn, kind } : undefined
}

/** What a gateway may publish: its own topics of known kinds, retained only its state. */
export const mayPublish = (sn: string, name: string, retain: boolean): { kind: UpKind } | { refused: Refusal } => {
  const to = parseUp(name)
  if (to?.sn !== sn) return { refused: 'foreignPublish' }
  if (!isUpKind(to.kind)) return { refused: 'unknownKind' }
  return retain && to.kind !== 'state' ? { refused: 'retained' } : { kind: to.kind }
}

/** What a gateway may subscribe to: one kind of its own down topics, or all of them. */
export const maySubscribe = (sn: string, filter: string) => {
  const own = topic(sn, 'down', '')
  return filter.startsWith(own) && /^(\+|#|[a-z]{1,32})$/.test(filter.slice(own.length))
}

export const isOwnWill = (sn: string, name: string) => name === topic(sn, 'up', 'state')

/** Whether one of the filters that maySubscribe lets pass matches a kind that goes down. */
export const hears = (sn: string, filters: ReadonlySet<string>, kind: string) =>
  [kind, '+', '#'].some((last) => filters.has(topic(sn, 'down', last)))
