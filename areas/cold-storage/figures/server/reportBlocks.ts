// Cold-room blocks of report templates: running data and excursions of the rooms in the report's projects.
import { sql } from 'kysely'
import { headerOf } from '../../../../server/files/sheet.ts'
import { word } from '../../../../server/http/words.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Column, Part } from '../../../analysis/reports/blocks.ts'
import { type AreaBlocks, type AreaMaking, inEachProject } from '../../../analysis/reports/server/service.ts'
import { coldExcursion } from '../../excursions/contract.ts'
import { coldStorage, finished } from '../../rooms/contract.ts'
import { mostDays, mostMs } from '../contract.ts'
import type { Needs } from './data.ts'
import { statisticsOf } from './figures.ts'

/** Rooms, and excursions, of one project. */
const [mostRooms, mostRows] = [30, 200]
const text = (Title: string): Column => ({ Title, Is: 'text' })
const number = (Title: string, Digits = 1): Column => ({ Title, Is: 'number', Digits })
type Project = AreaMaking['projects'][number]
type Making = { making: AreaMaking; telemetry: Needs['telemetry']; project: Project; title: string }

const least = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null)
  return known.length ? Math.min(...known) : null
}
const most = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null)
  return known.length ? Math.max(...known) : null
}

const roomsOf = ({ making: { db, actor, span }, project }: Making) =>
  db.rows<{ Id: number; StorageName: string; TempLow: number | null; TempHigh: number | null }>(sql`
    select t."Id", t."StorageName", t."TempLow"::float8 as "TempLow", t."TempHigh"::float8 as "TempHigh" from cold_storage t
    where t."ProjectId" = ${project.Id} and ${visible(coldStorage, actor)}
      and exists (select 1 from cold_sensor_bind b where b."BindTime" < ${new Date(span.end)} and (b."UnbindTime" is null or b."UnbindTime" > ${new Date(span.start)})
        and (b."ColdStorageId" = t."Id" or b."ColdStorageId" in (select "MemberId" from cold_member where "ComposeId" = t."Id")))
      and (t."InitStatus" = ${finished} or t."IsCompose" = 1)
    order by t."StorageName", t."Id" limit ${mostRooms + 1}`)

const runningOf = async (of: Making): Promise<Part[]> => {
  const { making, telemetry, title } = of
  const { db, actor, language, now, span } = making
  const say = (key: string) => word(language, key)
  if (span.end - span.start > mostMs) return [{ Is: 'text', Title: title, Text: word(language, 'cold.block.tooLong', { days: mostDays }) }]
  const rooms = await roomsOf(of)
  if (!rooms.length) return []
  const rows = []
  for (const { Id, StorageName, TempLow, TempHigh } of rooms.slice(0, mostRooms)) {
    const asked = { ColdStorageId: Id, Start: span.start, End: span.end }
    const { Points, Room, Door } = await statisticsOf(db, actor, asked, { telemetry, clock: () => now })
    const part = (key: 'Min' | 'Max' | 'Mkt' | 'InBandPercent' | 'KnownPercent' | 'OutsideMinutes') => Points.map((point) => point[key])
    const share = (percent: number | null) => (percent === null ? null : percent / 100)
    rows.push([
      ...[StorageName, [TempLow ?? '', TempHigh ?? ''].join(' … '), least(part('Min')), Room.Avg, most(part('Max')), Room.Uniformity],
      ...[most(part('Mkt')), share(least(part('InBandPercent'))), share(least(part('KnownPercent'))), most(part('OutsideMinutes'))],
      ...(Door ? [Door.Count, Door.TotalS * 1000] : [null, null]),
    ])
  }
  return [
    {
      ...{ Is: 'table', Title: title, More: rooms.length - rows.length },
      Columns: [
        ...[text(headerOf(coldStorage, 'StorageName', language)), text(`${say('cold.block.band')}, °C`)],
        ...[number(`${say('cold.figures.min')}, °C`), number(`${say('cold.figures.avg')}, °C`), number(`${say('cold.figures.max')}, °C`)],
        ...[number(`${say('cold.figures.uniformity')}, °C`), number(`${say('cold.figures.mkt')}, °C`)],
        ...[say('cold.figures.inBand'), say('cold.figures.known')].map((Title): Column => ({ Title, Is: 'percent', Digits: 1 })),
        ...[number(`${say('cold.figures.outside')}, min`), number(say('cold.block.doors'), 0)],
        { Title: say('cold.block.doorTime'), Is: 'duration' },
      ],
      Rows: rows,
    },
  ]
}

