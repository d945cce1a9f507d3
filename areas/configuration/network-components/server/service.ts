import { randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { type Check, record, store } from '../../../../server/resource/store.ts'
import { assertSwitchedOn } from '../../channels/server/service.ts'
import { device } from '../../devices/contract.ts'
import { foreignGateway, gateway, subTypeOf } from '../../gateways/contract.ts'
import { point } from '../../points/contract.ts'
import { type componentCalls, hj212, type NetworkComponent, networkComponent, type SeenKey, sparkplug } from '../contract.ts'
import { hashOf, newToken, stationToken } from './doors.ts'
import { type Place, placeKey } from './stations.ts'

export const components = store(networkComponent)
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const lettersOf = (length: number) => Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
/** Nobody types it: it names the sender in logs and lists. */
const newSerial = () => `F${lettersOf(15)}`
/** As long as a PW of HJ 212. */
const newPassword = () => lettersOf(6)

const isNetwork = (text: string) => {
  const [net = '', bits, ...more] = text.trim().split('/')
  const width = isIP(net) === 6 ? 128 : 32
  return isIP(net) > 0 && !more.length && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= width))
}
/** Ports are the operator's; a datagram says where it comes from and proves nothing, so that networks of UDP are named. */
export const placeCheck =
  (allowed: readonly Place[]): Check =>
  async (_db, _actor, given, held) => {
    const { Language, Port, Transport, Networks } = { ...held, ...given } as Partial<NetworkComponent>
    if (Language !== hj212) return { ...given, ...('Port' in given && { Port: null }), ...('Networks' in given && { Networks: null }) }
    if (!Port) throw new FieldFaults([{ field: 'Port', rule: 'required' }])
    const place = { Port, Transport: Transport ?? 1 }
    const isChanged = given.Port !== undefined && given.Port !== held?.Port
    if ((isChanged || !held) && !allowed.some((one) => placeKey(one) === placeKey(place))) {
      const open = allowed.map((one) => `${one.Port}${one.Transport === 2 ? '/udp' : ''}`).join(', ') || '–'
      throw new FieldFaults([{ field: 'Port', rule: 'sender.portClosed', values: { setting: 'PENSTOCK_UPLINK_PORTS', open } }])
    }
    if (Networks && !Networks.split(',').every(isNetwork)) throw new FieldFaults([{ field: 'Networks', rule: 'sender.networks' }])
    if (place.Transport === 2 && !Networks) throw new FieldFaults([{ field: 'Networks', rule: 'sender.udpNetworks' }])
    return given
  }

type Draft = Omit<Body<typeof componentCalls.create>, 'ProjectId'>
/** The edge node that a token of Sparkplug is for. A company has each once: two would take turns in being dead. */
const edgeNodeOf = async (db: Db, enterprise: number, { Language, SparkplugGroup, SparkplugNode }: Draft) => {
  if (Language !== sparkplug) return {}
  const missing = Object.entries({ SparkplugGroup, SparkplugNode }).filter(([, value]) => !value)
  if (missing.length) throw new FieldFaults(missing.map(([field]) => ({ field, rule: 'required' })))
  const taken = await db.rows(sql`
    select 1 from network_component where "EnterpriseId" = ${enterprise} and "SparkplugGroup" = ${SparkplugGroup} and "SparkplugNode" = ${SparkplugNode}`)
  if (taken.length) throw new FieldFaults([{ field: 'SparkplugNode', rule: 'taken' }])
  return { SparkplugGroup, SparkplugNode }
}

