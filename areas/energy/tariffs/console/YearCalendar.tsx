import { language, useWords } from '../../../../console/words/words.ts'
import { dayTables, tableAt } from '../dayTables.ts'
import { type Season, timeOfUse } from '../prices.ts'
import { levels, quartersOfDay } from '../quarterHours.ts'
import './tariffs.css'

const monthText = (month: number) =>
  new Intl.DateTimeFormat(language(), { month: 'short', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, month, 1)))

const runsIn = (level: Uint8Array) => {
  const runs: { from: number; to: number; level: number }[] = []
  level.forEach((of, i) => {
    const last = runs.at(-1)
    if (last?.level === of) last.to = i + 1
    else runs.push({ from: i, to: i + 1, level: of })
  })
  return runs
}

/** The year: a line of 24 hours for the workdays and one for the holidays of each month. */
export const YearCalendar = ({ seasons }: { seasons: readonly Season[] }) => {
  const t = useWords()
  const empty: Season = { Months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], Days: 0, Periods: [] }
  // A month without a season stays empty, as a hole does.
  const tables = dayTables(timeOfUse, 0n, [empty, ...seasons])
  const line = (month: number, isHoliday: boolean) => {
    const runs = runsIn(tables[tableAt(month, isHoliday)]!.level)
    const text = levels
      .flatMap((level) => {
        const hours = runs.reduce((sum, run) => sum + (run.level === level ? run.to - run.from : 0), 0) / 4
        return hours ? [`${t(`tariff.level.${level}`)} ${hours} h`] : []
      })
      .join(', ')
    const name = `${monthText(month)}, ${t(`tariff.days.${isHoliday ? 2 : 1}`)}: ${text || t('tariff.none')}`
    return (
      <span className="tariff-line" role="img" aria-label={name} title={name}>
        {runs.map(({ from, to, level }) => (
          <span
            key={from}
            className={`tariff-level tariff-level-${level}`}
            style={{ insetInlineStart: `${(100 * from) / quartersOfDay}%`, width: `${(100 * (to - from)) / quartersOfDay}%` }}
          />
        ))}
      </span>
    )
  }
  return (
    <figure className="tariff-year">
      <figcaption>
        {t('tariff.year')}
        <span className="faint">{t('tariff.yearText')}</span>
      </figcaption>
      <div className="tariff-months">
        {Array.from({ length: 12 }, (_, month) => (
          <div key={month} className="tariff-month">
            <span className="soft">{monthText(month)}</span>
            {line(month, false)}
            {line(month, true)}
          </div>
        ))}
      </div>
      <div className="tariff-legend">
        {levels.map((level) => (
          <span key={level}>
            <span className={`tariff-swatch tariff-level-${level}`}>
              <b>{t(`tariff.letter.${level}`)}</b>
            </span>
            {t(`tariff.level.${level}`)}
          </span>
        ))}
      </div>
    </figure>
  )
}
