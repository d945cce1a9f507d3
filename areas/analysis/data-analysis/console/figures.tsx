import { useSettings } from '../../../../console/kernel/api.ts'
import { Shape } from '../../../../console/theme/State.tsx'
import { durationUnits, none, numberText, shareText } from '../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { unitOverTime } from '../../history/figure.ts'
import { analysisSettings, type StatisticsRow } from '../../telemetry/contract.ts'

/** Coverage threshold of the company, in percent. Figures below it are marked. */
export const useEnoughCoverage = (): number => useSettings(analysisSettings).data?.EnoughCoverage ?? 95
export const isLittle = (coverage: number | null | undefined, percent: number) => (coverage ?? 1) < percent / 100

/** Formats a counter reading with up to three decimals. */
export const readingText = (value: number | null) => (value === null ? none : numberText(value, 0, language(), 3))

export const percentText = (share: number | null | undefined, digits = 1) => shareText(share, language(), digits)

/** From how much data a figure is. */
const coverageText = (coverage: number | null | undefined, t: Words) =>
  coverage === null || coverage === undefined ? t('explore.plainMean') : t('explore.coverage', { share: percentText(coverage) })

/** What is shown of a point over a time: what was counted, added up or on, otherwise the mean. */
export const shownFigure = ({ CalDataType }: ParaInfo, row: StatisticsRow | undefined) =>
  row ? (CalDataType === 0 ? (row.Mean ?? row.Avg) : row.Sum) : null
export const digitsOf = (p: ParaInfo) => (p.CalDataType === 3 ? 2 : p.DecimalDigits)
export const unitOf = (p: ParaInfo) => (p.CalDataType === 3 ? 'h' : p.CalDataType === 4 ? unitOverTime(p) : p.ParaUnitName)
export const withUnit = (title: string, unit: string) => (unit ? `${title} (${unit})` : title)

/** A figure. Its tooltip shows how much data it is based on; low coverage is marked. */
export const Figure = ({ text, coverage }: { text: string; coverage: number | null | undefined }) => {
  const t = useWords()
  const said = coverageText(coverage, t)
  const enough = useEnoughCoverage()
  return (
    <span className="figures" title={said}>
      {text}
      {isLittle(coverage, enough) && (
        <span className="explore-mark">
          <Shape is="warning" label={said} />
        </span>
      )}
    </span>
  )
}

const symbols = { day: 'd', hour: 'h', minute: 'min', second: 's' } as const

/** A duration such as 3 d 4 h, 5 h 12 min, 40 s: the two largest units. */
export const durationText = (ms: number | null | undefined): string => {
  if (ms === null || ms === undefined) return none
  const at = Math.max(
    0,
    durationUnits.findIndex(([, size]) => ms >= size),
  )
  const first = ms < 1000 ? durationUnits.length - 1 : at
  // Chinese and Japanese write the units out; the other languages use the symbols of all tables.
  const text = (i: number, value: number) =>
    language() === 'zh' || language() === 'ja'
      ? new Intl.NumberFormat(language(), { style: 'unit', unit: durationUnits[i]![0], unitDisplay: 'short' }).format(value)
      : `${value} ${symbols[durationUnits[i]![0]]}`
  const whole = Math.floor(ms / durationUnits[first]![1])
  const rest = first + 1 < durationUnits.length ? Math.floor((ms - whole * durationUnits[first]![1]) / durationUnits[first + 1]![1]) : 0
  return rest ? `${text(first, whole)} ${text(first + 1, rest)}` : text(first, whole)
}