/** A door, and the gateway that its sender is from now on. */
export const createDoor = (db: Db, actor: Actor, { ProjectId, ...given }: Body<typeof componentCalls.create>, check: Check) => {
  assertHolds(actor, [`${gateway.permission}.add`])
  const isStation = given.Language === hj212
  const { MN = null, Password = newPassword(), Port = null, Transport = 1, Networks = null } = isStation ? given : {}
  if (isStation && !MN) throw new FieldFaults([{ field: 'MN', rule: 'required' }])
  const Token = isStation ? Password : (given.Token ?? newToken())
  const TokenHash = hashOf(MN ? stationToken(MN, Password) : Token)
  return db.tx(async (db) => {
    await check(db, actor, { ...given }, undefined)
    const draft = { GatewayName: given.ComponentName, SN: newSerial(), ProjectId }
    const { Id: GatewayId, EnterpriseId } = await store(gateway).create(db, actor, draft)
    await assertSwitchedOn(db, EnterpriseId, 2, given.Language, 'Language')
    await db.rows(sql`
      update gateway set "GatewayTypeId" = ${foreignGateway}, "GatewaySubTypeId" = ${subTypeOf(given.Language)}, "ConfigStatus" = 0 where "Id" = ${GatewayId}`)
    const { ComponentName, Language, DeviceLevel = null, Remark = null } = given
    const { SparkplugGroup = null, SparkplugNode = null } = await edgeNodeOf(db, EnterpriseId, given)
    const place = isStation ? { Port, Transport } : { Port: null, Transport: null }
    const [row] = await db
      .rows<{ Id: number }>(sql`
      insert into network_component ("EnterpriseId", "ComponentName", "Language", "GatewayId", "DeviceLevel", "SparkplugGroup", "SparkplugNode", "Remark", "TokenHash", "MN", "Transport", "Port", "Networks")
      values (${EnterpriseId}, ${ComponentName}, ${Language}, ${GatewayId}, ${DeviceLevel}, ${SparkplugGroup}, ${SparkplugNode}, ${Remark}, ${TokenHash}, ${MN}, ${place.Transport}, ${place.Port}, ${Networks}) returning "Id"`)
      .catch((error: { constraint?: string }) => {
        throw isStation && error.constraint?.includes('TokenHash') ? new FieldFaults([{ field: 'MN', rule: 'taken' }]) : error
      })
    const made = await components.find(db, actor, row!.Id)
    await record(db, actor, networkComponent, 'create', made.Id, EnterpriseId, null, made)
    return { ...made, Token }
  })
}

/** A new token; the old one is worth nothing once this is committed. */
export const resetToken = (db: Db, actor: Actor, row: NetworkComponent) =>
  db.tx(async (db) => {
    const Token = row.MN ? newPassword() : newToken()
    const hash = hashOf(row.MN ? stationToken(row.MN, Token) : Token)
    await db.rows(sql`update network_component set "TokenHash" = ${hash}, "UpdateTime" = now() where "Id" = ${row.Id}`)
    await record(db, actor, networkComponent, 'update', row.Id, row.EnterpriseId, {}, { Token: 'reset' })
    return { ...(await components.find(db, actor, row.Id)), Token }
  })

type Key = Pick<SeenKey, 'Device' | 'Key'>
const maxName = 50
/** A free name within the length limit. Long names lose their beginning, since the end is more specific. */
const nameFor = (wanted: string, taken: Set<string>) => {
  const short = wanted.length > maxName ? `…${wanted.slice(1 - maxName)}` : wanted
  for (let n = 1; ; n++) {
    const name = n === 1 ? short : `${short.slice(0, maxName - 5)} ${n}`
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

/** The device of a sender's name, which is made where it is not there. */
const deviceFor = async (db: Db, actor: Actor, of: NetworkComponent, SenderName: string, names: Set<string>) => {
  const [known] = await db.rows<{ Id: number }>(sql`
    select "Id" from device where "GatewayId" = ${of.GatewayId} and coalesce("SenderName", "DeviceName") = ${SenderName} order by "SenderName" nulls last limit 1`)
  if (known) return { Id: known.Id, isNew: false }
  const DeviceName = nameFor(SenderName || of.ComponentName, names)
  const { Id } = await store(device).create(db, actor, { GatewayId: of.GatewayId, DeviceName })
  await db.rows(sql`update device set "SenderName" = ${SenderName} where "Id" = ${Id}`)
  return { Id, isNew: true }
}

/** Makes devices and points of what a sender sends, all or none. A point's address is the key. */
export const adopt = (db: Db, actor: Actor, id: number, keys: readonly Key[]) => {
  assertHolds(actor, [networkComponent.permission, `${device.permission}.add`])
  return db.tx(async (db) => {
    const of = await components.find(db, actor, id)
    await db.rows(sql`select 1 from gateway where "Id" = ${of.GatewayId} for no key update`)
    const devices = await db.rows<{ DeviceName: string }>(sql`select "DeviceName" from device where "GatewayId" = ${of.GatewayId}`)
    const names = new Set(devices.map(({ DeviceName }) => DeviceName))
    let [Devices, Points] = [0, 0]
    for (const [SenderName, own] of Map.groupBy(keys, ({ Device }) => Device)) {
      const { Id, isNew } = await deviceFor(db, actor, of, SenderName, names)
      Devices += Number(isNew)
      const held = await db.rows<{ ParaName: string; Address: string }>(
        sql`select "ParaName", "Address" from point where "DeviceId" = ${Id}`,
      )
      const [taken, there] = [new Set(held.map((p) => p.ParaName)), new Set(held.flatMap((p) => [p.Address, p.ParaName]))]
      const items = own
        .filter(({ Key }) => !there.has(Key))
        .map(({ Key }) => ({ DeviceId: Id, ParaName: nameFor(Key, taken), Address: Key, UploadMode: 3 as const }))
      if (!items.length) continue
      await addMany(db, actor, point, items)
      Points += items.length
    }
    return { Devices, Points }
  })
}