type Row = Record<'StorageName' | 'SensorName', string> & {
  [name in 'SensorType' | 'Side' | 'Minutes' | 'Peak' | 'DegreeMinutes' | 'Disposition']: number
} & { Begin: number; End: number | null; Cause: string | null; All: number; Open: number }
const excursionsIn = ({ making: { db, actor, span }, project }: Making) =>
  db.rows<Row>(sql`
    select r."StorageName", b."SensorName", t."SensorType", t."Side", (extract(epoch from t."BeginTime") * 1000)::float8 as "Begin",
      (extract(epoch from t."EndTime") * 1000)::float8 as "End", t."Minutes"::float8 as "Minutes", t."PeakValue"::float8 as "Peak",
      t."DegreeMinutes"::float8 as "DegreeMinutes", t."Disposition", t."Cause", (count(*) over ())::float8 as "All",
      (count(*) filter (where t."Disposition" = 0) over ())::float8 as "Open"
    from cold_excursion t join cold_storage r on r."Id" = t."ColdStorageId" join cold_sensor_bind b on b."Id" = t."SensorBindId"
    where r."ProjectId" = ${project.Id} and ${visible(coldExcursion, actor)} and t."IsVoid" = 0 and t."BeginTime" < ${new Date(span.end)}
      and coalesce(t."EndTime", 'infinity') > ${new Date(span.start)}
    order by t."BeginTime", t."Id" limit ${mostRows}`)

const excursionsOf = async (of: Making): Promise<Part[]> => {
  const { language } = of.making
  const rows = await excursionsIn(of)
  if (!rows.length && !(await roomsOf(of)).length) return []
  const header = (field: string) => headerOf(coldExcursion, field, language)
  const choice = (field: 'SensorType' | 'Side' | 'Disposition', value: number) => word(language, `coldExcursion.${field}.${value}`)
  const [first] = rows
  return [
    {
      ...{ Is: 'figures', Title: of.title },
      Figures: [
        { Name: word(language, 'cold.block.excursions'), Unit: '', Digits: 0, Value: first?.All ?? 0, Coverage: null },
        { Name: word(language, 'cold.block.undecided'), Unit: '', Digits: 0, Value: first?.Open ?? 0, Coverage: null },
      ],
    },
    {
      ...{ Is: 'table', Title: '', More: (first?.All ?? 0) - rows.length },
      Columns: [
        ...[text(header('ColdStorageId')), text(header('SensorBindId')), text(header('SensorType')), text(header('Side'))],
        ...[header('BeginTime'), header('EndTime')].map((Title): Column => ({ Title, Is: 'time' })),
        ...[number(`${header('Minutes')}, min`, 0), number(header('PeakValue'), 2), number(header('DegreeMinutes'), 0)],
        ...[text(header('Disposition')), text(header('Cause'))],
      ],
      Rows: rows.map((row) => [
        ...[row.StorageName, row.SensorName, choice('SensorType', row.SensorType), choice('Side', row.Side), row.Begin, row.End],
        ...[row.Minutes, row.Peak, row.DegreeMinutes, choice('Disposition', row.Disposition), row.Cause ?? ''],
      ]),
    },
  ]
}

const inProjects = (telemetry: Needs['telemetry'], work: (of: Making) => Promise<Part[]>) =>
  inEachProject('cold.block.noRooms', (making, project, title) => work({ making, telemetry, project, title }))

export const coldBlocks = ({ telemetry }: Pick<Needs, 'telemetry'>): Pick<AreaBlocks, 'coldRooms' | 'coldExcursions'> => ({
  coldRooms: inProjects(telemetry, runningOf),
  coldExcursions: inProjects(telemetry, excursionsOf),
})
