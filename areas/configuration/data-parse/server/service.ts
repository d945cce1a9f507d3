import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Body, Query } from '../../../../contract/call.ts'
import { type Mapping, mappingFaults, openMapping, parseText } from '../../../../contract/parsing/mapping.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Work } from '../../../../server/resource/crud.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import {
  type DataParse,
  dataParse,
  type dataParseCalls,
  listedReadings,
  type NamedPoint,
  type ParseVersion,
  pointFinder,
  type Tested,
} from '../contract.ts'

/** Versions of one parse that are retained. */
const mostVersions = 50

/** The same mapping has the same text, whatever the order of its fields. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, of]) => [name, canonical(of)]),
  )
}
const hashOf = (mapping: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(canonical(mapping)))
    .digest('hex')

const fieldFaults = (mapping: Mapping) =>
  mappingFaults(mapping).map(({ rule, field, reason, at }) => ({
    field: `Mapping.${rule}.${field}`,
    rule: { path: 'parsePath', wildcard: 'parseWildcard', empty: 'required' }[reason],
    values: { at: at + 1 },
  }))

const check: Check<typeof dataParse> = async (_db, _actor, given, held) => {
  if (!given.Mapping) return given
  const faults = fieldFaults(given.Mapping as Mapping)
  if (faults.length) throw new FieldFaults(faults)
  const Hash = hashOf(given.Mapping)
  return { ...given, Hash, Version: (held?.Version ?? 0) + (held?.Hash === Hash ? 0 : 1) }
}
const parses = store(dataParse, check)

const keepVersion = async (db: Db, actor: Actor, { Id, EnterpriseId, Version, Hash, Mapping }: DataParse) => {
  await db.rows(sql`
    insert into data_parse_version ("EnterpriseId", "DataParseId", "Version", "Hash", "Mapping", "UserId")
    values (${EnterpriseId}, ${Id}, ${Version}, ${Hash}, ${JSON.stringify(Mapping)}::jsonb, ${actor.UserId || null}) on conflict do nothing`)
  await db.rows(sql`delete from data_parse_version where "DataParseId" = ${Id} and "Version" <= ${Version - mostVersions}`)
}

const written = (work: (db: Db) => Promise<DataParse>, db: Db, actor: Actor) =>
  db.tx(async (db) => {
    const row = await work(db)
    await keepVersion(db, actor, row)
    return row
  })
export const parseWork = {
  find: parses.find,
  list: parses.list,
  create: (db, actor, draft) => written((db) => parses.create(db, actor, draft), db, actor),
  update: (db, actor, id, change) => written((db) => parses.update(db, actor, id, change), db, actor),
  remove: parses.remove,
} satisfies Work

export const versionsOf = async (db: Db, actor: Actor, id: number): Promise<ParseVersion[]> => {
  await parses.find(db, actor, id)
  const zone = actor.zone ?? actor.tenantZone
  return db.rows<ParseVersion>(sql`
    select v."Version", v."Hash", v."Mapping", u."UserName", to_char(v."CreateTime" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "CreateTime"
    from data_parse_version v left join "user" u on u."Id" = v."UserId" where v."DataParseId" = ${id} order by v."Version" desc`)
}

export const rollback = (db: Db, actor: Actor, { Id, Version }: Body<typeof dataParseCalls.rollback>) =>
  db.tx(async (db) => {
    await parses.find(db, actor, Id)
    const [found] = await db.rows<Pick<DataParse, 'Mapping'>>(
      sql`select "Mapping" from data_parse_version where "DataParseId" = ${Id} and "Version" = ${Version}`,
    )
    if (!found) throw notFound()
    return parseWork.update(db, actor, Id, { Mapping: found.Mapping })
  })

/** The points of a gateway by name. Values without a device name belong to the gateway's only device. */
const namedPoints = async (db: Db, id: number): Promise<NamedPoint[]> =>
  db.rows<NamedPoint>(sql`
    select p."Id", p."ParaName", p."Address", d."DeviceName", count(*) over () = count(*) over (partition by d."Id") as "IsOwn"
    from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${id}`)

type Tried = Omit<Body<typeof dataParseCalls.tryOut>, 'Mapping'> & { Mapping: Mapping }
/** What a message becomes, and which points of a gateway it finds. */
export const tested = async (db: Db, actor: Actor, { Mapping, Payload, Topic = '', GatewayId }: Tried): Promise<Tested> => {
  if (GatewayId) await store(gateway).find(db, actor, GatewayId)
  const faults = fieldFaults(Mapping)
  if (faults.length) throw new FieldFaults(faults)
  const find = GatewayId ? pointFinder(await namedPoints(db, GatewayId)) : undefined
  const began = performance.now()
  const { readings, faults: found } = parseText(openMapping(Mapping), Payload, Topic)
  const Milliseconds = Math.round((performance.now() - began) * 1000) / 1000
  return {
    Readings: readings.slice(0, listedReadings).map(({ device, key, value, time }) => ({
      ...{ Device: device, Key: key, Value: value, Time: time },
      ParaId: find?.({ device, key }) ?? null,
    })),
    Count: readings.length,
    Found: find ? readings.reduce((n, reading) => n + Number(find(reading) !== undefined), 0) : null,
    Faults: found.map(({ reason, rule, text }) => ({ Reason: reason, Rule: rule === null ? null : rule + 1, Text: text })),
    Milliseconds,
  }
}

type Of = { GatewayId: number; ProjectId: number; DeviceId: number | null }
type Nearest = { DataParseId: number; ParseName: string; AssignedTo: NonNullable<Effective['AssignedTo']>; Mapping: Mapping }
/** The parser of a device, else of its gateway, else of its project. */
export const nearestParse = async (db: Db, { GatewayId, ProjectId, DeviceId }: Of): Promise<Nearest | undefined> => {
  const [found] = await db.rows<Nearest>(sql`
    select p."Id" as "DataParseId", p."ParseName", a."AssignedTo", p."Mapping" from (
      select "DataParseId", 'device' as "AssignedTo", 1 as "Rank" from data_parse_device where "DeviceId" = ${DeviceId}
      union all select "DataParseId", 'gateway', 2 from data_parse_gateway where "GatewayId" = ${GatewayId}
      union all select "DataParseId", 'project', 3 from data_parse_project where "ProjectId" = ${ProjectId}
    ) a join data_parse p on p."Id" = a."DataParseId" order by a."Rank" limit 1`)
  return found
}

type Effective = { DataParseId: number | null; ParseName: string | null; AssignedTo: 'device' | 'gateway' | 'project' | null }
/** The nearest parse of a gateway, or of one of its devices. */
export const effectiveParse = async (
  db: Db,
  actor: Actor,
  { GatewayId, DeviceId }: Query<typeof dataParseCalls.effective>,
): Promise<Effective> => {
  const { ProjectId } = await store(gateway).find(db, actor, GatewayId)
  if (DeviceId && (await store(device).find(db, actor, DeviceId)).GatewayId !== GatewayId) throw notFound()
  const found = await nearestParse(db, { GatewayId, ProjectId, DeviceId: DeviceId ?? null })
  if (!found) return { DataParseId: null, ParseName: null, AssignedTo: null }
  const { DataParseId, ParseName, AssignedTo } = found
  return { DataParseId, ParseName, AssignedTo }
}
