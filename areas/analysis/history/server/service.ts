import { sql } from 'kysely'
import { Compile } from 'typebox/compile'
import { taskKind } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import { fullName, type ParaInfo } from '../../../../contract/telemetry.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import type { CsvStyle } from '../../../../server/files/table/table.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { withFormulas } from '../../../../server/telemetry/meaning/formulaSource.ts'
import { shiftsIn } from '../../../../server/telemetry/meaning/shifts.ts'
import { packing } from '../../../../server/telemetry/store/columns.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { fileStem, type Prepared, type TaskKind } from '../../../system/exports/server/service.ts'
import { readOverlay } from '../../notes/server/service.ts'
import { shiftPlansOf } from '../../shifts/server/service.ts'
import { describedPoints, meaningsOf } from '../../telemetry/server/service.ts'
import { HistoryAsk, historyCalls, mostHistoryRows } from '../contract.ts'
import { asComputed } from '../figure.ts'
import { laidOut } from './columns.ts'
import { oldest, type Source } from './pieces.ts'
import { writeHistory } from './write.ts'

type Needs = {
  database: Database
  telemetry: Pick<Telemetry, 'aside' | 'readingsSince' | 'clock'>
  /** Rows of one file. */
  most?: number
}

/** Where people write a comma before decimals, cells are separated by a semicolon. */
const styleOf = ({ Separator, Decimal }: HistoryAsk, language: Language): CsvStyle => ({
  separator: Separator ?? (language === 'es' ? ';' : ','),
  decimal: Decimal ?? (language === 'es' ? ',' : '.'),
})

const offsetTime = (at: number, zone: string) =>
  new Date(at).toLocaleString('sv-SE', { timeZone: zone, timeZoneName: 'longOffset' }).replace('GMT', 'UTC')

/** Header lines: company, points, time range and time zone. */
const aboutOf = (
  ask: HistoryAsk,
  points: readonly ParaInfo[],
  { tenant, zone, time, language }: { tenant: string; zone: string; time: number; language: Language },
) => {
  const t = (key: string) => word(language, key)
  const named = points.map((p) => (p.ParaUnitName ? `${fullName(p)} (${p.ParaUnitName})` : fullName(p)))
  return [
    [t('enterprise'), tenant],
    [t('explore.period'), `${offsetTime(ask.Start, zone)} – ${offsetTime(ask.End, zone)}`],
    [t('explore.unit'), t(`explore.unit.${ask.Unit}`)],
    [t('history.zone'), zone],
    [t('history.points'), named.join('; ')],
    [t('history.made'), offsetTime(time, zone)],
  ] as const
}

/** Notes above the titles. */
const mostNotes = 20
/** Notes on stored points in the range, as header lines. */
const notesOf = async (
  db: Db,
  actor: Actor,
  ask: HistoryAsk,
  { points, zone, language }: { points: readonly ParaInfo[]; zone: string; language: Language },
) => {
  // Formulas belong to no device.
  const ParaIds = points.filter((p) => p.DeviceId > 0).map((p) => p.ParaId)
  if (ask.Header === 0 || !ParaIds.length) return []
  const { Items, TotalCount } = await readOverlay(db, actor, { ParaIds, Start: ask.Start, End: ask.End, Kinds: ['note'] })
  const [title, left] = [word(language, 'chartNote'), TotalCount - Math.min(Items.length, mostNotes)]
  return [
    ...Items.slice(0, mostNotes).map(
      ({ Time, Name, Text, UserName }) =>
        [title, `${offsetTime(Time, zone)} · ${Name}: ${Text.replaceAll(/\s+/g, ' ')} (${UserName})`] as const,
    ),
    ...(left > 0 ? [[title, word(language, 'report.more', { count: left })] as const] : []),
  ]
}

const assertAsk = (ask: HistoryAsk, language: Language) => {
  if (ask.End <= ask.Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  const { separator, decimal } = styleOf(ask, language)
  if (separator === decimal) throw new FieldFaults([{ field: 'Separator', rule: 'decimalSign' }])
}

/** The shifts of the project that all points are in. */
const shiftsOf = async (db: Db, ids: readonly number[], { Start, End }: HistoryAsk, zone: string, now: number) =>
  shiftsIn(await shiftPlansOf(db, ids, 'Unit'), Math.max(Start, oldest), Math.min(End, now + 2 * day), zone)

const packed = ({ buckets, columns }: ReturnType<typeof withFormulas>): Source => ({
  buckets,
  packed: async (...of) => (await columns(...of)).map(packing),
})

const isAsk = Compile(HistoryAsk)

/** Readings of points as a file, made in the background. */
export const historyKind = ({ database, telemetry, most = mostHistoryRows }: Needs): TaskKind => {
  const prepare = async (actor: Actor, given: object, { language, time }: { language: Language; time: number }): Promise<Prepared> => {
    if (!isAsk.Check(given)) throw new Fault('invalid')
    const ask = given
    assertAsk(ask, language)
    const db = database.as(actor)
    const ids = [...new Set(ask.ParaIds)]
    const { zone, meanings, formulas } = await meaningsOf(db, actor, ids)
    // What a formula comes to depends on the steps of the range: there are no single readings of it.
    if (formulas.size && ask.Unit === 'raw') throw new FieldFaults([{ field: 'ParaIds', rule: 'storedPoints' }])
    const source = formulas.size ? packed(withFormulas(telemetry.aside, formulas, telemetry.clock)) : telemetry.aside
    const described = new Map((await describedPoints(db, actor, language, ids)).map((p) => [p.ParaId, p]))
    const seen = ids.flatMap((id) => described.get(id) ?? [])
    if (seen.length !== ids.length) throw notFound()
    const points = ask.Computed === 1 ? seen.map(asComputed) : seen
    const [of] = await database.system.rows<{ Name: string }>(
      sql`select e."Name" from enterprise e where e."Id" = (
        select "EnterpriseId" from point where "Id" = ${ids[0]} union all select "EnterpriseId" from formula_point where "Id" = ${ids[0]})`,
    )
    const since = new Map(ids.flatMap((id) => [[id, telemetry.readingsSince(id) ?? Number.NEGATIVE_INFINITY] as const]))
    const shifts = ask.Unit === 'shift' ? await shiftsOf(db, ids, ask, zone, telemetry.clock()) : []
    const devices = [...new Set(points.map((p) => p.DeviceName))]
    const notes = await notesOf(db, actor, ask, { points, zone, language })
    const job = (path: string) =>
      laidOut({
        ...{ path, format: ask.Format, language, unit: ask.Unit, shape: ask.Shape, points, meanings, zone, since, shifts },
        ...{ figures: ask.Figures ?? ['Value'], coverage: ask.Coverage === 1, quality: ask.Quality === 1 },
        ...{ start: ask.Start, end: ask.End, now: telemetry.clock(), most, csv: styleOf(ask, language) },
        about: ask.Header === 0 ? [] : [...aboutOf(ask, points, { tenant: of?.Name ?? '', zone, time, language }), ...notes],
      })
    const stem = fileStem(word(language, 'menu.m10303'), devices.length === 1 ? devices : [], time, actor.zone ?? actor.tenantZone)
    return {
      ...{ resource: 'history', permission: historyCalls.start.permission, format: ask.Format, filters: ask },
      fileName: `${stem}.${ask.Format}`,
      write: (path, running) => writeHistory(source, job(path), running),
    }
  }
  return { kind: taskKind.history, permission: historyCalls.start.permission, prepare }
}
