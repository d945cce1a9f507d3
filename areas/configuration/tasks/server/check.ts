// Checks the points of a device: reads each once, and compares the value with its range and its last day.
import { sql } from 'kysely'
import { isGone, Quality, type Series } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { listOf, versionOf } from '../../config-versions/server/service.ts'
import { device } from '../../devices/contract.ts'
import { type Gateways, noReply } from '../../gateways/server/service.ts'
import { point } from '../../points/contract.ts'
import { finding } from '../contract.ts'
import { Refused, type Task } from './work.ts'

export type CheckNeeds = Pick<Gateways, 'readDevice'> & { series: Telemetry['query']['series']; clock: () => number }

type Device = Record<'DeviceName' | 'GatewayName', string> &
  Record<'Id' | 'GatewayId' | 'Status' | 'OnlineStatus' | 'ConfigVersion', number>
type Bound = number | null
type Point = Record<'AxisMin' | 'AxisMax' | 'ProjectLow' | 'ProjectHigh' | 'RangeLow' | 'RangeHigh', Bound> & {
  Id: number
  ParaName: string
  Address: string
  ParaUnitName: string | null
  ReadWriteType: number
  ParaDataType: number
}
type Reading = { Value: number | null; Quality: number; ReadTime: Date }
type Checked = {
  point: Point
  reading?: Reading | undefined
  Finding: number
  range?: readonly [low: number, high: number] | undefined
}

/** Batch size of a read command to a gateway. */
const readAtOnce = 50
/** Batch size of a history query. */
const seriesAtOnce = 100
const insertedAtOnce = 1000
const hours = 24
const hour = 3_600_000
const bool = 0
/** OnlineStatus of a gateway. */
const connected = 1

const chunksOf = <T>(rows: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size))

const deviceOf = async (db: Db, actor: Actor, id: number): Promise<Device> => {
  const [found] = await db.rows<Device>(sql`
    select t."Id", t."DeviceName", t."GatewayId", t."Status", g."GatewayName", g."OnlineStatus", g."ConfigVersion"
    from device t join gateway g on g."Id" = t."GatewayId" where t."Id" = ${id} and ${visible(device, actor)}`)
  if (!found) throw notFound()
  return found
}

/** The readable points of a device. A standard parameter's range applies if the units are equal. */
const pointsOf = (db: Db, actor: Actor, id: number) =>
  db.rows<Point>(sql`
    select t."Id", t."ParaName", t."Address", t."ParaUnitName", t."ReadWriteType", t."ParaDataType",
      t."AxisMin", t."AxisMax", t."ProjectLow", t."ProjectHigh", s."RangeLow", s."RangeHigh"
    from point t left join standard_para s on s."Id" = t."StandardParaId" and s."ParaUnitName" is not distinct from t."ParaUnitName"
    where t."DeviceId" = ${id} and t."ReadWriteType" <> 2 and ${visible(point, actor)} order by t."Id"`)

/** The points of the last accepted configuration; undefined if none is stored. */
const pushedPoints = async (db: Db, { GatewayId, Id, ConfigVersion }: Device): Promise<Set<number> | undefined> => {
  if (!ConfigVersion) return new Set()
  const version = await versionOf(db, GatewayId).catch((error: unknown) => {
    if (error instanceof Fault && error.key === 'noVersion') return undefined
    throw error
  })
  if (!version) return undefined
  const rows = await db.rows<{ Id: number }>(sql`
    select x."Id" from jsonb_to_recordset(${listOf('point', GatewayId, version.Hash)}) x("Id" bigint, "DeviceId" bigint) where x."DeviceId" = ${Id}`)
  return new Set(rows.map((row) => row.Id))
}

type Asking = { needs: CheckNeeds; db: Db; actor: Actor; task: Task; of: Device }
/** Reads points through the gateway. Points of a device known to be silent get no reading. @throws Refused by the gateway */
const readAll = async ({ needs, db, actor, task, of }: Asking, ids: readonly number[]): Promise<Map<number, Reading>> => {
  const readings = new Map<number, Reading>()
  for (const chunk of chunksOf(ids, readAtOnce)) {
    const { Values, ...outcome } = await needs.readDevice(db, actor, of.Id, chunk)
    if (outcome.Code === noReply && isGone(of.Status)) break
    if (outcome.Code === noReply) throw new Refused(word(task.Language, 'task.noReply'))
    if (outcome.Code !== 0) throw new Refused(word(task.Language, 'task.notRead', { reason: outcome.Msg || outcome.Code }))
    const ReadTime = new Date(needs.clock())
    for (const { ParaId, ...value } of Values) readings.set(ParaId, { ...value, ReadTime })
  }
  return readings
}

