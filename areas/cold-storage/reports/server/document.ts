// A report on paper, from its record alone.
import type { Language } from '../../../../contract/languages.ts'
import { word } from '../../../../server/http/words.ts'
import type { Column, Part, ReportDocument } from '../../../analysis/reports/blocks.ts'
import { momentText } from '../../../analysis/reports/text.ts'
import { reasonText } from '../../figures/server/service.ts'
import { check } from '../contract.ts'
import { criteriaLimits, type ReadRecord, type RecordFigures } from '../record.ts'
import { chartsPart, type Making, planPart, type Signed } from './drawings.ts'

const text = (Title: string): Column => ({ Title, Is: 'text' })
const number = (Title: string, Digits: number): Column => ({ Title, Is: 'number', Digits })
const time = (Title: string): Column => ({ Title, Is: 'time' })
type Cell = string | number | null
const table = (Title: string, Columns: Column[], Rows: Cell[][]): Part => ({ Is: 'table', Title, Columns, Rows, More: 0 })
const paragraph = (Title: string, lines: readonly string[]): Part[] => (lines.length ? [{ Is: 'text', Title, Text: lines.join('\n') }] : [])
const code = (of: string, value: number | null, t: Making['t']) => (value === null ? null : t(`${of}.${value}`))

const aboutPart = ({ record, signed, t }: Making): Part => {
  const at = (when: number | null) => (when === null ? '' : momentText(when, record.TimeZone))
  const person = (name: string | null, when: number | null) => [name, at(when)].filter(Boolean).join(', ') || null
  const { Room, Purpose } = record
  const rows: [string, Cell][] = [
    [t('coldReport.ReportNo'), record.ReportNo],
    [t('coldReport.ColdStorageId'), [Room.StorageName, Room.StorageNo].filter(Boolean).join(', ')],
    [t('coldStorage.StorageType'), t(`coldStorage.StorageType.${Room.StorageType}`)],
    [t('coldReport.CheckKind'), code('coldReport.CheckKind', record.CheckKind, t)],
    [t('coldReport.LoadState'), code('coldReport.LoadState', record.LoadState, t)],
    [t('coldReport.Season'), code('coldReport.Season', record.Season, t)],
    [t('coldReport.Purpose'), Purpose],
    [t('coldReport.State'), t(`coldReport.State.${signed.State}`)],
    [t('coldReport.UserId'), person(record.Author, record.Made)],
    [t('coldReport.CheckUserId'), person(signed.Checker, signed.CheckTime)],
    [t('coldReport.ApproveUserId'), person(signed.Approver, signed.ApproveTime)],
  ]
  return table('', [text(t('cold.paper.what')), text(t('cold.paper.value'))], rows.filter(([, value]) => value !== null) as Cell[][])
}

const resultPart = ({ record, figures, t }: Making): Part => {
  const nameOf = (id: number | null) => figures.Points.find(({ SensorBindId }) => SensorBindId === id)?.SensorName ?? null
  const { Room } = figures
  const rows: [string, number | null, string | null][] = [
    [t('cold.figures.avg'), Room.Avg, '°C'],
    [t('cold.figures.deviation'), Room.Deviation, '°C'],
    [t('cold.figures.uniformity'), Room.Uniformity, '°C'],
    [t('cold.figures.fluctuation'), Room.Fluctuation, '± °C'],
  ]
  const spots: [string, string | null][] = [
    [t('cold.figures.hottest'), nameOf(Room.Hottest)],
    [t('cold.figures.coldest'), nameOf(Room.Coldest)],
    ...(record.ReportType === check ? [[t('cold.paper.proposed'), nameOf(figures.Proposed)] as [string, string | null]] : []),
  ]
  return table(
    t('cold.paper.room'),
    [text(t('cold.paper.what')), number(t('cold.paper.value'), 2), text(t('cold.paper.unit'))],
    [...rows, ...spots.map(([name, spot]): Cell[] => [name, null, spot])],
  )
}

