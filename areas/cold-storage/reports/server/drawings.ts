// The drawn parts of a report: the plan and the curves.
import type { Language } from '../../../../contract/languages.ts'
import { svgText } from '../../../../contract/picture/tree.ts'
import type { Part } from '../../../analysis/reports/blocks.ts'
import { Sensor } from '../../rooms/contract.ts'
import { planOf, planSize } from '../../rooms/server/service.ts'
import { check } from '../contract.ts'
import type { ReadRecord, RecordFigures } from '../record.ts'

/** Checker, approver and whether the report is issued. */
export type Signed = {
  State: number
  Checker: string | null
  CheckTime: number | null
  Approver: string | null
  ApproveTime: number | null
  Sha256: string
}
export type Making = {
  record: ReadRecord
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

export const chartsPart = ({ record, t }: Making): Part[] =>
  [Sensor.temperature, Sensor.humidity].flatMap((type): Part[] => {
    const sensors = record.Sensors.flatMap((sensor) =>
      sensor.SensorType === type && sensor.Curve ? [{ ...sensor, Curve: sensor.Curve }] : [],
    )
    if (!sensors.length) return []
    const Unit = type === Sensor.temperature ? '°C' : '%'
    const Curves = sensors.map(({ SensorName, Curve }) => ({ Name: SensorName, Unit, Digits: 1, ...Curve }))
    return [{ Is: 'chart', Title: t(`coldSensorBind.SensorType.${type}`), Bars: false, Start: record.Start, End: record.End, Curves }]
  })
