import { useMode } from '../../../../../console/theme/mode.ts'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { ChartPanel } from '../../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { paintStacked } from '../../../../analysis/reports/bars.ts'
import type { LevelFigure } from '../../contract.ts'
import { costText, energyText, percentText, priceText } from '../amounts.ts'
import { divisionOf, levelColours, levelKey, levelsIn, partText, wholePartText } from '../parts.ts'
import type { Energy } from '../useEnergy.ts'
import { Answered } from './Answered.tsx'
import { useChart } from './useChart.ts'

/** Amount, share, cost and mean price of each level. */
export const LevelTable = ({
  levels,
  unit,
  currency,
}: {
  levels: readonly LevelFigure[]
  unit: string
  currency: string | null | undefined
}) => {
  const t = useWords()
  const mode = useMode((s) => s.mode)
  const shown = levelsIn([levels]).map((level) => levels.find(({ Level }) => Level === level)!)
  const phone = usePhone()
  const withCost = shown.some(({ Cost }) => Cost != null)
  const texts: Record<string, (of: LevelFigure) => string> = {
    amount: ({ Energy }) => energyText(Energy, unit),
    ...(phone && withCost ? {} : { share: ({ Share }) => percentText(Share, 1) }),
    ...(withCost ? { cost: ({ Cost }) => costText(Cost, currency) } : {}),
    ...(withCost && !phone
      ? { meanPrice: ({ Cost, Energy }) => priceText(Cost != null && Energy ? Cost / Energy : null, currency, unit) }
      : {}),
  }
  return (
    <div className="chart-table">
      <table aria-label={t('energy.levels')}>
        <thead>
          <tr>
            <th>{t('energy.level')}</th>
            {Object.keys(texts).map((name) => (
              <th key={name} className="chart-number">
                {t(`energy.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((of) => (
            <tr key={of.Level}>
              <td>
                <span className="level-dot" style={{ background: levelColours[mode][of.Level] }} aria-hidden="true" />{' '}
                {t(levelKey(of.Level))}
              </td>
              {Object.entries(texts).map(([name, text]) => (
                <td key={name} className="figures chart-number">
                  {text(of)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type LevelBars = {
  title: string
  parts: readonly { label: string; levels: readonly LevelFigure[] }[]
  unit: string
  head: string
  height?: number
}
/** Amounts of parts, stacked by price level. */
export const LevelBars = ({ title, parts, unit, head, height = 260 }: LevelBars) => {
  const t = useWords()
  const mode = useMode((s) => s.mode)
  const levels = levelsIn(parts.map((part) => part.levels))
  const amount = (of: readonly LevelFigure[], level: number) => of.find(({ Level }) => Level === level)?.Energy ?? null
  const names = levels.map((level) => t(levelKey(level)))
  const colours = levels.map((level) => levelColours[mode][level]!)
  return (
    <ChartPanel
      title={title}
      height={height}
      paint={(look) =>
        paintStacked(
          {
            ...{ names, labels: parts.map(({ label }) => label), unit },
            values: levels.map((level) => parts.map((part) => amount(part.levels, level))),
          },
          { ...look, colours },
        )
      }
      table={[
        [head, ...names.map((name) => `${name} (${unit})`)],
        ...parts.map((part): Cell[] => [part.label, ...levels.map((level) => amount(part.levels, level) ?? '')]),
      ]}
    />
  )
}

/** A circuit over the period, by price level. */
export const ByLevel = ({ energy: { period, circuit } }: { energy: Energy }) => {
  const t = useWords()
  const by = divisionOf(period.days)
  const answer = useChart(circuit?.EnergyInfoId, period.days, by)
  return (
    <Answered of={answer}>
      {({ Series: { Parts, Levels, Unit, EnergyName }, Currency, Zone }) => (
        <>
          <LevelBars
            title={`${EnergyName} · ${t('energy.view.levels')}`}
            parts={Parts.map(({ Start, Levels }) => ({
              label: (Parts.length > 31 ? wholePartText : partText)(Start, by, Zone),
              levels: Levels,
            }))}
            unit={Unit}
            head={t('explore.period')}
          />
          <section className="panel chart-panel">
            <LevelTable levels={Levels} unit={Unit} currency={Currency} />
            {!levelsIn([Levels]).some(Boolean) && <p className="soft">{t('energy.noTariff')}</p>}
          </section>
        </>
      )}
    </Answered>
  )
}
