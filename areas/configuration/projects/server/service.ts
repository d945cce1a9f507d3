// Copies a project with its gateways, channels, devices, points, pictures and alarm rules.
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import { constraintFault } from '../../../../server/http/validation.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { saveMany } from '../../../../server/resource/bulk.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import { type Sql, table, visible } from '../../../../server/resource/sql.ts'
import { store, writesOf } from '../../../../server/resource/store.ts'
import { copyProjectRules, mayCopyRules, rulesToCopy } from '../../../alarms/alarms/server/service.ts'
import { copyPictures, countPictures } from '../../../pictures/flowcharts/server/service.ts'
import { netProtocol, serialProtocol } from '../../channels/contract.ts'
import { device } from '../../devices/contract.ts'
import { foreignGateway, gateway, gatewayPara } from '../../gateways/contract.ts'
import { applied, assertPlannable } from '../../models/server/service.ts'
import { project, type projectCalls } from '../contract.ts'

type Row = Record<string, unknown> & { Id: number }
const projects = store(project)
const copied: readonly Resource[] = [project, gateway, gatewayPara, netProtocol, serialProtocol, device, applied]
const chunkRows = 1000
const shownGateways = 1000

/** Requires that the actor may add everything in a copy and sees all its fields. @throws Fault `moreRights` */
const assertMayCopy = (actor: Actor) => {
  assertHolds(
    actor,
    copied.map((r) => `${r.permission}.add`),
  )
  if (copied.some((r) => actor.dataScope?.hidden[r.name]?.size)) throw new Fault('moreRights')
}

const rowsBelow = (db: Db, actor: Actor, r: Resource, owners: readonly number[]) =>
  db.rows<Row>(sql`
    select t.* from ${table(r)} t where ${sql.ref(`t.${r.owner}`)} = any(${[...owners]}::bigint[]) and ${visible(r, actor)} order by t."Id"`)

export const copyPlan = async (db: Db, actor: Actor, id: number) => {
  assertMayCopy(actor)
  const { ProjectName, EnterpriseId } = await projects.find(db, actor, id)
  const found = await db.rows<{ Id: number; GatewayName: string; SN: string | null }>(sql`
    select t."Id", t."GatewayName", t."SN" from gateway t
    where t."ProjectId" = ${id} and ${visible(gateway, actor)} order by t."GatewayName", t."Id" limit ${shownGateways}`)
  // One pass per kind: a count per gateway could read all points of all companies each time.
  const count = async (rows: Sql) => {
    const ids = found.map(({ Id }) => Id)
    const counts = await db.rows<{ Id: number; n: number }>(
      sql`select "GatewayId" as "Id", count(*)::int as n from ${rows} where "GatewayId" = any(${ids}::bigint[]) group by 1`,
    )
    return new Map(counts.map(({ Id, n }) => [Id, n]))
  }
  const [devices, points, net, serial] = await Promise.all(
    [sql`device`, sql`device d join point p on p."DeviceId" = d."Id"`, sql`net_protocol`, sql`serial_protocol`].map(count),
  )
  const Gateways = found.map((row) => ({
    ...row,
    ...{ Devices: devices!.get(row.Id) ?? 0, Points: points!.get(row.Id) ?? 0 },
    Channels: (net!.get(row.Id) ?? 0) + (serial!.get(row.Id) ?? 0),
  }))
  const sum = (field: 'Devices' | 'Points' | 'Channels') => Gateways.reduce((total, row) => total + row[field], 0)
  return {
    ProjectName: await copyName(db, project, ProjectName, sql`t."EnterpriseId" = ${EnterpriseId}`),
    Gateways: Gateways.map(({ Channels: _, ...row }) => row),
    ...{ Channels: sum('Channels'), Devices: sum('Devices'), Points: sum('Points'), Pictures: await countPictures(db, actor, id) },
    Rules: await rulesToCopy(db, actor, id),
    CopiesRules: mayCopyRules(actor),
  }
}

/** Adds copies of rows below new owners. Returns the new Id of each row, found by owner and title. */
const copyRows = async (
  db: Db,
  actor: Actor,
  enterprise: number,
  r: Resource,
  rows: readonly Row[],
  owners: ReadonlyMap<number, number>,
) => {
  const owner = r.owner!
  const add = rows.map((row) => ({ ...row, [owner]: owners.get(Number(row[owner])) }))
  for (let i = 0; i < add.length; i += chunkRows) await saveMany(db, actor, r, enterprise, { add: add.slice(i, i + chunkRows), change: [] })
  if (r === applied) return new Map<number, number>()
  const made = await rowsBelow(db, actor, r, [...owners.values()])
  const keyOf = (ownerId: unknown, title: unknown) => `${ownerId}/${title}`
  const ids = new Map(made.map((row) => [keyOf(row[owner], row[r.title]), row.Id]))
  return new Map(add.map((row) => [row.Id, ids.get(keyOf(row[owner], (row as Row)[r.title]))!]))
}

