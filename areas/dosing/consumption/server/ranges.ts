// Chemicals over ranges of days: part by part, in a list, and as reports.
import type { Query } from '../../../../contract/call.ts'
import type { Cell } from '../../../../contract/cell.ts'
import type { Language } from '../../../../contract/languages.ts'
import { headerOf } from '../../../../server/files/sheet.ts'
import { packSheet } from '../../../../server/files/sheetPacker.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import { paged } from '../../../../server/resource/list.ts'
import { meaningsOf } from '../../../analysis/telemetry/server/service.ts'
import { type Keys, keysOf, periodBefore, yearBefore } from '../../../energy/consumption/server/service.ts'
import { fileStem } from '../../../system/exports/server/service.ts'
import { drugInfo } from '../../chemicals/contract.ts'
import { type Division, type dosingCalls, type Figure, type Matrix, mostDays, type Part, report } from '../contract.ts'
import { amountsOf } from './measured.ts'
import { chemicalFields, currencyOf, type Drug, limitsOf, type Reading } from './reading.ts'
import { added, figureOf, qtyOf, type Sum, units } from './sums.ts'
import { unitsOfPoints } from './units.ts'
import { edgesOfDays, usageOf } from './usage.ts'

const keysIn = (days: { DateFrom: string; DateTo: string }) => keysOf(days, mostDays)
const usualDivision = ({ from, to }: Keys): Division => (to - from < 2 ? 'hour' : to - from < 62 ? 'day' : 'month')
/** Parts of one answer. */
const mostParts = 2500

const meansOf = async ({ db, measuring }: Reading, { EnterpriseId }: Drug, point: number | null, edges: readonly number[]) => {
  const none = edges.slice(1).map((): number | null => null)
  if (point === null) return none
  const { meanings } = await meaningsOf(db, serverActor(EnterpriseId), [point])
  const [found] = await measuring.telemetry.statistics.of(meanings, { edges: [...edges] }, 100_000, true)
  return found!.parts.map(({ count, mean }) => (count ? mean : null))
}

export const chart = async (reading: Reading, { DrugInfoId: _, Division, ...days }: Query<typeof dosingCalls.chart>) => {
  const keys = keysIn(days)
  const [drug] = reading.drugs as [Drug]
  const by = Division ?? usualDivision(keys)
  const edges = edgesOfDays(reading.zone, keys, by)
  if (edges.length > mostParts) throw new FieldFaults([{ field: 'Division', rule: 'fault.rangeTooLong' }])
  const sums = (await usageOf(reading, [drug], edges)).get(drug.Id)!
  const [flow, turbidity, residual] = await Promise.all(
    [drug.FlowParaId, drug.TurbidityParaId, drug.ResidualParaId].map((point) => meansOf(reading, drug, point, edges)),
  )
  const unit = await unitsOfPoints(reading, [drug.FlowParaId, drug.TurbidityParaId, drug.ResidualParaId])
  return {
    ...{ ...chemicalFields(drug), ...limitsOf(drug), ...currencyOf(reading), Zone: reading.zone, Division: by },
    Total: figureOf(drug, added(sums), reading),
    Parts: sums.map(
      (sum, i): Part => ({
        ...{ ...figureOf(drug, sum, reading), Start: edges[i]!, End: edges[i + 1]! },
        ...{ Flow: flow![i]!, Turbidity: turbidity![i]!, Residual: residual![i]! },
      }),
    ),
    ...{ FlowUnit: unit(drug.FlowParaId), TurbidityUnit: unit(drug.TurbidityParaId), ResidualUnit: unit(drug.ResidualParaId) },
  }
}

const ofKind = ({ drugs }: Reading, kind: number | undefined) => drugs.filter(({ DrugType }) => kind === undefined || DrugType === kind)
/** Amounts of as much of other days as has passed of the asked ones. */
const earlierQty = async ({ db, measuring, zone }: Reading, drugs: readonly Drug[], keys: Keys, asked: readonly number[]) => {
  const edges = edgesOfDays(zone, keys)
  const passed = Math.max(0, Math.min(asked.at(-1)!, measuring.now) - asked[0]!)
  const end = Math.min(edges.at(-1)!, edges[0]! + passed)
  const found = end > edges[0]! ? await amountsOf(db, measuring, drugs, [edges[0]!, end]) : undefined
  return (drug: Drug) => {
    const qty = found?.get(drug.Id)?.[0]?.qty ?? null
    return qty === null ? null : units(qty)
  }
}
const change = (now: number | null, base: number | null) => (now === null || !base ? null : (100 * (now - base)) / base)

