import { useWords } from '../../../../console/words/words.ts'
import { degrees } from './roomRow.ts'

type Props = {
  low: readonly (number | null)[]
  high: readonly (number | null)[]
  band: readonly [low: number | null, high: number | null]
}
const [width, height, edge] = [240, 56, 4]

/** The last 24 hours from the coldest to the warmest sensor, over the band of the room. Gaps stay gaps. */
export const Spark = ({ low, high, band: [bandLow, bandHigh] }: Props) => {
  const t = useWords()
  const values = [...low, ...high].filter((value) => value !== null)
  if (!values.length) return <p className="soft cold-spark-none">{t('cold.noReadings')}</p>
  const all = [...values, ...[bandLow, bandHigh].filter((value) => value !== null)]
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const y = (value: number) => edge + (height - 2 * edge) * (1 - (value - least) / (most - least || 1))
  const step = width / low.length
  const [top, bottom] = [bandHigh === null ? 0 : y(bandHigh), bandLow === null ? height : y(bandLow)]
  return (
    <svg
      className="cold-spark"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('cold.spark', { low: degrees(Math.min(...values)), high: degrees(Math.max(...values)) })}
    >
      <rect className="cold-spark-band" x="0" y={top} width={width} height={Math.max(0, bottom - top)} />
      {low.map((value, i) => {
        const up = high[i] ?? null
        if (value === null || up === null) return null
        const outside = (bandHigh !== null && up > bandHigh) || (bandLow !== null && value < bandLow)
        const [from, to] = [y(up), y(value)]
        return (
          <rect
            key={i}
            className={outside ? 'cold-spark-out' : 'cold-spark-in'}
            x={i * step}
            y={from - 1}
            width={step + 0.2}
            height={Math.max(2, to - from + 2)}
          />
        )
      })}
    </svg>
  )
}
