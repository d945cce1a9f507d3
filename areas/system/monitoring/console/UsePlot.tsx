import { useMemo, useState } from 'react'
import { type Line, valueAt } from '../../../../console/chart/assemble.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { MachineUse, Measure } from '../contract.ts'

type Props = {
  title: string
  measures: readonly Measure[]
  unit: string
  /** Size of the display unit, in the server's unit. */
  scale: number
  history: MachineUse['History'] | undefined
  range: Range
  width: number
  onRange: (range: Range) => void
  onBack: () => void
}
const height = 180

/** Some measures of the machine over time, in one unit, with values at the pointer or at the end. */
export const UsePlot = ({ title, measures, unit, scale, history, range, width, onRange, onBack }: Props) => {
  const t = useWords()
  const mode = useMode((s) => s.mode)
  const [cursor, setCursor] = useState<number>()
  const points = useMemo(
    () =>
      measures.map(
        (measure, i): ParaInfo => ({
          ParaId: i + 1,
          ParaName: t(`monitor.measure.${measure}`),
          ParaUnitName: unit,
          ParaDataTypeName: '',
          AxisMin: null,
          AxisMax: null,
          IsChartShow: 1,
          DecimalDigits: 1,
          AlarmLow: null,
          AlarmHigh: null,
          ReadWriteType: 0,
          CalDataType: 0,
          DeviceId: 1,
          DeviceName: '',
          DeviceStatus: 1,
          ExpectedMs: 60_000,
        }),
      ),
    [measures, unit, t],
  )
  const drawn = useMemo(
    () =>
      measures.map(
        (measure, i): Line => ({
          ParaId: i + 1,
          Time: history?.Time ?? [],
          Value: (history?.[measure] ?? []).map((v) => (v === null ? null : v / scale)),
        }),
      ),
    [measures, history, scale],
  )
  const at = cursor ?? range.end
  return (
    <section aria-label={title}>
      <h2 className="monitor-title">{title}</h2>
      <p className="monitor-legend figures">
        <span className="soft">{timeText(Math.round(at))}</span>
        {points.map((point, i) => (
          <span key={point.ParaId}>
            <span className="monitor-swatch" style={{ background: palette[mode][i] }} aria-hidden />
            {point.ParaName}: {numberText(valueAt(drawn[i]!, at), 1)} {unit}
          </span>
        ))}
      </p>
      <div className="monitor-plot" style={{ minHeight: height }}>
        {width > 0 && (
          <Plot
            points={points}
            lines={drawn}
            range={range}
            width={width}
            height={height}
            onRange={onRange}
            onBack={onBack}
            onCursor={setCursor}
          />
        )}
      </div>
    </section>
  )
}