export const list = async (reading: Reading, query: Query<typeof dosingCalls.list>) => {
  const { PageIndex = 1, PageSize = 20, DrugType } = query
  const keys = keysIn(query)
  const all = ofKind(reading, DrugType)
  const [index, size] = [Number(PageIndex), Number(PageSize)]
  const drugs = all.slice((index - 1) * size, index * size)
  const edges = edgesOfDays(reading.zone, keys)
  const usage = await usageOf(reading, drugs, edges)
  const year = await earlierQty(reading, drugs, yearBefore(keys), edges)
  const before = await earlierQty(reading, drugs, periodBefore(keys), edges)
  const Items = drugs.map((drug) => {
    const sum = added(usage.get(drug.Id)!)
    const [now, LastYear, LastPeriod] = [qtyOf(sum), year(drug), before(drug)]
    return {
      ...{ ...chemicalFields(drug), ...limitsOf(drug), ...figureOf(drug, sum, reading), ProjectName: drug.ProjectName },
      ...{ LastYear, LastPeriod, YoY: change(now, LastYear), MoM: change(now, LastPeriod) },
    }
  })
  return { ...paged({ index, size, exact: true }, Items, all.length), ...currencyOf(reading) }
}

const mostCells = 100_000
const matrixOf = async (
  reading: Reading,
  keys: Keys,
  by: 'day' | 'month',
  lines: readonly { drug: Drug; name: string }[],
): Promise<Matrix> => {
  const edges = edgesOfDays(reading.zone, keys, by)
  if (lines.length * edges.length > mostCells) throw new FieldFaults([{ field: 'DateTo', rule: 'fault.rangeTooLong' }])
  const usage = await usageOf(
    reading,
    lines.map(({ drug }) => drug),
    edges,
  )
  const textOf = (at: number) => new Date(at).toLocaleDateString('sv-SE', { timeZone: reading.zone }).slice(0, by === 'day' ? 10 : 7)
  return {
    ...currencyOf(reading),
    Columns: edges.slice(0, -1).map(textOf),
    Rows: lines.map(({ drug, name }) => {
      const sums: Sum[] = usage.get(drug.Id)!
      const figure = (sum: Sum): Figure => figureOf(drug, sum, reading)
      return { ...chemicalFields(drug), Name: name, RegionName: drug.RegionName, Total: figure(added(sums)), Cells: sums.map(figure) }
    }),
  }
}
export const reportData = (reading: Reading, query: Query<typeof dosingCalls.reportData>) =>
  matrixOf(
    reading,
    keysIn(query),
    query.Columns ?? 'day',
    ofKind(reading, query.DrugType).map((drug) => ({ drug, name: drug.DrugName })),
  )
/** Chemicals by region, those of one region together. */
export const reportRegion = (reading: Reading, query: Query<typeof dosingCalls.reportRegion>) => {
  const drugs = ofKind(reading, query.DrugType).filter(({ RegionId }) => RegionId !== null)
  const lines = [...Map.groupBy(drugs, ({ RegionId }) => RegionId!).values()].flat()
  return matrixOf(
    reading,
    keysIn(query),
    'month',
    lines.map((drug) => ({ drug, name: drug.RegionName ?? '' })),
  )
}

type Made = { language: Language; filters: { DateFrom: string; DateTo: string } }
const round = (value: number | null | undefined, digits: number) => (value == null ? null : Number(value.toFixed(digits)))
/** Writes a report as a sheet with data quality columns; costs only for users with the permission. */
export const makeReport = async (reading: Reading, matrix: Matrix, { language, filters }: Made) => {
  const { actor, db, seesCost, measuring } = reading
  const say = (key: string) => word(language, key)
  const costs = seesCost ? [`${say('dosing.cost')}, ${matrix.Currency ?? ''}`, `${say('dosing.costPerM3')}, ${matrix.Currency ?? ''}`] : []
  const header = [
    ...['DrugName', 'DrugCode', 'DrugType', 'RegionId', 'Unit'].map((name) => headerOf(drugInfo, name, language)),
    ...matrix.Columns,
    ...[say('dosing.total'), `${say('dosing.dry')}, kg`, `${say('dosing.water')}, m³`, `${say('dosing.dose')}, mg/L`],
    ...[
      ...costs,
      `${say('dosing.known')}, %`,
      ...(['Measured', 'Entered', 'Missing'] as const).map((name) => `${say(`dosing.made.${name}`)}, %`),
    ],
  ]
  const rows = matrix.Rows.map(({ DrugName, DrugCode, DrugType, RegionName, Unit, Total, Cells }): Cell[] => [
    ...[DrugName, DrugCode, say(`drugInfo.DrugType.${DrugType}`), RegionName, Unit],
    ...Cells.map(({ Qty }) => Qty),
    ...[Total.Qty, round(Total.Dry, 3), Total.Water, round(Total.Dose, 3)],
    ...(seesCost ? [round(Total.Cost, 6), round(Total.CostPerM3, 6)] : []),
    ...[Total.Known, Total.Shares?.Measured, Total.Shares?.Entered, Total.Shares?.Missing].map((value) => round(value, 1)),
  ])
  const file = await packSheet(header, [rows], actor)
  const title = say(`menu.${report}`)
  await noteExport(db, actor, drugInfo.name, title, { Filters: filters, Rows: matrix.Rows.length })
  const stem = fileStem(title, [filters.DateFrom, filters.DateTo], measuring.now, actor.zone ?? actor.tenantZone)
  return { name: `${stem}.xlsx`, file }
}
