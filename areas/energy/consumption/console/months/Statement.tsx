import { Table } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCall } from '../../../../../console/kernel/api.ts'
import { SidePanel } from '../../../../../console/shell/SidePanel.tsx'
import { Facts } from '../../../../../console/theme/Facts.tsx'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { timeText } from '../../../../../console/words/formats.ts'
import { useWords, type Words } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { SaveTable } from '../../../../analysis/data-analysis/console/SaveTable.tsx'
import { monthCalls, type StatementCircuit } from '../../closing.ts'
import { amountText, costText, energyText, percentText, powerUnit, priceText, signed } from '../amounts.ts'
import { MadeStrip, madeText } from '../MadeOf.tsx'
import { levelKey } from '../parts.ts'
import { monthSources } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'

type Of = Answer<typeof monthCalls.statement>
type Line = NonNullable<StatementCircuit['Lines']>[number]
type Currency = Of['Currency']
const [energyLine, demandLine] = [1, 2]

/** Circuits in the order of their tree, with how deep they lie. */
const inTree = (circuits: readonly StatementCircuit[]) => {
  const known = new Set(circuits.map(({ EnergyInfoId }) => EnergyInfoId))
  const below = Map.groupBy(circuits, ({ ParentId }) => (ParentId !== null && known.has(ParentId) ? ParentId : 0))
  const listed = (parent: number, depth: number): { of: StatementCircuit; depth: number }[] =>
    depth > 20 ? [] : (below.get(parent) ?? []).flatMap((of) => [{ of, depth }, ...listed(of.EnergyInfoId, depth + 1)])
  return listed(0, 0)
}

const lineName = ({ Kind, Name, Level, Tier }: Line, t: Words) =>
  [
    t(`bill.kind.${Kind}`),
    Kind === energyLine ? (Level ? t(levelKey(Level)) : '') : Name,
    Tier ? t('energy.months.tier', { tier: Tier }) : '',
  ]
    .filter(Boolean)
    .join(' · ')

/** What a circuit's month is made of: its lines, price levels, demand and cost centres. */
const CircuitLines = ({ of, currency, zone }: { of: StatementCircuit; currency: Currency; zone: string }) => {
  const t = useWords()
  const { Lines = [], Unit, CostCentres, Demand, DemandAt, Levels, Kgco2e } = of
  const facts = [
    ...(Lines.length
      ? []
      : Levels.filter(({ Level, Energy }) => Level && Energy).map(({ Level, Energy, Share }) => ({
          ...{ key: `level ${Level}`, label: t(levelKey(Level)), value: `${energyText(Energy, Unit)} · ${percentText(Share, 1)}` },
        }))),
    ...(Demand === null
      ? []
      : [
          {
            ...{ key: 'demand', label: t('energy.months.demand') },
            value: `${energyText(Demand, powerUnit(Unit))}${DemandAt === null ? '' : ` · ${timeText(DemandAt, zone).slice(0, 16)}`}`,
          },
        ]),
    ...(Kgco2e === null ? [] : [{ key: 'co2', label: 'CO₂', value: energyText(Kgco2e, 'kg') }]),
    ...CostCentres.map(({ CostCentre, Percent, Energy, Cost }, i) => ({
      key: `centre ${i}`,
      label: `${CostCentre} · ${percentText(Percent)}`,
      value: [energyText(Energy, Unit), ...(Cost === undefined ? [] : [costText(Cost, currency)])].join(' · '),
    })),
  ]
  const quantity = ({ Kind, Quantity }: Line) => (Kind === demandLine ? amountText(Quantity) : energyText(Quantity, Unit))
  return (
    <div className="stack-tight">
      {Lines.length > 0 && (
        <ul className="statement-lines">
          {Lines.map((line, i) => (
            <li key={i}>
              <span>
                {lineName(line, t)} <span className="soft figures">{`${line.DateFrom.slice(5)} – ${line.DateTo.slice(5)}`}</span>
              </span>
              <span className="soft figures">
                {[
                  line.Quantity === null ? '' : quantity(line),
                  line.Price === null || line.Kind > demandLine
                    ? ''
                    : priceText(line.Price, currency, line.Kind === demandLine ? 'kW' : Unit),
                  line.Percent === null ? '' : percentText(line.Percent, 2),
                ]
                  .filter(Boolean)
                  .join(' × ')}
              </span>
              <span className="figures">{costText(line.Cost, currency)}</span>
            </li>
          ))}
        </ul>
      )}
      {facts.length > 0 && <Facts of={facts.map(({ value, ...fact }) => ({ ...fact, value: <span className="figures">{value}</span> }))} />}
    </div>
  )
}

