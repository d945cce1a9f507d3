import { randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { type Check, record, store } from '../../../../server/resource/store.ts'
import { assertSwitchedOn } from '../../channels/server/service.ts'
import { device } from '../../devices/contract.ts'
import { foreignGateway, gateway, subTypeOf } from '../../gateways/contract.ts'
import { point } from '../../points/contract.ts'
import {
  type componentCalls,
  described,
  hj212,
  inText,
  type NetworkComponent,
  networkComponent,
  type SeenKey,
  sparkplug,
} from '../contract.ts'
import { registrationOf } from './dialling.ts'
import { hashOf, newToken, registrationToken, stationToken } from './doors.ts'
import { assertOwn } from './places.ts'

export const components = store(networkComponent)
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const lettersOf = (length: number) => Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
/** Identifies the sender in logs and lists; people never type it. */
const newSerial = () => `F${lettersOf(15)}`
/** As long as an HJ 212 PW. */
const newPassword = () => lettersOf(6)

type Draft = Omit<Body<typeof componentCalls.create>, 'ProjectId'>
/** The edge node of a Sparkplug token. Unique within a company: two would keep marking each other dead. */
const edgeNodeOf = async (db: Db, enterprise: number, { Language, SparkplugGroup, SparkplugNode }: Draft) => {
  if (Language !== sparkplug) return {}
  const missing = Object.entries({ SparkplugGroup, SparkplugNode }).filter(([, value]) => !value)
  if (missing.length) throw new FieldFaults(missing.map(([field]) => ({ field, rule: 'required' })))
  const taken = await db.rows(sql`
    select 1 from network_component where "EnterpriseId" = ${enterprise} and "SparkplugGroup" = ${SparkplugGroup} and "SparkplugNode" = ${SparkplugNode}`)
  if (taken.length) throw new FieldFaults([{ field: 'SparkplugNode', rule: 'taken' }])
  return { SparkplugGroup, SparkplugNode }
}

type Given = Omit<Body<typeof componentCalls.create>, 'ProjectId'>
/** Fields of a sender that connects to a port, and its token. */
const dialledOf = (given: Given) => {
  const { MN, Password = newPassword(), Port = null, Transport = 1, Networks = null } = given
  const place = { Port, Transport, Networks }
  if (given.Language === hj212) {
    if (!MN) throw new FieldFaults([{ field: 'MN', rule: 'required' }])
    return { row: { MN, ...place }, Token: Password, hashed: stationToken(MN, Password) }
  }
  if (given.Language !== described) return undefined
  const { SelfParseId = null, RegistrationForm = inText, Registration = null, Heartbeat = null } = given
  const { HeartbeatPeriod = 60, AskPeriod = 60, Units = '1' } = given
  const talk = { SelfParseId, RegistrationForm, Registration, Heartbeat, HeartbeatPeriod, AskPeriod, Units }
  return { row: { ...place, ...talk }, Token: Registration ?? '', hashed: registrationToken(registrationOf(talk)) }
}
type TokenOwner = { TokenHash?: unknown; constraint?: string }
const taken = (language: number) => (error: TokenOwner) => {
  const field = language === hj212 ? 'MN' : language === described ? 'Registration' : undefined
  throw field && error.constraint?.includes('TokenHash') ? new FieldFaults([{ field, rule: 'taken' }]) : error
}

/** Creates an entry point and its gateway. */
export const createDoor = (db: Db, actor: Actor, { ProjectId, ...given }: Body<typeof componentCalls.create>, check: Check) => {
  assertHolds(actor, [`${gateway.permission}.add`])
  return db.tx(async (db) => {
    await check(db, actor, { ...given }, undefined)
    const dialled = dialledOf(given)
    const Token = dialled?.Token ?? given.Token ?? newToken()
    const draft = { GatewayName: given.ComponentName, SN: newSerial(), ProjectId }
    const { Id: GatewayId, EnterpriseId } = await store(gateway).create(db, actor, draft)
    await assertSwitchedOn(db, EnterpriseId, 2, given.Language, 'Language')
    await assertOwn(db, actor, EnterpriseId, given.SelfParseId)
    await db.rows(sql`
      update gateway set "GatewayTypeId" = ${foreignGateway}, "GatewaySubTypeId" = ${subTypeOf(given.Language)}, "ConfigStatus" = 0 where "Id" = ${GatewayId}`)
    const { ComponentName, Language, DeviceLevel = null, Remark = null } = given
    const row = {
      ...{ EnterpriseId, ComponentName, Language, GatewayId, DeviceLevel, Remark, TokenHash: hashOf(dialled?.hashed ?? Token) },
      ...(await edgeNodeOf(db, EnterpriseId, given)),
      ...dialled?.row,
    }
    const [made] = await db
      .rows<{ Id: number }>(sql`
      insert into network_component (${sql.join(Object.keys(row).map((name) => sql.id(name)))}) values (${sql.join(Object.values(row))}) returning "Id"`)
      .catch(taken(Language))
    const found = await components.find(db, actor, made!.Id)
    await record(db, actor, networkComponent, 'create', found.Id, EnterpriseId, null, found)
    return { ...found, Token }
  })
}

/** Vault name of a sender's secret. */
export const senderSecret = (id: number) => `networkComponent.${id}`
type Keys = { database: Pick<Database, 'system'>; vault: Pick<Vault, 'put'> }
/** Sets new credentials of a sender. Old ones stop working with the commit. */
const replaceKey = ({ database, vault }: Keys, actor: Actor, of: NetworkComponent, hash: Buffer, secret: string | null) =>
  database.system.tx(async (db) => {
    const Signed = secret === null ? 0 : 1
    await db.rows(sql`update network_component set "TokenHash" = ${hash}, "Signed" = ${Signed}, "UpdateTime" = now() where "Id" = ${of.Id}`)
    await vault.put(db, of.EnterpriseId, senderSecret(of.Id), secret)
    await record(db, actor, networkComponent, 'update', of.Id, of.EnterpriseId, {}, { [secret ? 'Secret' : 'Token']: 'reset' })
    return components.find(db, actor, of.Id)
  })

export const resetToken = async (keys: Keys, actor: Actor, row: NetworkComponent) => {
  const Token = row.MN ? newPassword() : newToken()
  return { ...(await replaceKey(keys, actor, row, hashOf(row.MN ? stationToken(row.MN, Token) : Token), null)), Token }
}

export const newSecret = async (keys: Keys, actor: Actor, row: NetworkComponent) => {
  const Secret = `whsec_${randomBytes(32).toString('base64')}`
  return { ...(await replaceKey(keys, actor, row, hashOf(newToken()), Secret)), Secret }
}

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

/** The device of a sender's name, created if missing. */
const deviceFor = async (db: Db, actor: Actor, of: NetworkComponent, SenderName: string, names: Set<string>) => {
  const [known] = await db.rows<{ Id: number }>(sql`
    select "Id" from device where "GatewayId" = ${of.GatewayId} and coalesce("SenderName", "DeviceName") = ${SenderName} order by "SenderName" nulls last limit 1`)
  if (known) return { Id: known.Id, isNew: false }
  const DeviceName = nameFor(SenderName || of.ComponentName, names)
  const { Id } = await store(device).create(db, actor, { GatewayId: of.GatewayId, DeviceName })
  await db.rows(sql`update device set "SenderName" = ${SenderName} where "Id" = ${Id}`)
  return { Id, isNew: true }
}

/** Creates devices and points for a sender's keys, all or none. The key becomes the point's address. */
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
