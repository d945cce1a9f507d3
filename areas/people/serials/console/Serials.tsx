import { HistoryOutlined } from '@ant-design/icons'
import { Tabs } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { SerialList } from '../../agents/console/index.ts'
import { gatewaySn } from '../contract.ts'
import { AddSerials } from './AddSerials.tsx'
import { type Label, Labels } from './Labels.tsx'
import { Life } from './Life.tsx'

type Serial = Shown<typeof gatewaySn>

/** The stock of gateways, and those shipped to agents. */
const Serials = () => {
  const t = useWords()
  const [adding, setAdding] = useState(false)
  const [labels, setLabels] = useState<readonly Label[]>()
  const [life, setLife] = useState<Serial>()
  const stock = (
    <ResourceList
      of={gatewaySn}
      columns={['SN', 'Status', 'GatewayTypeId', 'Batch', 'ProduceDate', 'BoundTime']}
      cells={{ SN: (row) => <span className="mono">{row.SN}</span> }}
      states={{ Status: { 3: 'normal', 0: 'offline', 1: 'offline', 2: 'offline', 4: 'warning', 5: 'offline', 6: 'alarm' } }}
      filters={['Status', 'GatewayTypeId']}
      onAdd={() => setAdding(true)}
      onActed={{ newCode: (made) => setLabels([made as unknown as Label]) }}
      actions={(row) => [{ key: 'life', label: t('serial.life'), icon: <HistoryOutlined />, run: () => setLife(row) }]}
    />
  )
  return (
    <Page title={t('menu.m12005')}>
      <Tabs
        destroyOnHidden
        items={[
          { key: 'stock', label: t('serial.stock'), children: stock },
          { key: 'shipped', label: t('serial.shipped'), children: <SerialList prefix="shipped" /> },
        ]}
      />
      {adding && (
        <AddSerials
          close={() => setAdding(false)}
          onAdded={(codes) => {
            setAdding(false)
            if (codes.length) setLabels(codes)
          }}
        />
      )}
      {labels && <Labels of={labels} close={() => setLabels(undefined)} />}
      {life && <Life of={life} close={() => setLife(undefined)} />}
    </Page>
  )
}
export default Serials
