// Chemicals block of report templates: amount dosed, water volume and dose in the report's projects.

import { headerOf } from '../../../../server/files/sheet.ts'
import { word } from '../../../../server/http/words.ts'
import type { Column, Part } from '../../../analysis/reports/blocks.ts'
import { type AreaBlocks, type AreaMaking, inEachProject } from '../../../analysis/reports/server/service.ts'
import { mostBars, wholeDaysOf } from '../../../energy/consumption/server/service.ts'
import { drugInfo } from '../../chemicals/contract.ts'
import { type Drug, type Measuring, openReading } from './reading.ts'
import { added, figureOf } from './sums.ts'
import { edgesOfDays, usageOf } from './usage.ts'

/** Maximum curves of a chart, and figures of a block. */
const [mostCurves, mostFigures] = [5, 24]
/** Edges by day or month. A shift is one part. */
const edgesOf = ({ zone, span }: AreaMaking) => {
  const keys = wholeDaysOf(zone, span)
  return keys ? edgesOfDays(zone, keys, keys.to - keys.from < mostBars ? 'day' : 'month') : [span.start, span.end]
}

const partsOf = async (making: AreaMaking, telemetry: Measuring['telemetry'], id: number, title: string): Promise<Part[]> => {
  const { db, actor, language, now, span } = making
  const reading = await openReading(db, actor, { telemetry, now }, { ProjectId: id })
  const { drugs } = reading
  if (!drugs.length) return []
  const edges = edgesOf(making)
  const usage = await usageOf(reading, drugs, edges)
  const seen = { ...reading, seesCost: false }
  const rows = drugs.map((drug) => ({ drug, total: figureOf(drug, added(usage.get(drug.Id)!), seen) }))
  const chart = (some: readonly Drug[]): Part => ({
    ...{ Is: 'chart', Title: some[0]!.Unit, Bars: true, Start: span.start, End: span.end },
    Curves: some.map((drug) => ({
      ...{ Name: drug.DrugName, Unit: drug.Unit, Digits: 1, Time: edges.slice(0, -1) },
      Value: usage.get(drug.Id)!.map((sum) => figureOf(drug, sum, seen).Qty),
    })),
  })
  const charts = [...Map.groupBy(drugs, ({ Unit }) => Unit).values()].flatMap((of) =>
    Array.from({ length: Math.ceil(of.length / mostCurves) }, (_, i) => chart(of.slice(i * mostCurves, (i + 1) * mostCurves))),
  )
  const text = (Title: string): Column => ({ Title, Is: 'text' })
  const number = (Title: string, Digits: number): Column => ({ Title, Is: 'number', Digits })
  const say = (key: string) => word(language, key)
  return [
    {
      ...{ Is: 'figures', Title: title },
      Figures: rows.slice(0, mostFigures).map(({ drug, total: { Qty, Known } }) => ({
        ...{ Name: drug.DrugName, Unit: drug.Unit, Digits: 1, Value: Qty, Coverage: Known / 100 },
      })),
    },
    ...(edges.length > 2 ? charts : []),
    {
      ...{ Is: 'table', Title: '', More: 0 },
      Columns: [
        ...[text(headerOf(drugInfo, 'DrugName', language)), text(headerOf(drugInfo, 'DrugCode', language))],
        ...[number(say('dosing.total'), 1), text(headerOf(drugInfo, 'Unit', language)), number(`${say('dosing.dry')}, kg`, 1)],
        ...[number(`${say('dosing.water')}, m³`, 0), number(`${say('dosing.dose')}, mg/L`, 2)],
        { Title: say('dosing.known'), Is: 'percent', Digits: 1 },
      ],
      Rows: rows.map(({ drug, total: { Qty, Dry, Water, Dose, Known } }) => [
        ...[drug.DrugName, drug.DrugCode, Qty, drug.Unit, Dry, Water, Dose, Known / 100],
      ]),
    },
  ]
}

export const dosingBlocks = ({ telemetry }: Pick<Measuring, 'telemetry'>): Pick<AreaBlocks, 'dosing'> => ({
  dosing: inEachProject('dosing.noChemicals', (making, { Id }, title) => partsOf(making, telemetry, Id, title)),
})
