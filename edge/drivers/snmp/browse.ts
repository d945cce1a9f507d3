import { type Browsed, DriverFault } from '../driver.ts'
import { noSuchName, Refused, type SnmpLink } from './link.ts'
import { isMissing, textOf } from './values.ts'

/** Names of common objects: RFC 1213, 2790, 1628, 2863, 4133, 3433, and enterprises of IANA's list. */
const names: Readonly<Record<string, string>> = {
  '1.3.6.1.2.1': 'mib-2',
  '1.3.6.1.2.1.1': 'system',
  '1.3.6.1.2.1.1.1.0': 'sysDescr',
  '1.3.6.1.2.1.1.2.0': 'sysObjectID',
  '1.3.6.1.2.1.1.3.0': 'sysUpTime',
  '1.3.6.1.2.1.1.4.0': 'sysContact',
  '1.3.6.1.2.1.1.5.0': 'sysName',
  '1.3.6.1.2.1.1.6.0': 'sysLocation',
  '1.3.6.1.2.1.1.7.0': 'sysServices',
  '1.3.6.1.2.1.2': 'interfaces',
  '1.3.6.1.2.1.2.1.0': 'ifNumber',
  '1.3.6.1.2.1.2.2.1.2': 'ifDescr',
  '1.3.6.1.2.1.2.2.1.5': 'ifSpeed',
  '1.3.6.1.2.1.2.2.1.8': 'ifOperStatus',
  '1.3.6.1.2.1.2.2.1.10': 'ifInOctets',
  '1.3.6.1.2.1.2.2.1.16': 'ifOutOctets',
  '1.3.6.1.2.1.4': 'ip',
  '1.3.6.1.2.1.5': 'icmp',
  '1.3.6.1.2.1.6': 'tcp',
  '1.3.6.1.2.1.7': 'udp',
  '1.3.6.1.2.1.11': 'snmp',
  '1.3.6.1.2.1.25': 'host',
  '1.3.6.1.2.1.25.1': 'hrSystem',
  '1.3.6.1.2.1.25.2': 'hrStorage',
  '1.3.6.1.2.1.25.3': 'hrDevice',
  '1.3.6.1.2.1.31': 'ifMIB',
  '1.3.6.1.2.1.33': 'upsMIB',
  '1.3.6.1.2.1.33.1.1': 'upsIdent',
  '1.3.6.1.2.1.33.1.2': 'upsBattery',
  '1.3.6.1.2.1.33.1.3': 'upsInput',
  '1.3.6.1.2.1.33.1.4': 'upsOutput',
  '1.3.6.1.2.1.33.1.5': 'upsBypass',
  '1.3.6.1.2.1.33.1.6': 'upsAlarm',
  '1.3.6.1.2.1.47': 'entityMIB',
  '1.3.6.1.2.1.99': 'entitySensorMIB',
  '1.3.6.1.4.1': 'enterprises',
  '1.3.6.1.4.1.9': 'Cisco',
  '1.3.6.1.4.1.318': 'APC',
  '1.3.6.1.4.1.476': 'Liebert',
  '1.3.6.1.4.1.534': 'Eaton',
  '1.3.6.1.4.1.2011': 'Huawei',
  '1.3.6.1.4.1.2021': 'UCD-SNMP',
  '1.3.6.1.4.1.8072': 'Net-SNMP',
}
const nameOf = (oid: string) => names[oid] ?? oid.slice(oid.lastIndexOf('.') + 1)

const roots = ['1.3.6.1.2.1', '1.3.6.1.4.1']
/** Maximum children of one object, and displayed characters of a value. */
const [most, longest] = [500, 60]
const largestArc = 0xffffffff

/** Whether an OID follows another in lexicographic order. */
const isAfter = (oid: string, before: string) => {
  const [a, b] = [oid.split('.').map(Number), before.split('.').map(Number)]
  const at = a.findIndex((arc, i) => arc !== b[i])
  return at >= 0 && (b[at] === undefined || a[at]! > b[at])
}

/** Children of an object, one request each: the subtree of a child is skipped. */
export const browse = async (link: SnmpLink, below: string | undefined, timeoutMs: number): Promise<Browsed[]> => {
  if (below === undefined) return roots.map((id) => ({ id, name: nameOf(id), hasMore: true }))
  if (!/^\d+(\.\d+)*$/.test(below)) throw new DriverFault('address', `${below.slice(0, 50)} is no object identifier`)
  const found: Browsed[] = []
  for (let from = below; found.length < most; ) {
    const next = await link.next(from, timeoutMs).catch((error: unknown) => {
      // The end of a version 1 agent's objects.
      if (error instanceof Refused && error.status === noSuchName) return undefined
      throw error instanceof Refused ? new DriverFault('refused', error.message) : error
    })
    if (!next || isMissing(next) || !next.oid.startsWith(`${below}.`)) break
    if (!isAfter(next.oid, from)) throw new DriverFault('garbled', 'the agent goes round in circles')
    const id = `${below}.${next.oid.slice(below.length + 1).split('.')[0]}`
    const isValue = id === next.oid
    const shown = isValue ? `${nameOf(id)} = ${textOf(next).slice(0, longest)}` : nameOf(id)
    found.push({ id, name: shown, hasMore: !isValue, ...(isValue ? { address: id } : {}) })
    from = isValue ? id : `${id}.${largestArc}`
  }
  return found
}
