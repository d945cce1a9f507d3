// Reports: circuits or regions against days, months or price levels, on screen and as sheets.
import type { Cell } from '../../../../contract/cell.ts'
import type { Language } from '../../../../contract/languages.ts'
import { headerOf } from '../../../../server/files/sheet.ts'
import { packSheet } from '../../../../server/files/sheetPacker.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import { fileStem } from '../../../system/exports/server/service.ts'
import { energyInfo } from '../../circuits/contract.ts'
import { type Figure, type Matrix, report, type reportColumns } from '../contract.ts'
import type { Circuit } from './circuits.ts'
import type { Span } from './days.ts'
import { figureOf, money, units } from './figures.ts'
import { frozenDays } from './late.ts'
import { type Paper, pdfOfMatrix } from './paper.ts'
import { type Days, keysOf, partsOf, spanOf } from './ranges.ts'
import { byKind, counted, type Reading, seenCircuits } from './reading.ts'
import { addSum, emptySum, type Sum } from './sums.ts'
import { added, usageOf } from './usage.ts'

type Asked = Days & { ProjectId?: number | undefined; EnergyType?: number | undefined }
type Columns = (typeof reportColumns)[number]
type Row = Matrix['Rows'][number]
/** Cells of one report. */
const mostCells = 100_000

type Column = { sum: Sum; late: bigint }
const cellOf = ({ sum, late }: Column, reading: Reading): Figure => ({ ...figureOf(sum, reading), ...(late ? { Late: units(late) } : {}) })
/** A row by level has no parts: its cells are its levels. */
const levelCells = (whole: Sum, { seesCost }: Reading): Figure[] =>
  whole.levels.map((energy, level) => ({
    Energy: whole.known ? units(energy) : null,
    Known: figureOf(whole, { seesCost: false }).Known,
    Shares: null,
    OpenEvents: 0,
    ...(seesCost ? { Cost: whole.isPriced ? money(whole.costs[level]!) : null } : {}),
  }))

type Line = { key: string; name: string; code: string | null; circuits: readonly Circuit[] }
/** Columns of a range, and in which of them each of its days lies. */
const columnsOf = (zone: string, span: Span, columns: Columns, days: readonly number[]) => {
  if (columns === 'level') return { starts: [span.start], at: () => 0 }
  const starts = partsOf(zone, span, columns).edges.slice(0, -1)
  return { starts, at: (i: number) => starts.findLastIndex((start) => start <= days[i]!) }
}

/** Closed months answer what was frozen. */
const matrixOf = async (
  reading: Reading,
  asked: Asked,
  columns: Columns,
  lines: readonly Line[],
  totals: readonly Circuit[],
): Promise<Matrix> => {
  const keys = keysOf(asked)
  const span = spanOf(reading.zone, keys)
  const circuits = [...new Set([...lines.flatMap((line) => line.circuits), ...totals])]
  // Compute by day only if a closed month is involved; otherwise each column is one interval.
  const frozen = await frozenDays(reading.db, circuits, keys)
  const { edges: days } = partsOf(reading.zone, span, 'day')
  const { starts, at } = columnsOf(reading.zone, span, columns, days)
  const count = starts.length
  if (lines.length * count > mostCells) throw new FieldFaults([{ field: 'DateTo', rule: 'fault.rangeTooLong' }])
  const edges = frozen.size ? days : [...starts, span.end]
  const usage = await usageOf(reading, circuits, span, { edges, priced: reading.seesCost || columns === 'level' })
  const place = Array.from({ length: edges.length - 1 }, (_, i) => (frozen.size ? at(i) : i))
  const columnsOfCircuits = (of: readonly Circuit[]): Column[] => {
    const cells = Array.from({ length: count }, (): Column => ({ sum: emptySum(), late: 0n }))
    for (const { Id } of of)
      for (const [i, now] of usage.get(Id)!.entries()) {
        const cell = cells[place[i]!]!
        const then = frozen.get(Id)?.[i]
        addSum(cell.sum, then ?? now)
        if (then) cell.late += now.energy - then.energy
      }
    return cells
  }
  const row = ({ key, name, code, circuits }: Line): Row => {
    const cells = columnsOfCircuits(circuits)
    const { EnergyType, Unit } = circuits[0]!
    const whole = { sum: added(cells.map(({ sum }) => sum)), late: cells.reduce((all, { late }) => all + late, 0n) }
    const Cells = columns === 'level' ? levelCells(whole.sum, reading) : cells.map((cell) => cellOf(cell, reading))
    return { Key: key, Name: name, EnergyCode: code, EnergyType, Unit, Total: cellOf(whole, reading), Cells }
  }
  return {
    Currency: reading.seesCost ? reading.currency : null,
    Columns:
      columns === 'level'
        ? [0, 1, 2, 3, 4, 5].map((level) => ({ Key: String(level), Start: null }))
        : starts.map((Start) => ({ Key: keyOfStart(reading.zone, Start, columns), Start })),
    Rows: lines.map(row),
    Sums: byKind(totals).map((of) => row({ key: `${of[0]!.EnergyType} ${of[0]!.Unit}`, name: '', code: null, circuits: of })),
  }
}
const keyOfStart = (zone: string, start: number, columns: Columns) => {
  const day = new Date(start).toLocaleDateString('sv-SE', { timeZone: zone })
  return columns === 'month' ? day.slice(0, 7) : day
}