const units = {
  TempLow: '°C',
  TempHigh: '°C',
  MaxUniformity: '°C',
  MaxFluctuation: '°C',
  MinPoints: '',
  IntervalMin: 'min',
  MinHours: 'h',
  RecoverMaxMin: 'min',
  PowerCutMinMin: 'min',
  DeltaH: 'kJ/mol',
}
const criteriaPart = ({ record, t }: Making): Part => {
  const { Criteria } = record
  const by =
    Criteria.SetTime === null ? '' : ` (${[Criteria.SetBy, momentText(Criteria.SetTime, record.TimeZone)].filter(Boolean).join(', ')})`
  const rows = criteriaLimits.flatMap((name): Cell[][] =>
    Criteria[name] === null ? [] : [[t(`coldCriteria.${name}`), Criteria[name], units[name]]],
  )
  const columns = [text(t('cold.paper.what')), number(t('cold.paper.value'), 2), text(t('cold.paper.unit'))]
  return table(`${t('coldCriteria')}${Criteria.CriteriaName ? `: ${Criteria.CriteriaName}` : ''}${by}`, columns, rows)
}

const sensorPart = ({ record, t }: Making): Part =>
  table(
    t('cold.paper.sensors'),
    [
      ...[
        text(t('coldSensorBind.SensorName')),
        text(t('coldSensorBind.SensorType')),
        text(t('coldSensorBind.Position')),
        text(t('coldSensorBind.ProductSN')),
      ],
      ...[
        text(t('coldCalibration.CalibDate')),
        text(t('coldCalibration.CalibDue')),
        number(t('coldCalibration.CalibOffset'), 2),
        text(t('coldCalibration.CertificateNo')),
      ],
    ],
    record.Sensors.map(({ SensorName, SensorType, Position, ProductSN, Calibrations }) => {
      const last = Calibrations.at(-1)
      return [
        ...[SensorName, t(`coldSensorBind.SensorType.${SensorType}`), code('coldSensorBind.Position', Position, t), ProductSN],
        ...[last?.CalibDate ?? null, last?.CalibDue ?? null, last?.CalibOffset ?? null, last?.CertificateNo ?? null],
      ]
    }),
  )

const pointPart = ({ figures, t }: Making): Part =>
  table(
    t('cold.paper.points'),
    [
      ...[
        text(t('cold.figures.point')),
        number(t('cold.figures.min'), 1),
        number(t('cold.figures.max'), 1),
        number(t('cold.figures.avg'), 2),
      ],
      ...[
        number(t('cold.figures.mkt'), 2),
        number(`${t('cold.figures.inBand')} (%)`, 1),
        number(`${t('cold.figures.outside')} (min)`, 0),
        number(`${t('cold.figures.known')} (%)`, 1),
      ],
    ],
    figures.Points.map((point) => [
      ...[point.SensorName, point.Min, point.Max, point.Avg, point.Mkt],
      ...[point.InBandPercent, point.OutsideMinutes, point.KnownPercent],
    ]),
  )

const switchPart = ({ figures, t }: Making): Part[] => {
  const rows = (['Door', 'Defrost', 'Compressor', 'PowerCut'] as const).flatMap((name) => {
    const of = figures[name]
    return of ? [[t(`cold.paper.${name}`), of.Count, of.TotalS * 1000, of.LongestS * 1000, of.Percent]] : []
  })
  if (!rows.length) return []
  const duration = (Title: string): Column => ({ Title, Is: 'duration' })
  const columns = [
    text(t('cold.paper.what')),
    number(t('cold.paper.count'), 0),
    duration(t('cold.paper.total')),
    duration(t('cold.paper.longest')),
  ]
  return [table(t('cold.paper.switches'), [...columns, number(`${t('cold.paper.share')} (%)`, 1)], rows)]
}

