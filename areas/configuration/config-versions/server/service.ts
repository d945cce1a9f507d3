// Versions of gateway configurations. PostgreSQL stores and compares whole tables, so that they never pass through this process.
import { sql } from 'kysely'
import { settingsCapability } from '../../../../contract/gateway-settings.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { named, type Sql, table } from '../../../../server/resource/sql.ts'
import { type ConfigTable, configTables } from '../contract.ts'

/** Unlabelled versions retained per gateway. */
const keptVersions = 50

export const tables = Object.keys(configTables) as ConfigTable[]
/** Columns that change without affecting the configuration. */
const volatile = ['UpdateTime', 'Status', 'OkCount', 'ErrCount', 'LastDataTime', 'ModelGave']

/** Whether the table belongs to the configuration: settings only for gateways that accept them. */
const isSent = (name: ConfigTable, gatewayId: number): Sql =>
  name === 'gatewayPara'
    ? sql`exists (select from gateway g where g."Id" = ${gatewayId} and g."Capabilities" @> ${JSON.stringify([settingsCapability])}::jsonb)`
    : sql`true`

/** The rows of one table that belong to a gateway. */
export const rowsOf = (name: ConfigTable, gatewayId: number): Sql =>
  name === 'point'
    ? sql`select t.* from ${table(named(name))} t join device d on d."Id" = t."DeviceId" where d."GatewayId" = ${gatewayId}`
    : sql`select t.* from ${table(named(name))} t where t."GatewayId" = ${gatewayId} and ${isSent(name, gatewayId)}`

const listNow = (name: ConfigTable, gatewayId: number): Sql =>
  sql`(select coalesce(jsonb_agg(to_jsonb(r) - ${volatile}::text[] order by r."Id"), '[]') from (${rowsOf(name, gatewayId)}) r)`

/** The current configuration without its points, as `{ netProtocol: [], serialProtocol: [], device: [] }`. */
const currentContent = (gatewayId: number): Sql =>
  sql`jsonb_build_object(${sql.join(
    tables.filter((name) => name !== 'point').flatMap((name) => [sql.lit(name), listNow(name, gatewayId)]),
  )})`

type Of = { Id: number; EnterpriseId: number }
/** Stores the current configuration by hash, once for all its versions. Returns the hash. */
export const takeSnapshot = async (db: Db, { Id, EnterpriseId }: Of): Promise<string> => {
  const [taken] = await db.rows<{ Hash: string }>(sql`
    with taken as materialized (select ${currentContent(Id)} as "Content", ${listNow('point', Id)} as "Points"),
      hashed as materialized (select encode(sha256(convert_to("Content"::text || "Points"::text, 'UTF8')), 'hex') as "Hash", * from taken),
      written as (
        insert into config_content ("EnterpriseId", "GatewayId", "Hash", "Content", "Points")
        select ${EnterpriseId}, ${Id}, "Hash", "Content", "Points" from hashed on conflict do nothing)
    select "Hash" from hashed`)
  return taken!.Hash
}

type Accepted = { Version: number; Hash: string; Note: string | null }
type Sent = { HeartbeatPeriod: number; Devices: number; Points: number }

/** Records a version that the gateway accepted, and drops outdated ones. */
export const keepVersion = async (
  db: Db,
  { Id, EnterpriseId }: Of,
  UserId: number | null,
  { Version, Hash, Note }: Accepted,
  sent: Sent,
) => {
  await db.rows(sql`
    insert into config_version ("EnterpriseId", "GatewayId", "Version", "Hash", "HeartbeatPeriod", "UserId", "Note", "Devices", "Points")
    values (${EnterpriseId}, ${Id}, ${Version}, ${Hash}, ${sent.HeartbeatPeriod}, ${UserId || null}, ${Note}, ${sent.Devices}, ${sent.Points})
    on conflict do nothing`)
  await db.rows(sql`
    delete from config_version where "GatewayId" = ${Id} and "Label" is null and "Version" <=
      (select "Version" from config_version where "GatewayId" = ${Id} order by "Version" desc offset ${keptVersions} limit 1)`)
  await db.rows(sql`
    delete from config_content c where "GatewayId" = ${Id}
      and not exists (select from config_version v where v."GatewayId" = c."GatewayId" and v."Hash" = c."Hash")`)
}

export type Kept = { Version: number; Hash: string; HeartbeatPeriod: number }
/** A version of a gateway, by default the last accepted one. @throws Fault `notFound` for unknown or dropped versions. */
export const versionOf = async (db: Db, gatewayId: number, version?: number): Promise<Kept> => {
  const [found] = await db.rows<Kept>(sql`
    select "Version", "Hash", "HeartbeatPeriod" from config_version
    where "GatewayId" = ${gatewayId} and ${version === undefined ? sql`true` : sql`"Version" = ${version}`} order by "Version" desc limit 1`)
  if (!found) throw new Fault(version === undefined ? 'noVersion' : 'notFound')
  return found
}

const sentTo = (name: ConfigTable) => [...configTables[name], ...(name === 'point' ? ['DeviceId'] : ['GatewayId'])]

/** The rows of a table in a version, as a JSON list. */
export const listOf = (name: ConfigTable, gatewayId: number, hash: string): Sql =>
  sql`(select ${name === 'point' ? sql`"Points"` : sql`"Content"->${sql.lit(name)}`} from config_content where "GatewayId" = ${gatewayId} and "Hash" = ${hash})`

/** The rows of a table in a version, or now. */
const rowsIn = (name: ConfigTable, gatewayId: number, hash: string | undefined): Sql =>
  hash === undefined
    ? rowsOf(name, gatewayId)
    : sql`select x.* from jsonb_populate_recordset(null::public.${table(named(name))}, ${listOf(name, gatewayId, hash)}) x where ${isSent(name, gatewayId)}`

/** Two states of a gateway's configuration, by version hash. Undefined means the current one. */
export type Sides = { gatewayId: number; from: string | undefined; to: string | undefined }

/**
 * Queries the rows whose gateway fields differ, as `Id`, `Before` and `After`.
 * Compares typed columns and builds JSON for differing rows only, which takes a third of the time of comparing JSON.
 */
export const differing = (name: ConfigTable, { gatewayId, from, to }: Sides): Sql => {
  const fields = sentTo(name)
  const all = (side: 'a' | 'b') => sql.join(fields.map((field) => sql.ref(`${side}.${field}`)))
  const sent = (side: 'a' | 'b') => {
    const pairs = fields.flatMap((field) => [sql.lit(field), sql.ref(`${side}.${field}`)])
    return sql`case when ${sql.ref(`${side}.Id`)} is not null then jsonb_build_object(${sql.join(pairs)}) end`
  }
  return sql`
    select "Id", ${sent('a')} as "Before", ${sent('b')} as "After"
    from (${rowsIn(name, gatewayId, from)}) a full join (${rowsIn(name, gatewayId, to)}) b using ("Id")
    where a."Id" is null or b."Id" is null or (${all('a')}) is distinct from (${all('b')})`
}
