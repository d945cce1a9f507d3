// Checks that a point's address is valid for the protocol of its device. All calls that write points use this check.
import { sql } from 'kysely'
import { addressFault } from '../../../../contract/protocols/index.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { foreignGateway } from '../../gateways/contract.ts'

/** Devices of external senders have no channel; their point addresses are the keys of the sender. */
const foreign = -1

/** SQL of the protocol of a device, by its alias; without a channel it is Modbus. */
export const protocolColumn = (device: 'd' | 't') => {
  const of = (name: string) => sql.ref(`${device}.${name}`)
  return sql`case when exists (select 1 from gateway g where g."Id" = ${of('GatewayId')} and g."GatewayTypeId" = ${foreignGateway})
    then ${sql.lit(foreign)} when ${of('CommType')} = 0
    then coalesce((select n."ProtocolType" from net_protocol n where n."Id" = ${of('NetProtocolId')}), 0)
    else coalesce((select s."ProtocolType" from serial_protocol s where s."Id" = ${of('SerialProtocolId')}), 1) end`
}

/** The protocols of devices, by Id. */
export const protocolsOf = async (db: Db, devices: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await db.rows<{ Id: number; Protocol: number }>(
    sql`select d."Id", ${protocolColumn('d')} as "Protocol" from device d where d."Id" = any(${[...new Set(devices)]}::bigint[])`,
  )
  return new Map(rows.map(({ Id, Protocol }) => [Id, Protocol]))
}

/** The fault of an address that is invalid for the protocol. */
export const faultOf = (protocol: number | undefined, address: unknown): FieldFault[] => {
  if (typeof address !== 'string' || protocol === foreign) return []
  const fault = addressFault(protocol ?? 0, address)
  return fault
    ? [{ field: 'Address', rule: 'addressForm', values: { value: address.slice(0, 60), at: fault.at + 1, example: fault.example } }]
    : []
}

/** The same check for many points of one device, with one protocol lookup. */
export const addressesOn = async (db: Db, device: number): Promise<Check> => {
  const protocol = (await protocolsOf(db, [device])).get(device)
  return async (_db, _actor, given) => {
    const faults = faultOf(protocol, given.Address)
    if (faults.length) throw new FieldFaults(faults)
    return given
  }
}

/** Checks a new or changed address of a point. Unchanged addresses are accepted. */
export const addressCheck: Check = async (db, _actor, given, held) => {
  if (given.Address === undefined || given.Address === held?.Address) return given
  const device = Number(given.DeviceId ?? held?.DeviceId)
  const faults = faultOf((await protocolsOf(db, [device])).get(device), given.Address)
  if (faults.length) throw new FieldFaults(faults)
  return given
}
