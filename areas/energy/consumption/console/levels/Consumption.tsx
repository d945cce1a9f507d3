import { Table } from 'antd'
import { useCall } from '../../../../../console/kernel/api.ts'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import { byLevels, energyCalls } from '../../contract.ts'
import { AmountRows } from '../AmountRows.tsx'
import { amountText, changeText, costText, energyText, percentText, priceText } from '../amounts.ts'
import { CircuitChoice, EnergyPage } from '../EnergyPage.tsx'
import { MadeLegend, MadeOf } from '../MadeOf.tsx'
import { levelKey, levelsIn } from '../parts.ts'
import { type Energy, sources, useEnergy } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'
import { LevelBars, LevelTable } from '../views/ByLevel.tsx'

type Items = Answer<typeof energyCalls.levelStatistics>['Items']

/** The price levels of every circuit. */
const Circuits = ({ items, currency, days }: { items: Items; currency: string | null | undefined; days: { from: string; to: string } }) => {
  const t = useWords()
  const phone = usePhone()
  const levels = levelsIn(items.map(({ Levels }) => Levels))
  const withCost = items.some(({ Cost }) => Cost != null)
  const share = (item: Items[number], level: number) => item.Levels.find(({ Level }) => Level === level)?.Share
  if (phone)
    return (
      <AmountRows
        label={t('energy.circuits')}
        rows={items.map((item) => ({
          ...{ key: String(item.EnergyInfoId), name: item.EnergyName, value: item.Energy, text: energyText(item.Energy, item.Unit) },
          note: [
            ...levels.map((level) => `${t(levelKey(level))} ${percentText(share(item, level))}`),
            item.MeanPrice != null && priceText(item.MeanPrice, currency, item.Unit),
          ]
            .filter(Boolean)
            .join(' · '),
          asked: { name: item.EnergyName, figure: item, circuit: item.EnergyInfoId, ...days },
        }))}
      />
    )
  return (
    <div className="energy-table">
      <Table<Items[number]>
        size="small"
        rowKey="EnergyInfoId"
        dataSource={items}
        pagination={false}
        scroll={{ x: 560 + levels.length * 110 }}
        columns={[
          { title: t('energyInfo'), width: 200, fixed: 'start', dataIndex: 'EnergyName' },
          {
            ...{ title: t('energy.amount'), width: 130, align: 'right' },
            render: (_, { Energy, Unit }) => <span className="figures">{energyText(Energy, Unit)}</span>,
          },
          ...levels.map((level) => ({
            ...{ title: t(levelKey(level)), key: level, width: 110, align: 'right' as const },
            render: (_: unknown, item: Items[number]) => (
              <span className="figures" title={amountText(item.Levels.find(({ Level }) => Level === level)?.Energy)}>
                {percentText(share(item, level), 1)}
              </span>
            ),
          })),
          ...(withCost
            ? [
                {
                  ...{ title: t('energy.cost'), key: 'cost', width: 120, align: 'right' as const },
                  render: (_: unknown, { Cost }: Items[number]) => <span className="figures">{costText(Cost, currency)}</span>,
                },
                {
                  ...{ title: t('energy.meanPrice'), key: 'mean', width: 140, align: 'right' as const },
                  render: (_: unknown, { MeanPrice, Unit }: Items[number]) => (
                    <span className="figures">{priceText(MeanPrice, currency, Unit)}</span>
                  ),
                },
              ]
            : []),
          {
            ...{ title: t('energy.made.title'), key: 'made', width: 110 },
            render: (_, item) => <MadeOf of={{ name: item.EnergyName, figure: item, circuit: item.EnergyInfoId, ...days }} />,
          },
        ]}
      />
    </div>
  )
}

const Levels = ({ energy: { circuit, period, projectId, kind } }: { energy: Energy }) => {
  const t = useWords()
  const { days } = period
  const query = { EnergyInfoId: circuit?.EnergyInfoId ?? 0, DateFrom: days.from, DateTo: days.to }
  const asked = { query, of: sources, enabled: circuit !== undefined }
  const data = useCall(energyCalls.levelData, asked)
  const compared = useCall(energyCalls.levelComparison, asked)
  const statistics = useCall(energyCalls.levelStatistics, {
    query: { DateFrom: days.from, DateTo: days.to, ...(projectId ? { ProjectId: projectId } : {}), ...(kind ? { EnergyType: kind } : {}) },
    of: sources,
  })
  const unit = circuit?.Unit ?? ''
  const rangeText = ({ DateFrom, DateTo }: { DateFrom: string; DateTo: string }) =>
    DateFrom === DateTo ? DateFrom : `${DateFrom} – ${DateTo}`
  return (
    <>
      <Answered of={data}>
        {({ Levels, Hours, Currency }) => (
          <div className="energy-grid">
            <LevelBars
              title={t('energy.byHour')}
              parts={Hours.map(({ Hour, Levels }) => ({ label: String(Hour).padStart(2, '0'), levels: Levels }))}
              unit={unit}
              head={t('energy.hour')}
            />
            <section className="panel chart-panel">
              <h2>{t('energy.levels')}</h2>
              <LevelTable levels={Levels} unit={unit} currency={Currency} />
              {!levelsIn([Levels]).some(Boolean) && <p className="soft">{t('energy.noTariff')}</p>}
            </section>
          </div>
        )}
      </Answered>
      <Answered of={compared}>
        {({ Items, Currency }) => (
          <div className="energy-grid">
            <LevelBars
              title={t('energy.compare.periods')}
              parts={Items.map((item) => ({ label: rangeText(item), levels: item.Levels }))}
              unit={unit}
              head={t('explore.period')}
            />
            <section className="panel chart-panel">
              <AmountRows
                label={t('energy.compare.periods')}
                rows={Items.map((item, i) => ({
                  ...{ key: item.DateFrom, name: rangeText(item), value: item.Energy, text: energyText(item.Energy, unit) },
                  note: [i > 0 && changeText(Items[0]!.Energy, item.Energy), item.Cost != null && costText(item.Cost, Currency)]
                    .filter(Boolean)
                    .join(' · '),
                  asked: { name: rangeText(item), figure: item, circuit: circuit!.EnergyInfoId, from: item.DateFrom, to: item.DateTo },
                }))}
              />
              <p className="faint">{t('energy.compare.help')}</p>
            </section>
          </div>
        )}
      </Answered>
      <section className="panel chart-panel">
        <h2>{t('energy.circuits')}</h2>
        <Answered of={statistics}>{({ Items, Currency }) => <Circuits items={Items} currency={Currency} days={days} />}</Answered>
        <MadeLegend />
      </section>
    </>
  )
}

/** Electricity by price level: by hour of the day, against earlier periods, and of every circuit. */
const Consumption = () => {
  const energy = useEnergy()
  return (
    <EnergyPage code={byLevels} energy={energy} tools={<CircuitChoice energy={energy} />}>
      <Levels energy={energy} />
    </EnergyPage>
  )
}
export default Consumption