export const reportData = (reading: Reading, { Columns = 'day', ...asked }: Asked & { Columns?: Columns | undefined }) => {
  const circuits = seenCircuits(reading, asked)
  const lines = circuits.map((one) => ({ key: String(one.Id), name: one.EnergyName, code: one.EnergyCode, circuits: [one] }))
  return matrixOf(reading, asked, Columns, lines, counted(reading, circuits))
}
/** Of each region what its own totals count, by months. */
export const reportRegion = (reading: Reading, asked: Asked) => {
  const circuits = seenCircuits(reading, asked).filter(({ RegionId }) => RegionId !== null)
  const lines = byKind(circuits).flatMap((kind) =>
    [...Map.groupBy(kind, ({ RegionId }) => RegionId!)].flatMap(([region, of]) => {
      const own = counted(reading, of)
      const name = of[0]!.RegionName ?? ''
      return own.length ? [{ key: `${region} ${own[0]!.EnergyType} ${own[0]!.Unit}`, name, code: null, circuits: own }] : []
    }),
  )
  return matrixOf(reading, asked, 'month', lines, counted(reading, circuits))
}

const qualities = ['Measured', 'Interpolated', 'Entered', 'Corrected', 'Missing'] as const
/** Exports a report as a spreadsheet, with data quality columns, and cost columns for users with access to costs. */
const sheetOf = (matrix: Matrix, language: Language, { seesCost, actor }: Reading) => {
  const say = (key: string) => word(language, key)
  const isLevel = matrix.Columns.every(({ Start }) => Start === null)
  const costs = seesCost ? [`${say('energy.cost')}${matrix.Currency ? `, ${matrix.Currency}` : ''}`] : []
  const isLate = [...matrix.Rows, ...matrix.Sums].some(({ Total }) => Total.Late)
  const header = [
    ...['EnergyName', 'EnergyCode', 'EnergyType', 'Unit'].map((name) => headerOf(energyInfo, name, language)),
    ...matrix.Columns.map(({ Key }) => (isLevel ? say(Key === '0' ? 'energy.level.0' : `tariff.level.${Key}`) : Key)),
    say('energy.total'),
    ...costs,
    `${say('energy.known')}, %`,
    ...qualities.map((name) => `${say(`energy.quality.${name}`)}, %`),
    ...(isLate ? [say('energy.late')] : []),
  ]
  const round = (value: number | null | undefined) => (value === null || value === undefined ? null : Math.round(value * 10) / 10)
  const rowOf = ({ Name, EnergyCode, EnergyType, Unit, Cells, Total }: Row): Cell[] => [
    ...[Name, EnergyCode, say(`energyInfo.EnergyType.${EnergyType}`), Unit],
    ...Cells.map(({ Energy }) => Energy),
    Total.Energy,
    ...costs.map(() => Total.Cost ?? null),
    ...[Total.Known, ...qualities.map((name) => Total.Shares?.[name])].map(round),
    ...(isLate ? [Total.Late ?? null] : []),
  ]
  const rows = [...matrix.Rows, ...matrix.Sums.map((sum) => ({ ...sum, Name: say('energy.sum') }))].map(rowOf)
  return packSheet(header, [rows], actor)
}

type Filters = Asked & { Format?: 'xlsx' | 'pdf' | undefined }
type Made = { language: Language; filters: Filters; paper: Paper }
export const makeReport = async (reading: Reading, matrix: Matrix, { language, filters, paper }: Made) => {
  const { actor, db, deriving } = reading
  const { Format = 'xlsx' } = filters
  const title = word(language, `menu.${report}`)
  const file =
    Format === 'pdf'
      ? await pdfOfMatrix(reading, matrix, { language, title, span: spanOf(reading.zone, keysOf(filters)), paper })
      : await sheetOf(matrix, language, reading)
  await noteExport(db, actor, energyInfo.name, title, { Filters: filters, Rows: matrix.Rows.length })
  const stem = fileStem(title, [filters.DateFrom, filters.DateTo], deriving.now, actor.zone ?? actor.tenantZone)
  return { name: `${stem}.${Format}`, file }
}
