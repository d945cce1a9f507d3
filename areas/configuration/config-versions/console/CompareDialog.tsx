import { Button, Modal, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type ConfigVersion, configVersion, configVersionCalls } from '../contract.ts'
import { Differences } from './Differences.tsx'

/** Changes since a version, up to the current configuration or another version. */
const CompareDialog = ({ row, close }: { row: ConfigVersion; close: () => void }) => {
  const t = useWords()
  const [to, setTo] = useState<number | null>(null)
  const versions = useRows(configVersion, { GatewayId: row.GatewayId, PageSize: 100 })
  const body = { GatewayId: row.GatewayId, From: row.Version, ...(to === null ? {} : { To: to }) }
  const { data, error, refetch } = useCall(configVersionCalls.compare, { body, of: ['configVersion', 'point', 'device'] })
  const choices = (versions.data?.Items ?? [])
    .filter(({ Version }) => Version !== row.Version)
    .map(({ Version, Label }) => ({ value: Version, label: t('version.name', { version: Version, label: Label ?? '' }).trim() }))
  return (
    <Modal
      open
      width={760}
      title={t('version.compareTitle', { version: row.Version })}
      onCancel={close}
      footer={<Button onClick={close}>{t('close')}</Button>}
    >
      <div className="stack">
        <Select
          aria-label={t('version.with')}
          value={to ?? 0}
          onChange={(value) => setTo(value || null)}
          options={[{ value: 0, label: t('version.now') }, ...choices]}
        />
        {error && !data ? (
          <Failure fault={error} retry={() => refetch()} />
        ) : data ? (
          <Differences of={data} none={t('version.same')} />
        ) : (
          <Skeleton active />
        )}
      </div>
    </Modal>
  )
}
export default CompareDialog