/** What readings that came late make of months that were closed. */
const LateLines = ({ of, currency, title, help }: { of: Of['Late']; currency: Currency; title: string; help: string }) => {
  if (!of.length) return null
  return (
    <section className="stack-tight" aria-label={title}>
      <h3>{title}</h3>
      <ul className="statement-lines">
        {of.map(({ Month, EnergyInfoId, EnergyName, Unit, Energy, Cost }) => (
          <li key={`${Month} ${EnergyInfoId}`}>
            <span>
              {EnergyName} <span className="soft figures">{Month}</span>
            </span>
            <span className="figures">{signed(energyText(Energy, Unit), Energy)}</span>
            <span className="figures">{Cost === undefined ? '' : signed(costText(Cost, currency), Cost)}</span>
          </li>
        ))}
      </ul>
      <p className="faint">{help}</p>
    </section>
  )
}

const Circuits = ({ of: { Circuits: circuits, Currency, Zone } }: { of: Of }) => {
  const t = useWords()
  const phone = usePhone()
  const rows = inTree(circuits)
  const hasCost = circuits.some(({ TotalCost }) => TotalCost !== undefined)
  const [open, setOpen] = useState<readonly number[]>([])
  type Row = (typeof rows)[number]
  const cost = ({ of }: Row): ReactNode => <span className="figures">{costText(of.TotalCost, Currency)}</span>
  return (
    <Table<Row>
      size="small"
      rowKey={({ of }) => of.EnergyInfoId}
      dataSource={rows}
      pagination={false}
      virtual={rows.length > 60}
      {...(rows.length > 60 ? { scroll: { x: 560, y: 480 } } : {})}
      expandable={{
        expandedRowKeys: [...open],
        onExpandedRowsChange: (keys) => setOpen(keys as number[]),
        expandedRowRender: ({ of }) => <CircuitLines of={of} currency={Currency} zone={Zone} />,
      }}
      columns={[
        {
          title: t('energyBill.EnergyInfoId'),
          render: (_, { of, depth }) => <span style={{ paddingInlineStart: phone ? 0 : depth * 16 }}>{of.EnergyName}</span>,
        },
        {
          ...{ title: t('energy.amount'), align: 'right', width: phone ? 120 : 150 },
          render: (_, row) => (
            <span className="energy-cell figures" title={madeText(row.of, t)}>
              {energyText(row.of.Energy, row.of.Unit)}
              <MadeStrip of={row.of} />
              {phone && hasCost && cost(row)}
            </span>
          ),
        },
        ...(hasCost && !phone
          ? [{ title: t('energy.months.total'), align: 'right' as const, width: 150, render: (_: unknown, row: Row) => cost(row) }]
          : []),
      ]}
    />
  )
}

/** The same as a sheet. */
const sheetOf = ({ Circuits: circuits, Currency, Late }: Of, t: Words): Cell[][] => [
  [
    t('energyInfo.EnergyCode'),
    t('energyInfo'),
    t('energyInfo.Unit'),
    t('energy.amount'),
    `${t('energy.months.total')} (${Currency ?? ''})`,
  ],
  ...inTree(circuits).map(({ of }): Cell[] => [of.EnergyCode, of.EnergyName, of.Unit, of.Energy ?? '', of.TotalCost ?? '']),
  ...Late.map(({ Month, EnergyCode, EnergyName, Unit, Energy, Cost }): Cell[] => [
    ...[EnergyCode, `${EnergyName} · ${Month}`, Unit, Energy, Cost ?? ''],
  ]),
]

/** The statement of a month: frozen if it is closed, current if it is open. */
export const Statement = ({ project, month, close }: { project: number; month: string; close: () => void }) => {
  const t = useWords()
  const answer = useCall(monthCalls.statement, { query: { ProjectId: project, Month: month }, of: monthSources })
  return (
    <SidePanel width={840} title={t('energy.months.statement', { month })} onClose={close} mask={{ closable: true }}>
      <Answered of={answer}>
        {(of) => (
          <div className="stack">
            {of.IsClosed ? (
              <Facts
                of={[
                  {
                    key: 'by',
                    label: t('energy.months.closed'),
                    value: [timeText(of.ClosedTime).slice(0, 16), of.ClosedBy].filter(Boolean).join(' · '),
                  },
                  { key: 'sha', label: 'SHA-256', value: <code className="statement-hash">{of.Sha256}</code> },
                ]}
              />
            ) : (
              <p className="soft">{t('energy.months.draft')}</p>
            )}
            <Circuits of={of} />
            <LateLines
              of={of.Late.filter(({ Month }) => Month === month)}
              currency={of.Currency}
              title={t('energy.months.since')}
              help={t('energy.months.sinceHelp')}
            />
            <LateLines
              of={of.Late.filter(({ Month }) => Month !== month)}
              currency={of.Currency}
              title={t('energy.months.settles')}
              help={t('energy.months.settlesHelp')}
            />
            {of.Events.length > 0 && (
              <p className="soft">{t(of.IsClosed ? 'energy.months.eventsThen' : 'energy.months.eventsNow', { count: of.Events.length })}</p>
            )}
            <p>
              <SaveTable name={t('energy.months.statement', { month })} rows={sheetOf(of, t)} />
            </p>
          </div>
        )}
      </Answered>
    </SidePanel>
  )
}