const markPart = ({ figures, t }: Making): Part[] => {
  if (!figures.Marks.length) return []
  const columns = [
    ...[
      text(t('cold.paper.test')),
      time(t('coldReport.StartTime')),
      time(t('coldReport.EndTime')),
      number(`${t('cold.paper.rise')} (°C)`, 1),
    ],
    ...[number(`${t('cold.paper.minutes')} (min)`, 0), text(t('coldReport.Result'))],
  ]
  const verdict = (met: number | null) => (met === null ? '–' : t(`coldReport.Result.${met ? 1 : 2}`))
  const rows = figures.Marks.map(({ Kind, From, To, Rise, Minutes, IsMet }): Cell[] => [
    t(`cold.paper.mark.${Kind}`),
    From,
    To,
    Rise,
    Minutes,
    verdict(IsMet),
  ])
  return [table(t('coldReport.Marks'), columns, rows)]
}

const excursionPart = ({ record, t }: Making): Part =>
  table(
    t('cold.view.excursions'),
    [
      ...[
        text(t('coldExcursion.SensorBindId')),
        text(t('coldExcursion.Side')),
        time(t('coldExcursion.BeginTime')),
        time(t('coldExcursion.EndTime')),
      ],
      ...[
        number(`${t('coldExcursion.Minutes')} (min)`, 0),
        number(t('coldExcursion.PeakValue'), 1),
        number(t('coldExcursion.DegreeMinutes'), 0),
        text(t('coldExcursion.Disposition')),
      ],
    ],
    record.Excursions.map((of) => [
      ...[of.SensorName, t(`coldExcursion.Side.${of.Side}`), of.Begin, of.End, of.Minutes, of.Peak, of.DegreeMinutes],
      t(`coldExcursion.Disposition.${of.Disposition}`),
    ]),
  )

/** @throws Fault reportNoFont if no font covers a character */
export const documentOf = (record: ReadRecord, figures: RecordFigures, signed: Signed, language: Language): ReportDocument => {
  const t: Making['t'] = (key, values) => word(language, key, values)
  const making = { record, figures, signed, language, t }
  const isCheck = record.ReportType === check
  const known = figures.Points.map(({ KnownPercent }) => KnownPercent)
  const conclusion = [t(`coldReport.Result.${figures.Result}`), ...figures.Reasons.map((reason) => reasonText(language, reason))]
  const warnings = [
    ...(signed.ApproveTime === null ? [t('cold.paper.draft')] : []),
    ...(isCheck && figures.IsLate ? [t('cold.paper.late')] : []),
  ]
  return {
    ...{ Title: `${t(`coldReport.ReportType.${isCheck ? check : 1}`)} ${record.ReportNo}`, Company: record.Company, Logo: null },
    ...{ TimeZone: record.TimeZone, Start: record.Start, End: record.End, Made: signed.ApproveTime ?? record.Made },
    ...{ Coverage: known.length ? known.reduce((sum, one) => sum + one, 0) / known.length / 100 : null, Points: figures.Points.length },
    Parts: [
      { Is: 'title', Text: t(`coldReport.ReportType.${isCheck ? check : 1}`) },
      ...paragraph('', warnings),
      aboutPart(making),
      ...paragraph(t('coldReport.Result'), conclusion),
      resultPart(making),
      ...(isCheck ? [criteriaPart(making)] : []),
      pointPart(making),
      ...planPart(making),
      ...chartsPart(making),
      ...markPart(making),
      ...switchPart(making),
      ...(isCheck && !record.Excursions.length ? [] : [excursionPart(making)]),
      sensorPart(making),
      ...paragraph(t('cold.paper.formulas'), [
        `${t('cold.figures.uniformity')}: ${t('cold.figures.uniformity.help')}`,
        `${t('cold.figures.fluctuation')}: ${t('cold.figures.fluctuation.help')}`,
        ...Object.values(record.Formulas),
      ]),
    ],
    Seal: { No: record.ReportNo, Sha256: signed.Sha256 },
  }
}
