// Energy blocks of report templates: consumption and cost of circuits in the report's projects.
import { word } from '../../../../server/http/words.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { Part } from '../../../analysis/reports/blocks.ts'
import { type AreaBlocks, type AreaMaking, inEachProject } from '../../../analysis/reports/server/service.ts'
import type { Matrix } from '../contract.ts'
import { figureOf, levelsOf, ratio } from './figures.ts'
import { type Keys, mostBars, periodBefore, textOfDay, wholeDaysOf } from './ranges.ts'
import { byKind, counted, openReading, type Reading, seenCircuits } from './reading.ts'
import {
  amounts,
  costColumn,
  kindName,
  levelName,
  moneyDigits,
  nameOf,
  percentColumn,
  type Said,
  share,
  tableOf,
  textColumn,
} from './reportParts.ts'
import { reportData } from './reports.ts'
import { added, usageOf } from './usage.ts'

type Columns = 'day' | 'month' | 'level'
type Of = { making: AreaMaking; reading: Reading; ProjectId: number; keys: Keys | undefined }

/** What circuits used: whole days as in the report of energy, closed months as they were frozen; parts of a day by their quarter-hours. */
const matrixOf = async ({ making, reading, ProjectId, keys }: Of, columns: Columns, of = keys): Promise<Matrix> => {
  if (of) return reportData(reading, { ProjectId, Columns: columns, DateFrom: textOfDay(of.from), DateTo: textOfDay(of.to) })
  const { start, end } = making.span
  const span = { start: Math.floor(start / quarter) * quarter, end: Math.ceil(end / quarter) * quarter }
  const circuits = seenCircuits(reading, { ProjectId })
  const usage = await usageOf(reading, circuits, span)
  const row = (Key: string, some: typeof circuits, Name: string, EnergyCode: string | null) => {
    const sum = added(some.flatMap(({ Id }) => usage.get(Id) ?? []))
    const { EnergyType, Unit } = some[0]!
    const levels = levelsOf(sum, reading)
    const none = { Energy: null, Known: 0, Shares: null, OpenEvents: 0 }
    const Cells = Array.from({ length: 6 }, (_, at) => ({ ...none, ...levels.find(({ Level }) => Level === at) }))
    return { Key, Name, EnergyCode, EnergyType, Unit, Total: figureOf(sum, reading), Cells: columns === 'level' ? Cells : [] }
  }
  return {
    Currency: reading.seesCost ? reading.currency : null,
    Columns: columns === 'level' ? [0, 1, 2, 3, 4, 5].map((level) => ({ Key: String(level), Start: null })) : [],
    Rows: circuits.map((one) => row(String(one.Id), [one], one.EnergyName, one.EnergyCode)),
    Sums: byKind(counted(reading, circuits)).map((some) => row(`${some[0]!.EnergyType} ${some[0]!.Unit}`, some, '', null)),
  }
}

const figuresOf = (title: string, { Sums }: Matrix, { making: { language } }: Of): Part => ({
  ...{ Is: 'figures', Title: title },
  Figures: Sums.map(({ EnergyType, Unit, Total: { Energy, Known } }) => ({
    ...{ Name: kindName(EnergyType, language), Unit, Value: Energy, Coverage: Known / 100 },
    Digits: Math.abs(Energy ?? 0) >= 100 ? 0 : 1,
  })),
})

