import { Button, Space } from 'antd'
import { useState } from 'react'
import { useCall, useRemove, useRows } from '../../../../console/kernel/api.ts'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { circuitCalls, energyInfo, energySource, fromFormula, fromMeter } from '../contract.ts'
import type { CircuitRow } from './CircuitForm.tsx'
import { MeterInput } from './MeterInput.tsx'
import { SharesForm } from './SharesForm.tsx'

const inputs = { ParaId: MeterInput }
const most = 100

/** The meters of a circuit, the present one first. */
const Sources = ({ of }: { of: CircuitRow }) => {
  const t = useWords()
  const confirm = useConfirm()
  const mayEdit = useMay('m10702.edit')
  const [mayAdd, mayRemove] = [useMay('m10702.add'), useMay('m10702.remove')]
  const { data } = useRows(energySource, { PageIndex: 1, PageSize: most, EnergyInfoId: of.Id, OrderColumn: 'From', OrderType: 'desc' })
  const remove = useRemove(energySource)
  const [editing, edit] = useState<{ row?: NonNullable<typeof data>['Items'][number] }>()
  const items = data?.Items ?? []
  const nameOf = (row: (typeof items)[number]) =>
    row.ParaName ? String(row.ParaName) : row.ParaId === null ? t('circuit.noMeter') : t('circuit.deletedMeter', { id: row.ParaId })
  const ask = (row: (typeof items)[number]) =>
    confirm({
      title: t('list.removeOne', { title: nameOf(row) }),
      content: t('remove.energySource'),
      run: () => remove.mutateAsync([row.Id]),
    })
  return (
    <section>
      <h3>{t('circuit.sources')}</h3>
      {!items.length && <p className="soft">{t('empty.energySource')}</p>}
      <ol className="circuit-lines">
        {items.map((row, i) => (
          <li key={row.Id}>
            <strong>{nameOf(row)}</strong> × {numberText(row.Multiplier, 0, language(), 6)}
            <br />
            <span className="soft">
              {row.From < '2001' ? t('circuit.fromStart') : t('circuit.from', { from: row.From })}
              {row.StartReading !== null && ` · ${t('energySource.StartReading')} ${numberText(row.StartReading, 0, language(), 3)}`}
              {row.EndReading !== null && ` · ${t('energySource.EndReading')} ${numberText(row.EndReading, 0, language(), 3)}`}
            </span>
            <Space size="small">
              {mayEdit && (
                <Button size="small" onClick={() => edit({ row })}>
                  {t('button.edit')}
                </Button>
              )}
              {mayRemove && i === 0 && (
                <Button size="small" danger onClick={() => ask(row)}>
                  {t('button.remove')}
                </Button>
              )}
            </Space>
          </li>
        ))}
      </ol>
      {mayAdd && of.Source === fromMeter && <Button onClick={() => edit({})}>{t('circuit.swap')}</Button>}
      {editing && (
        <ResourceForm
          of={energySource}
          {...(editing.row ? { row: editing.row } : {})}
          fixed={editing.row ? {} : { EnergyInfoId: of.Id }}
          inputs={inputs}
          close={() => edit(undefined)}
        />
      )}
    </section>
  )
}

const CostCentres = ({ of }: { of: CircuitRow }) => {
  const t = useWords()
  const mayEdit = useMay('m10702.edit')
  const [editing, edit] = useState(false)
  const { data } = useCall(circuitCalls.shares, { query: { EnergyInfoId: of.Id }, of: ['energyInfo'] })
  if (!data) return null
  return (
    <section>
      <h3>{t('circuit.shares')}</h3>
      {!data.Items.length && <p className="soft">{t('circuit.noShares')}</p>}
      {data.Items.map(({ From, Shares }) => (
        <div key={From}>
          <p className="soft">{t('circuit.from', { from: From })}</p>
          <Facts
            of={Shares.map(({ CostCentre, Percent }) => ({
              key: CostCentre,
              label: CostCentre,
              value: `${numberText(Percent, 0, language(), 4)} %`,
            }))}
          />
        </div>
      ))}
      {mayEdit && <Button onClick={() => edit(true)}>{t('circuit.share')}</Button>}
      {editing && <SharesForm circuit={of.Id} last={data.Items[0]?.Shares ?? []} close={() => edit(false)} />}
    </section>
  )
}

const facts = [
  'EnergyCode',
  'EnergyType',
  'Unit',
  'Source',
  'Formula',
  'ParaId',
  'DeviceId',
  'Multiplier',
  'RegionId',
  'AreaM2',
  'ProductInfoId',
  'ReactiveInfoId',
  'CountInTotal',
  'Remark',
]
/** What a circuit is, its meters and whose its energy is. */
export const CircuitPanel = ({ row }: { row: CircuitRow }) => {
  const t = useWords()
  const shown = facts.filter((name) => row[name] !== null && row[name] !== undefined && (row.Source === fromMeter || name !== 'Multiplier'))
  return (
    <div className="stack">
      <Facts
        lines
        of={[
          ...shown.map((key) => ({ key, label: t(`energyInfo.${key}`), value: <Cell of={energyInfo} field={key} row={row} /> })),
          ...(row.Source === fromMeter && row.MaxReading !== null
            ? [{ key: 'MaxReading', label: t('circuit.maxReading'), value: numberText(Number(row.MaxReading), 0, language(), 3) }]
            : []),
        ]}
      />
      {row.Source !== fromFormula && <Sources of={row} />}
      <CostCentres of={row} />
    </div>
  )
}
