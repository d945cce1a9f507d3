// The drawn parts of a report: the plan and the curves.
import type { Language } from '../../../../contract/languages.ts'
import { svgText } from '../../../../contract/picture/tree.ts'
import type { Curve, Part } from '../../../analysis/reports/blocks.ts'
import { Sensor } from '../../rooms/contract.ts'
import { check } from '../contract.ts'
import { planOf, planSize } from '../plan.ts'
import { type ColdRecord, minute, type RecordFigures, type RecordSensor } from '../record.ts'

/** Who checked and approved it, and whether it was issued. */
export type Signed = {
  State: number
  Checker: string | null
  CheckTime: number | null
  Approver: string | null
  ApproveTime: number | null
  Sha256: string
}
export type Making = {
  record: ColdRecord
  figures: RecordFigures
  signed: Signed
  language: Language
  t: (key: string, values?: Record<string, string | number>) => string
}

export const planPart = ({ record, figures, t }: Making): Part[] => {
  const points = figures.Points.flatMap(({ SensorBindId, SensorName, Avg }) => {
    const sensor = record.Sensors.find(({ Id }) => Id === SensorBindId)
    if (!sensor || sensor.X === null || sensor.Y === null) return []
    const Text = Avg === null ? '–' : `${Avg.toFixed(2)} °C`
    return [
      {
        Name: SensorName,
        X: sensor.X,
        Y: sensor.Y,
        Value: Avg,
        Text,
        Marked: SensorBindId === figures.Proposed && record.ReportType === check,
      },
    ]
  })
  const Drawn = planOf(points)
  if (!Drawn) return []
  return [
    { Is: 'picture', Title: t('cold.paper.plan'), Drawn, Size: svgText(Drawn).length, Width: planSize.width, Height: planSize.height },
  ]
}

const pieces = 250
/** The lowest and the highest value of each of some pieces, so that no extreme is lost. */
const thinned = (values: readonly (number | null)[], start: number): Pick<Curve, 'Time' | 'Value'> => {
  const step = Math.max(1, Math.ceil(values.length / pieces))
  const [Time, Value]: [number[], (number | null)[]] = [[], []]
  for (let from = 0; from < values.length; from += step) {
    const known = values.slice(from, from + step).flatMap((value, i) => (value === null ? [] : [{ value, i }]))
    const sorted = known.toSorted((a, b) => a.value - b.value)
    const [low, high] = [sorted[0], sorted.at(-1)]
    const shown = low && high ? [...new Set([low, high])].sort((a, b) => a.i - b.i) : [{ value: null, i: 0 }]
    for (const { value, i } of shown) {
      Time.push(start + (from + i) * minute)
      Value.push(value)
    }
  }
  return { Time, Value }
}

export const chartsPart = ({ record, t }: Making): Part[] =>
  [Sensor.temperature, Sensor.humidity].flatMap((type): Part[] => {
    const sensors = record.Sensors.filter(({ SensorType, Values }) => SensorType === type && Values)
    if (!sensors.length) return []
    const Unit = type === Sensor.temperature ? '°C' : '%'
    const Curves = sensors.map(({ SensorName, Values }: RecordSensor) => ({
      Name: SensorName,
      Unit,
      Digits: 1,
      ...thinned(Values!, record.Start),
    }))
    return [{ Is: 'chart', Title: t(`coldSensorBind.SensorType.${type}`), Bars: false, Start: record.Start, End: record.End, Curves }]
  })