const rangesOf = (p: Point) =>
  [
    [p.ProjectLow, p.ProjectHigh],
    [p.RangeLow, p.RangeHigh],
    [p.AxisMin, p.AxisMax],
  ].filter((r): r is [number, number] => r[0] !== null && r[1] !== null && r[0] !== r[1])
const isOutside = (value: number, [one, other]: readonly [number, number]) => value < Math.min(one, other) || value > Math.max(one, other)

/** The result of the reading alone. */
const judge = (point: Point, reading: Reading | undefined): Checked => {
  const { notConfigured, exception, uncertain } = Quality
  const by = (Finding: number) => ({ point, reading, Finding })
  if (reading?.Quality === notConfigured) return by(finding.notPushed)
  if (reading?.Quality === exception) return by(finding.refused)
  if (!reading || reading.Value === null) return by(finding.noAnswer)
  if (reading.Quality === uncertain) return by(finding.uncertain)
  const { Value } = reading
  const range = rangesOf(point).find((r) => isOutside(Value, r))
  return range ? { ...by(finding.outOfRange), range } : by(finding.none)
}

/** Whether the point had only this value in every hour of the last day; `Time` is the start of an hour or of a reading. */
const isConstant = ({ Time, Min, Max }: Series, value: number, now: number) =>
  Time.length > 1 && Time[0]! <= now - (hours - 1) * hour && [...Min, ...Max].every((one) => one === null || one === value)

/** Numeric points that passed and had a constant value all day. */
const findUnchanged = async ({ series, clock }: CheckNeeds, checked: readonly Checked[]) => {
  const measured = checked.filter((c) => c.Finding === finding.none && c.point.ReadWriteType === 0 && c.point.ParaDataType !== bool)
  const now = clock()
  for (const chunk of chunksOf(measured, seriesAtOnce)) {
    const ids = chunk.map((c) => c.point.Id)
    const { Series } = await series({ ids, start: now - hours * hour, end: now, zone: 'UTC', buckets: hours })
    for (const [i, c] of chunk.entries()) if (isConstant(Series[i]!, c.reading!.Value!, now)) c.Finding = finding.unchanged
  }
}

const insert = async (db: Db, task: Task, of: Device, checked: readonly Checked[]) => {
  for (const chunk of chunksOf(checked, insertedAtOnce)) {
    const rows = chunk.map(({ point: p, reading, Finding, range }) => ({
      ...{ ParaName: p.ParaName, Address: p.Address, ParaUnitName: p.ParaUnitName, Finding },
      ...{
        Value: reading?.Value ?? null,
        ReadTime: reading?.ReadTime ?? null,
        RangeLow: range?.[0] ?? null,
        RangeHigh: range?.[1] ?? null,
      },
    }))
    await db.rows(sql`
      insert into point_check ("EnterpriseId", "TaskId", "DeviceId", "Target", "UserId", "ParaName", "Address", "ParaUnitName", "Finding", "Value", "ReadTime", "RangeLow", "RangeHigh")
      select ${task.EnterpriseId}, ${task.Id}, ${of.Id}, left(${of.DeviceName}, 100), ${task.UserId || null}, r.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r("ParaName" text, "Address" text, "ParaUnitName" text, "Finding" smallint,
        "Value" double precision, "ReadTime" timestamptz, "RangeLow" double precision, "RangeHigh" double precision)`)
  }
}

/**
 * Checks each readable point of a device. `save` replaces an earlier result of the same task.
 * @throws Fault `notFound`; Refused if the gateway is not connected, or with the gateway's answer
 */
export const checkDevice = async (needs: CheckNeeds, db: Db, actor: Actor, task: Task, id: number) => {
  const of = await deviceOf(db, actor, id)
  if (of.OnlineStatus !== connected) throw new Refused(word(task.Language, 'task.offline', { name: of.GatewayName }))
  const points = await pointsOf(db, actor, id)
  const pushed = await pushedPoints(db, of)
  const isPushed = (p: Point) => pushed?.has(p.Id) ?? true
  const readings = await readAll(
    { needs, db, actor, task, of },
    points.filter(isPushed).map((p) => p.Id),
  )
  const checked = points.map((p): Checked => (isPushed(p) ? judge(p, readings.get(p.Id)) : { point: p, Finding: finding.notPushed }))
  await findUnchanged(needs, checked)
  return {
    points: checked,
    save: async (db: Db) => {
      await db.rows(sql`delete from point_check where "TaskId" = ${task.Id} and "DeviceId" = ${id}`)
      await insert(db, task, of, checked)
    },
  }
}
