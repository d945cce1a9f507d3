import { Slider } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../../console/session/session.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { ChartPanel } from '../../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { paintScatter } from '../../../../analysis/reports/spread.ts'
import { byLevels, energyCalls, type LevelFigure, prices } from '../../contract.ts'
import { costText, energyText, priceText } from '../amounts.ts'
import { CircuitChoice, EnergyPage } from '../EnergyPage.tsx'
import { levelKey, levelsIn } from '../parts.ts'
import { type Energy, sources, useEnergy } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'
import { LevelTable } from '../views/ByLevel.tsx'

type PriceOf = { level: number; energy: number; price: number }
const pricesOf = (levels: readonly LevelFigure[]): PriceOf[] =>
  levels
    .flatMap(({ Level, Energy, Cost }) =>
      Level && Cost != null && Energy > 0 ? [{ level: Level, energy: Energy, price: Cost / Energy }] : [],
    )
    .sort((a, b) => b.price - a.price)

type PotentialProps = { levels: readonly LevelFigure[]; unit: string; currency: string | null | undefined }
/** What it saves to move a share of the dearest hours into the cheapest ones. */
const Potential = ({ levels, unit, currency }: PotentialProps) => {
  const t = useWords()
  const [share, setShare] = useState(10)
  const all = pricesOf(levels)
  const [dear, cheap] = [all[0], all.at(-1)]
  if (!dear || !cheap || dear === cheap) return <p className="soft">{t('energy.potential.none')}</p>
  const moved = (dear.energy * share) / 100
  return (
    <div className="stack-tight">
      <span id="energy-share">{t('energy.potential.share', { level: t(levelKey(dear.level)) })}</span>
      <Slider
        value={share}
        min={0}
        max={100}
        step={5}
        onChange={setShare}
        ariaLabelledByForHandle="energy-share"
        tooltip={{ formatter: (value) => `${value} %` }}
      />
      <p>
        {t('energy.potential.saves', {
          ...{ share, amount: energyText(moved, unit), from: t(levelKey(dear.level)), to: t(levelKey(cheap.level)) },
          money: costText(moved * (dear.price - cheap.price), currency),
        })}
      </p>
      <p className="faint">
        {t('energy.potential.help', { dear: priceText(dear.price, currency, unit), cheap: priceText(cheap.price, currency, unit) })}
      </p>
    </div>
  )
}

const Correlation = ({ energy: { circuit, period, maySeeCost } }: { energy: Energy }) => {
  const t = useWords()
  const mayLevels = useMay(byLevels)
  const { days } = period
  const answer = useCall(energyCalls.levelData, {
    query: { EnergyInfoId: circuit?.EnergyInfoId ?? 0, DateFrom: days.from, DateTo: days.to },
    of: sources,
    enabled: circuit !== undefined && maySeeCost && mayLevels,
  })
  if (!maySeeCost || !mayLevels) return <EmptyList text={t('energy.needsCost')} />
  const unit = circuit?.Unit ?? ''
  return (
    <Answered of={answer}>
      {({ Levels, Hours, Currency }) => {
        const dots = Hours.flatMap(({ Hour, Levels }) => {
          const [energy, cost] = Levels.reduce(([e, c], one) => [e + one.Energy, c + (one.Cost ?? 0)], [0, 0])
          return energy > 0 && cost > 0 ? [{ hour: Hour, x: cost / energy, y: energy }] : []
        })
        if (!dots.length || !levelsIn([Levels]).some(Boolean)) return <EmptyList text={t('energy.noTariff')} />
        const [priceTitle, amountTitle] = [t('energy.priceOfHour', { unit: `${Currency}/${unit}` }), t('energy.amountOfHour', { unit })]
        return (
          <>
            <div className="energy-grid">
              <ChartPanel
                title={t('energy.correlation')}
                height={320}
                paint={(look) =>
                  paintScatter(
                    {
                      dots: dots.map(({ hour, x, y }) => ({
                        ...{ x, y, age: 0.9 },
                        title: `${String(hour).padStart(2, '0')}:00 · ${priceText(x, Currency, unit)} · ${energyText(y, unit)}`,
                      })),
                      ...{ xTitle: priceTitle, yTitle: amountTitle },
                    },
                    look,
                  )
                }
                table={[
                  [t('energy.hour'), priceTitle, amountTitle],
                  ...dots.map(({ hour, x, y }): Cell[] => [String(hour).padStart(2, '0'), x, y]),
                ]}
                help={t('energy.correlationHelp')}
              />
              <section className="panel chart-panel">
                <h2>{t('energy.potential')}</h2>
                <Potential levels={Levels} unit={unit} currency={Currency} />
              </section>
            </div>
            <section className="panel chart-panel">
              <h2>{t('energy.levels')}</h2>
              <LevelTable levels={Levels} unit={unit} currency={Currency} />
            </section>
          </>
        )
      }}
    </Answered>
  )
}

/** What the hours of use have to do with the price: mean prices, and what moving load would save. */
const Prices = () => {
  const energy = useEnergy()
  return (
    <EnergyPage code={prices} energy={energy} tools={<CircuitChoice energy={energy} />}>
      <Correlation energy={energy} />
    </EnergyPage>
  )
}
export default Prices
