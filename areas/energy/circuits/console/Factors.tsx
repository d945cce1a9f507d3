import { Button, Skeleton, Table } from 'antd'
import { useState } from 'react'
import { useCall, useRemove, useRows } from '../../../../console/kernel/api.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { useMayDo } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { circuitCalls, energyFactor } from '../contract.ts'

type Begin = { EnergyType: number; Kgce: number; Kgco2e: number }
const digits = (value: number) => numberText(value, 0, language(), 4)

/** What each kind is worth today, and the company's own factors over time. */
export const Factors = ({ close }: { close: () => void }) => {
  const t = useWords()
  const may = useMayDo()
  const confirm = useConfirm()
  const { data } = useCall(circuitCalls.factors, { query: {}, of: [energyFactor.name] })
  const own = useRows(energyFactor, { PageIndex: 1, PageSize: 200, OrderColumn: 'From', OrderType: 'desc' })
  const remove = useRemove(energyFactor)
  const [begin, add] = useState<Begin>()
  const kindOf = (type: number) => t(`energyFactor.EnergyType.${type}`)
  return (
    <SidePanel width={560} title={t('circuit.factors')} onClose={close} mask={{ closable: true }}>
      {!data ? (
        <Skeleton active />
      ) : (
        <div className="stack">
          <p className="soft">{t('circuit.factorsHelp')}</p>
          <Table
            size="small"
            rowKey="EnergyType"
            pagination={false}
            dataSource={data.Items}
            columns={[
              { key: 'kind', title: t('energyFactor.EnergyType'), render: (_, row) => `${kindOf(row.EnergyType)} (${row.Unit})` },
              { key: 'kgce', title: 'kgce', align: 'right', render: (_, row) => digits(row.Kgce) },
              { key: 'co2', title: 'kg CO₂', align: 'right', render: (_, row) => digits(row.Kgco2e) },
              {
                key: 'change',
                render: (_, { EnergyType, Kgce, Kgco2e }) =>
                  may(energyFactor, 'add') && (
                    <Button size="small" onClick={() => add({ EnergyType, Kgce, Kgco2e })}>
                      {t('circuit.changeFactor')}
                    </Button>
                  ),
              },
            ]}
          />
          {own.data?.Items.map((row) => (
            <div key={row.Id} className="circuit-share">
              <span>
                {t('circuit.from', { from: row.From })}: {kindOf(row.EnergyType)} {digits(row.Kgce)} kgce, {digits(row.Kgco2e)} kg CO₂
              </span>
              {may(energyFactor, 'remove') && (
                <Button
                  size="small"
                  danger
                  onClick={() =>
                    confirm({
                      title: t('list.removeOne', { title: `${kindOf(row.EnergyType)} ${row.From}` }),
                      content: t('remove.energyFactor'),
                      run: () => remove.mutateAsync([row.Id]),
                    })
                  }
                >
                  {t('button.remove')}
                </Button>
              )}
            </div>
          ))}
        </div>
      )}
      {begin && <ResourceForm of={energyFactor} begin={begin} close={() => add(undefined)} />}
    </SidePanel>
  )
}