const energyOf = async (of: Of, title: string): Promise<Part[]> => {
  const { making, keys } = of
  const { language, span } = making
  const isLong = keys !== undefined && keys.to - keys.from >= mostBars
  const matrix = await matrixOf(of, isLong ? 'month' : 'day')
  const before = keys && new Map((await matrixOf(of, 'month', periodBefore(keys))).Rows.map(({ Key, Total }) => [Key, Total.Energy]))
  const change = (now: number | null, then: number | null | undefined) => (now === null || !then ? null : (now - then) / Math.abs(then))
  const chart = ({ EnergyType, Unit, Cells }: Matrix['Sums'][number]): Part => ({
    ...{ Is: 'chart', Title: kindName(EnergyType, language), Bars: true, Start: span.start, End: span.end },
    Curves: [
      {
        ...{ Name: kindName(EnergyType, language), Unit, Digits: 1 },
        ...{ Time: matrix.Columns.map(({ Start }) => Start!), Value: Cells.map(({ Energy }) => Energy) },
      },
    ],
  })
  const energies = matrix.Rows.map(({ Total }) => Total.Energy)
  return [
    figuresOf(title, matrix, of),
    ...(matrix.Columns.length > 1 ? matrix.Sums.map(chart) : []),
    tableOf(
      '',
      [
        ...[textColumn(nameOf('EnergyName', language)), textColumn(nameOf('EnergyCode', language))],
        ...[amounts(word(language, 'energy.total'), energies), textColumn(nameOf('Unit', language))],
        ...(before ? [amounts(word(language, 'report.periodBefore'), energies), percentColumn(word(language, 'report.change'))] : []),
        percentColumn(word(language, 'energy.known')),
      ],
      matrix.Rows.map(({ Key, Name, EnergyCode, Unit, Total: { Energy, Known } }) => [
        ...[Name, EnergyCode ?? '', Energy, Unit],
        ...(before ? [before.get(Key) ?? null, change(Energy, before.get(Key))] : []),
        share(Known),
      ]),
    ),
  ]
}

const costOf = async (of: Of, title: string): Promise<Part[]> => {
  const { language } = of.making
  const { Currency, Rows, Sums } = await matrixOf(of, 'level')
  const said: Said = { language, currency: Currency, seesCost: true }
  const priced = Rows.filter(({ Total }) => typeof Total.Cost === 'number')
  const levels = Sums.filter(({ Total }) => typeof Total.Cost === 'number').flatMap(({ EnergyType, Unit, Total, Cells }) =>
    Cells.flatMap(({ Energy, Cost }, level) =>
      Energy || Cost
        ? [[kindName(EnergyType, language), levelName(level, language), Energy, Unit, Cost ?? null, ratio(Cost ?? null, Total.Cost)]]
        : [],
    ),
  )
  const kind = textColumn(nameOf('EnergyType', language))
  const unit = textColumn(nameOf('Unit', language))
  const total = (of: readonly Matrix['Rows'][number][]) =>
    amounts(
      word(language, 'energy.total'),
      of.map(({ Total }) => Total.Energy),
    )
  return [
    {
      ...{ Is: 'figures', Title: title },
      Figures: Sums.flatMap(({ EnergyType, Total: { Cost, Known } }) =>
        typeof Cost === 'number'
          ? [
              {
                Name: kindName(EnergyType, language),
                Unit: Currency ?? '',
                Digits: moneyDigits(Currency),
                Value: Cost,
                Coverage: Known / 100,
              },
            ]
          : [],
      ),
    },
    tableOf(
      word(language, 'energy.levels'),
      [
        kind,
        textColumn(word(language, 'energy.level')),
        total(Sums),
        unit,
        costColumn(said),
        percentColumn(word(language, 'energy.share')),
      ],
      levels,
    ),
    tableOf(
      '',
      [
        ...[textColumn(nameOf('EnergyName', language)), textColumn(nameOf('EnergyCode', language)), total(priced), unit, costColumn(said)],
        { Title: word(language, 'energy.meanPrice'), Is: 'number', Digits: 4 },
      ],
      priced.map(({ Name, EnergyCode, Unit, Total: { Energy, Cost } }) => [
        ...[Name, EnergyCode ?? '', Energy, Unit, Cost ?? null, ratio(Cost ?? null, Energy)],
      ]),
    ),
  ]
}

const inProjects = ({ telemetry }: { telemetry: Pick<Telemetry, 'aside'> }, work: (of: Of, title: string) => Promise<Part[]>) =>
  inEachProject('energy.noCircuits', async (making, { Id: ProjectId }, title) => {
    const { db, actor, now, zone, span } = making
    const reading = await openReading(db, actor, { telemetry, now }, { ProjectId })
    if (!seenCircuits(reading, { ProjectId }).length) return []
    return work({ making, reading, ProjectId, keys: wholeDaysOf(zone, span) }, title)
  })

export const energyBlocks = (needs: { telemetry: Pick<Telemetry, 'aside'> }): Pick<AreaBlocks, 'energy' | 'cost'> => ({
  energy: inProjects(needs, energyOf),
  cost: inProjects(needs, costOf),
})
