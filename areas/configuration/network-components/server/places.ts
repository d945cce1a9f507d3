// Checks port, networks and registration of senders that connect to a port of this server.
import { isIP } from 'node:net'
import { identityBytes, mostIdentity } from '../../../../contract/protocols/dialled.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { selfParse } from '../../self-parse/contract.ts'
import { described, dialling, inHex, inText, leastRegistration, type NetworkComponent } from '../contract.ts'
import { registrationOf } from './dialling.ts'
import type { Doors } from './doors.ts'
import { type Place, placeKey } from './stations.ts'

type Held = Partial<NetworkComponent>
const refuse = (field: string, rule: string, values?: Record<string, string | number>): never => {
  throw new FieldFaults([{ field, rule, ...(values && { values }) }])
}

const isNetwork = (text: string) => {
  const [net = '', bits, ...more] = text.trim().split('/')
  const width = isIP(net) === 6 ? 128 : 32
  return isIP(net) > 0 && !more.length && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= width))
}
/** Requires that the description belongs to the same company. */
export const assertOwn = async (db: Db, actor: Actor, enterprise: number, id: number | null | undefined) => {
  if (!id) return
  const found = await store(selfParse)
    .find(db, actor, id)
    .catch(() => undefined)
  if (found?.EnterpriseId !== enterprise) refuse('SelfParseId', 'unknownReference')
}

/** Registrations identify devices: none may be a prefix of another. */
const checkTalk = (all: Held, doors: Doors) => {
  if (!all.SelfParseId) refuse('SelfParseId', 'required')
  if (!all.Registration) refuse('Registration', 'required')
  const form = all.RegistrationForm === inHex ? 'hex' : 'text'
  for (const field of ['Registration', 'Heartbeat'] as const) {
    const length = all[field] ? identityBytes(form, all[field])?.length : leastRegistration
    if (length === undefined) refuse(field, 'notHex')
    else if (length > mostIdentity || (field === 'Registration' && length < leastRegistration))
      refuse(field, 'sender.registration', { min: leastRegistration, max: mostIdentity })
  }
  const own = registrationOf({ RegistrationForm: all.RegistrationForm ?? inText, Registration: all.Registration ?? null })
  for (const door of doors.all()) {
    const other = door.Id !== all.Id && door.Registration ? registrationOf(door) : undefined
    const length = Math.min(own.length, other?.length ?? 0)
    if (other && own.subarray(0, length).equals(other.subarray(0, length))) refuse('Registration', 'taken')
  }
}

const talkFields = ['SelfParseId', 'Heartbeat', 'HeartbeatPeriod', 'AskPeriod', 'Units'] as const
const placeFields = ['Port', 'Networks'] as const
/** Ports come from the server's settings. UDP source addresses can be forged, so UDP needs an allow list of networks. */
export const placeCheck =
  (allowed: readonly Place[], doors: Doors): Check =>
  async (_db, _actor, given, held) => {
    const all = { ...held, ...given } as Held
    const { Language = 0, Port, Transport, Networks } = all
    const strange = [...(dialling.includes(Language) ? [] : placeFields), ...(Language === described ? [] : talkFields)]
    const own = { ...given, ...Object.fromEntries(strange.filter((name) => name in given).map((name) => [name, null])) }
    if (!dialling.includes(Language)) return own
    if (!Port) return refuse('Port', 'required')
    const place = { Port, Transport: Transport ?? 1 }
    const isChanged = given.Port !== undefined && given.Port !== held?.Port
    if ((isChanged || !held) && !allowed.some((one) => placeKey(one) === placeKey(place))) {
      const open = allowed.map((one) => `${one.Port}${one.Transport === 2 ? '/udp' : ''}`).join(', ') || '–'
      refuse('Port', 'sender.portClosed', { setting: 'PENSTOCK_UPLINK_PORTS', open })
    }
    if (Networks && !Networks.split(',').every(isNetwork)) refuse('Networks', 'sender.networks')
    if (place.Transport === 2 && !Networks) refuse('Networks', 'sender.udpNetworks')
    if (Language === described) {
      checkTalk(all, doors)
      if (held) for (const name of ['HeartbeatPeriod', 'AskPeriod', 'Units'] as const) if (own[name] === null) refuse(name, 'required')
    }
    return own
  }