const copiedFields = ['GatewayName', 'GatewayTypeId', 'GatewaySubTypeId', 'HeartbeatPeriod', 'Remark'] as const
/** Adds the gateways under their new serial numbers. Errors name a number by position, `Gateways.3.SN`. */
const copyGateways = async (db: Db, actor: Actor, ProjectId: number, rows: readonly Row[], numbers: ReadonlyMap<number, string>) => {
  const made = new Map<number, number>()
  for (const row of rows) {
    // A copy of an external sender has no token: it becomes an ordinary gateway.
    const kind = Number(row.GatewayTypeId) === foreignGateway ? { GatewayTypeId: 1, GatewaySubTypeId: 1 } : {}
    const draft = { ...Object.fromEntries(copiedFields.map((name) => [name, row[name]])), ...kind, SN: numbers.get(row.Id)!, ProjectId }
    const { Id } = await store(gateway)
      .create(db, actor, draft as never)
      .catch((error) => {
        const refused = error instanceof FieldFaults ? error : constraintFault(error)
        if (!(refused instanceof FieldFaults)) throw error
        throw refused.below(`Gateways.${[...numbers.keys()].indexOf(row.Id)}`)
      })
    made.set(row.Id, Id)
  }
  return made
}

/** Copies of one company take turns: their points lock thousands of rows. */
export const copiesOf = (actor: Actor) => writesOf(applied, actor)

/** Adds a project with the details of another. @throws Fault `moreRights`, `notFound` */
export const copyDetails = async (db: Db, actor: Actor, id: number, ProjectName: string) => {
  assertMayCopy(actor)
  const { Id: _, ...original } = await projects.find(db, actor, id)
  return projects.create(db, actor, { ...original, ProjectName })
}

type Contents = Pick<Body<typeof projectCalls.copy>, 'ProjectId' | 'Gateways'> & { to: number }
/** Copies gateways with their settings, channels, devices and points to another project of the company, inside the caller's transaction. */
export const copyGatewaysTo = async (db: Db, actor: Actor, { ProjectId, Gateways, to }: Contents) => {
  assertMayCopy(actor)
  const { EnterpriseId } = await projects.find(db, actor, to)
  const numbers = new Map(Gateways.map(({ Id, SN }) => [Id, SN]))
  const rows = await db.rows<Row>(sql`
    select t.* from gateway t where t."Id" = any(${[...numbers.keys()]}::bigint[]) and t."ProjectId" = ${ProjectId} and ${visible(gateway, actor)}
    order by t."Id"`)
  if (rows.length < Gateways.length || rows.some((row) => row.EnterpriseId !== EnterpriseId)) throw notFound()
  if (!rows.length) return { Gateways: 0, Channels: 0, Devices: 0, Points: 0 }
  const gateways = await copyGateways(db, actor, to, rows, numbers)
  const below = (r: Resource) => rowsBelow(db, actor, r, [...gateways.keys()])
  const copyBelow = async (r: Resource) => copyRows(db, actor, EnterpriseId, r, await below(r), gateways)
  await copyBelow(gatewayPara)
  const net = await copyBelow(netProtocol)
  const serial = await copyBelow(serialProtocol)
  const originals = await below(device)
  const wired = originals.map((row) => ({
    ...row,
    NetProtocolId: net.get(Number(row.NetProtocolId)) ?? null,
    SerialProtocolId: serial.get(Number(row.SerialProtocolId)) ?? null,
  }))
  const devices = await copyRows(db, actor, EnterpriseId, device, wired, gateways)
  const versions = originals.map(({ Id, ModelVersion }) => ({ Id: devices.get(Id), ModelVersion }))
  await db.rows(sql`
    update device t set "ModelVersion" = o."ModelVersion" from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb)
      as o ("Id" bigint, "ModelVersion" integer) where t."Id" = o."Id"`)
  const [{ count }] = (await db.rows<{ count: number }>(
    sql`select count(*)::int as count from point where "DeviceId" = any(${[...devices.keys()]}::bigint[])`,
  )) as [{ count: number }]
  assertPlannable(count)
  const points = await rowsBelow(db, actor, applied, [...devices.keys()])
  await copyRows(db, actor, EnterpriseId, applied, points, devices)
  return { Gateways: rows.length, Channels: net.size + serial.size, Devices: devices.size, Points: points.length }
}

type Copy = Pick<Body<typeof projectCalls.copy>, 'ProjectId' | 'ProjectName' | 'Gateways'>
/** Copies a project, the given gateways, its pictures and its alarm rules in one transaction. Devices keep their models; points stay linked to them. */
export const copyProject = (db: Db, actor: Actor, { ProjectId, ProjectName, Gateways }: Copy) =>
  db.tx(async (db) => {
    const { Id } = await copyDetails(db, actor, ProjectId, ProjectName)
    const gateways = await copyGatewaysTo(db, actor, { ProjectId, Gateways, to: Id })
    const between = { from: ProjectId, to: Id }
    return { Id, ...gateways, ...(await copyPictures(db, actor, between)), ...(await copyProjectRules(db, actor, between)) }
  }, copiesOf(actor))
